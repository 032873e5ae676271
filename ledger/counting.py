"""So many of something, in the English that operators read."""

from __future__ import annotations


def count_of(number: int, one: str, many: str = "") -> str:
    """``1 event``, ``2 events``; `many`: the plural if it is not made with an s."""
    return f"{number} {one if number == 1 else many or f'{one}s'}"
