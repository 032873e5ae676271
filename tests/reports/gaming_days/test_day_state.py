"""Which gaming day an entry belongs to: fixed when it is appended, and never going back (B4)."""

from __future__ import annotations

import math
from datetime import UTC, date, datetime, time, timedelta
from typing import TYPE_CHECKING

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from casino.house.acts import acts, changes
from casino.house.establishments import gaming_day
from casino.house.establishments.models import Establishment, Table
from casino.kit.approvals import operations as approvals
from casino.kit.approvals import requests
from casino.money.payouts import adjustments
from casino.money.payouts.adjustments import Adjustment
from games.payments import HOUSE
from ledger import journal
from ledger.models import Event
from tests.support import builders
from tests.support.at_once import at_once, on_a_file
from tests.support.dayend import TODAY, TOMORROW, act, begun, closed, day_stream, days_of
from tests.support.playing import (
    NOW,
    booked_events,
    done,
    opened,
    refused,
    round_played,
    settled,
    thrown,
    token,
)

if TYPE_CHECKING:
    from pathlib import Path

    from ledger.wire import StoredEvent
    from tests.support.builders import House

ROME = "Europe/Rome"


@pytest.fixture
def house() -> House:
    return builders.house(day_cutoff=time(6))


# --- By the clock ------------------------------------------------------------------------------

# fmt: off
NIGHTS = [
    ("UTC", "2026-11-20"), (ROME, "2026-10-24"), (ROME, "2026-03-28"),
    ("America/New_York", "2026-10-31"), ("America/New_York", "2027-03-13"),
    ("Africa/Cairo", "2026-04-23"), ("Africa/Cairo", "2026-10-29"),
    ("Australia/Lord_Howe", "2026-04-04"), ("Australia/Lord_Howe", "2026-10-03"),
    ("Pacific/Kiritimati", "2026-11-20"), ("Asia/Kolkata", "2026-11-20"),
]
# fmt: on


@pytest.mark.parametrize(("zone", "night"), NIGHTS)
@pytest.mark.parametrize("cutoff", ["00:00", "00:30", "01:45", "02:00", "02:30", "03:00", "06:00"])
def test_a_day_begins_at_one_instant(zone: str, night: str, cutoff: str) -> None:
    house = Establishment(name="H", time_zone=zone, day_cutoff=time.fromisoformat(cutoff))
    for offset in range(-1, 3):
        day = date.fromisoformat(night) + timedelta(days=offset)

        first = gaming_day.begins(house, day)

        assert gaming_day.gaming_day(house, first) == day
        assert gaming_day.gaming_day(house, first - timedelta(seconds=1)) == day - gaming_day.A_DAY


# --- On record ---------------------------------------------------------------------------------


