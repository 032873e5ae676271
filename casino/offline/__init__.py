"""
What a device has in advance, so that it works on through a lost network.

There is one set of rules, presenters and boards. What `pure` lists is pure Python: the server runs
it, and compiled to JavaScript (`compiling/`) a tablet does. docs/decisions/0040 has how it is kept
pure; a test checks that it imports nothing else than this, the rules and a little of the standard
library. Also: one bundle for each ruleset (`bundles`), and what a tablet foresees (`foresee`).
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
    "casino.languages.amounts",
    "casino.languages.coins",
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
    """The modules that are compiled, with those of the games, apart from their rules."""
    return (*COMMON, *(name for game in games().values() for name in game.on_devices))
