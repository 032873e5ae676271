"""
A table in a PDF that runs over pages: it is laid out once, then drawn page by page.

It looks exactly like reportlab's own `LongTable`, but is faster: `LongTable` makes an object of
each cell and measures the rest of the table again on every page.
"""

from __future__ import annotations

from itertools import accumulate
from typing import TYPE_CHECKING, Final

from reportlab.lib.rl_accel import fp_str
from reportlab.platypus import Flowable

from casino.kit.documents.writers.fonts import REGULAR, SEMIBOLD

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from casino.kit.documents.writers.ink import Ink
    from casino.kit.documents.writers.paper import Numbered
    from casino.kit.documents.writers.setting import Cell, Laid, Row

HEAD_RULE: Final = (0.0, 0.75)  # grey, points wide
RULE: Final = (0.75, 0.25)


class Grid(Flowable):
    """
    The part of a table that stands on one page, under the table's head.

    :param first: the index of the first row of this page.
    :param until: the index after the last row of this page; None: all rows that are left.
    """

    canv: Numbered

    def __init__(self, table: Laid, first: int = 0, until: int | None = None) -> None:
        super().__init__()
        self._table, self._first = table, first
        self._until = len(table.rows) if until is None else until

    @property
    def _rows(self) -> Sequence[Row]:
        """The table's head and the rows of this page."""
        return [self._table.head, *self._table.rows[self._first : self._until]]

    def wrap(self, _across: float, _down: float) -> tuple[float, float]:
        tops = self._table.tops
        rows = tops[self._until] - tops[self._first]
        return self._table.across, self._table.head.height + rows

    def split(self, _across: float, down: float) -> list[Flowable]:
        """The part that fits and the rest, for reportlab; empty if not even one row fits."""
        at = self._table.fitting(self._first, down)
        if at == self._first:
            return []
        if at >= self._until:
            return [self]
        return [Grid(self._table, self._first, at), Grid(self._table, at, self._until)]

    def draw(self) -> None:
        canvas = self.canv
        canvas.saveState()
        canvas.setFillGray(0)
        canvas.addLiteral("\n".join(["BT", *self._words(), "ET"]))
        self._ruled()
        canvas.restoreState()

    def _words(self) -> Iterator[str]:
        """The PDF operators that draw all texts of the page, row by row."""
        letters = self._table.letters
        inks = {font: self.canv.ink(font) for font in (REGULAR, SEMIBOLD)}
        top, chosen = self.wrap(0, 0)[1], ""
        for row in self._rows:
            base = fp_str(top - letters.above - letters.size)
            for cell in row.cells:
                if cell.font != chosen:
                    yield inks[cell.font].chosen(letters.size, letters.leading)
                    chosen = cell.font
                yield f"1 0 0 1 {cell.across} {base} Tm"
                yield from _lines(cell, inks[chosen], letters.size, letters.leading)
            top -= row.height

    def _ruled(self) -> None:
        """Draw a line below each row, and stronger lines below the head and above the totals."""
        head, *rows = self._rows
        top = self.wrap(0, 0)[1] - head.height
        self._rules(HEAD_RULE, [top])
        self._rules(RULE, list(accumulate((-row.height for row in rows), initial=top))[1:])
        if self._table.footed and self._until == len(self._table.rows):
            self._rules(HEAD_RULE, [rows[-1].height])

    def _rules(self, rule: tuple[float, float], places: Sequence[float]) -> None:
        grey, wide = rule
        self.canv.setStrokeGray(grey)
        self.canv.setLineWidth(wide)
        across = fp_str(self._table.across)
        self.canv.addLiteral(
            "\n".join(f"n 0 {down} m {across} {down} l S" for down in map(fp_str, places))
        )


def _lines(cell: Cell, ink: Ink, size: float, leading: float) -> Iterator[str]:
    for at, line in enumerate(cell.lines):
        if at:
            yield "T*"
        drawn = ink.drawn(line.text, size, leading)
        yield f"{fp_str(line.closer)} Tw {drawn} 0 Tw" if line.closer else drawn
