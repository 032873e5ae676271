"""G4: the money of what is voided is moved back by reversing transfers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from casino.house.attendants.models import Role
from ledger import journal
from tests.support import builders
from tests.support.playing import (
    PAIR_1,
    PAIR_4,
    PAIR_7,
    TRIAD,
    ask,
    balances,
    booked_events,
    done,
    float_of,
    game_of,
    nothing_parked,
    opened,
    pot_of,
    round_played,
    settled,
    stake_of,
    thrown,
)
from tests.support.voiding import approved, requested, void

if TYPE_CHECKING:
    from tests.support.builders import House

pytestmark = pytest.mark.django_db


@pytest.fixture
def house() -> House:
    return builders.house()


class TestMoneyMovedBack:
    def test_a_void_after_the_booking_books_the_mirror_image(self, house: House) -> None:
        game = opened(house)
        round_played(house, game)
        settled(house)
        thrown(house, game, "Ada", TRIAD)  # a round of its own: Ada pays 4
        settled(house)
        assert balances(house)[pot_of(game)] == 11

        approved(house, game, 2)
        settled(house)

        *booked, reversed_ = booked_events(house, game)
        assert [event.event_type for event in booked] == ["settlement.booked"] * 2
        assert reversed_.event_type == "settlement.reversed"
        assert reversed_.data["reverses"] == [event.data["cause"] for event in booked]
        originals = [transfer for event in booked for transfer in event.transfers]
        mirrored = [
            (transfer["reverses"], transfer["debit"], transfer["credit"], transfer["amount"])
            for transfer in reversed_.transfers
        ]
        assert mirrored == [
            (each["transfer_id"], each["credit"], each["debit"], each["amount"])
            for each in reversed(originals)
        ]
        assert pot_of(game) not in balances(house)

    def test_a_void_before_the_booking_comes_to_the_same(self, house: House) -> None:
        game = opened(house)
        round_played(house, game)
        approved(house, game, 2)
        round_played(house, game, ("Ada", PAIR_1), ("Bo", PAIR_4))

        settled(house)

        kinds = [event.event_type for event in booked_events(house, game)]
        assert kinds == ["settlement.booked", "settlement.reversed", "settlement.booked"]
        assert balances(house) == {
            float_of(house.table): 40,
            stake_of(house, game, "Ada"): 20,
            stake_of(house, game, "Bo"): 16,
            pot_of(game): 4,
        }

    def test_a_void_of_what_moved_nothing_books_nothing(self, house: House) -> None:
        game = opened(house)
        thrown(house, game, "Ada", PAIR_7)
        void(house, game, 2)

        settled(house)

        assert booked_events(house, game) == []


def test_only_the_last_void_of_the_same_round_counts(house: House) -> None:
    game = opened(house)
    for _ in range(3):
        number = game_of(house, game).version + 1
        round_played(house, game)
        settled(house)
        approved(house, game, number)
    settled(house)

    kinds = [event.event_type for event in booked_events(house, game)]
    assert kinds == ["settlement.booked", "settlement.reversed"] * 3
    assert balances(house)[stake_of(house, game, "Ada")] == 20


def test_what_is_moved_back_already_stays_so_in_a_void_further_back(house: House) -> None:
    game = opened(house)
    round_played(house, game)
    settled(house)
    approved(house, game, 3)
    thrown(house, game, "Bo", PAIR_1)  # Ada loses again
    settled(house)

    approved(house, game, 2)
    settled(house)

    kinds = [event.event_type for event in booked_events(house, game)]
    assert kinds == ["settlement.booked", "settlement.reversed"] * 2
    assert balances(house)[stake_of(house, game, "Ada")] == 20
    assert nothing_parked(house)


def test_every_role_that_may_approve_does(house: House) -> None:
    for role in (Role.SUPERVISOR, Role.MANAGER):
        game = opened(house)
        round_played(house, game)
        request = requested(house, game, 2)
        assert ask(house, game, "approve", by=house.people[role], request=request).refusal is None
        done(house, game, "close")
    assert journal.head(establishment=house.id) > 0
