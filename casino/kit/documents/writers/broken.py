"""
Breaks a text into lines, exactly as reportlab's paragraphs do, but faster.

Paragraphs handle every text (markup, soft hyphens, other directions). This module handles plain
words, and passes a text with a soft hyphen or with a word longer than its line to a paragraph.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from reportlab import rl_config
from reportlab.lib.styles import ParagraphStyle
from reportlab.platypus import Paragraph

from casino.kit.documents.writers.fonts import REGULAR, width

SOFT_HYPHEN: Final = "\N{SOFT HYPHEN}"
EXACT: Final = -1e-8  # points by which a line may be too long before its blanks become narrower


class Broken(NamedTuple):
    """A line. :param closer: points by which each blank is drawn wider; negative: narrower."""

    text: str
    closer: float


def broken(text: str, room: float, size: float, font: str = REGULAR) -> tuple[Broken, ...]:
    """
    The lines of a text in a column that is `room` points wide, left aligned.

    A line takes one more word if its blanks then shrink no more than reportlab allows.
    """
    words = text.split()
    widths = [width(word, size, font) for word in words]
    if max(widths, default=0.0) > room or SOFT_HYPHEN in text:
        return _by_paragraph(text, room, size, font)
    blank = width(" ", size, font)
    give = rl_config.spaceShrinkage * blank
    lines: list[Broken] = []
    first, taken = 0, -blank
    for at, wide in enumerate(widths):
        more = taken + blank + wide
        if more > room + give * (at - first) and at > first:
            lines.append(_line(words[first:at], room - taken))
            first, taken = at, wide
        else:
            taken = more
    if words:
        lines.append(_line(words[first:], room - taken))
    return tuple(lines)


def _line(words: list[str], left: float) -> Broken:
    blanks = len(words) - 1
    return Broken(" ".join(words), left / blanks if left <= EXACT and blanks else 0.0)


def _by_paragraph(text: str, room: float, size: float, font: str) -> tuple[Broken, ...]:
    style = ParagraphStyle("td", fontName=font, fontSize=size, splitLongWords=1)
    made = Paragraph("x", style)
    made.frags[0].text = text  # set here, so that nothing in it is read as markup
    return tuple(_line(words, left) for left, words in made.breakLines(room).lines)
