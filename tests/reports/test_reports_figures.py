"""
What each report says of a small house, worked out by hand; and of any play, held against the
ledger's own accounts and transfers.
"""

from __future__ import annotations

from datetime import timedelta
from random import Random
from typing import TYPE_CHECKING

import pytest
import time_machine
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from casino.attendants.models import Employment
from casino.cash import balance_snapshots
from casino.dice import life
from casino.jobs import running
from casino.operations import changes
from casino.play.round_models import RoundRow
from casino.players import erasure
from casino.pseudonyms.models import Player
from casino.regrade import runs
from casino.regrade.reading import Period
from casino.reports.registers import home_throws, inventory
from casino.staff import operations as staff
from games.dice import every_throw
from ledger import journal
from tests.rollovers import test_rollovers
from tests.support import builders, cashier, cashing, tardy
from tests.support.cashing import act
from tests.support.croupier import GAMES, Croupier
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
    token,
)
from tests.support.reported import REPORTS, content, disagreeing, figures, query, rows

if TYPE_CHECKING:
    import uuid
    from typing import Any

    from casino.documents.report import Report
    from tests.support.builders import House

pytestmark = pytest.mark.django_db


@pytest.fixture
def house() -> House:
    return builders.house()


def one(name: str, house: House, of: str = "", **chosen: Any) -> dict[str, Any]:
    """The only line of a report's table."""
    [line] = rows(REPORTS[name], query(house, **chosen), of)
    return line


def pick(line: dict[str, Any], *names: str) -> list[Any]:
    return [line[name] for name in names]


def void(at: House, game: uuid.UUID, back_to: int) -> None:
    """Asked for, and approved by somebody else."""
    [requested] = done(at, game, "void", back_to=back_to, reason="Misread.")
    if requested.event_type == "game.void_requested":
        done(at, game, "approve", by=at.supervisor, request=requested.stream_version)
    settled(at)


class TestRounds:
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

    def test_filters_narrow_to_a_table_and_to_a_game(self, house: House) -> None:
        for table in house.tables:
            round_played(house, opened(house, table=table))
        settled(house)

        line = one("rounds", house, table=str(house.tables[1].pk))

        assert pick(line, "table", "staked") == ["Table 2", 7]
        assert rows(REPORTS["rounds"], query(house, game="river")) == []
        found = figures(REPORTS["rounds"], query(house, table=str(house.tables[1].pk)))
        assert found["booked_staked"] == 7


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


@pytest.mark.parametrize(("home", "ways"), [("1-3-6", 6), ("2-2-3", 3), ("5-5-5", 1)])
def test_the_odds_of_a_home_throw_are_counted(home: str, ways: int) -> None:
    faces = sorted(map(int, home.split("-")))

    assert home_throws.chance(home) * 512 == ways
    assert sum(sorted(each) == faces for each in every_throw(3, 8)) == ways


class TestPots:
    def test_a1_a_pot_is_reported_term_by_term(self, house: House) -> None:
        round_played(house, opened(house))
        settled(house)

        line = one("pots", house, "pots")

        assert pick(line, "contributions", "won", "fees", "balance", "rounds") == [7, 0, 0, 7, 1]
        assert figures(REPORTS["pots"], query(house))["owed"] == 7

    def test_a6_what_waits_for_the_next_game_is_listed_with_where_it_came_from(self) -> None:
        house = rolling()
        game = test_rollovers.left_behind(house)
        settled(house)
        head = journal.head(establishment=house.id)

        line = one("pots", house, "rollovers")
        assert pick(line, "game", "amount", "state") == [
            "Threes Away", 2, "waits for the next game",
        ]  # fmt: skip
        [listed] = REPORTS["pots"].tables[1].lines(query(house))
        assert listed.address == reverse("floor-log", args=[game])

        test_rollovers.begun(house)
        settled(house)

        assert rows(REPORTS["pots"], query(house), "rollovers") == []
        assert len(rows(REPORTS["pots"], query(house, head), "rollovers")) == 1

    @pytest.mark.long("postgresql")
    def test_lots_and_their_account_agree_while_settlement_lags(self) -> None:
        """Whatever the position: a lot that is left, or drawn, is booked a moment later."""
        house = rolling()
        for _ in range(3):
            test_rollovers.left_behind(house)
            settled(house)
            done(house, test_rollovers.begun(house), "close")
            settled(house)

        coming = set()
        for through in range(journal.head(establishment=house.id) + 1):
            by_name = content(REPORTS["pots"], query(house, through))["figures"]
            assert by_name["in_rollovers"][1] is True, through
            assert by_name["in_pots"][1] is True, through
            coming.add(by_name["coming"][0] != 0)
        assert coming == {True, False}


