"""
How a game gets its screen: the parts of the board, each a game's own or the common one.

A game replaces a part by a template of that name in ``presenters/<ruleset id>/``, which lies in the
folder `templates` of its own package.
"""

from __future__ import annotations

from typing import Final

PARTS: Final = ("assets", "head", "seats", "next", "entry", "actions", "over", "log", "help")


def parts(ruleset: str) -> dict[str, list[str]]:
    """For each part the templates that may draw it; the first that is there does."""
    return {
        part: [f"presenters/{ruleset}/_{part}.html", f"tables/board/_{part}.html"] for part in PARTS
    }
