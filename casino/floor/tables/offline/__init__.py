"""
Everything that a device gets in advance, so that it can go on alone while the network is down.

There is one set of rules, presenters and boards. The modules in `pure` are pure Python: the server
runs them, and a tablet runs them compiled to JavaScript (`compiling/`) over a small runtime
(`scripts/`). docs/decisions/0041 says how they are kept pure; a test checks that they import only
each other, the rules and a little of the standard library. Also here: one bundle for each ruleset
(`bundles`), what the house sends a tablet about a game (`device_data`), and what a tablet foresees
(`foresee`).
Uses `board`, `presenters`, `game_streams`, `languages`, `engine`.
Begin with `bundles.bundle` and `foresee.put`. See `docs/explanation/offline.md`.
"""

from typing import Final

from casino.words.presenters.registered import games

COMMON: Final = (
    "casino.floor.tables.offline.foresee",
    "casino.floor.tables.board.drawing",
    "casino.floor.tables.board.drawing_data",
    "casino.kit.web.pure_tags",
    "casino.floor.tables.board.posted",
    "casino.words.languages.amounts",
    "casino.words.languages.patterns",
    "casino.words.presenters.opening_forms",
    "casino.words.presenters.presenter",
    "casino.words.presenters.rounds",
    "casino.words.presenters.words",
    "casino.words.presenters.fees",
)


def pure() -> tuple[str, ...]:
    """The modules that are compiled, those of the games included, without the games' rules."""
    return (*COMMON, *(name for game in games().values() for name in game.on_devices))
