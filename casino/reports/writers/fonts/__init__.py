"""The house's letters, as a PDF takes them."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Final

from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont

REGULAR, SEMIBOLD = "Inter", "Inter-SemiBold"
FILES: Final = {REGULAR: "inter-regular.ttf", SEMIBOLD: "inter-semibold.ttf"}


@cache
def letters() -> frozenset[int]:
    """Make both fonts known; the code points that both of them draw."""
    known: list[frozenset[int]] = []
    for name, file in FILES.items():
        font = TTFont(name, str(Path(__file__).with_name(file)))
        pdfmetrics.registerFont(font)
        known.append(frozenset(font.face.charToGlyph))
    return frozenset.intersection(*known)


def drawable(text: str) -> str:
    """The same in letters that there are: others as their code points, line ends as blanks."""
    known = letters()
    plain = " ".join(text.split()) if any(each.isspace() for each in text) else text
    if all(ord(each) in known for each in plain):
        return plain
    return "".join(
        each
        if ord(each) in known
        else f"\N{SINGLE LEFT-POINTING ANGLE QUOTATION MARK}"
        f"U+{ord(each):04X}\N{SINGLE RIGHT-POINTING ANGLE QUOTATION MARK}"
        for each in plain
    )


def width(text: str, size: float, font: str = REGULAR) -> float:
    """In points."""
    letters()
    return float(pdfmetrics.stringWidth(text, font, size))
