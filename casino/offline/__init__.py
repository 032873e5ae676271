"""
What a device is given ahead, so that it goes on alone through a lost network.

There is one set of rules, presenters and boards. What `pure` lists is pure Python: the server runs
it, and compiled to JavaScript (`compiling/`) a tablet does. docs/decisions/0040 says how it is kept
pure; a test holds that it stands on nothing else than this, the rules and a little of the standard
library. Beside it: one bundle a ruleset (`bundles`), and what a tablet foresees (`foresee`).
Uses `board`, `presenters`, `game_streams`, `languages`, `platform`.
Begin with `bundles.bundle` and `foresee.put`. See `docs/explanation/offline.md`.
"""

from typing import Final

from casino.presenters.registered import games

COMMON: Final = (
    "casino.offline.foresee",
    "casino.board.drawing",
    "casino.board.drawing_log",
    "casino.board.drawing_names",
    "casino.board.drawing_offers",
    "casino.board.game",
    "casino.web.drawn_dice",
    "casino.board.posted",
    "casino.board.screens",
    "casino.web.steps",
    "casino.presenters.opening.fields",
    "casino.presenters.opening.reading",
    "casino.presenters.table_events",
    "casino.presenters.figures",
    "casino.presenters.rounds",
    "casino.presenters.stone",
    "casino.presenters.presenter",
    "casino.presenters.words",
    "casino.presenters.fees",
)


def pure() -> tuple[str, ...]:
    """The modules that are compiled, those that games bring among them, beside their rules."""
    return (*COMMON, *(name for game in games().values() for name in game.on_devices))
