"""A gaming day is closed: at a position, drained, frozen, with what it leaves behind (B4)."""

from __future__ import annotations

from datetime import datetime, time, timedelta
from typing import TYPE_CHECKING, Any

import pytest
import time_machine

from casino.engine.processes.queues.house_subscriber import HOUSE
from casino.house.attendants.models import Role
from casino.house.attendants.permissions import NotYours
from casino.house.establishments import gaming_day
from casino.play.core.subscriptions.tasks import advance
from casino.play.settlement.subscriber import SETTLEMENT
from casino.reports.gaming_days import closing
from casino.reports.gaming_days import tasks as closings
from casino.reports.gaming_days.models import GamingDay, LateEntry
from games.refusals import Refused
from ledger import subscriptions
from ledger.models import Event, ParkedEvent
from tests.play.settlement.test_settlement_trouble import by_hand, overpaid
from tests.support import builders
from tests.support.at_once import at_once, on_a_file
from tests.support.dayend import (
    CUT_OFF,
    TODAY,
    TOMORROW,
    act,
    begun,
    closed,
    day_stream,
    days_of,
    mended,
)
from tests.support.playing import (
    NOW,
    booked_events,
    done,
    game_of,
    opened,
    refused,
    round_played,
    settled,
    stake_of,
    thrown,
)

if TYPE_CHECKING:
    from pathlib import Path

    from ledger.wire import StoredEvent
    from tests.support.builders import House

pytestmark = pytest.mark.django_db
ALMOST = timedelta(seconds=1)


@pytest.fixture
def house() -> House:
    return builders.house(day_cutoff=time(6), closing_grace=60)


class TestDraining:
    def test_it_waits_for_settlement(self, house: House) -> None:
        game = opened(house)
        round_played(house, game)
        position = begun(house).position
        assert closing.behind(house.id) == position

        assert closing.finish(house.establishment, NOW) is None

        settled(house)
        assert closing.behind(house.id) == 0
        finished = closing.finish(house.establishment, NOW)
        assert finished is not None
        assert finished.data["position"] == position
        assert finished.data["settled_through"] >= position - 1

    def test_it_waits_for_what_was_played_since_settlement_last_came_by(self, house: House) -> None:
        game = opened(house)
        round_played(house, game)
        settled(house)
        round_played(house, game)
        begun(house)

        assert closing.finish(house.establishment, NOW) is None

        settled(house)
        finished = closing.finish(house.establishment, NOW)
        assert finished is not None
        assert finished.data["totals"]["staked"] == 14

    def test_no_void_reaches_what_was_played_before(self, house: House) -> None:
        """G4: as soon as the closing begins. What is played after it is voided as ever."""
        game = opened(house)
        first = round_played(house, game)
        begun(house)
        later = round_played(house, game)

        def back_to(event: StoredEvent) -> dict[str, Any]:
            return {"back_to": event.stream_version, "reason": "wrong dice"}

        assert refused(house, game, "void", **back_to(first)) == "beyond_reversal"
        assert done(house, game, "void", **back_to(later))

    @pytest.mark.long("postgresql")
    def test_what_is_parked_is_listed_not_waited_for(self, house: House) -> None:
        """B4."""
        game, other = opened(house), opened(house, table=house.tables[1])
        overpaid(house, game, 1000)
        round_played(house, other)

        summary = closed(house).data

        assert summary["parked"]["count"] == 1
        assert summary["parked"]["events"][0]["stream"] == f"game/{game}"
        assert summary["totals"]["staked"] == 7

    def test_what_is_parked_and_booked_later_is_booked_that_day(self, house: House) -> None:
        """B4: after the day is closed nothing is back-dated; the booking names its cause."""
        game = opened(house)
        ada = stake_of(house, game, "Ada")
        overpaid(house, game, 27)
        before = closed(house)
        mended(house, game, ada)

        subscriptions.retry(SETTLEMENT, establishment=house.id, stream=f"game/{game}")
        advance(HOUSE, house.id)

        assert not ParkedEvent.objects.filter(establishment=house.id, attempts__gt=0).exists()
        booked = booked_events(house, game)
        assert days_of(booked) == [21]
        cause = Event.objects.get(event_id=booked[0].provenance.causation_id or "")
        assert cause.gaming_day == TODAY
        [late] = LateEntry.objects.filter(establishment=house.id, kind=LateEntry.Kind.BOOKED)
        assert (late.position, late.meant_for) == (booked[0].position, TODAY)
        assert closing.event_of_close(house.id, TODAY) == before
        assert closed(house, TOMORROW, now=CUT_OFF).data["totals"]["staked"] == 27

    @pytest.mark.long("postgresql")
    def test_a_game_that_nobody_understands_does_not_keep_the_day_open(self, house: House) -> None:
        game, other = opened(house), opened(house, table=house.tables[1])
        round_played(house, other)
        by_hand(house, f"game/{game}", "stone_hand.of_tomorrow", {})

        summary = closed(house).data

        assert summary["unreadable"] == [str(game)]
        assert summary["totals"]["throws"] == 2
        assert summary["parked"]["count"] >= 1

    def test_it_is_frozen_once(self, house: House) -> None:
        opened(house)
        event = closed(house)

        assert closing.finish(house.establishment, NOW) is None
        assert closing.event_of_close(house.id, TODAY) == event
        assert day_stream(house) == ["day.opened 20", "day.closing 20", "day.closed 20"]


