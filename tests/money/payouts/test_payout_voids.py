"""G4: what a request to void questions is held until it is answered, and play goes on."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from casino.money.payouts import queries
from casino.play.settlement.models import Payout
from tests.support import books, builders
from tests.support.playing import (
    LATER,
    PAIR_4,
    PAIR_7,
    balances,
    done,
    nothing_parked,
    opened,
    refused,
    settled,
    stake_of,
    state,
    thrown,
)
from tests.support.regrading import regraded

if TYPE_CHECKING:
    import uuid

    from tests.support.builders import House

pytestmark = [pytest.mark.django_db, pytest.mark.long("postgresql", but="citus")]

DICE = {"Ada": PAIR_7, "Bo": PAIR_4, "Cy": (2, 2, 6)}


@pytest.fixture
def house() -> House:
    return builders.house()


def gate(house: House) -> uuid.UUID:
    """A game of Cinnabar Gate in which Bo won the first round: Ada paid 8."""
    game = opened(
        house, game="cinnabar-gate", players=["Ada", "Bo", "Cy"], stake=30, home_throw=[1, 3, 6]
    )
    won(house, game)
    settled(house)
    return game


def won(house: House, game: uuid.UUID) -> None:
    """A round that Bo wins and Ada loses."""
    before = state(house, game)["round"]
    while (now := state(house, game))["round"] == before:
        player = now["next"]["players"][0]
        thrown(house, game, player, DICE[player])


def asked(house: House, game: uuid.UUID, back_to: int) -> int:
    [event] = done(house, game, "void", back_to=back_to, reason="Misread.", now=LATER)
    settled(house)
    assert event.event_type == "game.void_requested"
    return event.stream_version


def held(house: House) -> dict[str, int]:
    rows = Payout.objects.filter(establishment=house.id, state=Payout.State.HELD)
    return {f"{row.cause}.{row.seq}": row.held for row in rows}


def test_what_it_would_take_back_is_held_and_what_is_won_later_too(house: House) -> None:
    game = gate(house)
    paid = state(house, game)["stakes"]["Bo"] - 30
    first = state(house, game)["version"]
    asked(house, game, 2)

    assert sum(held(house).values()) == paid
    won(house, game)
    settled(house)

    now = state(house, game)
    assert sum(held(house).values()) == now["held"]["Bo"] == now["stakes"]["Bo"] - 30
    assert now["booked"]["Bo"] + now["held"]["Bo"] == now["stakes"]["Bo"]
    assert now["version"] > first
    assert nothing_parked(house)
    [row, *_rest] = queries.waiting(house.id)
    [reason] = queries.reasons(row)
    assert (reason["kind"], reason["dispute"]) == ("void", None)


def test_a_rejection_releases_it_and_so_does_a_withdrawal(house: House) -> None:
    game = gate(house)
    for by in (house.supervisor, house.manager):
        request = asked(house, game, 2)
        assert held(house)

        done(house, game, "reject", by=by, request=request, reason="The camera shows a seven.")
        settled(house)

        assert held(house) == {}
        now = state(house, game)
        assert balances(house)[stake_of(house, game, "Bo")] == now["stakes"]["Bo"]


def test_an_approval_takes_it_back_from_where_it_is_held(house: House) -> None:
    game = gate(house)
    request = asked(house, game, 2)
    won(house, game)
    settled(house)

    through = state(house, game)["version"]
    done(house, game, "approve", by=house.supervisor, request=request, through=through)
    settled(house)

    assert held(house) == {}
    assert state(house, game)["stakes"] == {"Ada": 30, "Bo": 30, "Cy": 30}
    for player in ("Ada", "Bo", "Cy"):
        assert balances(house)[stake_of(house, game, player)] == 30
    assert nothing_parked(house)


def test_nobody_is_paid_out_until_it_is_answered(house: House) -> None:
    """A cash-out would make the void too late: the request could not be approved any more."""
    game = gate(house)
    done(house, game, "leave", player="Cy")
    settled(house)
    request = asked(house, game, 2)
    left = state(house, game)["stakes"]["Cy"]

    assert refused(house, game, "cash_out", player="Cy", amount=left) == "void_waits"
    done(house, game, "reject", by=house.supervisor, request=request, reason="It was a seven.")
    settled(house)
    done(house, game, "cash_out", player="Cy", amount=left)


def test_a_request_that_could_not_be_approved_any_more_keeps_nobody_waiting(house: House) -> None:
    game = gate(house)
    done(house, game, "leave", player="Cy")
    settled(house)
    request = asked(house, game, 2)
    done(house, game, "reject", by=house.supervisor, request=request, reason="No.")
    settled(house)
    done(house, game, "cash_out", player="Cy", amount=10)
    settled(house)

    assert refused(house, game, "void", back_to=2, reason="?") == "beyond_reversal"
    done(house, game, "cash_out", player="Cy", amount=5)


@pytest.mark.long("postgresql")
@pytest.mark.parametrize("answer", [None, "reject", "approve"])
def test_a_regrade_finds_what_was_held_and_released_as_it_had_to_be(
    house: House, answer: str | None
) -> None:
    game = gate(house)
    request = asked(house, game, 2)
    won(house, game)
    settled(house)
    if answer is not None:
        seen = {"through": state(house, game)["version"]} if answer == "approve" else {}
        done(house, game, answer, by=house.supervisor, request=request, reason="Seen.", **seen)
        settled(house)

    books.hold_at_every_moment(house)
    assert regraded(house)[0] == 0
