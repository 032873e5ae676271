"""
What each report says of a small house, worked out by hand; and of any play, held against the
ledger's own accounts and transfers.
"""

from __future__ import annotations

from datetime import timedelta
from random import Random
from typing import TYPE_CHECKING

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from casino.money.cash import balance_snapshots
from casino.play.core.models import RoundRow
from casino.reports.registers import dice as registers_dice
from games.dice import every_throw
from ledger import journal
from tests.forms import LONG_FORM
from tests.support import builders, late_tablet
from tests.support.playing import (
    HOME,
    NOW,
    PAIR_4,
    PAIR_7,
    done,
    game_of,
    nothing_parked,
    opened,
    round_played,
    settled,
    thrown,
)
from tests.support.random_player import GAMES, RandomPlayer
from tests.support.reported import (
    REPORTS,
    content,
    disagreeing,
    figures,
    one,
    pick,
    query,
    rows,
    void,
)
from tests.support.rolling import begun, left_behind, new_house

if TYPE_CHECKING:
    from typing import Any

    from casino.kit.documents.report import Report
    from tests.support.builders import House

pytestmark = pytest.mark.django_db


@pytest.fixture
def house() -> House:
    return builders.house()


class TestRounds:
    @pytest.mark.long("postgresql")
    def test_a_round_is_listed_with_what_was_staked_and_left_in_the_pot(self, house: House) -> None:
        game = opened(house)
        last = round_played(house, game)  # Ada's 7 loses to Bo's 4
        settled(house)

        line = one("rounds", house)

        assert pick(line, "table", "game", "round", "winners") == ["Table 1", "Stone Hand", 1, ""]
        assert pick(line, "staked", "paid", "fee", "carried", "throws") == [7, 0, 0, 7, 2]
        assert line["to"] == last.position
        assert line["state"] == "stands"
        assert figures(REPORTS["rounds"], query(house))["booked_staked"] == 7

    def test_a_voided_round_stays_and_its_coins_do_not_count(self, house: House) -> None:
        """C1: nothing is edited; as of before the void the round stood."""
        game = opened(house)
        last = round_played(house, game)
        settled(house)
        void(house, game, 2)

        line = one("rounds", house)

        assert pick(line, "state", "staked") == ["void", None]
        assert figures(REPORTS["rounds"], query(house))["void"] == 1
        [before] = rows(REPORTS["rounds"], query(house, last.position))
        assert pick(before, "state", "staked") == ["stands", 7]
        assert rows(REPORTS["rounds"], query(house, state="stands")) == []

    @pytest.mark.long("postgresql")
    def test_a_throw_voided_within_a_round_is_none_of_it(self, house: House) -> None:
        game = opened(house)
        thrown(house, game, "Ada", PAIR_4)
        void(house, game, 2)
        round_played(house, game)
        settled(house)

        line = one("rounds", house)

        assert pick(line, "throws", "staked") == [2, 7]
        assert disagreeing(REPORTS["rounds"], query(house)) == {}

    def test_what_is_not_booked_yet_is_marked(self, house: House) -> None:
        game = opened(house)
        settled(house)
        last = round_played(house, game)
        settled(house)

        by_name = content(REPORTS["rounds"], query(house, last.position))["figures"]

        assert by_name["waiting"] == (1, None)
        assert by_name["booked_staked"] == (0, None)

    @pytest.mark.long("postgresql")
    def test_filters_narrow_to_a_table_and_to_a_game(self, house: House) -> None:
        for table in house.tables:
            round_played(house, opened(house, table=table))
        settled(house)

        line = one("rounds", house, table=str(house.tables[1].pk))

        assert pick(line, "table", "staked") == ["Table 2", 7]
        assert rows(REPORTS["rounds"], query(house, game="river")) == []
        found = figures(REPORTS["rounds"], query(house, table=str(house.tables[1].pk)))
        assert found["booked_staked"] == 7


@pytest.mark.long("postgresql")
def test_statistics_are_of_rounds_that_stand(house: House) -> None:
    """Two rounds of ten minutes each: six an hour."""
    later = [NOW + timedelta(minutes=minutes) for minutes in (0, 10, 10, 20)]
    game = opened(house, now=later[0])
    for began, ended in (later[:2], later[2:]):
        thrown(house, game, "Ada", PAIR_7, now=began, occurred_at=began.isoformat())
        thrown(house, game, "Bo", PAIR_4, now=ended, occurred_at=ended.isoformat())
    settled(house)

    line = one("games", house, "by_game")

    assert pick(line, "games", "rounds", "throws", "staked", "paid") == [1, 2, 4, 14, 0]
    assert pick(line, "throws_a_round", "mean_length", "rounds_per_hour") == [2.0, 600, 6.0]
    assert pick(one("games", house, "by_table"), "table", "rounds") == ["Table 1", 2]


