"""
Writes a report as PDF: A4, landscape if its columns need it, black on white, in the house's font.

The tables of a one-page report are laid out side by side, in the largest letters that fit.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, BinaryIO, Final

from casino.kit.documents import page
from casino.kit.documents.writers import paper

if TYPE_CHECKING:
    from collections.abc import Sequence

    from reportlab.platypus import Flowable

    from casino.kit.documents.document import Document
    from casino.kit.documents.page import RenderedTable

from casino.kit.documents.writers.blocks import Type, block, figures, natural_width, top
from casino.kit.documents.writers.one_page import one_page

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
