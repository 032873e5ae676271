"""What a chain is: one of a house, one of a person, each act an event (C2, D1)."""

from __future__ import annotations

from datetime import timedelta
from io import StringIO
from typing import TYPE_CHECKING

import pytest
from django.core.exceptions import ValidationError
from django.core.management import call_command
from django.db import IntegrityError, transaction
from django.utils import timezone

from casino.chain import operations, proof
from casino.chain.models import ChainHouse, ChainMember, ChainRole, HouseSummary
from casino.house.attendants.models import Attendant
from casino.house.attendants.pseudonyms import tokens
from casino.proof.signing.tasks import grow
from ledger import checkpoints, journal
from tests.support import builders
from tests.support.chained import chained

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_django import Settings

pytestmark = pytest.mark.django_db


def told(chain: object) -> list[str]:
    events = journal.stream(establishment=chain.pk, stream=operations.CHAIN)  # type: ignore[attr-defined]
    return [event.event_type for event in events]


def test_what_is_done_to_a_chain_stands_in_its_ledger() -> None:
    here = chained(houses=1)
    operations.dismiss(here.chain, here.auditor, now=timezone.now())

    assert told(here.chain) == [
        "chain.founded", *["chain.member_appointed"] * 3, "chain.house_joined",
        "chain.member_dismissed",
    ]  # fmt: skip


def test_a_house_says_in_its_own_ledger_which_chain_it_joined_and_left_and_why() -> None:
    here = chained(houses=1)
    house = here.house
    operations.leave(here.chain, house.establishment, reason="Sold.", now=timezone.now())

    joined, left = journal.stream(establishment=house.id, stream=operations.STREAM)
    assert (joined.event_type, left.event_type) == ("chain.joined", "chain.left")
    assert joined.data["chain"] == str(here.chain.pk)
    assert tokens.resolve(house.id, left.data["reason"]) == "Sold."
    assert not HouseSummary.objects.filter(establishment=house.id).exists()


def test_a_house_belongs_to_one_chain_at_most() -> None:
    here, other = chained(houses=1), chained(houses=0)
    with pytest.raises(operations.OfAnotherChain):
        operations.join(other.chain, here.house.establishment, reason="", now=timezone.now())
    with pytest.raises(IntegrityError), transaction.atomic():
        ChainHouse.objects.create(establishment=here.house.establishment, chain=other.chain)
    assert told(other.chain)[-1] != "chain.house_joined"


def test_a_person_works_for_one_chain_at_most() -> None:
    here, other = chained(houses=0), chained(houses=0)
    with pytest.raises(operations.OfAnotherChain):
        operations.appoint(other.chain, here.auditor, "manager", now=timezone.now())
    with pytest.raises(IntegrityError), transaction.atomic():
        ChainMember.objects.create(chain=other.chain, attendant=here.auditor, role="auditor")


def test_another_role_ends_the_one_before() -> None:
    here = chained(houses=0)
    operations.appoint(here.chain, here.auditor, ChainRole.MANAGER, now=timezone.now())

    roles = ChainMember.objects.filter(attendant=here.auditor).order_by("since")
    assert [(each.role, each.until is None) for each in roles] == [
        ("auditor", False), ("manager", True),
    ]  # fmt: skip


def test_a_chain_keeps_a_manager() -> None:
    here = chained(houses=0)
    operations.dismiss(here.chain, here.second, now=timezone.now())
    with pytest.raises(operations.LastManager):
        operations.dismiss(here.chain, here.manager, now=timezone.now())
    with pytest.raises(operations.LastManager):
        operations.appoint(here.chain, here.manager, ChainRole.AUDITOR, now=timezone.now())


def test_who_has_left_is_of_no_chain() -> None:
    here = chained(houses=0)
    operations.dismiss(here.chain, here.auditor, now=timezone.now())

    assert Attendant.objects.get(pk=here.auditor.pk).chain is None
    with pytest.raises(operations.NotOfThisChain):
        operations.dismiss(here.chain, here.auditor, now=timezone.now())


def test_two_chains_have_two_names() -> None:
    here = chained(houses=0)
    with pytest.raises(ValidationError):
        operations.create_chain(name=here.chain.name, now=timezone.now())


def test_no_role_but_those_two() -> None:
    here = chained(houses=0)
    with pytest.raises(IntegrityError), transaction.atomic():
        ChainMember.objects.create(chain=here.chain, attendant=builders.person(), role="owner")


class TestProof:
    @pytest.fixture(autouse=True)
    def _keys_are_held_here(self, settings: Settings, tmp_path: Path) -> None:
        settings.LEDGER_KEYS_DIR = tmp_path

    def test_a_chain_s_ledger_is_signed_and_verified_as_a_house_s(self) -> None:
        here = chained(houses=1)
        call_command("chain", "key", here.chain.name, stdout=StringIO())
        grow(here.chain.pk)

        found = proof.verify(here.chain)
        signed = checkpoints.latest(here.chain.pk)
        assert signed is not None
        assert (found.findings, found.signed) == ([], signed.size)
        said = StringIO()
        call_command("chain", "checkpoint", here.chain.name, stdout=said)
        assert said.getvalue().strip() == signed.note.strip()
        assert signed.size == journal.head(establishment=here.chain.pk) + 1

    def test_a_second_look_signs_nothing_new(self) -> None:
        here = chained(houses=1)
        proof.make_key(here.chain, timezone.now())
        grow(here.chain.pk)
        assert checkpoints.latest(here.chain.pk) is not None
        assert proof.sign(here.chain.pk, timezone.now() + timedelta(minutes=1)) is None

    def test_a_row_that_no_event_wrote_is_found(self) -> None:
        here = chained(houses=1)
        stranger, house = builders.person(), builders.house()
        made = ChainMember.objects.create(chain=here.chain, attendant=stranger, role="manager")
        ChainHouse.objects.create(establishment=house.establishment, chain=here.chain)

        assert [str(made.pk) in each for each in proof.verify(here.chain).findings] == [True, False]

    def test_a_role_that_was_written_over_is_found(self) -> None:
        here = chained(houses=0)
        ChainMember.objects.filter(attendant=here.auditor).update(role="manager")
        assert len(proof.verify(here.chain).findings) == 1