@pytest.mark.long("postgresql")
def test_h1_hits_of_a_home_throw_stand_beside_their_exact_odds(house: House) -> None:
    """1-3-6 falls in 6 of 512 ways; none or one of three throws: P(at least one) is the chance."""
    game = opened(house, home_throw=[1, 3, 6], players=["Ada", "Bo", "Cy"])
    for player, dice in (("Ada", HOME), ("Bo", PAIR_7), ("Cy", PAIR_4)):
        thrown(house, game, player, dice)
    settled(house)

    line = one("home-throws", house)

    assert pick(line, "game", "home_throw", "throws", "hits") == ["Stone Hand", "1-3-6", 3, 1]
    assert line["odds"] == 6 / 512
    assert line["p_value"] == pytest.approx(1 - (506 / 512) ** 3)
    assert line["least"] < line["share"] < line["most"]


@pytest.mark.long("postgresql")
@pytest.mark.parametrize(("home", "ways"), [("1-3-6", 6), ("2-2-3", 3), ("5-5-5", 1)])
def test_the_odds_of_a_home_throw_are_counted(home: str, ways: int) -> None:
    faces = sorted(map(int, home.split("-")))

    assert registers_dice.chance(home) * 512 == ways
    assert sum(sorted(each) == faces for each in every_throw(3, 8)) == ways


class TestPots:
    @pytest.mark.long("postgresql")
    def test_a1_a_pot_is_reported_term_by_term(self, house: House) -> None:
        round_played(house, opened(house))
        settled(house)

        line = one("pots", house, "pots")

        assert pick(line, "contributions", "won", "fees", "balance", "rounds") == [7, 0, 0, 7, 1]
        assert figures(REPORTS["pots"], query(house))["owed"] == 7

    @pytest.mark.long("postgresql")
    def test_a6_what_waits_for_the_next_game_is_listed_with_where_it_came_from(self) -> None:
        house = rolling()
        game = left_behind(house)
        settled(house)
        head = journal.head(establishment=house.id)

        line = one("pots", house, "rollovers")
        assert pick(line, "game", "amount", "state") == [
            "Threes Away", 2, "waits for the next game",
        ]  # fmt: skip
        [listed] = REPORTS["pots"].tables[1].lines(query(house))
        assert listed.address == reverse("floor-log", args=[game])

        begun(house)
        settled(house)

        assert rows(REPORTS["pots"], query(house), "rollovers") == []
        assert len(rows(REPORTS["pots"], query(house, head), "rollovers")) == 1

    @pytest.mark.long("postgresql")
    def test_lots_and_their_account_agree_while_settlement_lags(self) -> None:
        """Whatever the position: a lot that is left, or drawn, is booked a moment later."""
        house = rolling()
        for _ in range(3 if LONG_FORM else 1):
            left_behind(house)
            settled(house)
            done(house, begun(house), "close")
            settled(house)

        coming = set()
        for through in range(journal.head(establishment=house.id) + 1):
            by_name = content(REPORTS["pots"], query(house, through))["figures"]
            assert by_name["in_rollovers"][1] is True, through
            assert by_name["in_pots"][1] is True, through
            coming.add(by_name["coming"][0] != 0)
        assert coming == {True, False}


def rolling() -> House:
    return new_house()


@pytest.mark.long("postgresql")
def test_c1_a_void_is_listed_with_who_asked_who_decided_and_what_moved_back(house: House) -> None:
    game = opened(house)
    round_played(house, game)
    settled(house)
    void(house, game, 2)

    line = one("voids", house)

    assert pick(line, "kind", "where", "back") == ["Void", "Stone Hand at Table 1", 7]
    assert pick(line, "asked_by", "decided_by") == [
        str(house.attendant), str(house.supervisor),
    ]  # fmt: skip
    assert line["reason"] == "Misread."
    assert rows(REPORTS["voids"], query(house, kind="override")) == []


@pytest.mark.long("postgresql")
def test_c3_a_dispute_is_open_until_it_was_decided(house: House) -> None:
    game = opened(house)
    round_played(house, game)
    [raised] = done(house, game, "dispute", round=1, reason="It was a six.")
    done(house, game, "resolve", by=house.manager, dispute=raised.stream_version,
         outcome="stands", reason="Seen by two.")  # fmt: skip
    settled(house)

    line = one("disputes", house)
    assert pick(line, "round", "reason", "outcome", "decision") == [
        1, "It was a six.", line["outcome"], "Seen by two.",
    ]  # fmt: skip
    assert line["decided_by"] == str(house.manager)
    [before] = rows(REPORTS["disputes"], query(house, raised.position))
    assert pick(before, "outcome", "decided_by", "decision") == ["open", "", ""]
    assert rows(REPORTS["disputes"], query(house, state="open")) == []


