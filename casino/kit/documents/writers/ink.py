"""Texts as PDF operators; each letter of a font is looked up only once in a document."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from reportlab.lib.rl_accel import fp_str
from reportlab.pdfbase import pdfmetrics

if TYPE_CHECKING:
    from collections.abc import Callable

    from reportlab.pdfbase.pdfdoc import PDFDocument

FIRST: Final = 0
"""The subset of an embedded font that has the plain letters; most reports need no other."""


class Ink:
    """
    A font in one PDF document.

    :param escape: escapes bytes for a PDF string, which stands in parentheses.
    """

    def __init__(self, font: str, document: PDFDocument, escape: Callable[[bytes], str]) -> None:
        self._font: Any = pdfmetrics.getFont(font)  # a TTFont, which type Font does not cover
        self._document, self._escape = document, escape
        self._spelled: dict[int, str] = {}
        self._known: set[str] = set()
        self._elsewhere: set[str] = set()

    def chosen(self, size: float, leading: float, part: int = FIRST) -> str:
        """The operators that select this font for the texts that follow."""
        name = self._font.getSubsetInternalName(part, self._document)
        return f"{name} {fp_str(size)} Tf {fp_str(leading)} TL"

    def drawn(self, text: str, size: float, leading: float) -> str:
        """The operators that draw a text. Before and after, this font is the selected one."""
        if not self._known.issuperset(text):
            for letter in text:
                self._meet(letter)
        if self._elsewhere.isdisjoint(text):
            return f"({text.translate(self._spelled)}) Tj"
        return self._in_parts(text, size, leading)

    def _meet(self, letter: str) -> None:
        if letter in self._known:
            return
        [(part, spelled)] = self._font.splitString(letter, self._document)
        if part == FIRST:
            self._spelled[ord(letter)] = self._escape(spelled)
        else:
            self._elsewhere.add(letter)
        self._known.add(letter)

    def _in_parts(self, text: str, size: float, leading: float) -> str:
        """The operators for a text whose letters are in several subsets, each of 256 letters."""
        pieces = [
            f"{self.chosen(size, leading, part)} ({self._escape(spelled)}) Tj"
            for part, spelled in self._font.splitString(text, self._document)
        ]
        return "\n".join([*pieces, self.chosen(size, leading)])
