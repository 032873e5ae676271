"""Dice Breaker in the demo house: how it is opened and played at random, its house rules there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from casino.words.presenters.registration import RAKE, STAKES, Demonstrated

if TYPE_CHECKING:
    import random

    from casino.words.presenters.registration import RandomOpening, Row, Somebody

HIT: Final = 1 / 5  # the share of dice in the arena that a throw hits
COMES_TO_REST: Final = ("breaks", "breaks", "breaks", "out", "caught")  # equally likely after a hit
RULES: Final = {
    "options": {"ante": 1, "target": 7, "scoreboard": True},
    "fee": {"kind": "rake", "percent": 10, "cap": 3},
    "text": "To seven, so that nobody misses the last ferry. A die that leaves the table is"
    " fetched by whoever laughed.",
}

PRIZES: Final = (
    {"kind": "points", "at": 5, "prize": "A glass of reed wine", "amount": 0},
    {"kind": "points", "at": 12, "prize": "A coin for each heron", "amount": 2},
    {"kind": "place", "at": 1, "prize": "First of the board", "amount": 60},
    {"kind": "place", "at": 2, "prize": "Second of the board", "amount": 30},
    {"kind": "place", "at": 3, "prize": "A lamp from the bridge", "amount": 0},
)


def opening(chance: random.Random) -> RandomOpening:
    ante = chance.choice((0, 1, 3))
    return {
        "stake": chance.choice(STAKES) if ante else 0,
        "house_may_sit": ante > 0,
        "options": {
            "mode": chance.choice(("quick", "battle")),
            "tie_by": chance.choice(("category", "face")),
            "target": chance.choice((3, 7)),
            "ante": ante,
        },
        "fee": chance.choice((None, RAKE)) if ante else None,
    }


def _throw(somebody: Somebody, row: Row) -> Row:
    """A throw of a die, and where the dice that it hit come to rest; seldom out or caught."""
    chance = somebody.chance
    die = chance.choice(row["die"])
    rests: dict[str, list[Any]] = {"breaks": [], "out": [], "caught": []}
    for hit in row["hits"]:
        if hit != die and chance.random() < HIT:
            rest = chance.choice(COMES_TO_REST)
            rests[rest].append(_hit(chance, rest, hit, row))
    spins = row["may_spin"] and (row["spinning"] or chance.random() < HIT)
    return {
        "player": row["player"],
        "die": die,
        "value": chance.randint(1, row["sides"]),
        **{rest: dice for rest, dice in rests.items() if dice},
        **({"spinning": True} if spins else {}),
    }


def _hit(chance: random.Random, rest: str, die: str, row: Row) -> Any:
    match rest:
        case "breaks":
            return {"die": die, "value": chance.randint(1, row["sides"])}
        case "caught":
            return {"die": die, "by": chance.choice(row["catchers"])}
        case _:
            return die


def _break_start(somebody: Somebody, row: Row) -> Row:
    return {"player": row["player"], "value": somebody.chance.randint(1, row["sides"])}


DEMO: Final = Demonstrated(
    opening=opening,
    ways={"throw": _throw, "break_start": _break_start},
    rules=RULES,
    prizes=PRIZES,
)
