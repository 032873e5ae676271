"""One line of the box: what it is called, what is known of it, and where it leads."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

if TYPE_CHECKING:
    from collections.abc import Iterable

Kind = Literal["do", "number", "table", "game", "player", "person", "report", "setting", "page"]
TITLE, WORDS = 2, 1
"""How well a line fits: its title has what was typed, or only its other words have."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """
    A line of the box.

    :param note: a few words more about it; "" if the title says everything.
    :param words: other words by which people look for it; they are not shown.
    :param waiting: how many things wait there for somebody.
    """

    kind: Kind
    title: str
    url: str
    note: str = ""
    words: str = ""
    waiting: int = 0


class Typed:
    """
    What somebody typed, as words to compare with.

    Capitals and accents make no difference. Every word has to begin a word of what it fits.
    """

    MOST: Final = 200
    """Characters that are read; what is longer is no question of anybody's."""

    def __init__(self, text: str) -> None:
        self.text = text.strip()[: self.MOST]
        self.words = words_of(self.text)

    def __bool__(self) -> bool:
        return bool(self.words)

    def fits(self, title: str, others: str = "") -> int:
        """How well the words fit a title or the words beside it; 0 if they do not."""
        if not self.words:
            return TITLE
        in_title = words_of(title)
        if self._begin(in_title):
            return TITLE
        return WORDS if self._begin([*in_title, *words_of(others)]) else 0

    def _begin(self, words: list[str]) -> bool:
        return all(any(word.startswith(typed) for word in words) for typed in self.words)


def words_of(text: str) -> list[str]:
    """The words of a text without capitals and accents."""
    plain = unicodedata.normalize("NFKD", text.casefold())
    kept = (letter if letter.isalnum() else " " for letter in plain if not _is_accent(letter))
    return "".join(kept).split()


def _is_accent(letter: str) -> bool:
    return unicodedata.category(letter) == "Mn"


def fitting(typed: Typed, lines: Iterable[Found]) -> list[Found]:
    """The lines that fit, those whose title fits first, otherwise in their own order."""
    rated = [(typed.fits(each.title, f"{each.note} {each.words}"), each) for each in lines]
    return [each for fit, each in sorted(rated, key=lambda one: -one[0]) if fit]
