"""How each game might be opened: its options, fees and stakes, by chance."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    import random
    from collections.abc import Callable, Mapping, Sequence

Opening = dict[str, Any]

NO_MONEY: Final = 1 / 5  # of the games that can be played for points or drinks are
HOUSE_SITS: Final = 1 / 4  # of the games where it may
STAKES: Final = (5, 8, 20)
RAKE: Final = {"kind": "rake", "percent": 10, "cap": 3}
SEAT_FEE: Final = {"kind": "seat", "amount": 1}
TIME_CHARGE: Final = {"kind": "time", "amount": 1, "minutes": 1}
FEES: Final = (None, None, RAKE, SEAT_FEE, TIME_CHARGE)


def any_opening(game: str, names: Sequence[str], chance: random.Random) -> Opening:
    """
    The command `open` without its id, for a game on offer.

    :param names: who may sit down; two or more of them do.
    """
    count = chance.randint(2, min(4, len(names)))
    told = OPENINGS[game](chance)
    house_sits = told.pop("house_may_sit", False) and chance.random() < HOUSE_SITS
    stake = told.pop("stake", 0)
    seats = [{"name": name, "stake": stake} for name in chance.sample(list(names), count)]
    if house_sits:
        seats[0]["house"] = True
    return {"do": "open", "game": game, "players": seats, **_named(told)}


def by_the_house(game: str, names: Sequence[str], chance: random.Random) -> Opening:
    """The same where the house has published its rules: they say the rest, and the fee."""
    count = chance.randint(2, min(4, len(names)))
    stake = chance.choice(STAKES)
    seats = [{"name": name, "stake": stake} for name in chance.sample(list(names), count)]
    return {"do": "open", "game": game, "players": seats}


def _named(told: Opening) -> Opening:
    return {name: value for name, value in told.items() if value is not None}


def _stone_hand(chance: random.Random) -> Opening:
    if chance.random() < NO_MONEY:
        return {"options": {"mode": chance.choice(("drinks", "scoreboard"))}}
    return {
        "stake": chance.choice(STAKES),
        "house_may_sit": True,
        "options": {
            "rethrow": chance.choice((0, 0, 1, 2)),
            "leave": chance.choice(("forfeit", "refund")),
            "triad_pay": chance.choice(("middle", "all", 2)),
            "tie_owes": chance.choice(("original", "rethrow")),
        },
        "fee": chance.choice(FEES),
    }


def _cinnabar_gate(chance: random.Random) -> Opening:
    variant = chance.choice(("table", "table", "pool", "arcade"))
    options = {
        "variant": variant,
        "ties": chance.choice(("rethrow", "split")),
        "empty": chance.choice(("only", "also")),
        "opal": chance.choice((0, 0, 1, 2)),
        "winnings": chance.choice(("stake", "pocket")) if variant == "table" else None,
    }
    if variant == "arcade":
        return {"options": _named(options)}
    rakes = RAKE if variant == "pool" else None
    return {
        "stake": chance.choice(STAKES),
        "house_may_sit": True,
        "options": _named(options),
        "fee": chance.choice((None, None, rakes, SEAT_FEE)),
    }


def _river(chance: random.Random) -> Opening:
    return {
        "stake": chance.choice(STAKES),
        "price": chance.choice((None, 1, 2)),
        "options": {"tie": chance.choice(("split", "high_value", "rolloff"))},
        "fee": chance.choice(FEES),
    }


def _threes_away(chance: random.Random) -> Opening:
    return {
        "stake": chance.choice(STAKES),
        "house_may_sit": True,
        "options": {
            "bust": chance.choice(("lowest", "previous", "none")),
            "progressive": chance.choice(("no", "by_round", "triangular")),
            "bottoms": chance.random() < 1 / 4,
            "tie_ante": chance.random() < 1 / 2,
        },
        "fee": chance.choice(FEES),
    }


def _dice_breaker(chance: random.Random) -> Opening:
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


OPENINGS: Final[Mapping[str, Callable[[random.Random], Opening]]] = {
    "stone-hand": _stone_hand,
    "cinnabar-gate": _cinnabar_gate,
    "river": _river,
    "threes-away": _threes_away,
    "dice-breaker": _dice_breaker,
}
