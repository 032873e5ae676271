"""What may be done now, and by whom: exactly what `decide` takes."""

from collections.abc import Iterator

from games import stone
from games.offering import Row, at_the_table, cash_outs, no_throw, table_event_offers
from games.session import GameSession
from games.stone_hand.state import Playing, State, Unopened, throwing


def offers(
    state: GameSession[State], *, booked_through: int | None = None, irreversible_through: int = 0
) -> list[Row]:
    inner = state.inner
    if isinstance(inner, Unopened):
        return [{"do": "open"}]
    rows = [
        *(playing(inner) if isinstance(inner, Playing) else ()),
        *cash_outs(inner.stakes, inner.playing if isinstance(inner, Playing) else ()),
        *table_event_offers(
            state, booked_through, irreversible_through, over=not isinstance(inner, Playing)
        ),
    ]
    return at_the_table(state, rows)


def playing(state: Playing) -> Iterator[Row]:
    dice = {"dice": stone.DICE, "sides": stone.SIDES}
    if state.homes is None:
        yield {"do": "throw_home", **dice}
    for player in throwing(state):
        yield {"do": "throw", "player": player, **dice}
    if state.round.deciding:
        yield {"do": "stand", "player": state.round.standing[-1].player}
    for player in throwing(state):
        yield no_throw(player, **dice)
    if not state.round.begun:
        for player in state.playing:
            yield {"do": "leave", "player": player}
    yield {"do": "close"}
