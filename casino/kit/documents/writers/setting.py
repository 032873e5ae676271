"""Lays out a table in letters of one size: the lines of each cell and the height of each row."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING, Final, NamedTuple

from reportlab import rl_config
from reportlab.lib.rl_accel import fp_str
from reportlab.lib.styles import ParagraphStyle
from reportlab.platypus import Paragraph

from casino.kit.documents.writers.fonts import REGULAR, SEMIBOLD, width

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

GAP: Final = 6.0  # points between columns
HAIR: Final = 0.5  # points of tolerance for rounding
LEADING: Final = 1.3  # times the size of letters
PAD: Final = 0.18  # times the size of letters, above a line; below it one point more
ALIKE: Final = 2_000  # different texts of a column whose layout is cached


class Cell(NamedTuple):
    """
    A cell that is laid out.

    :param across: where it begins, in points from the left of the table, in PDF notation.
    """

    lines: Sequence[Broken]
    across: str
    font: str


class Row(NamedTuple):
    cells: Sequence[Cell]
    height: float


@dataclass(frozen=True, slots=True)
class Letters:
    """
    The size of a table's letters, and the spaces that follow from it.

    :param size: in points.
    """

    size: float

    @property
    def leading(self) -> float:
        return self.size * LEADING

    @property
    def above(self) -> float:
        return self.size * PAD

    @property
    def padding(self) -> float:
        return self.above + 1 + self.above

    def row(self, cells: Sequence[Cell]) -> Row:
        """A row that is as high as its cell with the most lines needs."""
        lines = max(len(cell.lines) for cell in cells)
        return Row(cells, lines * self.leading + self.padding)


class Column:
    """
    Lays out the texts of a column. Only texts that do not fit on one line are broken.

    :param left: where the column begins, in points from the left of the table.
    :param wide: its width in points, including the gap after it.
    """

    def __init__(self, left: float, wide: float, size: float, *, numeric: bool) -> None:
        self._left, self._room, self._size, self._numeric = left, wide - GAP, size, numeric
        self._known: dict[str, Cell] = {}

    def line(self, text: str) -> Cell:
        found = self._known.get(text)
        if found is None:
            found = self._cell(text, measured=REGULAR, plain=REGULAR, wrapped=REGULAR)
            if len(self._known) < ALIKE:
                self._known[text] = found
        return found

    def head(self, text: str) -> Cell:
        return self._cell(text, measured=SEMIBOLD, plain=SEMIBOLD, wrapped=SEMIBOLD)

    def foot(self, text: str) -> Cell:
        return self._cell(text, measured=REGULAR, plain=SEMIBOLD, wrapped=REGULAR)

    def _cell(self, text: str, *, measured: str, plain: str, wrapped: str) -> Cell:
        if width(text, self._size, measured) > self._room + HAIR:
            lines = broken(text, self._room, self._size, wrapped)
            return Cell(lines, fp_str(self._left), wrapped)
        at_right = self._room - width(text, self._size, plain) if self._numeric else 0.0
        return Cell((Broken(text, 0.0),), fp_str(self._left + at_right), plain)


@dataclass(frozen=True, slots=True)
class Laid:
    """
    A table that is laid out.

    :param across: the width of the table, in points.
    :param rows: its lines, and the totals row if it has one.
    :param tops: where each row begins, in points below the head, and last where the table ends.
    :param footed: whether the last row is the totals row.
    """

    letters: Letters
    across: float
    head: Row
    rows: Sequence[Row]
    tops: Sequence[float]
    footed: bool

    def fitting(self, first: int, down: float) -> int:
        """The index after the last row that fits on a page `down` points high, with the head."""
        used, at = self.head.height, first
        while at < len(self.rows) and used + self.rows[at].height <= down:
            used += self.rows[at].height
            at += 1
        return at


def laid(
    columns: Sequence[Column],
    letters: Letters,
    texts: tuple[Sequence[str], Iterable[Sequence[str]], Sequence[str]],
    room: tuple[float, float],
) -> Laid:
    """
    Lay out a table.

    :param texts: heads, lines, and the totals row: empty if there is none.
    :param room: the width of the table and the height of a page, in points.
    """
    heads, lines, foot = texts
    head = letters.row([each.head(text) for each, text in zip(columns, heads, strict=True)])
    most = max(1, int((room[1] - head.height - letters.padding) / letters.leading))
    setters = [each.line for each in columns]
    rows = [
        row
        for line in lines
        for row in _rows([to(text) for to, text in zip(setters, line, strict=True)], letters, most)
    ]
    if foot:
        cells = [each.foot(text) for each, text in zip(columns, foot, strict=True)]
        rows.append(letters.row(cells))
    tops = [0.0, *accumulate(row.height for row in rows)]
    return Laid(letters, room[0], head, rows, tops, footed=bool(foot))


def _rows(cells: Sequence[Cell], letters: Letters, most: int) -> Iterator[Row]:
    """The cells as one row, or as several if a page has no room for all of their lines."""
    deepest = max(len(cell.lines) for cell in cells)
    if deepest <= most:
        yield letters.row(cells)
        return
    for start in range(0, deepest, most):
        part = [cell._replace(lines=cell.lines[start : start + most]) for cell in cells]
        yield letters.row(part)


# Breaks a text into lines, exactly as reportlab's paragraphs do, but faster.
#
# Paragraphs handle every text (markup, soft hyphens, other directions). This module handles plain
# words, and passes a text with a soft hyphen or with a word longer than its line to a paragraph.


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
