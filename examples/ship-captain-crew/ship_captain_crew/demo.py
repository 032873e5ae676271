"""
How the demo house opens the game. It plays it as it plays every game: it throws, and sometimes
stands.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from casino.words.presenters.registration import FEES, STAKES, Demonstrated

if TYPE_CHECKING:
    import random

    from casino.words.presenters.registration import RandomOpening


def opening(chance: random.Random) -> RandomOpening:
    return {
        "stake": chance.choice(STAKES),
        "house_may_sit": True,
        "options": {"ties": chance.choice(("again", "share"))},
        "fee": chance.choice(FEES),
    }


DEMO: Final = Demonstrated(
    opening=opening,
    rules={"options": {"ties": "again"}, "text": "Whoever has no ship watches the harbour."},
)
