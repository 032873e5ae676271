"""The house's fonts for PDF: registering them, and measuring texts."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Final

from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont

REGULAR, SEMIBOLD = "Inter", "Inter-SemiBold"
FILES: Final = {REGULAR: "inter-regular.ttf", SEMIBOLD: "inter-semibold.ttf"}


@cache
def letters() -> frozenset[str]:
    """Register both fonts with reportlab; returns the letters that both of them can draw."""
    known: list[frozenset[str]] = []
    for name, file in FILES.items():
        font = TTFont(name, str(Path(__file__).with_name(file)))
        pdfmetrics.registerFont(font)
        known.append(frozenset(map(chr, font.face.charToGlyph)))
    return frozenset.intersection(*known)


def drawable(text: str) -> str:
    """The text in letters that the fonts have: others as code points, line ends as blanks."""
    plain, known = " ".join(text.split()), letters()
    if known.issuperset(plain):
        return plain
    return "".join(
        each
        if each in known
        else f"\N{SINGLE LEFT-POINTING ANGLE QUOTATION MARK}"
        f"U+{ord(each):04X}\N{SINGLE RIGHT-POINTING ANGLE QUOTATION MARK}"
        for each in plain
    )


class _Advances(dict[str, float]):
    """The advance width of each letter of a font, in thousandths of the font size; cached."""

    def __init__(self, font: str) -> None:
        letters()
        self._face = pdfmetrics.getFont(font).face  # type: ignore[attr-defined]

    def __missing__(self, letter: str) -> float:
        found: float = self._face.charWidths.get(ord(letter), self._face.defaultWidth)
        self[letter] = found
        return found


_advances = cache(_Advances)


def width(text: str, size: float, font: str = REGULAR) -> float:
    """The width of a text in points."""
    return 0.001 * size * sum(map(_advances(font).__getitem__, text))
