"""A gaming day is closed: at a position, drained, frozen, with what it leaves behind (B4)."""

from __future__ import annotations

from datetime import datetime, time, timedelta
from typing import TYPE_CHECKING, Any

import pytest
import time_machine
from celery.exceptions import SoftTimeLimitExceeded

from casino.attendants.models import Role
from casino.attendants.permissions import NotYours
from casino.cash import tips
from casino.establishments import gaming_day as days
from casino.game_streams import loading
from casino.gaming_days import closing, freezing, queries, signing
from casino.gaming_days import tasks as closings
from casino.gaming_days.figures import meaning
from casino.gaming_days.models import GamingDay, LateEntry
from casino.operations import acts
from casino.platform.house_subscriber import HOUSE
from casino.settlement.subscriber import SETTLEMENT
from casino.subscriptions.tasks import follow
from games.refusals import Refused
from ledger import conflicts, journal, subscriptions
from ledger.accounts import AccountRef, Kind
from ledger.models import Event, ParkedEvent
from tests.settlement.test_settlement_trouble import by_hand, overpaid
from tests.support import builders, cashing
from tests.support.at_once import at_once, on_a_file
from tests.support.dayend import TODAY, TOMORROW, act, begun, closed, day_stream, days_of
from tests.support.playing import (
    NOW,
    booked_events,
    done,
    game_of,
    opened,
    pot_of,
    refused,
    round_played,
    settled,
    stake_of,
    thrown,
)

if TYPE_CHECKING:
    import uuid
    from datetime import date
    from pathlib import Path

    from tests.support.builders import House

pytestmark = pytest.mark.django_db

CUT_OFF = datetime.fromisoformat("2026-11-21T06:00:00+00:00")
ALMOST = timedelta(seconds=1)


@pytest.fixture
def house() -> House:
    return builders.house(day_cutoff=time(6), closing_grace=60)


def void_approved(house: House, game: uuid.UUID, back_to: int, now: datetime) -> None:
    [asked] = done(house, game, "void", back_to=back_to, reason="Misread.", now=now)
    request = asked.data["request"]
    done(house, game, "approve", by=house.supervisor, request=request, now=now)


def mended(house: House, game: uuid.UUID, ada: AccountRef) -> None:
    """What Ada's account lacks to pay 27 is put there: the cause of the parking is gone."""
    stream = f"adjustment/{game}"
    event = journal.NewEvent(
        stream=stream, event_type="adjustment.made", schema_version=1, data={"reason": "A bug."}
    )
    bank = AccountRef(Kind.BANK, "house")
    transfer = journal.NewTransfer(debit=bank, credit=ada, amount=7, reason="adjustment", event=0)
    acts.perform(
        act(house, "adjust"),
        lambda: acts.Done(guards={stream: 0}, events=[event], transfers=[transfer]),
    )


