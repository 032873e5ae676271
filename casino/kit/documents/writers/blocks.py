"""The blocks of a PDF report, in letters of one size: headings, figures, and tables laid out."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import accumulate
from typing import TYPE_CHECKING, Any, Final, NamedTuple
from xml.sax.saxutils import escape

from django.utils.translation import gettext as _
from reportlab import rl_config
from reportlab.lib.colors import Color
from reportlab.lib.rl_accel import fp_str
from reportlab.lib.styles import ParagraphStyle
from reportlab.platypus import Flowable, LongTable, Paragraph, Spacer, TableStyle

from casino.kit.documents.writers import paper
from casino.kit.documents.writers.paper import REGULAR, SEMIBOLD, drawable, width

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from casino.kit.documents.document import Document
    from casino.kit.documents.page import RenderedFigure, RenderedTable
    from casino.kit.documents.writers.paper import Ink, Numbered

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


# Lays out a table in letters of one size: the lines of each cell and the height of each row.


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
