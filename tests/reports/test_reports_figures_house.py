"""What reports say of what a house keeps: floats, prizes, people, cash, dice, regrades."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
import time_machine
from django.utils import translation

from casino.floor.players import player_names
from casino.house.acts import changes
from casino.house.attendants.models import Employment
from casino.house.attendants.pseudonyms.models import Player
from casino.kit.web.jobs import running
from casino.play.dice import life
from casino.play.dice.models import DiceSet
from casino.proof.disputes.regrade import runs
from casino.proof.disputes.regrade.reading import Period
from casino.reports.registers import table_cash
from casino.settings.staff import operations as staff
from ledger import journal
from tests.support import builders, cashier, cashing
from tests.support.cashing import act
from tests.support.playing import NOW, done, opened, round_played, settled, token
from tests.support.reported import REPORTS, content, disagreeing, figures, one, pick, query, rows

if TYPE_CHECKING:
    from typing import Any

    from tests.support.builders import House

pytestmark = pytest.mark.django_db


@pytest.fixture
def house() -> House:
    return builders.house()


class TestInventory:
    @pytest.fixture
    def house(self) -> House:
        return cashing.house()

    @pytest.mark.long("postgresql")
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

    @pytest.mark.long("postgresql")
    def test_b1_a_float_is_not_reported_before_it_is_counted(self, house: House) -> None:
        cashing.opened(house)
        opened(house)
        settled(house)

        line = one("inventory", house, "inventory")

        assert line["state"] == "not counted yet"
        assert {line[name] for name in table_cash.TERMS} == {None}
        assert pick(line, "closer", "standing") == [None, None]


class TestScoreboard:
    @pytest.mark.long("postgresql")
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
        [line] = REPORTS["scoreboard"].tables[-1].lines(query(house))
        assert line.position == position

    @pytest.mark.long("postgresql")
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
    @pytest.mark.long("postgresql")
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

    @pytest.mark.long("postgresql")
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

        player_names.erase_name(act(house, house.manager), player=known, reason="Asked for it.")
        settled(house)

        assert Player.objects.get(establishment=house.id, token=known).name is None
        days = rows(REPORTS["cash-log"], query(house), "days")
        assert {each["player"] for each in days} == {known, "Bo"}


def test_f1_a_set_of_the_program_is_in_the_reader_s_words(house: House) -> None:
    dice = DiceSet(establishment=house.establishment, number="R-9", sides=None, count=5)
    changes.create(dice, establishment=house.establishment, by=None)
    settled(house)
    head = journal.head(establishment=house.id)

    with translation.override("it"):
        [found] = [
            each
            for each in rows(REPORTS["dice-inventory"], query(house, head), "sets")
            if each["number"] == "R-9"
        ]
        step = rows(REPORTS["dice-inventory"], query(house, head), "steps")[-1]

    assert pick(found, "dice", "by") == ["uno di ogni misura", "il programma"]
    assert pick(step, "number", "by") == ["R-9", "il programma"]


@pytest.mark.long("postgresql")
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
    @pytest.mark.long("postgresql")
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

    @pytest.mark.long("postgresql")
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