def rolling() -> House:
    return test_rollovers.new_house()


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
        tardy.game_with_late_entries(house, table=house.table, now=NOW)
        settled(house)

    def test_e5_a_number_that_a_device_skipped_is_listed(self, house: House) -> None:
        line = one("gaps", house)

        assert pick(line, "device", "first", "last", "arrived", "state") == [
            "away", 2, 2, 0, "open",
        ]  # fmt: skip
        assert figures(REPORTS["gaps"], query(house)) == {"gaps": 1, "missing": 1}

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


class TestInventory:
    @pytest.fixture
    def house(self) -> House:
        return cashing.house()

    def test_b1_opener_fills_buy_ins_and_closer(self, house: House) -> None:
        """50 to open, 25 filled, 40 bought in, 10 cashed out; 2 short: 103 counted."""
        cashing.opened(house)
        cashing.slipped(house, "fill", {"25": 1})
        game = opened(house)
        done(house, game, "close")
        settled(house)
        done(house, game, "cash_out", player="Ada", amount=10)
        cashing.both_count(house, {"25": 4, "1": 3}, "close")
        settled(house)

        line = one("inventory", house, "inventory")

        assert pick(line, "opener", "fills", "bought_in", "cashed_out", "credits") == [
            50, 25, 40, 10, 0,
        ]  # fmt: skip
        assert pick(line, "over_short", "closer", "standing") == [-2, 103, 0]
        counts = rows(REPORTS["inventory"], query(house), "counts")
        assert [each["over_short"] for each in counts] == [None, -2]
        assert pick(one("inventory", house, "slips"), "number", "amount", "received_by") == [
            1, 25, str(house.attendant),
        ]  # fmt: skip
        assert disagreeing(REPORTS["inventory"], query(house)) == {}

    def test_b1_a_float_is_not_reported_before_it_is_counted(self, house: House) -> None:
        cashing.opened(house)
        opened(house)
        settled(house)

        line = one("inventory", house, "inventory")

        assert line["state"] == "not counted yet"
        assert {line[name] for name in inventory.TERMS} == {None}
        assert pick(line, "closer", "standing") == [None, None]


class TestScoreboard:
    def test_sh13_points_and_the_prize_they_reached(self, house: House) -> None:
        position = cashier.prize_won(house, 5)
        settled(house)

        points = one("scoreboard", house, "points")
        prize = one("scoreboard", house, "prizes")

        assert pick(points, "game", "place", "player", "points") == ["Stone Hand", 1, "Bo", "1"]
        assert pick(prize, "player", "prize", "amount", "state") == ["Bo", "A bottle", 5, "owed"]
        by_name = content(REPORTS["scoreboard"], query(house))["figures"]
        assert by_name["booked"] == ("1", True)
        assert by_name["issued"] == (5, True)
        assert (by_name["owed"][0], by_name["account"]) == (5, (5, True))
        [line] = REPORTS["scoreboard"].tables[1].lines(query(house))
        assert line.position == position

    def test_p3_a_prize_is_owed_until_it_is_handed_out(self, house: House) -> None:
        cashing.founded(house, 100)
        position = cashier.prize_won(house, 5)
        handed = cashier.handed_out(house, position)
        settled(house)
        assert handed.first_position is not None

        assert one("scoreboard", house, "prizes")["state"] == "handed out"
        assert rows(REPORTS["unclaimed"], query(house), "prizes") == []
        before = query(house, handed.first_position - 1)
        [then] = rows(REPORTS["unclaimed"], before, "prizes")
        assert pick(then, "player", "prize", "amount") == ["Bo", "A bottle", 5]


