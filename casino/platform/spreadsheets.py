"""Keeps spreadsheets from taking text for a formula, such as a name that begins with "="."""

from __future__ import annotations

from typing import Final

FORMULAS: Final = frozenset({"=", "+", "-", "@", "\t", "\r"})
"""First characters that make a spreadsheet calculate a cell."""


def plain(text: str) -> str:
    """A text that people wrote, as a cell of a CSV that stays text."""
    return f"'{text}" if text[:1] in FORMULAS else text
