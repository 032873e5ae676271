"""What may be done beside the play, the same in every game: exactly what `decide` takes."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from games.messages import NO_THROW_REASONS
from games.sitting import Sitting, alone_events

Row = dict[str, Any]


def no_throw(player: str, **dice: int) -> Row:
    return {"do": "no_throw", "player": player, "reasons": list(NO_THROW_REASONS), **dice}


def cash_outs(stakes: Mapping[str, int], staying: tuple[str, ...]) -> Iterator[Row]:
    """`most` is the stake as played; how much of it is booked the caller knows."""
    for player, stake in stakes.items():
        if player not in staying and stake > 0:
            yield {"do": "cash_out", "player": player, "most": stake}


def buy_ins(players: Iterable[str]) -> Iterator[Row]:
    """Money may be brought at any time."""
    for player in players:
        yield {"do": "buy_in", "player": player}


def beside(
    state: Sitting[Any], booked_through: int | None, irreversible_through: int
) -> Iterator[Row]:
    """Voids, and the answers to requests for one (G4)."""
    yield from voids(state, booked_through, irreversible_through)
    yield from answers(state, irreversible_through)


def voids(
    state: Sitting[Any], booked_through: int | None, irreversible_through: int
) -> Iterator[Row]:
    """
    `alone`: the events that the attendant may void back to without a second person. With one, any
    event that still stands and is `from` or later; those in `requested` wait for an answer.
    """
    if state.live is None:
        return
    earliest = max(1, state.live.value.cashed, irreversible_through) + 1
    if state.live.value.first < earliest:
        return
    yield {
        "do": "void",
        "from": earliest,
        "to": state.live.number,
        "alone": [each for each in alone_events(state, booked_through) if each >= earliest],
        "requested": [request.back_to for request in state.requests],
    }


def answers(state: Sitting[Any], irreversible_through: int) -> Iterator[Row]:
    """Requests for a void, for anybody but the one who asked."""
    barrier = max(state.live.value.cashed if state.live else 0, irreversible_through)
    for request in state.requests:
        row = {"request": request.request, "asked_by": request.asked_by}
        if request.back_to > barrier:
            yield {"do": "approve", **row, "back_to": request.back_to}
        yield {"do": "reject", **row, "back_to": request.back_to}