@pytest.mark.django_db
class TestTheDay:
    def test_it_is_opened_by_what_comes_first(self, house: House) -> None:
        game = opened(house)
        round_played(house, game)
        done(house, game, "pause", now=NOW + gaming_day.A_DAY)

        assert day_stream(house) == ["day.opened 20", "day.opened 21"]
        first, *_ = journal.read(establishment=house.id, limit=1)
        assert first.event_type == "day.opened"
        assert first.provenance.actor == "system"

    def test_it_does_not_go_back_with_a_servers_clock(self, house: House) -> None:
        """B4: recorded_at goes back, the gaming day does not."""
        game = opened(house)

        [event] = thrown(house, game, "Ada", (2, 2, 7), now=NOW - timedelta(days=3))

        assert event.provenance.recorded_at < NOW
        assert event.provenance.gaming_day == TODAY

    def test_nor_for_a_process_that_looked_long_ago(self, house: House) -> None:
        """B4: the guard tells a process, whose clock is behind, what day it is."""
        game = opened(house)
        stale = gaming_day.day_state(house.id)
        done(house, game, "pause", now=NOW + gaming_day.A_DAY)
        gaming_day.MEMORY.keep(house.id, stale)

        [event] = done(house, game, "resume", now=NOW)

        assert event.provenance.gaming_day == TOMORROW

    @pytest.mark.long("postgresql")
    @pytest.mark.parametrize(("lately", "shown"), [(math.inf, TODAY), (0.0, TOMORROW)])
    def test_a_page_shows_what_its_process_saw_a_moment_ago(
        self, house: House, monkeypatch: pytest.MonkeyPatch, lately: float, shown: date
    ) -> None:
        """And looks again once that is long ago: no guard would correct it."""
        game = opened(house)
        stale = gaming_day.day_state(house.id)
        done(house, game, "pause", now=NOW + gaming_day.A_DAY)
        gaming_day.MEMORY.keep(house.id, stale)
        monkeypatch.setattr(gaming_day, "RECENT", lately)

        assert gaming_day.current(house.establishment, NOW) == shown

    @pytest.mark.long("postgresql")
    @pytest.mark.parametrize(
        ("cutoff", "day"),
        [(time(0), 21), (time(3), 20), (time(23), 20)],
        ids=["earlier", "later", "much later"],
    )
    def test_a_changed_cut_off_makes_no_day_twice(
        self, house: House, cutoff: time, day: int
    ) -> None:
        """B4, C2: at 02:30 on the 21st, gaming day 20, the house moves its cut-off."""
        at = datetime(2026, 11, 21, 2, 30, tzinfo=UTC)
        game = opened(house, now=at)
        house.establishment.day_cutoff = cutoff
        house.establishment.save()

        [event] = thrown(house, game, "Ada", (2, 2, 7), now=at)

        assert event.provenance.gaming_day.day == day

    @pytest.mark.long("postgresql")
    def test_a_changed_time_zone_does_not_go_back(self, house: House) -> None:
        game = opened(house)
        house.establishment.time_zone = "Pacific/Pago_Pago"  # there it is 10:30 in the morning
        house.establishment.day_cutoff = time(12)
        house.establishment.save()
        assert gaming_day.gaming_day(house.establishment, NOW) < TODAY

        [event] = thrown(house, game, "Ada", (2, 2, 7))

        assert event.provenance.gaming_day == TODAY

    def test_many_days_away_are_one_step(self, house: House) -> None:
        game = opened(house)
        thrown(house, game, "Ada", (2, 2, 7), now=NOW + timedelta(days=30))

        assert gaming_day.day_state(house.id).open == (TODAY, TODAY + timedelta(days=30))


