"""What may be done now, and by whom: exactly what `decide` takes."""

from collections.abc import Iterator
from typing import Final

from games.offering import Offering, Row, buy_ins, no_throw
from games.river.auction import bidders, hammer_prices, least_bid, passers
from games.river.hands import SIDES, SIZES
from games.river.rules import INTERFERENCE, ROLL_OFF_SIDES, is_terminal
from games.river.state import Playing, Round, here, phase, rolling
from games.seats import PLAYERS_MIN, stake_of_newcomer

FIVE: Final = {"dice": len(SIZES), "sides": max(SIDES)}
ONE: Final = {"dice": 1, "sides": ROLL_OFF_SIDES}


def playing(state: Playing) -> Iterator[Row]:
    this = state.round
    if this is None:
        yield from starts(state)
    else:
        yield from in_round(state, this)
    if this is None or not this.begun:
        agreed = stake_of_newcomer(state.opened.players, state.opened.stake)
        yield {"do": "join", "back": list(state.left), "stake": agreed}
    for player in here(state):
        yield {"do": "leave", "player": player}
    yield from buy_ins(here(state))
    yield {"do": "close"}


def starts(state: Playing) -> Iterator[Row]:
    """
    The start of a round (RV1), and reveals that may still be recorded of the last round (RV2).

    `price` is the price if none is named; null if one must be named, or if that price is too high.
    """
    opened = state.opened
    richest = sorted((state.stakes[name] for name in here(state)), reverse=True)[:PLAYERS_MIN]
    if len(richest) == PLAYERS_MIN:
        unit = opened.options.unit
        least = max(1, -(-(opened.stake_min or 1) // unit)) * unit
        most = min(richest[-1], richest[-1] if opened.stake_max is None else opened.stake_max)
        most = most // unit * unit
        if least <= most:
            price = opened.price if opened.price is not None and opened.price <= most else None
            limits = {"least": least, "most": most, "step": unit}
            yield {"do": "start_round", "price": price, **limits}
    for each in state.hidden:
        committed = each.commitment is not None
        yield {"do": "reveal", "player": each.player, "committed": committed, "late": True}


def in_round(state: Playing, this: Round) -> Iterator[Row]:
    match phase(state):
        case "sealing":
            for player in this.unsealed:
                yield {"do": "seal", "player": player}
                yield no_throw(player, **FIVE)
        case "offering":
            yield {"do": "offer", "sides": dict(zip(SIZES, SIDES, strict=True))}
            for player in this.players:
                yield {**no_throw(player, **FIVE), "reasons": [INTERFERENCE]}
        case "bidding":
            yield from at_auction(state, this)
        case "revealing":
            for player in this.unrevealed:
                committed = this.sealed[player] is not None
                yield {"do": "reveal", "player": player, "committed": committed, "late": False}
        case _:
            for player in rolling(this):
                yield {"do": "throw", "player": player, **ONE}
                yield no_throw(player, **ONE)


def at_auction(state: Playing, this: Round) -> Iterator[Row]:
    """Amounts are whole units (G11): from `least` to `most` by `step`."""
    die, step = this.die, {"step": state.opened.options.unit}
    least = least_bid(state, this)
    for player, most in bidders(state, this):
        yield {"do": "bid", "player": player, "die": die, "least": least, "most": most, **step}
    for player in passers(this):
        yield {"do": "pass", "player": player, "die": die}
    for player, low, high in hammer_prices(state, this):
        yield {"do": "sell", "die": die, "player": player, "least": low, "most": high, **step}
    if this.lot.highest is None:
        yield {"do": "withdraw", "die": die}


OFFERING: Final = Offering(playing, here, over=is_terminal)
