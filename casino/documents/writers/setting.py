"""A table set in letters: which lines each of its cells takes, and how high each row is."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING, Final, NamedTuple

from reportlab.lib.rl_accel import fp_str

from casino.documents.writers.broken import Broken, broken
from casino.documents.writers.fonts import REGULAR, SEMIBOLD, width

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

GAP: Final = 6.0  # points between columns
HAIR: Final = 0.5  # of rounding
LEADING: Final = 1.3  # of the size of letters
PAD: Final = 0.18  # of the size of letters, above a line; below it a point more
ALIKE: Final = 2_000  # texts of a column that are set once, however often they come


class Cell(NamedTuple):
    """:param across: where it begins, in points from the left of the table, as a PDF has it."""

    lines: Sequence[Broken]
    across: str
    font: str


class Row(NamedTuple):
    cells: Sequence[Cell]
    height: float


@dataclass(frozen=True, slots=True)
class Letters:
    """:param size: of the letters of a table, in points; the rest goes with it."""

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
        """As high as the cell of most lines makes it."""
        lines = max(len(cell.lines) for cell in cells)
        return Row(cells, lines * self.leading + self.padding)


class Column:
    """
    Sets the texts of a column. What has room in one line stays one; only the rest is broken.

    :param left: where it begins, in points from the left of the table.
    :param wide: points that it has, the gap behind it among them.
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
    :param across: points that the table takes.
    :param rows: its lines, and its foot where it has one.
    :param tops: of each row, and of what is behind the last, points below the head.
    """

    letters: Letters
    across: float
    head: Row
    rows: Sequence[Row]
    tops: Sequence[float]
    footed: bool

    def fitting(self, first: int, down: float) -> int:
        """Behind which row a page of so many points ends: it has the head, and begins at one."""
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
    :param texts: heads, lines, and the foot: empty where there is none.
    :param room: points across that the table takes, and down that a page has.
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
    """One, but where a page has no room for so many lines: then what is left is another."""
    deepest = max(len(cell.lines) for cell in cells)
    if deepest <= most:
        yield letters.row(cells)
        return
    for start in range(0, deepest, most):
        part = [cell._replace(lines=cell.lines[start : start + most]) for cell in cells]
        yield letters.row(part)