def test_d1_the_access_listing_is_of_the_moment_of_the_position(house: House) -> None:
    Employment.objects.update(since=NOW - timedelta(days=30))
    [old] = Employment.objects.filter(attendant=house.attendant)
    opened(house)
    head = journal.head(establishment=house.id)
    staff.dismiss(employment=old, by=house.manager, reason="Moved away.")

    def roles(through: int) -> set[Any]:
        found = rows(REPORTS["access"], query(house, through))
        return {each["now"] for each in found if each["username"] == house.attendant.username}

    assert roles(head) == {"Floor attendant"}
    assert roles(journal.head(establishment=house.id)) == {"left"}


class TestCash:
    def test_p2_cash_is_summed_by_player_and_day_and_flagged(self, house: House) -> None:
        house.establishment.cash_threshold = 30
        house.establishment.save()
        for stake in (20, 25):
            done(house, opened(house, stake=stake), "close")
        settled(house)

        days = rows(REPORTS["cash-log"], query(house), "days")

        assert sorted(pick(each, "player", "cash_in", "moves") for each in days) == [
            ["Ada", 45, 2], ["Bo", 45, 2],
        ]  # fmt: skip
        assert {each["flagged"] for each in days} == {"above the threshold"}
        assert len(rows(REPORTS["cash-log"], query(house, player="Ada"), "moves")) == 2
        assert content(REPORTS["cash-log"], query(house))["figures"]["cash_in"] == (90, True)

    def test_p2_a_payment_is_judged_by_the_threshold_that_was_in_force_then(self) -> None:
        house = builders.house(tables=3, dice_sets=3, cash_threshold=30)

        def threshold(most: int | None) -> int:
            at = house.establishment
            at.cash_threshold = most
            with time_machine.travel(NOW, tick=False):
                changes.change(at, establishment=at, by=None)
            return journal.head(establishment=house.id)

        opened(house, stake=20)  # 20 in all: below 30
        raised = threshold(50)
        opened(house, table=house.tables[1], stake=25)  # 45 in all: below 50
        lowered = threshold(40)
        before = journal.head(establishment=house.id)
        settled(house)

        def days(through: int | None = None) -> list[Any]:
            found = rows(REPORTS["cash-log"], query(house, through), "days")
            return [pick(each, "cash_in", "threshold", "flagged") for each in found]

        assert days() == [[45, 50, ""]] * 2
        opened(house, table=house.tables[2], stake=1, players=["Ada", "Bo"])
        settled(house)
        assert days() == [[46, 40, "above the threshold"]] * 2
        assert days(before) == [[45, 50, ""]] * 2
        listed = rows(REPORTS["cash-log"], query(house), "thresholds")
        assert [pick(each, "since", "threshold") for each in listed] == [
            [None, 30], [raised, 50], [lowered, 40],
        ]  # fmt: skip
        threshold(None)
        assert days() == [[46, 40, "above the threshold"]] * 2
        assert figures(REPORTS["cash-log"], query(house))["threshold"] is None

    def test_p3_a_stake_whose_player_went_is_listed_until_it_is_cashed(self, house: House) -> None:
        game = opened(house)
        settled(house)
        assert rows(REPORTS["unclaimed"], query(house), "stakes") == []
        done(house, game, "close")
        settled(house)
        head = journal.head(establishment=house.id)
        done(house, game, "cash_out", player="Ada", amount=20)
        settled(house)

        assert pick(one("unclaimed", house, "stakes"), "player", "amount") == ["Bo", 20]
        assert len(rows(REPORTS["unclaimed"], query(house, head), "stakes")) == 2

    def test_an_erased_name_stays_erased(self, house: House) -> None:
        game = opened(house)
        done(house, game, "close")
        settled(house)
        known = token(house, game, "Ada")
        for player in ("Ada", "Bo"):
            done(house, game, "cash_out", player=player, amount=20)
            settled(house)

        erasure.erase(act(house, house.manager), player=known, reason="Asked for it.")
        settled(house)

        assert Player.objects.get(establishment=house.id, token=known).name is None
        days = rows(REPORTS["cash-log"], query(house), "days")
        assert {each["player"] for each in days} == {known, "Bo"}


