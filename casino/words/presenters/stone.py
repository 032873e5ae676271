"""Log lines that all games of three d8 share: dice, and the throws for the home throw."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext as _

from casino.words.presenters.presenter import line
from games.stone import SIDES

if TYPE_CHECKING:
    from casino.words.presenters.shapes import Line
    from games.dice import Dice


def dice(faces: Dice, mark: str = "plain") -> Line:
    count = len(faces)
    return {
        "kind": "throw",
        "rules": [],
        "dice": list(faces),
        "sides": [SIDES] * count,
        "marks": [mark] * count,
    }


def sought(faces: Dice, hand: str) -> Line:
    """A throw by which the attendant looks for the home throw, the first junk hand (H2)."""
    named: Line = {"kind": "throw", "name": _("For the home throw:"), "hand": hand, "rules": ["H2"]}
    return {**dice(faces), **named, "score": None}


def line_of_home_throw(home: Dice) -> Line:
    faces = "-".join(map(str, home))
    return line("home", _("The home throw is %(faces)s") % {"faces": faces}, ["H2"])
