"""What a gaming day came to: counted, carried on, owed (B4)."""

from __future__ import annotations

from datetime import time, timedelta
from typing import TYPE_CHECKING, Any

import pytest
from celery.exceptions import SoftTimeLimitExceeded

from casino.engine.processes.queues.house_subscriber import HOUSE
from casino.house.acts.game_streams import loading
from casino.house.establishments import gaming_day
from casino.money.cash import tips
from casino.play.core.subscriptions.tasks import advance
from casino.reports.gaming_days import closing, queries
from casino.reports.gaming_days.figures import meaning
from ledger.accounts import AccountRef
from ledger.models import Event
from tests.play.settlement.test_settlement_trouble import by_hand
from tests.support import builders, cashing
from tests.support.dayend import CUT_OFF, TODAY, TOMORROW, act, begun, closed
from tests.support.playing import NOW, done, opened, pot_of, round_played, settled, stake_of, thrown

if TYPE_CHECKING:
    from datetime import date

    from tests.support.builders import House

pytestmark = pytest.mark.django_db


@pytest.fixture
def house() -> House:
    return builders.house(day_cutoff=time(6), closing_grace=60)


class TestWhatADayCameTo:
    @pytest.mark.long("postgresql")
    def test_it_is_counted(self, house: House) -> None:
        game = opened(house)
        round_played(house, game)
        thrown(house, game, "Ada", (2, 2, 1))

        summary = closed(house).data

        assert (
            summary["totals"] | {"games": 1, "rounds": 1, "throws": 3, "bought_in": 40}
            == (summary["totals"])
        )
        assert summary["totals"]["staked"] == 7
        assert summary["carried"]["kinds"] == {"float": 40, "pot": 7, "stake": 33}
        assert summary["carried"]["accounts"][str(pot_of(game))] == 7
        assert summary["carried"]["accounts"][str(stake_of(house, game, "Ada"))] == 13
        assert summary["automatic"] is False
        assert summary["by"] == str(house.manager.pk)

    def test_running_games_go_on_as_open_liability(self, house: House) -> None:
        """B4: with their pots and stakes, as they stood at the end of the day."""
        game = opened(house)
        round_played(house, game)
        begun(house)
        round_played(house, game)  # of the next day already
        settled(house)

        finished = closing.finish(house.establishment, NOW)

        assert finished is not None
        [row] = finished.data["open_games"]
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

        summary = closed(house, TOMORROW, now=CUT_OFF).data

        assert summary["totals"]["bought_in"] == 0
        assert summary["totals"]["staked"] == 7
        assert summary["carried"]["kinds"] == {"float": 40, "pot": 14, "stake": 26}

    @pytest.mark.long("postgresql")
    def test_what_was_played_before_days_were_kept_is_carried_in(self, house: House) -> None:
        """A house that is older than its stream of days begins its first closing with its past."""
        game = opened(house, now=NOW - timedelta(days=1))
        round_played(house, game, now=NOW - timedelta(days=1))
        settled(house)
        thrown(house, game, "Ada", (2, 2, 1))
        gaming_day.MEMORY.forget(house.id)
        closed(house, TODAY - gaming_day.A_DAY)

        summary = closed(house).data

        assert summary["totals"]["bought_in"] == 0
        assert summary["carried"]["kinds"]["float"] == 40

    @pytest.mark.long("postgresql")
    def test_requests_that_wait_are_carried_on(self, house: House) -> None:
        by_hand(house, "request/1", "approval.requested", {"kind": "fill"})
        opened(house)
        assert closed(house).data["carried"]["requests"] == ["request/1"]

        by_hand(house, "request/1", "approval.withdrawn", {})
        event = Event.objects.get(event_type="approval.withdrawn")
        assert (
            event.gaming_day == TODAY
        )  # by hand, past every guard: what follows does not count it

    @pytest.mark.long("postgresql")
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

    @pytest.mark.long("postgresql")
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
        advance(HOUSE, house.id)

        left = queries.open_things(house.establishment, day)
        event = closed(house, day, now=CUT_OFF if day == TOMORROW else NOW)

        assert left.tables_uncounted == ([house.table.name] if uncounted else [])
        assert event.data["uncounted"]["tables"] == ([str(house.table.pk)] if uncounted else [])

    @pytest.mark.long("postgresql")
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

        summary = closed(house).data

        assert summary["uncounted"] == {"tables": [], "boxes": []}
        assert (summary["held"], summary["open_games"], summary["unreadable"]) == ({}, [], [])
        assert (summary["totals"]["held"], summary["totals"]["released"]) == (0, 0)
        assert summary["carried"]["kinds"] == {"float": 3, "held": 3}

    @pytest.mark.long("postgresql")
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
                closing.finish(house.establishment, NOW)
        finished = closing.finish(house.establishment, NOW)

        assert finished is not None
        assert (finished.data["unreadable"], finished.data["totals"]["games"]) == ([], 1)


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
