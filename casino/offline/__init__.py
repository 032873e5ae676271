"""
What a device is given ahead, so that it goes on alone through a lost network.

There is one set of rules, presenters and boards. What is listed here is pure Python: the server
runs it, and compiled to JavaScript (casino/offline/compiling) a tablet does. docs/decisions/0040
says how it is kept pure; a test holds that it stands on nothing else than this, the rules and a
little of the standard library.
"""

from typing import Final

PURE: Final = (
    "casino.offline.foresee",
    "casino.floor.drawing",
    "casino.floor.drawing_log",
    "casino.floor.drawing_names",
    "casino.floor.drawing_offers",
    "casino.floor.drawn_dice",
    "casino.floor.posted",
    "casino.floor.screens",
    "casino.floor.steps",
    "casino.openings.fields",
    "casino.openings.reading",
    "casino.play.presenters.arena",
    "casino.play.presenters.table_events",
    "casino.play.presenters.cinnabar_gate",
    "casino.play.presenters.dice_breaker",
    "casino.play.presenters.figures",
    "casino.play.presenters.river",
    "casino.play.presenters.river_table",
    "casino.play.presenters.rounds",
    "casino.play.presenters.stone",
    "casino.play.presenters.stone_hand",
    "casino.play.presenters.presenter",
    "casino.play.presenters.threes_away",
    "casino.play.presenters.threes_away_events",
    "casino.play.presenters.words",
)
"""The modules of the project that are compiled, beside those of the package `games`."""
