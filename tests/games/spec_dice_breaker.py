"""
Dice breaker told shortly, beside what tests.games.spec tells of any game.

    A<3        A breaks the starting die to 3
    A1=4       A throws their die A1, which shows 4; a value may be left out where it counts nothing
    B:A1=4     B throws it, who caught it; so trump and latent dice, too: A:trump=4
    A1=4/A2=6  ... and breaks A2, now 6; /A2=6/B1=1 breaks both
    A1=4!A2    ... and A2 leaves the arena
    A1=4>A2:C  ... and C catches A2
    A1=4*      a die spins
    C+9 A+     C joins with 9, A with what is there; A$$9 brings 9 more
    A=12345    A throws A1 to A5, one after the other
"""

import re
from typing import Any

from games.dice_breaker import DICE_BREAKER
from games.dice_breaker.messages import Options
from games.refusals import Refused
from tests.games.spec import Raw, Table, command, names

PLAIN = re.compile(
    r"(?:(?P<player>\w):)?(?P<die>trump|latent\d|\w\d)=(?P<value>\d?)(?P<rest>[/!>*].*)?"
)
HIT = re.compile(r"/(\w+)=(\d)")
GONE = re.compile(r"!(\w+)")
CATCH = re.compile(r">(\w+):(\w)")
OPTIONS = names(Options)


def opening(players: Any = "AB", **fields: Any) -> Raw:
    """An opening; option names go to the options, the rest are fields of their own."""
    return {
        "do": "open",
        "game": "dice-breaker",
        "players": list(players),
        "options": {name: value for name, value in fields.items() if name in OPTIONS},
        **{name: value for name, value in fields.items() if name not in OPTIONS},
    }


def opened(players: Any = "AB", **fields: Any) -> Table:
    table = Table(ruleset=DICE_BREAKER)
    table.ask(opening(players, **fields))
    return table


def tell(table: Table, script: str) -> Table:
    for token in script.split():
        for raw in commands(token):
            try:
                table.ask(raw)
            except Refused as refusal:
                table.refused.append(refusal.code)
    return table


def played(script: str, players: Any = "AB", **fields: Any) -> Table:
    return tell(opened(players, **fields), script)


def commands(token: str) -> list[Raw]:
    if (all_five := re.fullmatch(r"(\w)=(\d{2,5})", token)) is not None:
        player, values = all_five.groups()
        return [throw(f"{player}{place}={value}") for place, value in enumerate(values, 1)]
    if PLAIN.fullmatch(token) is not None:
        return [throw(token)]
    if token[1:2] == "<":
        return [{"do": "break_start", "player": token[0], "value": int(token[2:])}]
    if token[1:2] == "+":
        stake = {"stake": int(token[2:])} if token[2:] else {}
        return [{"do": "join", "player": token[0], **stake}]
    if token[1:3] == "$$":
        return [{"do": "buy_in", "player": token[0], "amount": int(token[3:])}]
    return [command(token)]


def throw(token: str) -> Raw:
    match = PLAIN.fullmatch(token)
    assert match is not None, token
    rest = match["rest"] or ""
    more: Raw = {
        "breaks": [{"die": die, "value": int(value)} for die, value in HIT.findall(rest)],
        "out": GONE.findall(rest),
        "caught": [{"die": die, "by": by} for die, by in CATCH.findall(rest)],
        "spinning": rest.endswith("*"),
    }
    return {
        "do": "throw",
        "player": match["player"] or match["die"][0],
        "die": match["die"],
        "value": int(match["value"] or 1),
        **{name: value for name, value in more.items() if value},
    }


A = {"first": "A"}
BATTLE = {"first": "A", "mode": "battle"}
THREE = {"first": "A", "players": "ABC"}
ANTE = {"first": "A", "ante": 4, "stake": 9}
NOTHING_A, PAIR_A, THREES_A, FOUR_A, FIVE_A = "A=12346", "A=11234", "A=11123", "A=11112", "A=11111"
NOTHING_B, PAIR_B, THREES_B, FOUR_B, FIVE_B = "B=12346", "B=66234", "B=66612", "B=66661", "B=66666"
TRUMP = "A:trump=3"
# A battle of two in which all own dice are thrown alike, after the trump and A's first die.
TWO_TO_FOUR = "B1=1 A2=2 B2=2 A3=3 B3=3 A4=4 B4=4"
