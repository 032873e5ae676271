"""The blocks of a PDF report: headings, figures and tables, in letters of one size."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import accumulate
from typing import TYPE_CHECKING, Any, Final
from xml.sax.saxutils import escape

from django.utils.translation import gettext as _
from reportlab.lib.colors import Color
from reportlab.lib.rl_accel import fp_str
from reportlab.lib.styles import ParagraphStyle
from reportlab.platypus import Flowable, LongTable, Paragraph, Spacer, TableStyle

from casino.kit.documents.writers import paper
from casino.kit.documents.writers.fonts import REGULAR, SEMIBOLD, drawable, width
from casino.kit.documents.writers.setting import GAP, HAIR, Column, Letters, laid

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from casino.kit.documents.document import Document
    from casino.kit.documents.page import RenderedFigure, RenderedTable
    from casino.kit.documents.writers.ink import Ink
    from casino.kit.documents.writers.paper import Numbered
    from casino.kit.documents.writers.setting import Cell, Laid, Row

SIZE: Final = 8.0
SAMPLED: Final = 400  # lines from which the widths of columns are measured
LEAST: Final = 24.0  # points that a column has at least
MOST: Final = 230.0


@dataclass(frozen=True, slots=True)
class Type:
    """The paragraph styles for one size of letters."""

    size: float = SIZE

    @property
    def text(self) -> ParagraphStyle:
        return ParagraphStyle("text", fontName=REGULAR, fontSize=self.size, leading=self.size * 1.3)

    @property
    def head(self) -> ParagraphStyle:
        return ParagraphStyle(
            "head", fontName=SEMIBOLD, fontSize=self.size + 2, leading=(self.size + 2) * 1.3,
            spaceBefore=self.size, spaceAfter=self.size * 0.3,
        )  # fmt: skip

    @property
    def title(self) -> ParagraphStyle:
        return ParagraphStyle(
            "title", fontName=SEMIBOLD, fontSize=self.size + 7, leading=(self.size + 7) * 1.25
        )


def top(document: Document, type_: Type) -> list[Flowable]:
    """The heading of a report: title, house, days and filters."""
    header = document.header
    parts = [header.house, paper.days(header)]
    parts += [f"{name}: {value}" for name, value in header.filters.items()]
    return [
        Paragraph(escape_text(header.title), type_.title),
        Paragraph(escape_text(" · ".join(parts)), type_.text),
        Spacer(0, type_.size * 0.75),
    ]


def figures(rendered: Sequence[RenderedFigure], type_: Type, across: float) -> list[Flowable]:
    """The figures in one row: title, value, and whether the figure agrees with the ledger."""
    if not rendered:
        return []
    agrees = {None: "", True: _("agrees with the ledger"), False: _("DIFFERS from the ledger")}
    small = ParagraphStyle("small", parent=type_.text, fontSize=type_.size - 1)
    large = ParagraphStyle("large", parent=type_.text, fontName=SEMIBOLD, fontSize=type_.size + 3)
    large.leading = large.fontSize * 1.3
    cells = [
        [
            Paragraph(escape_text(each.title), small),
            Paragraph(escape_text(each.text), large),
            Paragraph(escape_text(agrees[each.agrees]), small),
        ]
        for each in rendered
    ]
    made = LongTable([cells], colWidths=[across / len(cells)] * len(cells))
    made.setStyle(
        TableStyle(
            [
                ("LEFTPADDING", (0, 0), (-1, -1), 0),
                ("TOPPADDING", (0, 0), (-1, -1), 3),
                ("BOTTOMPADDING", (0, 0), (-1, -1), 3),
                ("LINEABOVE", (0, 0), (-1, 0), 0.5, paper_grey(0.6)),
                ("LINEBELOW", (0, 0), (-1, 0), 0.5, paper_grey(0.6)),
                ("VALIGN", (0, 0), (-1, -1), "TOP"),
            ]
        )
    )
    return [made, Spacer(0, type_.size)]


def paper_grey(share: float) -> Any:
    return Color(share, share, share)


def block(
    table: RenderedTable, type_: Type, room: tuple[float, float], *, titled: bool = True
) -> list[Flowable]:
    """
    A table under its title. A table without lines is replaced by its sentence for that case.

    :param room: the width and height of a page's content, in points.
    """
    found: list[Flowable] = [Paragraph(escape_text(table.title), type_.head)] if titled else []
    if not table.lines:
        words = table.empty or _("Nothing in these days.")
        return [*found, Paragraph(escape_text(words), type_.text)]
    return [*found, grid(table, type_, room)]


def grid(table: RenderedTable, type_: Type, room: tuple[float, float]) -> Grid:
    """The table with its head repeated on each page; numbers are aligned to the right."""
    widths = _widths(table, type_, room[0])
    lefts = accumulate(widths, initial=0.0)
    columns = [
        Column(left, wide, type_.size, numeric=at_right)
        for left, wide, at_right in zip(lefts, widths, _numeric(table), strict=False)
    ]
    return Grid(laid(columns, Letters(type_.size), texts(table), (sum(widths), room[1])))


def _numeric(table: RenderedTable) -> list[bool]:
    """Whether each column holds numbers, including the column of the event if there is one."""
    return [head.numeric for head in table.heads] + ([True] if table.events else [])


def texts(table: RenderedTable) -> tuple[list[str], list[list[str]], list[str]]:
    """The texts of heads, lines and totals row, with a last column for the event if needed."""
    event = [_("Event")] if table.events else []
    heads = [drawable(each.text) for each in table.heads] + event
    lines = [
        [drawable(each.text) for each in line.cells]
        + (["" if line.position is None else str(line.position)] if event else [])
        for line in table.lines
    ]
    foot = [drawable(each.text) for each in table.foot] + ([""] if table.foot and event else [])
    if foot and not foot[0]:
        foot[0] = _("Together")
    return heads, lines, foot


def _widths(table: RenderedTable, type_: Type, across: float) -> list[float]:
    """Column widths: numbers get what they need, texts share the rest in proportion to theirs."""
    natural = _natural(table, type_)
    total = sum(natural)
    if total <= across:
        return [each + (across - total) / len(natural) for each in natural]
    numeric = _numeric(table)
    fixed = sum(each for each, number in zip(natural, numeric, strict=True) if number)
    words = total - fixed
    left = max(across - fixed, across / 3)
    if not words:
        return [each * across / total for each in natural]
    shrunk = [
        each if number else max(LEAST, each * left / words)
        for each, number in zip(natural, numeric, strict=True)
    ]
    over = sum(shrunk)
    return [each * across / over for each in shrunk] if over > across else shrunk


def _natural(table: RenderedTable, type_: Type) -> list[float]:
    """The width of each column if no cell were broken into lines, between `LEAST` and `MOST`."""
    heads, lines, foot = texts(table) if len(table.lines) <= SAMPLED else _sample(table)
    found = []
    for at, head in enumerate(heads):
        rows = [line[at] for line in lines[:SAMPLED]] + ([foot[at]] if foot else [])
        longest = max((width(text, type_.size, SEMIBOLD) for text in rows), default=0.0)
        words = max((width(part, type_.size, SEMIBOLD) for part in head.split()), default=0.0)
        found.append(min(MOST, max(LEAST, longest, words)) + GAP + HAIR)
    return found


def _sample(table: RenderedTable) -> tuple[list[str], list[list[str]], list[str]]:
    return texts(replace(table, lines=table.lines[:SAMPLED]))


def natural_width(table: RenderedTable, type_: Type) -> float:
    return sum(_natural(table, type_))


def escape_text(text: str) -> str:
    """A text for a paragraph, escaped so that nothing in it is read as markup."""
    return escape(drawable(text))


# A table in a PDF that runs over pages: it is laid out once, then drawn page by page.
#
# It looks exactly like reportlab's own `LongTable`, but is faster: `LongTable` makes an object of
# each cell and measures the rest of the table again on every page.


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
        self._draw_rules()
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

    def _draw_rules(self) -> None:
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
