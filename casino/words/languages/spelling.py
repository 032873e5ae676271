"""
How the house of a request spells amounts: set once, where the house is known, as its locale is.

A device has the same from the house (`casino.floor.tables.offline.device_data`); there `spelling`
is the runtime's.
"""

from __future__ import annotations

from contextvars import ContextVar
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable

Marks: TypeAlias = tuple[str, str]
Spelling: TypeAlias = tuple[str, int, str, str, bool, Marks | None]
"""The fields of `casino.words.languages.amounts.Coins`, in their order."""

USUAL: Spelling = ("", 0, ".", ",", False, None)
_used: ContextVar[Callable[[], Spelling]] = ContextVar(
    "spelling_of_the_house", default=lambda: USUAL
)


def use(spelling: Callable[[], Spelling]) -> None:
    """
    From here to the end of the request amounts are written and read so.

    The spelling is asked for with the first amount: many requests have none, and Django reads a
    locale's formats from modules of their own.
    """
    _used.set(spelling)


def spelling() -> Spelling:
    return _used.get()()