def test_f1_the_life_of_a_dice_set_as_of_a_position(house: House) -> None:
    """Received, inspected, issued to a table; before that it was only received."""
    dice = life.new_id(received := act(house, house.supervisor))
    delivery = life.Delivery(
        number="K-7", sides=8, count=3, colour="", supplier="Kettle & Sons", reference="88", note=""
    )
    life.receive(received, delivery)
    head = journal.head(establishment=house.id)
    life.inspect(act(house, house.supervisor), dice, in_order=True, finding="Sharp edges.")
    life.issue(act(house, house.supervisor), dice, table=house.table.pk)
    settled(house)

    def stands(through: int | None = None) -> list[Any]:
        found = rows(REPORTS["dice-inventory"], query(house, through), "sets")
        return [pick(each, "stands", "table") for each in found if each["number"] == "K-7"]

    assert stands() == [["Issued", "Table 1"]]
    assert stands(head) == [["Received", ""]]
    assert stands(-1) == []
    steps = rows(REPORTS["dice-inventory"], query(house), "steps")
    assert [each["step"] for each in steps] == ["Received", "Inspected: in order", "Issued"]
    assert pick(steps[0], "number", "supplier", "reference") == ["K-7", "Kettle & Sons", "88"]
    assert steps[1]["said"] == "Sharp edges."


class TestRegrades:
    def test_e4_a_regrade_is_of_its_night_of_its_day_or_of_the_days_asked_for(
        self, house: House
    ) -> None:
        round_played(house, opened(house))
        settled(house)
        today, day = NOW.date(), timedelta(days=1)
        for begun_at, night, period in (
            (NOW, today - day, Period()),  # the night before, over the whole ledger
            (NOW + day, today, Period()),
            (NOW + 2 * day, None, Period(since=today - day, until=today)),
            (NOW + 3 * day, None, Period()),
        ):
            run = runs.begin(house=house.establishment, period=period, night=night, now=begun_at)
            while running.advance(runs.REGRADE, house.id, run.id, seconds=60):
                pass

        def begun(**days: Any) -> list[str]:
            found = rows(REPORTS["regrade"], query(house, **days), "regrades")
            return [str(each["asked_at"])[8:10] for each in found]

        def on(*later: int) -> list[str]:
            return [f"{(NOW + each * day).day:02}" for each in later]

        assert begun(since=today, until=today) == on(1, 2)
        assert begun(since=today - day, until=today - day) == on(0, 2)
        assert begun(since=today + 3 * day, until=today + 3 * day) == on(3)
        assert begun(since=today - 9 * day, until=today + 9 * day) == on(0, 1, 2, 3)

    def test_e4_a_regrade_says_what_it_came_to(self, house: House) -> None:
        round_played(house, opened(house))
        settled(house)
        run = runs.begin(house=house.establishment, period=Period(), now=NOW)
        while running.advance(runs.REGRADE, house.id, run.id, seconds=60):
            pass

        line = one("regrade", house, "regrades")

        assert pick(line, "from", "state", "differences") == [0, "no difference", 0]
        assert line["to"] == journal.head(establishment=house.id)
        assert line["payouts"] == 1
        assert figures(REPORTS["regrade"], query(house))["whole"] == "yes"
        assert rows(REPORTS["regrade"], query(house, until=NOW.date() - timedelta(days=9))) == []


@pytest.mark.long("postgresql")
@pytest.mark.rows(1)
@pytest.mark.parametrize("seed", range(3))
def test_whatever_is_played_reports_reconcile_with_the_ledger(seed: int) -> None:
    """A3, TA10: all five games, voids and rollovers among it; at any position of it."""
    house = builders.house(tables=3)
    builders.dice_for_every_game(house.establishment, sets=3)
    croupier = Croupier(house, Random(seed), GAMES)  # noqa: S311 - of a test
    for number in range(130):
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
        tardy.game_with_late_entries(house, table=house.tables[1], now=NOW)
        done(house, game, "close")
        settled(house)


def queries_of(report: Report, house: House) -> int:
    with CaptureQueriesContext(connection) as queries:
        content(report, query(house))
    return len(queries)
