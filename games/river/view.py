"""The game as a report: what screens and `replay` show, with event numbers, not line numbers."""

from collections.abc import Iterator
from functools import partial
from typing import Any, Final

from games.game import NO_ROUND, History, Leaders, Named, as_is
from games.messages import Fact
from games.offering import Offering, Row, buy_ins, no_throw
from games.reporting import Kept, report, rounds, sheet
from games.river.auction import bidders, hammer_prices, least_bid, passers
from games.river.explain import EXPLAINING, by_size, chronicle_of, lot
from games.river.hands import SIDES, SIZES
from games.river.messages import (
    GAME,
    BySize,
    DiceOffered,
    DiceRevealed,
    DieThrown,
    LotSold,
    LotWithdrawn,
)
from games.river.rules import DECIDER, INTERFERENCE, ROLL_OFF_SIDES, is_terminal
from games.river.state import Ended, Playing, Round, State, here, hidden, phase, rolling
from games.seats import PLAYERS_MIN, stake_of_newcomer
from games.session import GameSession

ON_TURN: Final = ("start_round", "seal", "offer", "bid", "pass", "sell", "withdraw", "throw")


def view(
    history: History,
    *,
    named: Named = as_is,
    session: GameSession[State] | None = None,
    kept: Kept | None = None,
) -> dict[str, Any]:
    of = sheet(history, named, session, kept, DECIDER)
    state: Playing | Ended = of.session.inner
    return report(
        GAME,
        of,
        partial(row_of_throw, named),
        rounds(chronicle_of(of.events).ended, partial(EXPLAINING.ended, named), of.kept.rounds),
        **standing(state, named),
        out=[named(player) for player in state.left],
        **at_table(state, of.events, named),
    )


def standing(state: Playing | Ended, named: Named) -> dict[str, Any]:
    """Who may act. Nobody throws first in River: `first` is always null."""
    if isinstance(state, Ended):
        return {}
    return {"status": "open", "round": state.number, "first": None, "next": upcoming(state, named)}


def upcoming(state: Playing, named: Named) -> dict[str, list[str]]:
    """What the round waits for, and whom: several players in any order, or the attendant alone."""
    rows = [row for row in playing(state) if due(row)]
    players = dict.fromkeys(
        row["player"] for row in rows if row["do"] != "sell" and "player" in row
    )
    in_order = [name for name in state.seats if name in players]
    return {
        "players": [named(player) for player in in_order],
        "may": list(dict.fromkeys(row["do"] for row in rows)),
    }


def due(row: dict[str, Any]) -> bool:
    return row["do"] in ON_TURN or (row["do"] == "reveal" and not row["late"])


def at_table(state: Playing | Ended, events: Any, named: Named) -> dict[str, Any]:
    """What is on the table: the banker's dice, the auction, and whose dice are still hidden."""
    this = state.round if isinstance(state, Playing) else None
    if this is None or isinstance(state, Ended):
        unseen = state.hidden if isinstance(state, Playing) else ()
        return {**NOTHING_ON_IT, "unseen": [named(each.player) for each in unseen]}
    return {
        "price": this.price,
        "in_round": list(map(named, this.players)),
        "sitting_out": [named(name) for name in here(state) if name not in this.players],
        "sealed": {
            named(player): commitment is not None for player, commitment in this.sealed.items()
        },
        "offer": by_size(this.offer) if this.offer else None,
        "lot": under_the_hammer(this, named),
        "lots": lots(this, events, named),
        "won": {named(player): dice_won(dice) for player, dice in this.won.items()},
        "revealed": list(map(named, this.revealed)),
        "tied": list(map(named, this.tied)),
        "unseen": [named(each.player) for each in hidden(this)],
    }


NOTHING_ON_IT: Final[dict[str, Any]] = {
    "price": None,
    "in_round": [],
    "sitting_out": [],
    "sealed": {},
    "offer": None,
    "lot": None,
    "lots": [],
    "won": {},
    "revealed": [],
    "tied": [],
}


def under_the_hammer(this: Round, named: Named) -> dict[str, Any] | None:
    if not this.offer or this.hammered == len(SIZES):
        return None
    return {
        "die": this.die,
        "face": this.offer[this.hammered],
        "bids": [{"player": named(bid.player), "amount": bid.amount} for bid in this.lot.bids],
        "passed": list(map(named, this.lot.passed)),
    }


def lots(this: Round, events: Any, named: Named) -> list[dict[str, Any]]:
    """What became of the lots of the running round so far, which are the last lots of the game."""
    came = [event for _, event in events if isinstance(event, LotSold | LotWithdrawn)]
    return [lot(event, named) for event in came[len(came) - this.hammered :]]


def dice_won(dice: BySize) -> dict[str, int]:
    return {size: face for size, face in zip(SIZES, dice, strict=True) if face is not None}


def row_of_throw(named: Named, number: int, event: Fact) -> dict[str, Any] | None:
    """A throw as a row; sealed dice have no row before they are revealed (RV2)."""
    unnamed = {"hand": None, "rank": None, "score": None}
    match event:
        case DiceOffered():
            return {"event": number, "player": None, "dice": list(event.dice), **unnamed}
        case DiceRevealed():
            own = {"hand": event.hand, "rank": event.rank, "score": None}
            dice = list(event.dice)
            return {"event": number, "player": named(event.player), "dice": dice, **own}
        case DieThrown():
            player = named(event.player)
            return {"event": number, "player": player, "dice": list(event.dice), **unnamed}
        case _:
            return None


# What may be done now, and by whom: exactly what `decide` takes.


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


# Who leads in a roll-off of River. Nobody throws before it knowing how the round stands.


def leaders(state: State) -> Leaders:
    """Who has the highest d12 of the roll-off so far (RV6)."""
    if not isinstance(state, Playing) or state.round is None:
        return NO_ROUND
    rolled = state.round.rolled
    highest = max((face for _, face in rolled), default=0)
    return Leaders(tuple(player for player, face in rolled if face == highest))
