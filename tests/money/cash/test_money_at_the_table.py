"""Money that people bring to a running game: there at once, and back with a void (0002, G4)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from casino.play.core.models import DayFigures
from casino.play.settlement.settled import REVERSED
from ledger.accounts import AccountRef, Kind
from tests.support import books, builders
from tests.support.playing import (
    ask,
    balances,
    booked_events,
    done,
    float_of,
    game_of,
    opened,
    refused,
    round_played,
    settled,
    stake_of,
    state,
)

if TYPE_CHECKING:
    import uuid

    from tests.support.builders import House

pytestmark = [pytest.mark.django_db, pytest.mark.long("postgresql", but="citus")]

BANK = AccountRef(Kind.BANK, "house")
HANDS = {"Ada": (2, 2, 7), "Bo": (3, 4, 5)}  # a pair is worse than a run of 4


@pytest.fixture
def house() -> House:
    return builders.house()


@pytest.fixture
def game(house: House) -> uuid.UUID:
    """Cinnabar Gate: players pay each other, and money may be brought between rounds."""
    return opened(house, game="cinnabar-gate", stake=20)


def voided(house: House, game: uuid.UUID, back_to: int) -> None:
    [event] = done(house, game, "void", back_to=back_to, reason="Misheard.")
    if event.event_type == "game.void_requested":
        done(house, game, "approve", by=house.supervisor, request=event.data["request"])


def ada_loses(house: House, game: uuid.UUID) -> None:
    """A round that costs Ada 4."""
    first = state(house, game)["first"]
    order = ("Ada", "Bo") if first == "Ada" else ("Bo", "Ada")
    round_played(house, game, *((name, HANDS[name]) for name in order))


def bought_in(house: House) -> int:
    return DayFigures.objects.get(establishment=house.establishment).bought_in


def test_a_newcomers_stake_is_there_at_once(house: House, game: uuid.UUID) -> None:
    [joined] = done(house, game, "join", player="Cy", stake=15)

    assert [transfer["amount"] for transfer in joined.transfers] == [15]
    assert balances(house)[float_of(house.table)] == 55
    assert state(house, game)["booked"] == {"Ada": 20, "Bo": 20, "Cy": 15}
    settled(house)
    assert bought_in(house) == 55


def test_more_money_for_a_player_is_there_at_once(house: House, game: uuid.UUID) -> None:
    done(house, game, "buy_in", player="Ada", amount=7)

    assert balances(house)[stake_of(house, game, "Ada")] == 27
    settled(house)
    assert bought_in(house) == 47
    books.are_the_rules_result(house, [game])


def test_sent_twice_it_is_brought_once(house: House, game: uuid.UUID) -> None:
    body = {"player": "Ada", "amount": 7, "command_id": "0197e3a0-5c1e-7b1e-9f6e-000000000001"}

    for _ in range(2):
        done(house, game, "buy_in", **body)

    assert balances(house)[stake_of(house, game, "Ada")] == 27


@pytest.mark.parametrize("meanwhile", [True, False])
def test_a_void_hands_it_back(house: House, game: uuid.UUID, meanwhile: bool) -> None:  # noqa: FBT001 - a row
    """Whether settlement came by between the two or not."""
    done(house, game, "join", player="Cy", stake=15)
    done(house, game, "buy_in", player="Ada", amount=7)
    if meanwhile:
        settled(house)

    voided(house, game, 2)
    settled(house)

    assert "Cy" not in state(house, game)["stakes"]
    assert balances(house) == {
        float_of(house.table): 40,
        stake_of(house, game, "Ada"): 20,
        stake_of(house, game, "Bo"): 20,
    }
    assert bought_in(house) == 40
    [reversal] = booked_events(house, game)
    assert reversal.event_type == REVERSED
    assert reversal.data["handed_back"] == [2, 3]
    assert [transfer["amount"] for transfer in reversal.transfers] == [7, 15]
    assert refused(house, game, "cash_out", player="Cy", amount=15) == "unknown_player"


@pytest.mark.parametrize("meanwhile", [True, False])
def test_what_was_lost_of_it_comes_back_first(
    house: House,
    game: uuid.UUID,
    meanwhile: bool,  # noqa: FBT001 - a row
) -> None:
    """Ada's last coins are brought money: paid back before they are handed back."""
    for _ in range(4):
        ada_loses(house, game)
    assert state(house, game)["stakes"]["Ada"] == 4
    brought = game_of(house, game).version + 1
    done(house, game, "buy_in", player="Ada", amount=6)
    for _ in range(2):
        ada_loses(house, game)
    if meanwhile:
        settled(house)

    voided(house, game, brought)
    settled(house)

    books.hold_at_every_moment(house)
    books.are_the_rules_result(house, [game])
    assert balances(house)[float_of(house.table)] == 40


def test_voided_once_more_it_is_handed_back_once(house: House, game: uuid.UUID) -> None:
    done(house, game, "join", player="Cy", stake=15)
    voided(house, game, 2)
    done(house, game, "buy_in", player="Ada", amount=7)
    number = game_of(house, game).version
    voided(house, game, number)
    settled(house)

    assert balances(house)[float_of(house.table)] == 40
    handed = [event.data["handed_back"] for event in booked_events(house, game)]
    assert handed == [[2], [number]]


def test_no_void_goes_back_over_cash_that_has_left(house: House, game: uuid.UUID) -> None:
    done(house, game, "join", player="Cy", stake=15)
    done(house, game, "leave", player="Cy")
    settled(house)
    done(house, game, "cash_out", player="Cy", amount=15)

    answer = ask(house, game, "void", back_to=2, reason="Misheard.")

    assert answer.refusal is not None
    assert answer.refusal.code == "beyond_reversal"
    assert balances(house)[float_of(house.table)] == 40


def test_the_houses_seat_brings_the_banks_money(house: House) -> None:
    seats = [{"name": "Ada", "stake": 20}, {"name": "The bank", "stake": 20, "house": True}]
    game = opened(house, game="cinnabar-gate", players=seats)
    done(house, game, "buy_in", player="The bank", amount=5)
    assert balances(house)[BANK] == -25

    voided(house, game, 2)
    settled(house)

    assert balances(house)[BANK] == -20
