"""Cinnabar Gate in the demo house: how it is opened at random, and its house rules there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from casino.words.presenters.registration import (
    RAKE,
    SEAT_FEE,
    STAKES,
    Demonstrated,
    opening_without_none,
)

if TYPE_CHECKING:
    import random

    from casino.words.presenters.registration import RandomOpening

RULES: Final = {
    "options": {"opal": 1},
    "fee": {"kind": "seat", "amount": 1},
    "home_throws": "house",
    "text": "The gate stood where the market is now, and closed at dusk. Whoever was late threw"
    " for the watchman's supper.",
}


def opening(chance: random.Random) -> RandomOpening:
    variant = chance.choice(("table", "table", "pool", "arcade"))
    options = {
        "variant": variant,
        "ties": chance.choice(("rethrow", "split")),
        "empty": chance.choice(("only", "also")),
        "opal": chance.choice((0, 0, 1, 2)),
        "winnings": chance.choice(("stake", "pocket")) if variant == "table" else None,
    }
    if variant == "arcade":
        return {"options": opening_without_none(options)}
    rakes = RAKE if variant == "pool" else None
    return {
        "stake": chance.choice(STAKES),
        "house_may_sit": True,
        "options": opening_without_none(options),
        "fee": chance.choice((None, None, rakes, SEAT_FEE)),
    }


DEMO: Final = Demonstrated(
    opening=opening,
    rules=RULES,
    for_points={"variant": "arcade"},
)
