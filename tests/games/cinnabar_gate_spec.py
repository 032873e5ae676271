"""
Games of Cinnabar Gate told shortly.

    A227    A throws 2-2-7          A!     A stands
    h135    the attendant throws    A~     a cocked die of A
    D^9 D^  D joins, with 9 or the agreed stake
    A+9     A buys in for 9
    A- A$5  A leaves, cashes out 5
    v3 v3+  void back to event 3, with approval      y4 n4 x  approve, reject, close
"""

from typing import Any

from games.cinnabar_gate import CINNABAR_GATE
from games.cinnabar_gate.messages import Options
from games.refusals import Refused
from tests.games import spec
from tests.games.spec import Raw, Table

OPTIONS = spec.names(Options)


def opening(players: str = "ABC", **fields: Any) -> Raw:
    """An opening command; option names go to the options, the rest are fields of their own."""
    options = {name: value for name, value in fields.items() if name in OPTIONS}
    own = {name: value for name, value in fields.items() if name not in OPTIONS}
    stake = {} if options.get("variant") == "arcade" else {"stake": 25}
    values = {
        "do": "open",
        "game": "cinnabar-gate",
        "players": list(players),
        **stake,
        "options": options,
        **own,
    }
    return {name: value for name, value in values.items() if value is not None}


def opened(players: str = "ABC", **fields: Any) -> Table:
    table = Table(ruleset=CINNABAR_GATE)
    table.ask(opening(players, **fields))
    return table


def tell(table: Table, script: str) -> Table:
    for token in script.split():
        try:
            table.ask(command(token))
        except Refused as refusal:
            table.refused.append(refusal.code)
    return table


def command(token: str) -> Raw:
    if token[0] in "hvynx":
        return spec.command(token)
    player, rest = token[0], token[1:]
    match rest[0]:
        case "^":
            stake = {"stake": int(rest[1:])} if rest[1:] else {}
            return {"do": "join", "player": player, **stake}
        case "+":
            return {"do": "buy_in", "player": player, "amount": int(rest[1:])}
        case _:
            return spec.of_player(player, rest)


HOME: dict[str, Any] = {"home_throw": [1, 3, 6]}
POOL: dict[str, Any] = {"variant": "pool"}
ARCADE: dict[str, Any] = {"variant": "arcade"}


def with_stakes(*coins: int) -> dict[str, Any]:
    named = zip("ABCD", coins, strict=False)
    return {"players": [{"name": name, "stake": stake} for name, stake in named]}
