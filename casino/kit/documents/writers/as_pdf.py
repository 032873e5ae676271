"""
Writes a report as PDF: A4, landscape if its columns need it, black on white, in the house's font.

The tables of a one-page report are laid out side by side, in the largest letters that fit.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, BinaryIO, Final

from django.utils.translation import gettext as _
from reportlab.platypus import Paragraph, Spacer, Table, TableStyle

from casino.kit.documents import page
from casino.kit.documents.writers import paper
from casino.kit.documents.writers.blocks import (
    Type,
    block,
    escape_text,
    figures,
    natural_width,
    paper_grey,
    top,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from reportlab.platypus import Flowable

    from casino.kit.documents.document import Document
    from casino.kit.documents.page import RenderedTable

ACROSS: Final = 520.0  # points that a portrait page has for columns


def write_pdf(document: Document, into: BinaryIO) -> None:
    tables = page.whole(document)
    if document.report.one_page:
        wide, story = False, one_page(document, tables)
    else:
        wide = any(natural_width(table, Type()) > ACROSS for table in tables)
        story = _story(document, tables, wide=wide)
    made = paper.sheet(into, document.header, wide=wide)
    made.build(story, canvasmaker=partial(paper.Numbered, header=document.header))


def _story(document: Document, tables: Sequence[RenderedTable], *, wide: bool) -> list[Flowable]:
    type_, room = Type(), paper.room(wide=wide)
    story = [*top(document, type_), *figures(page.figures(document), type_, room[0])]
    for table in tables:
        story += block(table, type_, room, titled=len(tables) > 1)
    return story


# Lays out a report on one A4 page: small tables side by side, in the largest letters that fit.
#
# If not even the smallest letters fit, tables are cut after a number of lines, with a remark; files
# for programs have all lines.


SIZES: Final = (8.5, 8.0, 7.5, 7.0, 6.5, 6.0)
LINES: Final = 300  # of all tables together; more do not fit even in the smallest letters
CUTS: Final = (20, 12, 8, 5, 3)
COLUMNS: Final = 3
NARROW: Final = 3  # a table with at most so many columns stands beside others
BETWEEN: Final = 14.0  # points
ROUNDING: Final = 2.0
SIGNED: Final = 46.0


def one_page(document: Document, tables: Sequence[RenderedTable]) -> list[Flowable]:
    """The page's content, as reportlab flowables."""
    many = sum(len(table.lines) for table in tables) > LINES
    for size, cut in _ways(many=many):
        cutting = [_cut(table, cut) for table in tables] if cut else list(tables)
        story = _story_of_one_page(document, cutting, Type(size), cut)
        if _height(story) <= paper.room(wide=False)[1] - ROUNDING:
            return story
    return story


def _ways(*, many: bool) -> Iterator[tuple[float, int]]:
    """Sizes and cuts to try, in order (0: no cut): smaller letters come before fewer lines."""
    if not many:
        yield from ((size, 0) for size in SIZES)
    yield from ((SIZES[-1], cut) for cut in CUTS)


def _cut(table: RenderedTable, most: int) -> RenderedTable:
    return replace(table, lines=table.lines[:most])


def _story_of_one_page(
    document: Document, tables: Sequence[RenderedTable], type_: Type, cut: int
) -> list[Flowable]:
    across, down = paper.room(wide=False)
    broad = [table for table in tables if len(table.heads) > NARROW]
    small = [table for table in tables if len(table.heads) <= NARROW]
    story = [*top(document, type_), *figures(page.figures(document), type_, across)]
    if broad:
        story += _with_remark(block(broad[0], type_, (across, down)), broad[0], cut, type_)
    if small:
        story += [Spacer(0, type_.size), _side_by_side(small, type_, across, cut)]
    for table in broad[1:]:
        story += _with_remark(block(table, type_, (across, down)), table, cut, type_)
    return [*story, *_signatures(type_, across)]


def _with_remark(
    made: list[Flowable], table: RenderedTable, cut: int, type_: Type
) -> list[Flowable]:
    """The blocks of a table, with a remark if lines may have been cut."""
    if cut and len(table.lines) == cut:
        words = _("The first %(count)s lines; files have all.") % {"count": cut}
        return [*made, Paragraph(escape_text(words), type_.text)]
    return made


def _side_by_side(
    tables: Sequence[RenderedTable], type_: Type, across: float, cut: int
) -> Flowable:
    """The tables, in order, in columns of about the same height."""
    each = (across - BETWEEN * (COLUMNS - 1)) / COLUMNS
    room = each, paper.room(wide=False)[1]
    blocks = [_with_remark(block(table, type_, room), table, cut, type_) for table in tables]
    heights = [_height(made, each) for made in blocks]
    columns: list[list[Flowable]] = [[] for _column in range(COLUMNS)]
    for at, made in zip(_places(heights), blocks, strict=True):
        columns[at] += made
    columns_table = Table(
        [[column or [Spacer(0, 0)] for column in columns]],
        colWidths=[each + BETWEEN, each + BETWEEN, each],
    )
    columns_table.setStyle(
        TableStyle(
            [
                ("VALIGN", (0, 0), (-1, -1), "TOP"),
                ("LEFTPADDING", (0, 0), (-1, -1), 0),
                ("RIGHTPADDING", (0, 0), (-2, -1), BETWEEN),
                ("RIGHTPADDING", (-1, 0), (-1, -1), 0),
                ("TOPPADDING", (0, 0), (-1, -1), 0),
                ("BOTTOMPADDING", (0, 0), (-1, -1), 0),
            ]
        )
    )
    return columns_table


def _places(heights: Sequence[float]) -> Iterator[int]:
    """The column of each block, such that the highest of `COLUMNS` columns is as low as can be."""
    low, high = max(heights), sum(heights)
    for _try in range(20):
        middle = (low + high) / 2
        if max(_fill(heights, middle)) < COLUMNS:
            high = middle
        else:
            low = middle
    return iter(_fill(heights, high))


def _fill(heights: Sequence[float], most: float) -> list[int]:
    column, used, found = 0, 0.0, []
    for height in heights:
        if used and used + height > most:
            column, used = column + 1, 0.0
        used += height
        found.append(column)
    return found


def _signatures(type_: Type, across: float) -> list[Flowable]:
    """Two lines for signatures."""
    style: list[Any] = [
        ("LEFTPADDING", (0, 0), (-1, -1), 0),
        ("LINEABOVE", (0, 0), (0, 0), 0.5, paper_grey(0)),
        ("LINEABOVE", (2, 0), (2, 0), 0.5, paper_grey(0)),
    ]
    words = [
        Paragraph(escape_text(_("Closed by")), type_.text),
        "",
        Paragraph(escape_text(_("Seen and signed by")), type_.text),
    ]
    gap = across * 0.06
    made = Table([words], colWidths=[(across - gap) / 2, gap, (across - gap) / 2])
    made.setStyle(TableStyle(style))
    return [Spacer(0, SIGNED * 0.75), made]


def _height(story: Sequence[Flowable], across: float | None = None) -> float:
    """The height of flowables in points, including the space before and after each."""
    wide = across if across is not None else paper.room(wide=False)[0]
    total = 0.0
    for each in story:
        total += each.wrap(wide, 10_000)[1] + each.getSpaceBefore() + each.getSpaceAfter()
    return total
