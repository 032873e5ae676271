"""What may be done now, and by whom: exactly what `decide` takes."""

from collections.abc import Iterator

from games.offering import Row, at_the_table, buy_ins, cash_outs, no_throw, table_event_offers
from games.session import GameSession
from games.threes_away.hands import SIDES
from games.threes_away.state import Playing, Running, State, Unopened, here, in_game


def offers(
    state: GameSession[State], *, booked_through: int | None = None, irreversible_through: int = 0
) -> list[Row]:
    inner = state.inner
    if isinstance(inner, Unopened):
        return [{"do": "open"}]
    rows = [
        *(playing(inner) if isinstance(inner, Playing) else ()),
        *cash_outs(inner.stakes, staying(inner) if isinstance(inner, Playing) else ()),
        *table_event_offers(
            state, booked_through, irreversible_through, over=not isinstance(inner, Playing)
        ),
    ]
    return at_the_table(state, rows)


def staying(state: Playing) -> tuple[str, ...]:
    return tuple(name for name in state.seats if in_game(state, name))


def playing(state: Playing) -> Iterator[Row]:
    this = state.round
    if isinstance(this, Running):
        yield from turn(state, this)
    if not (isinstance(this, Running) and this.begun):
        yield {"do": "join", "back": list(state.left)}
        for player in here(state):
            yield {"do": "leave", "player": player}
    yield from buy_ins(here(state))
    yield {"do": "close"}


def turn(state: Playing, this: Running) -> Iterator[Row]:
    player, now = this.thrower, this.turn
    if now.thrown:
        yield {"do": "keep", "player": player, "of": list(now.thrown)}
        return
    dice = {"dice": now.dice, "sides": SIDES}
    bottoms = state.opened.options.bottoms
    yield {"do": "throw", "player": player, **dice, "keep": True, "bottoms": bottoms}
    yield no_throw(player, **dice)
