"""What may be done now, and by whom: exactly what `decide` takes."""

from collections.abc import Iterator
from typing import Any

from games import stone
from games.messages import NO_THROW_REASONS
from games.sitting import Sitting, alone_events
from games.stone_hand.state import Ended, Playing, State, Unopened, throwing

Row = dict[str, Any]


def offers(
    state: Sitting[State], *, booked_through: int | None = None, irreversible_through: int = 0
) -> list[Row]:
    inner = state.inner
    if isinstance(inner, Unopened):
        return [{"do": "open"}]
    return [
        *(playing(inner) if isinstance(inner, Playing) else ()),
        *cash_outs(inner),
        *voids(state, booked_through, irreversible_through),
        *answers(state, irreversible_through),
    ]


def playing(state: Playing) -> Iterator[Row]:
    dice = {"dice": stone.DICE, "sides": stone.SIDES}
    if state.homes is None:
        yield {"do": "throw_home", **dice}
    for player in throwing(state):
        yield {"do": "throw", "player": player, **dice}
    if state.round.deciding:
        yield {"do": "stand", "player": state.round.standing[-1].player}
    for player in throwing(state):
        yield {"do": "no_throw", "player": player, "reasons": list(NO_THROW_REASONS), **dice}
    if not state.round.begun:
        for player in state.playing:
            yield {"do": "leave", "player": player}
    yield {"do": "close"}


def cash_outs(state: Playing | Ended) -> Iterator[Row]:
    """`most` is the stake as played; how much of it is booked the caller knows."""
    staying = state.playing if isinstance(state, Playing) else ()
    for player, stake in state.stakes.items():
        if player not in staying and stake > 0:
            yield {"do": "cash_out", "player": player, "most": stake}


def voids(
    state: Sitting[State], booked_through: int | None, irreversible_through: int
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


def answers(state: Sitting[State], irreversible_through: int) -> Iterator[Row]:
    """Requests for a void, for anybody but the one who asked."""
    barrier = max(state.live.value.cashed if state.live else 0, irreversible_through)
    for request in state.requests:
        row = {"request": request.request, "asked_by": request.asked_by}
        if request.back_to > barrier:
            yield {"do": "approve", **row, "back_to": request.back_to}
        yield {"do": "reject", **row, "back_to": request.back_to}
