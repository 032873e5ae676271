"""A pot that rolls over is claimed before it is booked, and arrives once it is (TA10)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from django.utils import timezone

from casino.play.core import rollover_delivery
from casino.play.core.subscriptions import tasks
from casino.play.settlement.subscriber import SETTLEMENT
from casino.proof.verification import cursors, verifying
from ledger import journal, subscriptions
from ledger.models import ParkedEvent
from tests.support import books
from tests.support.playing import balances, done, game_of, pot_of, settled, state
from tests.support.rolling import (
    GAME,
    HELD,
    begun,
    changes,
    events_of,
    is_poisoned,
    left_behind,
    lots,
    new_house,
    rolls_on,
    sources,
)

if TYPE_CHECKING:
    from tests.support.builders import House


@pytest.fixture
def house() -> House:
    return new_house()


@pytest.mark.django_db
class TestALotThatIsNotBookedYet:
    def test_the_next_game_opens_all_the_same(self, house: House) -> None:
        left_behind(house)

        following = begun(house)

        assert state(house, following)["pot"] == 2
        assert sources(lots(house).claimed)[0][1] == 2
        assert lots(house).waiting == ()

    def test_it_arrives_visibly_once_it_is_booked(self, house: House) -> None:
        game = left_behind(house)
        following = begun(house)

        tasks.advance_all(house.id)

        arrived = game_of(house, following).events[-1]
        assert arrived.event_type == "threes_away.rollover_arrived"
        assert arrived.provenance.actor == "settlement"
        assert arrived.data["amount"] == 2
        because = next(
            each
            for each in journal.stream(establishment=house.id, stream=f"settlement/{game}")
            if each.event_id == arrived.provenance.causation_id
        )
        assert because.transfers[-1]["credit"] == str(HELD)
        assert state(house, following)["pot"] == 4
        settled(house)
        assert balances(house)[pot_of(following)] == 4
        assert HELD not in balances(house)

    def test_delivered_again_and_again_it_arrives_once(self, house: House) -> None:
        left_behind(house)
        following = begun(house)
        settled(house)

        assert [rollover_delivery.deliver(house.id) for _ in range(3)] == [0, 0, 0]

        assert events_of(house, following).count("rollover_arrived") == 1
        assert changes(house) == ["left", "drawn", "arrived"]

    def test_two_that_deliver_the_same_lot_deliver_it_once(self, house: House) -> None:
        """Both have read the claim before either has appended."""
        left_behind(house)
        following = begun(house)
        subscriptions.advance(SETTLEMENT, establishment=house.id)
        [lot] = lots(house).claimed

        answers = [rollover_delivery._deliver(house.id, GAME, lot) for _ in range(2)]

        assert answers == [True, False]
        assert events_of(house, following).count("rollover_arrived") == 1

    def test_a_sweep_finds_what_a_dead_worker_left(self, house: House) -> None:
        left_behind(house)
        following = begun(house)
        begun(new_house())  # another house, where nothing waits
        assert list(rollover_delivery.houses_waiting()) == [house.id]
        subscriptions.advance(SETTLEMENT, establishment=house.id)  # and there it was killed

        for each in rollover_delivery.houses_waiting():
            tasks.deliver_rollovers(each)

        assert state(house, following)["pot"] == 4
        assert list(rollover_delivery.houses_waiting()) == []

    def test_handed_over_before_settlement_reads_its_own_booking_no_cursor_is_behind(
        self, house: House
    ) -> None:
        left_behind(house)
        begun(house)
        subscriptions.advance(SETTLEMENT, establishment=house.id)  # and is far behind from here on

        assert rollover_delivery.deliver(house.id) == 1

        book = verifying.open_book(house.id, now=timezone.now())
        assert [each for step in cursors.check(book, {}) for each in step.findings] == []

    def test_a_second_game_claims_nothing_of_it(self, house: House) -> None:
        left_behind(house)
        first, second = begun(house, 0), begun(house, 1)

        settled(house)

        assert (state(house, first)["pot"], state(house, second)["pot"]) == (4, 2)

    def test_a_game_that_ends_before_gives_its_claim_back(self, house: House) -> None:
        game = left_behind(house)
        hurried = begun(house)
        done(house, hurried, "close")
        assert sources(lots(house).waiting) == [(str(game), 2)]

        settled(house)

        assert "rollover_arrived" not in events_of(house, hurried)
        assert state(house, begun(house))["pot"] == 4
        settled(house)
        books.hold_at_every_moment(house)

    def test_a_parked_giver_stops_nobody(self, house: House) -> None:
        giver = begun(house)
        rolls_on(house, giver)
        is_poisoned(house, giver)
        done(house, giver, "close")
        following = begun(house)

        settled(house)

        parked = ParkedEvent.objects.filter(establishment=house.id)
        assert set(parked.values_list("stream", flat=True)) == {f"game/{giver}"}
        current = state(house, following)
        assert current["pot"] == 2
        assert current["settled_through"] == current["position"]
        assert len(lots(house).claimed) == 1
