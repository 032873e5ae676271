"""
Everything that a device gets in advance, so that it can go on alone while the network is down.

There is one set of rules, presenters and boards. The modules in `pure` are pure Python: the server
runs them, and a tablet runs them compiled to JavaScript (`compiling/`) over a small runtime
(`scripts/`). docs/decisions/0041 says how they are kept pure; a test checks that they import only
each other, the rules and a little of the standard library. Also here: one bundle for each ruleset
(`bundles`), and what a tablet foresees (`foresee`).
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
    "casino.board.drawing_undo",
    "casino.board.game",
    "casino.web.drawn_dice",
    "casino.board.posted",
    "casino.board.screens",
    "casino.languages.amounts",
    "casino.languages.coins",
    "casino.languages.patterns",
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
    """The modules that are compiled, those of the games included, without the games' rules."""
    return (*COMMON, *(name for game in games().values() for name in game.on_devices))
