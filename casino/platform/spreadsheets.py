"""What spreadsheets make of text: a name or a reason that begins like a formula stays text."""

from __future__ import annotations

from typing import Final

FORMULAS: Final = frozenset({"=", "+", "-", "@", "\t", "\r"})
"""With one of these a cell begins that a spreadsheet would work out."""


def plain(text: str) -> str:
    """Somebody's words as a cell of a CSV."""
    return f"'{text}" if text[:1] in FORMULAS else text
