"""The code on a slip: its payout with reason and proof, its player's evening, and nobody's name."""

from __future__ import annotations

import re
import shutil
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import reverse

from casino.money.payouts import queries, receipts
from casino.play.settlement.models import Payout
from casino.words.languages import spelled
from tests.floor.guests.test_guests_page import TOKEN, UUID, sentences
from tests.floor.wall.test_wall_board import switch
from tests.money.payouts.test_receipts import check_of, file_of, page_of, staff
from tests.support import builders
from tests.support.playing import done, settled
from tests.support.proven import keyed_house, signed
from tests.support.proving import won

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pytest_django.fixtures import Settings

    from tests.support.builders import House

pytestmark = [pytest.mark.django_db, pytest.mark.long("postgresql")]


@pytest.fixture(autouse=True)
def _keys_of_its_own(settings: Settings, tmp_path: Path, module_keys: Path) -> None:
    settings.LEDGER_KEYS_DIR = shutil.copytree(module_keys, tmp_path / "secret")


@pytest.fixture(autouse=True)
def _nobody_came_before() -> Iterator[None]:
    cache.clear()
    yield
    cache.clear()


@pytest.fixture
def house() -> House:
    made = keyed_house()
    switch(made.establishment, guests=True)
    made.establishment.refresh_from_db()
    return made


@pytest.fixture
def row(house: House) -> Payout:
    return won(house)[1]


def slip_of(house: House, row: Payout) -> str:
    code = receipts.code_of(house.establishment, row)
    return reverse("guests-slip", args=[spelled.compact(house.id), code])


def ask(house: House, row: Payout) -> Any:
    return Client().get(slip_of(house, row))


def test_the_code_on_the_slip_leads_to_it(house: House, row: Payout) -> None:
    printed = staff(house).get(page_of(row)).content.decode()
    assert f"http://testserver{slip_of(house, row)}" in printed

    switch(house.establishment, guests=False)
    assert f"http://testserver{check_of(row)}" in staff(house).get(page_of(row)).content.decode()


def test_it_tells_the_reason_the_proof_and_how_to_check_it(house: House, row: Payout) -> None:
    signed(house)
    told = sentences(ask(house, row))

    assert "20 r" in told
    assert "This player" in told
    assert f"#{row.rules.split()[0]}" in told
    assert check_of(row) in told
    proof = Client().get(f"{slip_of(house, row)}proof")
    assert proof.content == staff(house).get(file_of(row)).content
    assert "verify" in Client().get(reverse("ledger-of", args=[house.id])).text


def test_the_evening_has_all_payouts_of_that_player_and_no_other_s(
    house: House, row: Payout
) -> None:
    evening = ask(house, row).content.decode()
    mine = queries.payouts_of(house.id).filter(payee=row.payee)
    others = queries.payouts_of(house.id).exclude(payee=row.payee)

    assert mine.count() >= 1
    assert all(slip_of(house, each) in evening for each in mine)
    assert not any(slip_of(house, each) in evening for each in others)
    assert sum(each.amount for each in mine) == 20


def test_each_reason_stands_on_it_once(house: House, row: Payout) -> None:
    told = re.findall(r"<p>(This player .*?)</p>", ask(house, row).text)

    assert told
    assert sorted(set(told)) == sorted(told)
    assert not re.search(r"\. [a-z]", " ".join(told))


def test_nobody_is_named_and_nobody_keeps_it(house: House, row: Payout) -> None:
    answer = ask(house, row)
    told = re.sub(rf"/ledger/{house.id}/\S*", "", answer.content.decode())

    for private in (TOKEN, UUID, re.compile(r"\b(?:Ada|Bo|Cyd)\b")):
        assert not private.search(told), private.pattern
    assert answer["Cache-Control"] == "no-store, private"
    assert answer["Referrer-Policy"] == "no-referrer"
    assert not answer.cookies


def test_no_other_code_opens_it(house: House, row: Payout) -> None:
    code = receipts.code_of(house.establishment, row)
    position, seq, mac = code.split("-", 2)
    other = builders.house(guests=True)
    assert len(mac) * 6 >= 128
    for made_up in (
        f"{int(position) + 1}-{seq}-{mac}", f"{position}-{int(seq) + 1}-{mac}",
        f"{position}-{seq}-{mac[::-1]}", f"{position}-{seq}-", "x", f"{'9' * 15}-0-{mac}",
    ):  # fmt: skip
        for name in ("guests-slip", "guests-proof"):
            address = reverse(name, args=[spelled.compact(house.id), made_up])
            assert Client().get(address).status_code == 404, made_up
    elsewhere = reverse("guests-slip", args=[spelled.compact(other.id), code])
    assert Client().get(elsewhere).status_code == 404


def test_after_seven_days_it_leads_to_the_check_alone(house: House, row: Payout) -> None:
    Payout.objects.filter(pk=row.pk).update(gaming_day=row.gaming_day - receipts.LASTS)
    assert ask(house, row).status_code == 200

    earlier = row.gaming_day - receipts.LASTS - timedelta(days=1)
    Payout.objects.filter(pk=row.pk).update(gaming_day=earlier)
    for answer in (ask(house, row), Client().get(f"{slip_of(house, row)}proof")):
        assert (answer.status_code, answer["Location"]) == (302, check_of(row))


def test_with_the_page_switched_off_it_leads_to_the_check_alone(house: House, row: Payout) -> None:
    code = slip_of(house, row)
    switch(house.establishment, guests=False)

    for answer in (Client().get(code), Client().get(f"{code}proof")):
        assert (answer.status_code, answer["Location"]) == (302, check_of(row))


def test_a_proof_that_does_not_hold_yet_is_not_handed_out(house: House, row: Payout) -> None:
    assert Client().get(f"{slip_of(house, row)}proof").status_code == 404
    assert "recorded, not signed yet" in sentences(ask(house, row))


def test_a_voided_payout_says_so_and_counts_no_more(house: House, row: Payout) -> None:
    done(house, row.game, "void", back_to=row.cause, reason="Misread.")
    settled(house)

    told = sentences(ask(house, row))

    assert "Voided, and moved back." in told
    assert '<dt>Paid to you</dt><dd class="money">0' in told
