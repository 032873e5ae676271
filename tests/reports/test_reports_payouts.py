"""The report of payouts reads each game once: its lines are the same however it goes about it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from casino.house.attendants.pseudonyms import tokens
from casino.money.payouts.explained import Explained
from casino.play.settlement.models import Payout
from casino.reports.registers import payouts
from casino.reports.registers.payouts import PayoutsAsOf
from games.payments import RESERVED
from ledger import journal, recent
from tests.forms import LONG_FORM
from tests.support import builders, module_data
from tests.support.playing import opened
from tests.support.reported import content, query, rows
from tests.support.reporting import days_by_chance

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_django import DjangoDbBlocker

    from tests.support.builders import House

pytestmark = pytest.mark.django_db
SOME = 8 if LONG_FORM else 5
"""Payouts read together, fewer than a house has: a game comes again in what is read next."""
STRETCHES = (20, 130) if LONG_FORM else (60, 40)  # how many, of so many steps


@pytest.fixture(scope="module")
def house(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[House]:
    """Several tables, side by side, with voids and players who left."""
    del django_db_setup

    def build() -> House:  # as long as it takes: ids differ in each run, and chance with them
        return next(
            house for house in days_by_chance(5, *STRETCHES) if len(of_players(house)) > 2 * SOME
        )

    yield from module_data.built_once(build, django_db_blocker)


def of_players(house: House) -> list[Payout]:
    found = Payout.objects.filter(establishment=house.id).exclude(payee__in=RESERVED)
    return list(found.order_by("position", "seq"))


@pytest.mark.long
def test_every_line_says_why_as_the_page_of_its_payout_does(house: House) -> None:
    alone = [(row, Explained(house.establishment, [row])) for row in of_players(house)]

    found = [row["because"] for row in rows(payouts.REPORT, query(house))]

    assert len(found) > SOME
    assert found == tokens.resolve(house.id, [explained.why(row) for row, explained in alone])


@pytest.mark.rows(2)
@pytest.mark.long("postgresql")
@pytest.mark.parametrize(("chunk", "kept_most"), [(1, 5000), (1, 0), (SOME, 5000), (SOME, 0)])
def test_lines_are_the_same_however_many_are_read_together(
    house: House, monkeypatch: pytest.MonkeyPatch, chunk: int, kept_most: int
) -> None:
    at_once = content(payouts.REPORT, query(house))

    monkeypatch.setattr(payouts, "CHUNK", chunk)
    monkeypatch.setattr(payouts, "KEPT", kept_most)

    assert content(payouts.REPORT, query(house)) == at_once


@pytest.mark.long("postgresql")
def test_a_game_is_read_once_for_all_of_its_payouts(house: House) -> None:
    """By statements: some for all, one for each ten games; none for a line."""
    found = of_players(house)
    then = PayoutsAsOf(house.establishment, journal.head(establishment=house.id))
    games = {row.game for row in found}

    with CaptureQueriesContext(connection) as first:
        then.meet(found)
    with CaptureQueriesContext(connection) as again:
        then.meet(found)

    assert len(first) <= 1 + -(-len(games) // 10)
    assert len(again) == 1  # how far their streams are now


@pytest.mark.long
def test_the_content_as_of_a_position_stays_whatever_came_since() -> None:
    then = {}
    for house in days_by_chance(8, 4, steps=50):
        head = journal.head(establishment=house.id)
        then[head] = content(payouts.REPORT, query(house))

    assert max(len(found["payouts"]) for found in then.values()) > SOME
    assert {head: content(payouts.REPORT, query(house, head)) for head in then} == then


def test_what_streams_say_ends_at_the_position_and_comes_in_order() -> None:
    house = builders.house()
    game = opened(house)
    head = journal.head(establishment=house.id)
    stream = f"game/{game}"
    events = journal.stream(establishment=house.id, stream=stream)

    found = recent.contents(house.id, [stream, "game/none"], head)

    assert found == {stream: [(each.position, each.event_type, each.data) for each in events]}
    assert recent.ends(house.id, [stream, "game/none"]) == {stream: events[-1].position}
    assert recent.contents(house.id, [stream], events[0].position - 1) == {}
