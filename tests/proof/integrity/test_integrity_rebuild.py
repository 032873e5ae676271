"""What is read from the ledger is what a replay makes of it; a row changed by hand is named."""

from __future__ import annotations

import uuid
from datetime import time
from io import StringIO
from typing import TYPE_CHECKING

import pytest
from django.core.management import call_command
from django.db import connection

from casino.engine.processes.queues.house_subscriber import HOUSE
from casino.house.acts import changes
from casino.house.acts.game_streams import loading
from casino.money.cash.models import Owed
from casino.play.core.models import GameCard
from casino.play.core.projections import PROJECTIONS
from casino.play.core.subscriptions.tasks import SUBSCRIBERS
from casino.play.settlement.models import Payout, PrizeIssued, PrizeRule, Tally, Withheld
from casino.play.settlement.subscriber import SETTLEMENT
from casino.proof.verification import rebuild
from casino.reports.gaming_days.models import LateEntry
from ledger import subscriptions
from ledger.models import Account, ParkedEvent
from tests.conftest import unguarded
from tests.play.settlement.test_settlement_trouble import by_hand
from tests.support import builders, full_house
from tests.support.dayend import TODAY
from tests.support.playing import NOW, done, opened, round_played, settled, thrown
from tests.support.rebuilt import (
    altered,
    comparable,
    found,
    inserted,
    reads_more,
    rows_of,
    table_of,
    with_a_round_lost,
)

if TYPE_CHECKING:
    from casino.proof.verification.replays import Difference
    from ledger.wire import StoredEvent
    from tests.support.builders import House

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def _before_all_else(own_file: object) -> None:
    del own_file


@pytest.fixture
def house() -> House:
    return with_a_round_lost()


class TestEveryTable:
    @pytest.mark.long
    @pytest.mark.rows(1)
    @pytest.mark.parametrize("seed", [1, 2])
    def test_after_honest_play_nothing_differs(self, seed: int) -> None:
        house = full_house.house(seed)

        assert found(house) == []

    @pytest.mark.long("postgresql")
    def test_whatever_is_changed_added_or_taken_away_by_hand_is_named(
        self, subtests: pytest.Subtests
    ) -> None:
        house = full_house.house()
        for subscriber in SUBSCRIBERS:
            tables = rows_of(subscriber, house)
            expected = {}
            for model, rows in tables.items():
                assert rows.exists(), f"{table_of(model)} tells of nothing that was played here."
                first = rows[0]
                expected[table_of(model)] = [altered(rows.get(pk=first.pk)), inserted(first)]
            by_table: dict[str, list[Difference]] = {}
            for each in found(house, subscriber):
                by_table.setdefault(each.table, []).append(each)
            for table, two in expected.items():
                with subtests.test(table=table, doing="changed and added"):
                    differing = by_table[table]
                    assert sorted(map(str, map(comparable, differing))) == sorted(
                        map(str, map(comparable, two))
                    )
                    assert {each.of for each in differing} == {2}
            for rows in tables.values():
                rows.delete()
            gone = found(house, subscriber)
            for model in tables:
                with subtests.test(table=table_of(model), doing="taken away"):
                    mine = [each for each in gone if each.table == table_of(model)]
                    assert mine
                    assert {each.what for each in mine} == {"missing"}
                    assert all(each.of >= len(mine) for each in mine)
        out = StringIO()
        with pytest.raises(SystemExit) as ended:
            call_command("rebuild", stdout=out, stderr=StringIO())
        assert ended.value.code == 1
        assert found(house) == []

    @pytest.mark.long("postgresql")
    def test_many_rows_are_counted_and_the_first_are_told(self, house: House) -> None:
        rows = [
            Owed(
                establishment=house.establishment, kind="stake", name=f"x{number:03}", amount=1,
                changed_at=NOW, gaming_day=TODAY,
            )
            for number in range(100)
        ]  # fmt: skip
        Owed.objects.bulk_create(rows)

        differing = found(house, HOUSE)

        assert [each.key["name"] for each in differing] == [f"x{number:03}" for number in range(20)]
        assert {each.of for each in differing} == {100}

    def test_another_houses_rows_are_none_of_its_business(self, house: House) -> None:
        neighbour = builders.house()
        round_played(neighbour, opened(neighbour))
        settled(neighbour)
        GameCard.objects.filter(establishment=neighbour.id).delete()

        assert found(house) == []
        assert len(found(neighbour)) == 1