class TestRefusals:
    # fmt: off
    ROWS = [
        # what happened before,  day to close, code
        ("nothing",              TODAY,                 "nothing_to_close"),
        ("played",               TODAY - gaming_day.A_DAY,    "nothing_to_close"),
        ("played",               TOMORROW,              "older_day_open"),
        ("closing",              TODAY,                 "day_closed_already"),
        ("closing",              TOMORROW,              "day_still_closing"),
        ("closed",               TODAY,                 "day_closed_already"),
        ("closed",               TOMORROW,              "day_not_begun"),
    ]
    # fmt: on

    @pytest.mark.long("postgresql")
    @pytest.mark.parametrize(("before", "day", "code"), ROWS)
    def test_a_day_is_closed_in_its_turn(
        self, house: House, before: str, day: datetime, code: str
    ) -> None:
        if before != "nothing":
            opened(house)
        if before == "closing":
            begun(house)
        if before == "closed":
            closed(house)

        with pytest.raises(Refused) as refused:
            closing.close(act(house), day)

        assert refused.value.code == code
        assert "B4" in str(refused.value)

    @pytest.mark.parametrize("role", [role for role in Role if role != Role.MANAGER])
    def test_managers_close(self, house: House, role: Role) -> None:
        """D1."""
        opened(house)

        with pytest.raises(NotYours, match="managers close"):
            closing.close(act(house, by=house.people[role]), TODAY)

    def test_asked_twice_it_begins_once(self, house: House) -> None:
        opened(house)
        request_act = act(house)

        first, again = closing.close(request_act, TODAY), closing.close(request_act, TODAY)

        assert again.first_position == first.first_position
        assert day_stream(house) == ["day.opened 20", "day.closing 20"]


class TestByItself:
    # fmt: off
    ROWS = [
        # grace, asked at,                                   closes
        (60,     CUT_OFF,                                    False),
        (60,     CUT_OFF + timedelta(hours=1) - ALMOST,      False),
        (60,     CUT_OFF + timedelta(hours=1),               True),
        (0,      CUT_OFF - ALMOST,                           False),
        (0,      CUT_OFF,                                    True),
        (None,   CUT_OFF + timedelta(days=9),                False),
    ]
    # fmt: on

    @pytest.mark.long("postgresql")
    @pytest.mark.parametrize(("grace", "at", "closes"), ROWS)
    def test_after_the_cut_off_and_its_grace(
        self,
        house: House,
        grace: int | None,
        at: datetime,
        closes: bool,  # noqa: FBT001
    ) -> None:
        """B4; a house that closes by hand only is left to its manager."""
        opened(house)
        house.establishment.closing_grace = grace

        assert (closing.due(house.establishment, at) == TODAY) is closes

    @pytest.mark.long("postgresql")
    def test_it_says_so(self, house: House) -> None:
        game = opened(house)
        round_played(house, game)
        round_played(house, game, now=CUT_OFF)  # the clock has begun the next day
        closing.close_by_itself(house.establishment, TODAY, CUT_OFF + timedelta(hours=1))
        settled(house)

        finished = closing.finish(house.establishment, CUT_OFF)

        assert finished is not None
        assert (finished.data["by"], finished.data["automatic"]) == ("system", True)
        assert finished.data["totals"]["rounds"] == 1
        assert days_of(booked_events(house, game)) == [20, 21]

    @pytest.mark.long("postgresql")
    def test_the_watch_finds_it_and_the_task_closes_it(self, house: House) -> None:
        """However often it is told, and for every day that went by unclosed."""
        opened(house)
        with time_machine.travel(CUT_OFF + timedelta(days=3), tick=False):
            closings.close_day(establishment=str(house.id))
            closings.close_day(establishment=str(house.id))

        rows = GamingDay.objects.filter(establishment=house.establishment)
        assert rows.get(day=TODAY).state == GamingDay.State.CLOSED
        assert rows.get(day=TODAY).by == "system"
        events = day_stream(house)
        assert len(events) == len(set(events))

    def test_killed_between_its_steps_it_goes_on(self, house: House) -> None:
        game = opened(house)
        round_played(house, game)
        begun(house)  # and there the worker died

        with time_machine.travel(CUT_OFF, tick=False):
            closings.close_day(establishment=str(house.id))

        assert GamingDay.objects.get(establishment=house.id, day=TODAY).state == "closed"


