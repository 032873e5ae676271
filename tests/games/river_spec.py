"""
Games of River told shortly, beside those of tests.games.spec: a token is one command.

    $ $10     sell the dice, at the opening's price or for 10
    A*        A seals             A#1,1,2,2,4   ... with a commitment to these dice
    o4,6,…    the banker's dice
    Ad8:3     A bids 3 for the d8      Ad8/  A passes on it
    Ad8!3     the d8 goes to A for 3   wd8   it is withdrawn      w*  all five are
    A=1,1,…   A reveals                A=#1,1,…  ... with the salt of the commitment
    A^7       A throws a d12           A~ A~i    a cocked die, interference
    A+ A+20   A joins                  A-        A leaves
    A<5 A>5   A buys in, cashes out
"""

from collections.abc import Iterator
from typing import Any

from games.refusals import Refused
from games.river import RIVER
from games.river.commitments import commitment
from games.river.hands import SIZES
from games.river.messages import Options
from tests.games import spec
from tests.games.spec import Raw, Table

SALT = "0123456789abcdef" * 2
OPTIONS = spec.names(Options)


class RiverTable(Table):
    def tell(self, script: str) -> "RiverTable":
        for token in script.split():
            for raw in commands(token):
                try:
                    self.ask(raw)
                except Refused as refusal:
                    self.refused.append(refusal.code)
        return self


def opening(players: Any = "ABC", **fields: Any) -> Raw:
    """Three with 50 coins each, for 10 a round, unless `fields` say otherwise."""
    options = {name: value for name, value in fields.items() if name in OPTIONS}
    own = {name: value for name, value in fields.items() if name not in OPTIONS}
    values = {"stake": 50, "price": 10, "options": options, **own}
    given = {name: value for name, value in values.items() if value is not None}
    return {"do": "open", "game": "river", "players": list(players), **given}


def opened(**fields: Any) -> RiverTable:
    table = RiverTable(ruleset=RIVER)
    table.ask(opening(**fields))
    return table


def commands(token: str) -> Iterator[Raw]:
    head, rest = token[0], token[1:]
    match head:
        case "$":
            yield {"do": "start_round", **({"price": int(rest)} if rest else {})}
        case "o":
            yield {"do": "offer", "dice": by_size(rest)}
        case "w":
            for die in SIZES if rest == "*" else (rest,):
                yield {"do": "withdraw", "die": die}
        case "v" | "y" | "n" | "x":
            yield spec.command(token)
        case _:
            yield of_player(head, rest)


def of_player(player: str, rest: str) -> Raw:
    how, more = rest[0], rest[1:]
    match how:
        case "*" | "#":
            tied = {"commitment": commitment(SALT, faces(more))} if how == "#" else {}
            return {"do": "seal", "player": player, **tied}
        case "=":
            salt = {"salt": SALT} if more.startswith("#") else {}
            return {"do": "reveal", "player": player, "dice": by_size(more.lstrip("#")), **salt}
        case "^":
            return {"do": "throw", "player": player, "dice": [int(more)]}
        case "~":
            reason = "interference" if more else "cocked"
            return {"do": "no_throw", "player": player, "reason": reason}
        case "d":
            return at_auction(player, rest)
        case _:
            return coming_and_going(player, how, more)


def coming_and_going(player: str, how: str, more: str) -> Raw:
    match how:
        case "+":
            return {"do": "join", "player": player, **({"stake": int(more)} if more else {})}
        case "<":
            return {"do": "buy_in", "player": player, "amount": int(more)}
        case ">":
            return {"do": "cash_out", "player": player, "amount": int(more)}
        case _:
            return {"do": "leave", "player": player}


def at_auction(player: str, rest: str) -> Raw:
    for mark, do in ((":", "bid"), ("!", "sell"), ("/", "pass")):
        if mark in rest:
            die, amount = rest.split(mark)
            money = {"amount": int(amount)} if amount else {}
            return {"do": do, "player": player, "die": die, **money}
    raise ValueError(rest)


def faces(told: str) -> tuple[int, ...]:
    return tuple(map(int, told.split(",")))


def by_size(told: str) -> dict[str, int]:
    """As many as are told, from d4 on."""
    return dict(zip(SIZES, faces(told), strict=False))