class TestWhereAFollowerStands:
    @pytest.mark.long("postgresql")
    def test_rows_are_held_against_the_ledger_as_far_as_it_has_read(self, house: House) -> None:
        round_played(house, opened(house, table=house.tables[1]))

        assert subscriptions.lag(PROJECTIONS.name, establishment=house.id) > 0
        assert found(house) == []

    @pytest.mark.long("postgresql")
    def test_the_card_of_a_game_that_has_moved_on_waits(self, house: House) -> None:
        """It is written at the last event there is, and there is a later one by now."""
        game = GameCard.objects.get(establishment=house.id)
        thrown(house, game.game, "Ada", (2, 2, 1))
        GameCard.objects.filter(game=game.game).update(pot=99)

        assert found(house) == []
        Payout.objects.filter(establishment=house.id).update(amount=99)
        assert [each.table for each in found(house)] == [table_of(Payout)]

    @pytest.mark.long("postgresql")
    def test_a_house_in_which_nothing_happened_has_no_rows(self) -> None:
        house = builders.house()
        assert found(house) == []

        Owed.objects.create(
            establishment=house.establishment, kind="stake", name="x", amount=1,
            changed_at=NOW, gaming_day=TODAY,
        )  # fmt: skip
        assert [each.what for each in found(house)] == ["extra"]

    @pytest.mark.long("postgresql")
    def test_what_is_parked_is_left_out_on_both_sides(self, house: House) -> None:
        game = GameCard.objects.get(establishment=house.id).game
        by_hand(house, f"game/{game}", "stone_hand.unheard_of", {})
        loading.MEMORY.forget()
        round_played(house, opened(house, table=house.tables[1]))
        settled(house)

        assert ParkedEvent.objects.filter(establishment=house.id).exists()
        assert found(house) == []

    @pytest.mark.long("postgresql")
    def test_an_event_that_was_read_and_cannot_be_again_is_told(
        self, house: House, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def fails(_event: StoredEvent) -> None:
            raise ValueError("Not understood.")

        reads_more(monkeypatch, fails)

        unreadable = [each for each in found(house, HOUSE) if each.what == "unreadable"]

        assert unreadable[0].key == {"stream": "day", "position": 0}
        assert unreadable[0].found == {"error": "ValueError: Not understood."}
        assert {each.of for each in unreadable} == {len(unreadable)}

    @pytest.mark.long("postgresql")
    def test_one_that_begins_anew_meanwhile_is_compared_anew(
        self, house: House, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(rebuild, "NEAR", 0)
        begun: list[int] = []

        def begins_anew(done: int, _of: int) -> None:
            if not begun:
                begun.append(done)
                subscriptions.begin_anew(PROJECTIONS, establishment=house.id)

        assert list(rebuild.compare(house.id, PROJECTIONS, begins_anew)) == []
        assert begun


class TestWhatSettlementKeeps:
    @pytest.mark.long("postgresql")
    def test_points_prizes_and_what_is_held_are_put_right(self) -> None:
        house = full_house.house(events=0)
        rows = {
            model: sorted(model.objects.values(), key=str)
            for model in (Tally, PrizeIssued, Withheld)
        }
        Tally.objects.filter(establishment=house.id).update(points=50)
        PrizeIssued.objects.filter(establishment=house.id).delete()
        Withheld.objects.create(establishment=house.establishment, game=uuid.uuid4(), waiting=True)

        assert {(each.table, each.what) for each in found(house, SETTLEMENT)} == {
            (table_of(Tally), "altered"),
            (table_of(PrizeIssued), "missing"),
            (table_of(Withheld), "extra"),
        }
        assert rebuild.repair_kept(house.id) == 4

        assert found(house) == []
        assert {model: sorted(model.objects.values(), key=str) for model in rows} == rows

    def test_a_prize_that_waited_for_a_request_is_found_by_its_points(self, house: House) -> None:
        PrizeRule.objects.create(
            establishment=house.establishment, kind="points", at=1, prize="A cup"
        )
        game = opened(house, table=house.tables[1], options={"mode": "scoreboard"}, stake=0)
        round_played(house, game)
        [asked] = done(house, game, "void", back_to=2, reason="Misread.")
        settled(house)
        done(house, game, "reject", by=house.supervisor, request=asked.data["request"])
        settled(house)
        rows = list(PrizeIssued.objects.values())
        PrizeIssued.objects.all().delete()

        assert rebuild.repair_kept(house.id) == 1

        assert found(house) == []
        assert list(PrizeIssued.objects.values()) == rows

    def test_what_is_booked_while_it_is_put_right_counts(
        self, house: House, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Looked through again: else the point that comes in between would be lost."""
        round_played(house, opened(house, table=house.tables[1], options={"mode": "scoreboard"},
                                   stake=0))  # fmt: skip
        settled(house)
        player = Tally.objects.get(establishment=house.id, points=1).player
        Tally.objects.filter(establishment=house.id, player=player).update(points=50)
        write = rebuild._write_kept
        came: list[int] = []

        def writes(establishment: uuid.UUID, wrong: Difference) -> None:
            if not came:
                came.append(1)
                data = {"points": {}, "payments": [], "cause": 1}
                by_hand(house, f"settlement/{uuid.uuid4()}", "settlement.booked", data)
            write(establishment, wrong)

        monkeypatch.setattr(rebuild, "_write_kept", writes)

        assert rebuild.repair_kept(house.id) == 1
        assert Tally.objects.get(establishment=house.id, player=player).points == 1

    def test_a_balance_that_its_transfers_do_not_make_is_told(self, house: House) -> None:
        with unguarded(connection) as cursor:
            cursor.execute("UPDATE ledger_account SET credits = credits + 5 WHERE kind = 'pot'")

        [difference] = found(house)

        assert (difference.follower, difference.table, difference.key["kind"]) == (
            "settlement", table_of(Account), "pot",
        )  # fmt: skip
        assert difference.found["credits"] == difference.expected["credits"] + 5

    def test_what_it_booked_is_not_made_anew(self, house: House) -> None:
        with pytest.raises(ValueError, match="stays booked"):
            rebuild.rebuild(house.id, SETTLEMENT)


@pytest.mark.long("postgresql")
def test_b4_an_entry_was_late_by_the_clock_of_its_time(house: House) -> None:
    """A house that moves its cut-off does not make entries late, or others not, after the fact."""
    game, at = opened(house, table=house.tables[1]), NOW
    thrown(house, game, "Ada", (2, 2, 7), now=at, occurred_at=at.replace(hour=4).isoformat())
    settled(house)
    rows = list(LateEntry.objects.filter(establishment=house.id).values())
    for cutoff in (time(2), time(3)):
        house.establishment.day_cutoff = cutoff
        changes.change(house.establishment, establishment=house.establishment, by=house.manager)
        settled(house)

    assert [each["kind"] for each in rows] == ["late"]
    assert found(house) == []
    subscriptions.rebuild(HOUSE, establishment=house.id)
    assert list(LateEntry.objects.filter(establishment=house.id).values()) == rows