def test_rebuilt_from_nothing_the_rows_are_the_same(house: House) -> None:
    game = opened(house)
    round_played(house, game)
    closed(house)
    thrown(house, game, "Ada", (2, 2, 1), occurred_at="2026-11-20T12:00:00Z")
    advance(HOUSE, house.id)

    def rows() -> list[object]:
        return [list(model.objects.values()) for model in (GamingDay, LateEntry)]

    before = rows()
    subscriptions.rebuild(HOUSE, establishment=house.id)
    assert rows() == before


@pytest.mark.django_db(transaction=True)
def test_closed_by_many_at_once_it_is_closed_once(house: House, tmp_path: Path) -> None:
    game = opened(house)
    round_played(house, game)
    begun(house)
    settled(house)

    with on_a_file(tmp_path):
        found = at_once(4, lambda _: closing.finish(house.establishment, NOW))
        assert sum(event is not None for event in found) == 1
        assert day_stream(house) == ["day.opened 20", "day.closing 20", "day.closed 20"]


@pytest.mark.django_db(transaction=True)
def test_what_settlement_books_at_the_same_moment_is_counted_or_booked_later(
    house: House, tmp_path: Path
) -> None:
    """B4: a parked game is tried again in the moment in which the day is frozen."""
    game = opened(house)
    ada = stake_of(house, game, "Ada")
    overpaid(house, game, 27)
    begun(house)
    settled(house)
    mended(house, game, ada)

    with on_a_file(tmp_path):

        def asks(number: int) -> object:
            if number:
                return closing.finish(house.establishment, NOW)
            return subscriptions.retry(SETTLEMENT, establishment=house.id, stream=f"game/{game}")

        _, outcomes = at_once(2, asks)
        [booked, *_] = booked_events(house, game)

    assert outcomes is not None
    counted = outcomes.data["totals"]["staked"]
    assert (booked.provenance.gaming_day, counted) in {(TODAY, 27), (TOMORROW, 0)}


@pytest.mark.django_db(transaction=True)
def test_closed_by_hand_and_by_itself_at_once_its_closing_begins_once(
    house: House, tmp_path: Path
) -> None:
    """
    B4: the beat comes at the cut-off in the moment in which two managers close, and somebody plays.

    One of them begins it, the others are told, and what is played is of the next day.
    """
    game = opened(house)
    at = CUT_OFF + timedelta(hours=1)
    other = builders.employed(house.establishment, Role.MANAGER)

    def asks(number: int) -> str:
        try:
            match number:
                case 0:
                    closing.close_by_itself(house.establishment, TODAY, at)
                case 3:
                    thrown(house, game, "Ada", (2, 2, 7), now=at)
                    return "played"
                case _:
                    who = (house.manager, other)[number - 1]
                    closing.close(act(house, by=who, now=at), TODAY)
        except Refused as refused:
            return refused.code
        return "begun"

    with on_a_file(tmp_path):
        outcomes = sorted(at_once(4, asks))
        thrown_on = [event.provenance.gaming_day for event in game_of(house, game).events]
        stream = day_stream(house)

    assert outcomes == ["begun", "day_closed_already", "day_closed_already", "played"]
    assert [each for each in stream if "closing" in each] == ["day.closing 20"]
    assert thrown_on == [TODAY, TOMORROW]