class TestWhatADayCameTo:
    def test_it_is_counted(self, house: House) -> None:
        game = opened(house)
        round_played(house, game)
        thrown(house, game, "Ada", (2, 2, 1))

        told = closed(house).data

        assert (
            told["totals"] | {"games": 1, "rounds": 1, "throws": 3, "bought_in": 40}
            == (told["totals"])
        )
        assert told["totals"]["staked"] == 7
        assert told["carried"]["kinds"] == {"float": 40, "pot": 7, "stake": 33}
        assert told["carried"]["accounts"][str(pot_of(game))] == 7
        assert told["carried"]["accounts"][str(stake_of(house, game, "Ada"))] == 13
        assert told["automatic"] is False
        assert told["by"] == str(house.manager.pk)

    def test_running_games_go_on_as_open_liability(self, house: House) -> None:
        """B4: with their pots and stakes, as they stood at the end of the day."""
        game = opened(house)
        round_played(house, game)
        begun(house)
        round_played(house, game)  # of the next day already
        settled(house)

        told = freezing.finish(house.establishment, NOW)

        assert told is not None
        [row] = told.data["open_games"]
        assert (row["game"], row["running"], row["round"]) == (str(game), True, 2)
        assert (row["pot"], row["stakes"]) == (7, 33)

    def test_a_closed_game_owes_what_was_not_fetched(self, house: House) -> None:
        game = opened(house)
        round_played(house, game)
        done(house, game, "close")

        [row] = closed(house).data["open_games"]

        assert row["running"] is False
        assert row["stakes"] == 40

    def test_the_next_day_goes_on_where_it_ended(self, house: House) -> None:
        game = opened(house)
        round_played(house, game)
        closed(house)
        round_played(house, game, now=CUT_OFF)

        told = closed(house, TOMORROW, now=CUT_OFF).data

        assert told["totals"]["bought_in"] == 0
        assert told["totals"]["staked"] == 7
        assert told["carried"]["kinds"] == {"float": 40, "pot": 14, "stake": 26}

    def test_what_was_played_before_days_were_kept_is_carried_in(self, house: House) -> None:
        """A house that is older than its stream of days begins its first closing with its past."""
        game = opened(house, now=NOW - timedelta(days=1))
        round_played(house, game, now=NOW - timedelta(days=1))
        settled(house)
        thrown(house, game, "Ada", (2, 2, 1))
        days.MEMORY.forget(house.id)
        closed(house, TODAY - days.A_DAY)

        told = closed(house).data

        assert told["totals"]["bought_in"] == 0
        assert told["carried"]["kinds"]["float"] == 40

    def test_requests_that_wait_are_carried_on(self, house: House) -> None:
        by_hand(house, "request/1", "approval.requested", {"kind": "fill"})
        opened(house)
        assert closed(house).data["carried"]["requests"] == ["request/1"]

        by_hand(house, "request/1", "approval.withdrawn", {})
        event = Event.objects.get(event_type="approval.withdrawn")
        assert (
            event.gaming_day == TODAY
        )  # by hand, past every guard: what follows does not count it

    def test_who_has_not_counted_is_named(self, house: House) -> None:
        """B1, B4: nothing blocks; it is listed."""
        opened(house)

        assert closed(house).data["uncounted"]["tables"] == [str(house.table.pk)]

    # fmt: off
    COUNTS = [
        # purposes of the counts that day, day closed, left uncounted
        (["open"],                       TODAY,    True),
        (["open", "check"],              TODAY,    False),
        (["open", "close"],              TODAY,    False),
        (["open", "check"],              TOMORROW, True),   # its float lies there a second day
        (["open", "close"],              TOMORROW, False),
    ]
    # fmt: on

    @pytest.mark.parametrize(("purposes", "day", "uncounted"), COUNTS)
    def test_b1_to_open_a_table_is_not_to_have_counted_it(
        self,
        purposes: list[Any],
        day: date,
        uncounted: bool,  # noqa: FBT001
    ) -> None:
        """A shift closes with a count; what the page says before is what the day says for ever."""
        house = cashing.house(day_cutoff=time(6))
        for purpose in purposes:
            cashing.both_count(house, cashing.FIFTY, purpose)
        if day == TOMORROW:
            closed(house)
            opened(house, table=house.tables[1], stake=0, options={"mode": "scoreboard"},
                   now=CUT_OFF)  # fmt: skip
        follow(HOUSE, house.id)

        left = queries.left(house.establishment, day)
        told = closed(house, day, now=CUT_OFF if day == TOMORROW else NOW)

        assert left.tables_uncounted == ([house.table.name] if uncounted else [])
        assert told.data["uncounted"]["tables"] == ([str(house.table.pk)] if uncounted else [])

    def test_tips_are_no_payout_that_is_held_and_no_table(self, house: House) -> None:
        """P4: money of attendants, in a box of its own: nobody counts it as a float."""
        house.establishment.tips_allowed = True
        for amount in (7, 5):
            tips.take(
                act(house, by=house.attendant),
                table=house.table, attendant=house.attendant.pk, amount=amount,
            )  # fmt: skip
        tips.pay_out(act(house), table=house.table, attendant=house.attendant.pk)
        tips.take(act(house), table=house.table, attendant=house.supervisor.pk, amount=3)

        told = closed(house).data

        assert told["uncounted"] == {"tables": [], "boxes": []}
        assert (told["held"], told["open_games"], told["unreadable"]) == ({}, [], [])
        assert (told["totals"]["held"], told["totals"]["released"]) == (0, 0)
        assert told["carried"]["kinds"] == {"float": 3, "held": 3}

    def test_a_task_whose_time_is_up_says_nothing_of_a_game(
        self, house: House, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """B4: else a day would be frozen for ever without the play of a game that is sound."""
        opened(house)
        begun(house)
        settled(house)

        def interrupted(_key: object) -> None:
            raise SoftTimeLimitExceeded

        with monkeypatch.context() as patched:
            patched.setattr(loading, "load", interrupted)
            with pytest.raises(SoftTimeLimitExceeded):
                freezing.finish(house.establishment, NOW)
        told = freezing.finish(house.establishment, NOW)

        assert told is not None
        assert (told.data["unreadable"], told.data["totals"]["games"]) == ([], 1)


# fmt: off
MEANINGS = [
    # from,                      to,                          what it counts as
    ("float:1",                  "stake:g/a",                 [("bought_in", 1)]),
    ("cage:main",                "stake:g/a",                 [("bought_in", 1)]),
    ("stake:g/a",                "float:1",                   [("cashed_out", 1)]),
    ("bank:house",               "stake:g/a",                 [("house_staked", 1)]),
    ("stake:g/a",                "bank:house",                [("house_took", 1)]),
    ("stake:g/a",                "pot:g",                     [("staked", 1)]),
    ("pot:g",                    "stake:g/a",                 [("paid", 1)]),
    ("pot:g",                    "held:g/3.0",                [("paid", 1), ("held", 1)]),
    ("held:g/3.0",               "stake:g/a",                 [("released", 1)]),
    ("stake:g/a",                "fees:house",                [("fees", 1)]),
    ("pot:g",                    "fees:house",                [("fees", 1)]),
    ("fees:house",               "stake:g/a",                 [("fees", -1)]),
    ("pot:g",                    "rollover:threes-away",      [("rolled_over", 1)]),
    ("rollover:threes-away",     "pot:g",                     [("drawn", 1)]),
    ("bank:house",               "prizes_owed:a",             [("prizes_won", 1)]),
    ("prizes_owed:a",            "cage:main",                 [("prizes_paid", 1)]),
    ("float:1",                  "over_short:1",              [("over_short", 1)]),
    ("over_short:1",             "float:1",                   [("over_short", -1)]),
    ("cage:main",                "float:1/fees",              [("fees_counted", 1)]),
    ("cage:main",                "float:1",                   []),
    ("float:1/fees",             "float:1",                   []),
    ("receivable:a",             "stake:g/a",                 []),
    ("float:1/tips",             "held:tips/1/a",             []),
    ("held:tips/1/a",            "float:1/tips",              []),
]
# fmt: on


@pytest.mark.parametrize(("debit", "credit", "counts"), MEANINGS)
def test_a_transfer_counts_by_where_it_comes_from_and_goes(
    debit: str, credit: str, counts: list[tuple[str, int]]
) -> None:
    """A3, A5, B1, B4: each of the day's totals, and what belongs to none."""
    assert list(meaning(AccountRef.parse(debit), AccountRef.parse(credit))) == counts


class TestDraining:
    def test_it_waits_for_settlement(self, house: House) -> None:
        game = opened(house)
        round_played(house, game)
        position = begun(house).position
        assert closing.behind(house.id) == position

        assert freezing.finish(house.establishment, NOW) is None

        settled(house)
        assert closing.behind(house.id) == 0
        told = freezing.finish(house.establishment, NOW)
        assert told is not None
        assert told.data["position"] == position
        assert told.data["settled_through"] >= position - 1

    def test_it_waits_for_what_was_played_since_settlement_last_came_by(self, house: House) -> None:
        game = opened(house)
        round_played(house, game)
        settled(house)
        round_played(house, game)
        begun(house)

        assert freezing.finish(house.establishment, NOW) is None

        settled(house)
        told = freezing.finish(house.establishment, NOW)
        assert told is not None
        assert told.data["totals"]["staked"] == 14

    def test_what_is_parked_is_listed_not_waited_for(self, house: House) -> None:
        """B4."""
        game, other = opened(house), opened(house, table=house.tables[1])
        overpaid(house, game, 1000)
        round_played(house, other)

        told = closed(house).data

        assert told["parked"]["count"] == 1
        assert told["parked"]["events"][0]["stream"] == f"game/{game}"
        assert told["totals"]["staked"] == 7

    def test_what_is_parked_and_booked_later_is_booked_that_day(self, house: House) -> None:
        """B4: after the day is closed nothing is back-dated; the booking names its cause."""
        game = opened(house)
        ada = stake_of(house, game, "Ada")
        overpaid(house, game, 27)
        before = closed(house)
        mended(house, game, ada)

        subscriptions.retry(SETTLEMENT, establishment=house.id, stream=f"game/{game}")
        follow(HOUSE, house.id)

        assert not ParkedEvent.objects.filter(establishment=house.id, attempts__gt=0).exists()
        booked = booked_events(house, game)
        assert days_of(booked) == [21]
        cause = Event.objects.get(event_id=booked[0].provenance.causation_id or "")
        assert cause.gaming_day == TODAY
        [late] = LateEntry.objects.filter(establishment=house.id, kind=LateEntry.Kind.BOOKED)
        assert (late.position, late.meant_for) == (booked[0].position, TODAY)
        assert freezing.closed_event(house.id, TODAY) == before
        assert closed(house, TOMORROW, now=CUT_OFF).data["totals"]["staked"] == 27

    def test_a_game_that_nobody_understands_does_not_keep_the_day_open(self, house: House) -> None:
        game, other = opened(house), opened(house, table=house.tables[1])
        round_played(house, other)
        by_hand(house, f"game/{game}", "stone_hand.of_tomorrow", {})

        told = closed(house).data

        assert told["unreadable"] == [str(game)]
        assert told["totals"]["throws"] == 2
        assert told["parked"]["count"] >= 1

    def test_it_is_frozen_once(self, house: House) -> None:
        opened(house)
        event = closed(house)

        assert freezing.finish(house.establishment, NOW) is None
        assert freezing.closed_event(house.id, TODAY) == event
        assert day_stream(house) == ["day.opened 20", "day.closing 20", "day.closed 20"]


class TestRefusals:
    # fmt: off
    ROWS = [
        # what happened before,  day to close, code
        ("nothing",              TODAY,                 "nothing_to_close"),
        ("played",               TODAY - days.A_DAY,    "nothing_to_close"),
        ("played",               TOMORROW,              "older_day_open"),
        ("closing",              TODAY,                 "day_closed_already"),
        ("closing",              TOMORROW,              "day_still_closing"),
        ("closed",               TODAY,                 "day_closed_already"),
        ("closed",               TOMORROW,              "day_not_begun"),
    ]
    # fmt: on

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
        asked = act(house)

        first, again = closing.close(asked, TODAY), closing.close(asked, TODAY)

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

    def test_it_says_so(self, house: House) -> None:
        game = opened(house)
        round_played(house, game)
        round_played(house, game, now=CUT_OFF)  # the clock has begun the next day
        closing.close_by_itself(house.establishment, TODAY, CUT_OFF + timedelta(hours=1))
        settled(house)

        told = freezing.finish(house.establishment, CUT_OFF)

        assert told is not None
        assert (told.data["by"], told.data["automatic"]) == ("system", True)
        assert told.data["totals"]["rounds"] == 1
        assert days_of(booked_events(house, game)) == [20, 21]

    def test_the_watch_finds_it_and_the_task_closes_it(self, house: House) -> None:
        """However often it is told, and for every day that went by unclosed."""
        opened(house)
        with time_machine.travel(CUT_OFF + timedelta(days=3), tick=False):
            closings.close_day(establishment=str(house.id))
            closings.close_day(establishment=str(house.id))

        rows = GamingDay.objects.filter(establishment=house.establishment)
        assert rows.get(day=TODAY).state == GamingDay.State.CLOSED
        assert rows.get(day=TODAY).by == "system"
        told = day_stream(house)
        assert len(told) == len(set(told))

    def test_killed_between_its_steps_it_goes_on(self, house: House) -> None:
        game = opened(house)
        round_played(house, game)
        begun(house)  # and there the worker died

        with time_machine.travel(CUT_OFF, tick=False):
            closings.close_day(establishment=str(house.id))

        assert GamingDay.objects.get(establishment=house.id, day=TODAY).state == "closed"


class TestSignatures:
    def test_a_second_person_signs(self, house: House) -> None:
        opened(house)
        closed(house)

        signing.sign(act(house, "sign", by=house.supervisor), TODAY)
        follow(HOUSE, house.id)

        row = GamingDay.objects.get(establishment=house.id, day=TODAY)
        assert row.by == str(house.manager.pk)
        assert row.signed_by == str(house.supervisor.pk)

    def test_not_the_one_who_closed_it_and_not_twice(self, house: House) -> None:
        """C1."""
        opened(house)
        with pytest.raises(signing.NotClosedYet):
            signing.sign(act(house, "sign"), TODAY)
        closed(house)
        with pytest.raises(signing.OwnClosing):
            signing.sign(act(house, "sign"), TODAY)
        signing.sign(act(house, "sign", by=house.supervisor), TODAY)
        other = builders.employed(house.establishment, Role.MANAGER)
        with pytest.raises(signing.SignedAlready):
            signing.sign(act(house, "sign", by=other), TODAY)

    def test_the_ledger_itself_refuses_a_closer_who_signs(self, house: House) -> None:
        """C1: past all of our own words."""
        opened(house)
        told = closed(house)
        known = days.standing(house.id)
        data: dict[str, Any] = {
            "day": str(TODAY), "closed_version": told.stream_version,
            "asked_by": str(house.manager.pk), "approved_by": str(house.manager.pk),
            "standing": known.noted().as_dict,
        }  # fmt: skip
        event = journal.NewEvent(
            stream=days.STREAM, event_type=signing.SIGNED, schema_version=1, data=data
        )
        with pytest.raises(conflicts.FourEyes):
            acts.perform(
                act(house, "sign"),
                lambda: acts.Done(guards={days.STREAM: known.version}, events=[event]),
            )


class TestLateEntries:
    def test_what_happened_yesterday_is_late(self, house: House) -> None:
        """B4, E5: it belongs to the day it is recorded on, marked, with how late it is."""
        game = opened(house)
        told = "2026-11-20T23:30:00Z"

        [event] = thrown(house, game, "Ada", (2, 2, 7), now=CUT_OFF, occurred_at=told)
        follow(HOUSE, house.id)

        assert event.provenance.gaming_day == TOMORROW
        [row] = LateEntry.objects.filter(establishment=house.id)
        assert (row.position, row.kind, row.meant_for) == (event.position, "late", TODAY)
        assert row.seconds == 6.5 * 60 * 60
        assert closed(house, now=CUT_OFF).data["late"] == 0
        assert closed(house, TOMORROW, now=CUT_OFF).data["late"] == 1

    def test_after_a_close_by_hand_the_evening_is_not_late(self, house: House) -> None:
        """B4: by the clock it is still the closed day's; here the next has begun."""
        game = opened(house)
        closed(house)
        soon = NOW + timedelta(minutes=2)

        thrown(house, game, "Ada", (2, 2, 7), now=soon, occurred_at=soon.isoformat())
        thrown(house, game, "Bo", (2, 2, 4), now=soon,
               occurred_at=(NOW - timedelta(minutes=2)).isoformat())  # fmt: skip
        follow(HOUSE, house.id)

        kinds = LateEntry.objects.filter(establishment=house.id).values_list("kind", flat=True)
        assert list(kinds) == ["late"]
        assert closed(house, TOMORROW, now=CUT_OFF).data["late"] == 1

    # fmt: off
    CLOCKS = [
        # seconds that the device's clock is behind, flagged
        (0, False), (5, False), (6, True), (3600, True), (-5, False), (-6, True),
    ]
    # fmt: on

    @pytest.mark.parametrize(("behind", "flagged"), CLOCKS)
    def test_clocks_that_differ_are_flagged(
        self,
        house: House,
        behind: int,
        flagged: bool,  # noqa: FBT001
    ) -> None:
        """E3."""
        game = opened(house)
        told = (NOW - timedelta(seconds=behind)).isoformat()

        thrown(house, game, "Ada", (2, 2, 7), occurred_at=told)
        follow(HOUSE, house.id)

        rows = LateEntry.objects.filter(establishment=house.id, kind=LateEntry.Kind.SKEW)
        assert [row.seconds for row in rows] == ([behind] if flagged else [])

    def test_far_ahead_of_the_house_is_no_time(self, house: House) -> None:
        """E3: a day from now nothing has happened yet."""
        game = opened(house)
        told = (NOW + timedelta(days=1, seconds=1)).isoformat()
        code = refused(house, game, "throw", player="Ada", dice=[2, 2, 7], occurred_at=told)

        assert code == "bad_time"


def test_rebuilt_from_nothing_the_rows_are_the_same(house: House) -> None:
    game = opened(house)
    round_played(house, game)
    closed(house)
    thrown(house, game, "Ada", (2, 2, 1), occurred_at="2026-11-20T12:00:00Z")
    follow(HOUSE, house.id)

    def rows() -> list[object]:
        return [list(model.objects.values()) for model in (GamingDay, LateEntry)]

    shown = rows()
    subscriptions.rebuild(HOUSE, establishment=house.id)
    assert rows() == shown


@pytest.mark.django_db(transaction=True)
def test_closed_by_many_at_once_it_is_closed_once(house: House, tmp_path: Path) -> None:
    game = opened(house)
    round_played(house, game)
    begun(house)
    settled(house)

    with on_a_file(tmp_path):
        found = at_once(4, lambda _: freezing.finish(house.establishment, NOW))
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
                return freezing.finish(house.establishment, NOW)
            return subscriptions.retry(SETTLEMENT, establishment=house.id, stream=f"game/{game}")

        _, told = at_once(2, asks)
        [booked, *_] = booked_events(house, game)

    assert told is not None
    counted = told.data["totals"]["staked"]
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
        told = sorted(at_once(4, asks))
        thrown_on = [event.provenance.gaming_day for event in game_of(house, game).events]
        stream = day_stream(house)

    assert told == ["begun", "day_closed_already", "day_closed_already", "played"]
    assert [each for each in stream if "closing" in each] == ["day.closing 20"]
    assert thrown_on == [TODAY, TOMORROW]
