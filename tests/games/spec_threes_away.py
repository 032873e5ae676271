"""
Games of threes away told shortly.

    A12345      A throws 1-2-3-4-5           A:33     A keeps 3-3
    A12345/33   ... and keeps 3-3            A33334=  A throws and keeps them all
    Ab44/4      A calls bottoms, throws      A~       a cocked die of A
    D^9 D^      D joins, with 9 or nothing   D+9      D buys in for 9
    A-  A$5     A leaves, cashes out 5       >7       7 coins arrive from the rollover
    v3 v3+      void back to event 3         y4 n4 x  approve, reject, close
"""

from typing import Any

from games.commands import Arrive
from games.refusals import Refused
from games.threes_away import THREES_AWAY
from games.threes_away.messages import Options
from tests.games import spec
from tests.games.spec import Raw, Table, faces

OPTIONS = spec.names(Options)


def opening(players: str = "ABC", **fields: Any) -> Raw:
    """An opening command; option names go to the options, the rest are fields of their own."""
    options = {name: value for name, value in fields.items() if name in OPTIONS}
    own = {name: value for name, value in fields.items() if name not in OPTIONS}
    return {
        "do": "open",
        "game": "threes-away",
        "players": list(players),
        "stake": 10,
        "options": options,
        **own,
    }


def opened(players: str = "ABC", **fields: Any) -> Table:
    table = Table(ruleset=THREES_AWAY)
    table.ask(opening(players, **fields))
    return table


def tell(table: Table, script: str) -> Table:
    for token in script.split():
        try:
            if token[0] == ">":
                table.put(Arrive(int(token[1:])))
            else:
                table.ask(command(token))
        except Refused as refusal:
            table.refused.append(refusal.code)
    return table


def command(token: str) -> Raw:
    if token[0] in "vynx":
        return spec.command(token)
    player, rest = token[0], token[1:]
    match rest[0]:
        case ":":
            return {"do": "keep", "player": player, "dice": faces(rest[1:])}
        case "^":
            stake = {"stake": int(rest[1:])} if rest[1:] else {}
            return {"do": "join", "player": player, **stake}
        case "+":
            return {"do": "buy_in", "player": player, "amount": int(rest[1:])}
        case "-" | "~" | "$" | "!":
            return spec.of_player(player, rest)
        case _:
            return throw(player, rest)


def throw(player: str, rest: str) -> Raw:
    called = {"bottoms": True} if rest[0] == "b" else {}
    dice, kept, keep = rest.removeprefix("b").partition("/")
    if dice.endswith("="):
        dice = keep = dice[:-1]
    fields = {"keep": faces(keep)} if kept or keep else {}
    return {"do": "throw", "player": player, "dice": faces(dice), **fields, **called}
