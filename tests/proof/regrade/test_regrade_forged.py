"""What somebody changed behind the application's back is found by computing it once more."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING, Any

import pytest

from casino.play.settlement.models import Payout, PrizeIssued, PrizeRule, Tally
from ledger.models import Transfer
from tests.proof.regrade.conftest import a_game
from tests.support import builders
from tests.support.module_data import built_once
from tests.support.playing import PAIR_4, TRIPLE_8, opened, round_played, settled
from tests.support.regrading import (
    BOOKED,
    LOST,
    THROWN,
    booked_again,
    by_hand,
    changed,
    differences,
    event_of,
    forged,
    key,
    opening_data,
    summary,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_django import DjangoDbBlocker

    from tests.support.builders import House

pytestmark = pytest.mark.django_db


def a_house_and_its_game() -> tuple[House, uuid.UUID]:
    house = builders.house()
    return house, a_game(house)


@pytest.fixture(scope="module")
def built(
    django_db_setup: None, django_db_blocker: DjangoDbBlocker
) -> Iterator[tuple[House, uuid.UUID]]:
    """One game for all forgeries: each is gone after its test."""
    del django_db_setup
    yield from built_once(a_house_and_its_game, django_db_blocker)


@pytest.fixture
def house(built: tuple[House, uuid.UUID]) -> House:
    return built[0]


@pytest.fixture
def game(built: tuple[House, uuid.UUID]) -> uuid.UUID:
    return built[1]


@pytest.mark.usefixtures("game")
class TestForged:
    """Each by hand in the database, past every trigger."""

    @pytest.mark.long("postgresql")
    def test_an_amount_in_a_round_that_was_lost(self, house: House) -> None:
        forged(event_of(house, LOST), lambda body: body["data"]["payments"][0].update(amount=3))

        [found] = differences(house)

        assert (found["kind"], found["what"], found["round"]) == ("event", "altered", 1)
        assert found["expected"]["payments"][0]["amount"] == 7
        assert found["found"]["payments"][0]["amount"] == 3
        because = found["because"]
        assert because["expected"]["payments"][0]["amount"] == 7
        assert because["found"]["payments"][0]["amount"] == 3
        assert because["expected"]["because"].startswith("Ada threw 2-2-7")

    @pytest.mark.long("postgresql")
    def test_who_lost(self, house: House) -> None:
        event = event_of(house, LOST)
        tokens = [seat["name"] for seat in opening_data(house)["players"]]

        def other(body: dict[str, Any]) -> None:
            body["data"].update(loser=tokens[1], first=tokens[1])
            body["data"]["payments"][0]["from"] = tokens[1]

        forged(event, other)

        found = differences(house)

        assert ("event", "altered") in summary(found)
        assert found[0]["expected"]["loser"] == "Ada"
        assert found[0]["found"]["loser"] == "Bo"

    @pytest.mark.long("postgresql")
    def test_a_die(self, house: House) -> None:
        forged(event_of(house, THROWN), lambda body: body["data"].update(dice=[2, 2, 1]))

        found = differences(house)

        assert ("event", "altered") in summary(found)
        assert {each["round"] for each in found} >= {1}

    @pytest.mark.long("postgresql")
    def test_a_throw_out_of_turn_is_refused_now(self, house: House) -> None:
        tokens = [seat["name"] for seat in opening_data(house)["players"]]
        forged(event_of(house, THROWN), lambda body: body["data"].update(player=tokens[1]))

        found = differences(house)

        assert found[0]["what"] == "refused"
        assert "throws, not" in found[0]["said"]

    def test_a_booked_payment(self, house: House) -> None:
        forged(event_of(house, BOOKED), lambda body: body["data"]["payments"][0].update(amount=70))

        [found] = differences(house)

        assert (found["kind"], found["what"]) == ("booking", "altered")
        assert found["expected"]["payments"][0]["amount"] == 7
        assert found["found"]["payments"][0]["amount"] == 70
        assert found["because"]["expected"]["because"]

    @pytest.mark.long("postgresql")
    def test_a_transfer_in_the_body_of_a_booking(self, house: House) -> None:
        forged(event_of(house, BOOKED), lambda body: body["transfers"][0].update(amount=70))

        found = differences(house)

        # The booking itself; the next, for which its stake would be short; and the rows.
        assert summary(found) == [("transfer", "altered")] * 3
        assert [each["found"][0][-2] for each in found] == [70, 7, "SH4"]

    @pytest.mark.long("postgresql")
    def test_a_reversal_that_gives_back_less(self, house: House) -> None:
        reversed_ = event_of(house, "settlement.reversed")
        forged(reversed_, lambda body: body["data"].update(reverses=[]))

        assert ("booking", "altered") in summary(differences(house))

    @pytest.mark.long("postgresql")
    def test_a_row_of_a_transfer(self, house: House) -> None:
        row = Transfer.objects.filter(reason="SH4").order_by("position")[0]
        changed("ledger_transfer", "amount = 70", row)

        [found] = differences(house)

        assert (found["kind"], found["what"]) == ("transfer", "altered")
        assert (found["expected"][0][3], found["found"][0][3]) == (7, 70)

    def test_a_row_of_a_transfer_that_is_gone(self, house: House) -> None:
        row = Transfer.objects.filter(reason="SH4").order_by("position")[0]
        by_hand("DELETE FROM ledger_transfer WHERE transfer_id = %s", [key(row.transfer_id)])

        assert summary(differences(house)) == [("transfer", "missing")]

    @pytest.mark.long("postgresql")
    def test_a_row_of_a_transfer_too_many(self, house: House) -> None:
        row = Transfer.objects.filter(reason="SH4").order_by("position")[0]
        by_hand(
            "INSERT INTO ledger_transfer SELECT %s, establishment, position, seq + 7, debit_kind,"
            " debit_name, credit_kind, credit_name, amount, reason, reverses"
            " FROM ledger_transfer WHERE transfer_id = %s",
            [key(uuid.uuid4()), key(row.transfer_id)],
        )

        assert summary(differences(house)) == [("transfer", "unexpected")]

    @pytest.mark.long("postgresql")
    def test_an_altered_payout(self, house: House) -> None:
        Payout.objects.filter(round=1).update(amount=70)

        [found] = differences(house)

        assert (found["kind"], found["what"], found["round"]) == ("payout", "altered", 1)
        assert (found["expected"]["amount"], found["found"]["amount"]) == (7, 70)

    @pytest.mark.long("postgresql")
    def test_a_payout_that_counts_although_it_was_taken_back(self, house: House) -> None:
        Payout.objects.update(state="booked")

        [found] = differences(house)

        assert (found["expected"]["state"], found["found"]["state"]) == ("reversed", "booked")

    @pytest.mark.long("postgresql")
    def test_a_payout_never_shown(self, house: House) -> None:
        Payout.objects.filter(round=1).delete()

        assert summary(differences(house)) == [("payout", "missing")]

    @pytest.mark.long("postgresql")
    def test_a_payout_of_a_game_that_never_was(self, house: House) -> None:
        row = Payout.objects.filter(round=1).get()
        row.pk = (row.establishment_id, row.position, 5)
        row.game = uuid.uuid4()
        row.save(force_insert=True)

        [found] = differences(house)

        assert (found["kind"], found["what"]) == ("payout", "unexpected")

    @pytest.mark.long("postgresql")
    def test_a_payout_shown_twice(self, house: House) -> None:
        row = Payout.objects.filter(round=1).get()
        row.pk = (row.establishment_id, row.position, 1)
        row.save(force_insert=True)

        assert summary(differences(house)) == [("payout", "unexpected")]

    def test_a_payout_booked_twice(self, house: House, game: uuid.UUID) -> None:
        booked_again(house, game)
        settled(house)

        assert ("booking", "twice") in summary(differences(house))

    @pytest.mark.long("postgresql")
    def test_a_booking_for_what_moved_nothing(self, house: House, game: uuid.UUID) -> None:
        booked_again(house, game, cause=2)  # Ada's first throw

        assert summary(differences(house)) == [("booking", "unexpected")]

    @pytest.mark.long("postgresql")
    def test_a_payout_never_booked(self, house: House) -> None:
        last = event_of(house, BOOKED, 2)
        by_hand("DELETE FROM ledger_event WHERE event_id = %s", [key(last.event_id)])

        assert ("booking", "missing") in summary(differences(house))

    def test_an_event_that_is_gone(self, house: House) -> None:
        by_hand(
            "DELETE FROM ledger_event WHERE event_id = %s", [key(event_of(house, THROWN).event_id)]
        )

        found = differences(house)

        assert ("event", "missing") in summary(found)
        assert found[0]["said"] == "Event 2 is missing from the ledger."

    @pytest.mark.long("postgresql")
    def test_what_cannot_be_read(self, house: House) -> None:
        forged(event_of(house, LOST), lambda body: body.update(data=7))

        assert ("event", "unreadable") in summary(differences(house))

    @pytest.mark.long("postgresql")
    def test_rules_that_nobody_has(self, house: House) -> None:
        forged(
            event_of(house, "stone_hand.game_opened"),
            lambda body: body["data"].update(rules_version=77),
        )

        assert summary(differences(house)) == [("event", "unreadable")]


@pytest.mark.long("postgresql")
class TestTheScoreboard:
    @pytest.fixture
    def house(self) -> House:
        return builders.house()

    @pytest.fixture(autouse=True)
    def _scored(self, house: House) -> None:
        PrizeRule.objects.create(
            establishment=house.establishment, kind="points", at=1, prize="A cup", amount=7
        )
        game = opened(house, stake=0, options={"mode": "scoreboard"})
        round_played(house, game, ("Ada", TRIPLE_8), ("Bo", PAIR_4))
        settled(house)

    def test_points_from_nowhere(self, house: House) -> None:
        Tally.objects.filter(points=1).update(points=5)

        [found] = differences(house)

        assert (found["kind"], found["expected"], found["found"]) == (
            "points", {"Ada": "1"}, {"Ada": "5"},
        )  # fmt: skip

    def test_points_booked_to_another(self, house: House) -> None:
        forged(event_of(house, BOOKED), lambda body: body["data"].update(points={"p-x": 3}))

        assert summary(differences(house))[0] == ("booking", "altered")

    def test_a_prize_that_nothing_tells_of(self, house: House) -> None:
        issued = PrizeIssued.objects.get()
        issued.pk = (house.id, "stone-hand", 1, uuid.uuid4(), issued.player)
        issued.save(force_insert=True)

        assert summary(differences(house)) == [("prize", "unexpected")]

    def test_a_prize_of_another_worth(self, house: House) -> None:
        forged(event_of(house, "settlement.prize_issued"), lambda b: b["data"].update(amount=70))

        [found] = differences(house)

        assert (found["kind"], found["said"]) == ("prize", "Another amount was moved.")