class TestLate:
    @pytest.fixture(autouse=True)
    def _played(self, house: House) -> None:
        late_tablet.game_with_late_entries(house, table=house.table, now=NOW)
        settled(house)

    @pytest.mark.long("postgresql")
    def test_e5_a_number_that_a_device_skipped_is_listed(self, house: House) -> None:
        line = one("gaps", house)

        assert pick(line, "device", "first", "last", "arrived", "state") == [
            "away", 2, 2, 0, "open",
        ]  # fmt: skip
        assert figures(REPORTS["gaps"], query(house)) == {"gaps": 1, "missing": 1}

    @pytest.mark.long("postgresql")
    def test_e5_entries_kept_for_a_supervisor_are_listed_as_they_were(self, house: House) -> None:
        kept = rows(REPORTS["late"], query(house), "kept")
        assert [each["state"] for each in kept] == ["dismissed", "waiting"]
        assert kept[0]["reason"] == "Thrown anew."

        decided = kept[0]["decided_at_position"]
        assert isinstance(decided, int)
        before = decided - 1
        then = rows(REPORTS["late"], query(house, before), "kept")
        assert [each["state"] for each in then] == ["waiting", "waiting"]
        assert then[0]["reason"] == ""


@pytest.mark.long("postgresql")
@pytest.mark.rows(1)
@pytest.mark.parametrize("seed", range(3))
def test_whatever_is_played_reports_reconcile_with_the_ledger(seed: int) -> None:
    """A3, TA10: all five games, voids and rollovers among it; at any position of it."""
    house = builders.house(tables=3)
    builders.dice_for_every_game(house.establishment, sets=3)
    croupier = RandomPlayer(house, Random(seed), GAMES)  # noqa: S311 - of a test
    for number in range(130 if LONG_FORM else 70):
        croupier.does_something()
        if number % 5 == 0:
            settled(house)
    settled(house)
    assert nothing_parked(house)
    head = journal.head(establishment=house.id)

    for game in croupier.games:
        standing = RoundRow.objects.filter(establishment=house.id, game=game, voided=None)
        assert [
            (row.number, row.winners, row.carried, row.staked, row.paid) for row in standing
        ] == [
            (each["round"], each["winners"], each["carried"], *by_the_rules(each["payments"]))
            for each in game_of(house, game).view["rounds"]
        ]
    for through in (head // 3, head // 2, head - 7, head):
        for name in ("cash-log", "games", "pots", "rounds", "unclaimed"):
            assert disagreeing(REPORTS[name], query(house, through)) == {}, (name, through)


def by_the_rules(payments: list[dict[str, Any]]) -> tuple[int, int]:
    """What players gave the pot, and what it gave them."""
    staked = (each for each in payments if each["to"] == "pot" and each["from"] != "rollover")
    paid = (each for each in payments if each["from"] == "pot")
    return (
        sum(each["amount"] for each in staked),
        sum(each["amount"] for each in paid if each["to"] not in {"rollover", "house"}),
    )


@pytest.mark.long("postgresql")
def test_what_a_report_asks_does_not_grow_with_its_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    """One chunk of lines takes the same queries, however many they are."""
    monkeypatch.setattr(balance_snapshots, "WINDOW", 128)
    house = builders.house()
    dispute_and_void(house, 4)
    assert journal.head(establishment=house.id) > balance_snapshots.WINDOW
    before = {name: queries_of(report, house) for name, report in REPORTS.items()}
    dispute_and_void(house, 4)

    assert {name: queries_of(report, house) for name, report in REPORTS.items()} == before


def dispute_and_void(house: House, times: int) -> None:
    for _ in range(times):
        game = opened(house)
        round_played(house, game)
        done(house, game, "dispute", round=1, reason="It was a six.")
        round_played(house, game)
        void(house, game, journal.stream(
            establishment=house.id, stream=f"game/{game}")[-1].stream_version)  # fmt: skip
        late_tablet.game_with_late_entries(house, table=house.tables[1], now=NOW)
        done(house, game, "close")
        settled(house)


def queries_of(report: Report, house: House) -> int:
    with CaptureQueriesContext(connection) as queries:
        content(report, query(house))
    return len(queries)