@pytest.mark.django_db
class TestADayThatIsBeingClosed:
    def test_what_comes_after_belongs_to_the_next(self, house: House) -> None:
        """B4: a close by hand before the cut-off opens the next day at once."""
        game = opened(house)
        begun(house)

        played = thrown(house, game, "Ada", (2, 2, 7))
        changes.create(
            Table(establishment=house.establishment, name="New"),
            establishment=house.establishment,
            by=house.manager,
        )

        assert days_of(played) == [21]
        [made] = journal.stream(establishment=house.id, stream="record/table")
        assert made.provenance.gaming_day >= TOMORROW

    def test_a_process_that_looked_before_is_told(self, house: House) -> None:
        """B4: closed between a process's look and its append: the guard makes it decide anew."""
        game = opened(house)
        stale = gaming_day.day_state(house.id)
        closing = begun(house)
        gaming_day.MEMORY.keep(house.id, stale)

        [event] = thrown(house, game, "Ada", (2, 2, 7))

        assert event.position > closing.position
        assert event.provenance.gaming_day == TOMORROW

    def test_an_act_decided_before_is_decided_anew(self, house: House) -> None:
        """B4: the closing comes between an act's decision and its append."""
        opened(house)
        interfered: list[StoredEvent] = []

        def decide() -> acts.Done:
            if not interfered:
                stale = gaming_day.day_state(house.id)
                interfered.append(begun(house))
                gaming_day.MEMORY.keep(house.id, stale)
            known = journal.versions(establishment=house.id, streams=["bell"])["bell"]
            event = journal.NewEvent(
                stream="bell", event_type="bell.rung", schema_version=1, data={}
            )
            return acts.Done(guards={"bell": known}, events=[event])

        receipt = acts.perform(act(house, "ring"), decide)

        [event] = acts.events_of(house.id, receipt)
        assert event.position > interfered[0].position
        assert event.provenance.gaming_day == TOMORROW

    def test_what_came_before_the_closing_is_in_it(self, house: House) -> None:
        """B4, the other way round: the command comes between the closing's decision and append."""
        game = opened(house)
        known = gaming_day.day_state(house.id)
        [event] = thrown(house, game, "Ada", (2, 2, 7))

        assert gaming_day.day_state(house.id) == known  # a command does not move the day

        closing = begun(house)
        assert event.position < closing.position
        assert event.provenance.gaming_day == TODAY

    def test_settlement_still_books_on_the_day_of_the_cause(self, house: House) -> None:
        """B4: effects belong to their cause's day, though the closing has begun."""
        game = opened(house)
        round_played(house, game)
        begun(house)
        round_played(house, game)

        settled(house)

        assert days_of(booked_events(house, game)) == [20, 21]

    def test_after_it_is_closed_nothing_is_back_dated(self, house: House) -> None:
        """B4: corrections are booked today. G4: they are adjustments, no voids."""
        game = opened(house)
        round_played(house, game)
        settled(house)
        closed(house)
        assert refused(house, game, "void", back_to=2, reason="Misread.") == "beyond_reversal"
        ada = token(house, game, "Ada")
        asking = act(house, by=house.attendant)
        given = Adjustment(game=game, giver=HOUSE, taker=ada, amount=7, round_no=1)
        adjustments.ask(asking, given, reason="Misread.")

        request = requests.id_of(house.id, asking.command_id)
        approvals.decide(act(house, by=house.supervisor), request, approve=True)
        settled(house)

        assert days_of(booked_events(house, game)) == [20, 21]
        [corrected] = journal.stream(establishment=house.id, stream=f"adjustment/{game}")
        assert days_of([corrected]) == [21]
        later = Event.objects.filter(establishment=house.id, gaming_day__lte=TODAY)
        last = later.order_by("-position").values_list("position", flat=True)[0]
        assert last < corrected.position


# --- What it costs -----------------------------------------------------------------------------


@pytest.mark.django_db
def test_a_command_asks_nothing_more_for_its_day(house: House) -> None:
    """The day is read once per process; every append is guarded by it all the same."""
    game = opened(house)
    thrown(house, game, "Ada", (2, 2, 7))

    with CaptureQueriesContext(connection) as queries:
        thrown(house, game, "Bo", (2, 2, 4))

    about = [
        query["sql"]
        for query in queries.captured_queries
        if "'day'" in query["sql"]
        and "body" in query["sql"].partition("FROM")[0]
        and query["sql"].startswith("SELECT")
        and "ledger_append" not in query["sql"]
    ]
    assert about == []


# --- Several at once ---------------------------------------------------------------------------


@pytest.mark.django_db(transaction=True)
def test_no_entry_slips_into_a_day_that_is_closed_at_the_same_moment(
    house: House, tmp_path: Path
) -> None:
    """B4: tables play on while a manager closes the day; each entry is on one side of it."""
    games = [opened(house, table=table, stake=1000) for table in house.tables]
    players = len(games)

    with on_a_file(tmp_path):

        def asks(number: int) -> list[int]:
            if number == players:
                return [begun(house).position]
            played = [round_played(house, games[number]) for _ in range(6)]
            return [event.position for event in played]

        *played, [closing] = at_once(players + 1, asks)
        events = Event.objects.filter(establishment=house.id).exclude(stream=gaming_day.STREAM)
        days = dict(events.values_list("position", "gaming_day"))

    assert {days[each] for row in played for each in row} <= {TODAY, TOMORROW}
    for position, day in days.items():
        assert day == (TODAY if position < closing else TOMORROW)


@pytest.mark.django_db(transaction=True)
def test_those_who_come_first_at_once_open_one_day(house: House, tmp_path: Path) -> None:
    with on_a_file(tmp_path):
        at_once(2, lambda number: opened(house, table=house.tables[number]))
        assert day_stream(house) == ["day.opened 20"]
