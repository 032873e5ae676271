"""What cannot be signed is tried again in turn: a thousand such houses hold up nobody."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from django.utils import timezone

from casino.kit.web.jobs.models import Occasion
from casino.proof.signing import queries, signing, tasks
from casino.proof.signing.models import Verification
from ledger import lag
from tests.support.playing import NOW
from tests.support.proven import keyed, signed, trouble, with_a_ledger

if TYPE_CHECKING:
    from collections.abc import Iterable
    from uuid import UUID

    from pytest_django import Settings

    from tests.support.builders import House

pytestmark = pytest.mark.django_db

FEW = 2


@pytest.fixture(autouse=True)
def _before_all_else(key_folder: object, settings: Settings) -> None:
    del key_folder
    settings.PRODUCTION = True  # elsewhere a house makes its first key itself


@pytest.fixture
def woken(monkeypatch: pytest.MonkeyPatch) -> list[UUID]:
    """The houses that a watch wakes a worker for."""
    found: list[UUID] = []

    def wake(who: Iterable[tuple[str, UUID]], *, top_up: bool = False) -> None:
        del top_up
        found.extend(house for _kind, house in who)

    monkeypatch.setattr(tasks.WAKES, "wake", wake)
    return found


def without_a_key() -> House:
    house = with_a_ledger()
    assert signing.sign(house.establishment, NOW) is None
    assert trouble(house)
    return house


def found_broken() -> House:
    house = with_a_ledger()
    Verification.objects.create(
        establishment=house.establishment, occasion=Occasion.SIGN, asked_at=NOW, start=0, stop=3,
        reached=0, cursor={}, found=1, state=Verification.State.BROKEN, worked_at=NOW,
        finished_at=NOW,
    )  # fmt: skip
    return house


@pytest.mark.parametrize("every", [tasks.TREES, tasks.COPIES], ids=["trees", "copies"])
def test_whoever_can_be_signed_is_each_time_and_of_the_others_some(
    every: int, woken: list[UUID], monkeypatch: pytest.MonkeyPatch, settings: Settings
) -> None:
    settings.CHECKPOINT_COPIES = ("mail:auditor@example.org",)
    monkeypatch.setattr(tasks, "STUCK", FEW)
    monkeypatch.setattr(tasks, "COMPARED", 1)
    watch, compared = {
        tasks.TREES: (tasks.watch_trees, 0),
        tasks.COPIES: (tasks.watch_copies, 1),
    }[every]
    stuck = {each.id for each in (*(without_a_key() for _ in range(3)), found_broken())}
    well = with_a_ledger()
    keyed(well)
    assert queries.stuck() == stuck

    tried: set[UUID] = set()
    for turn in range(2):
        now = NOW + timedelta(seconds=every * turn)
        monkeypatch.setattr(timezone, "now", lambda now=now: now)
        woken.clear()
        watch()
        assert well.id in woken
        assert len(set(woken) - {well.id}) <= FEW + compared
        tried |= set(woken)

    assert tried == stuck | {well.id}


def test_where_nothing_is_copied_nobody_is_asked_whether_it_is_due(
    woken: list[UUID], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tasks, "COMPARED", 1)
    houses = {with_a_ledger().id for _ in range(3)}

    tasks.watch_copies()

    assert set(lag.unread_houses()) == houses
    assert len(woken) == 1, "whoever is compared in turn"


def test_few_are_tried_each_time_and_signed_as_soon_as_nothing_is_in_the_way(
    woken: list[UUID],
) -> None:
    house = without_a_key()
    tasks.watch_trees()
    keyed(house)
    tasks.watch_trees()

    assert woken == [house.id] * 2
    signed(house)
    assert queries.stuck() == set()
