"""
The templates of a game's board, part by part: the game's own or the common one.

A game replaces a part with a template of the same name in ``presenters/<ruleset id>/``, in the
folder `templates` of its own package.
"""

from __future__ import annotations

from typing import Final

PARTS: Final = ("assets", "head", "seats", "next", "entry", "actions", "over", "log", "help")


def parts(ruleset: str) -> dict[str, list[str]]:
    """The template names for each part of the board; the first template that exists is used."""
    return {
        part: [f"presenters/{ruleset}/_{part}.html", f"floor/tables/board/_{part}.html"]
        for part in PARTS
    }
