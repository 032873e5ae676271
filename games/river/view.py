"""The game as a report: what screens and `replay` show, with event numbers, not line numbers."""

from functools import partial
from typing import Any, Final

from games.game import History, Named, as_is
from games.messages import Fact
from games.reporting import Kept, report, rounds, sheet
from games.river.chronicle import chronicle_of
from games.river.explain import EXPLAINING, by_size, lot
from games.river.hands import SIZES
from games.river.messages import (
    BySize,
    DiceOffered,
    DiceRevealed,
    DieThrown,
    LotSold,
    LotWithdrawn,
)
from games.river.offers import playing
from games.river.parse import GAME
from games.river.rules import DECIDER
from games.river.state import Ended, Playing, Round, State, here, hidden
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
