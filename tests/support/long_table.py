"""Tables of a PDF as reportlab itself sets and breaks them: what `writers.blocks` must come to."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Any

from reportlab.lib.styles import ParagraphStyle
from reportlab.platypus import LongTable, Paragraph, TableStyle

from casino.kit.documents.writers import blocks
from casino.kit.documents.writers.blocks import GAP, HAIR
from casino.kit.documents.writers.paper import REGULAR, SEMIBOLD, width

if TYPE_CHECKING:
    from casino.kit.documents.page import RenderedTable
    from casino.kit.documents.writers.blocks import Type


def grid(table: RenderedTable, type_: Type, room: tuple[float, float]) -> LongTable:
    heads, lines, foot = blocks.texts(table)
    widths = blocks._widths(table, type_, room[0])
    inner = [each - GAP for each in widths]
    cells = [
        [_cell(text, wide, type_) for text, wide in zip(line, inner, strict=True)]
        for line in chain(lines, [foot] if foot else [])
    ]
    made = LongTable(
        [[_head(text, wide, type_) for text, wide in zip(heads, inner, strict=True)], *cells],
        colWidths=widths,
        repeatRows=1,
    )
    made.setStyle(TableStyle(_style(table, type_, footed=bool(foot))))
    return made


def _style(table: RenderedTable, type_: Type, *, footed: bool) -> list[Any]:
    pad = type_.size * 0.18
    grey = blocks.paper_grey
    style: list[Any] = [
        ("FONT", (0, 0), (-1, -1), REGULAR, type_.size, type_.size * 1.3),
        ("FONT", (0, 0), (-1, 0), SEMIBOLD, type_.size, type_.size * 1.3),
        ("LEFTPADDING", (0, 0), (-1, -1), 0),
        ("RIGHTPADDING", (0, 0), (-1, -1), GAP),
        ("TOPPADDING", (0, 0), (-1, -1), pad),
        ("BOTTOMPADDING", (0, 0), (-1, -1), pad + 1),
        ("VALIGN", (0, 0), (-1, -1), "TOP"),
        ("LINEBELOW", (0, 0), (-1, 0), 0.75, grey(0)),
        ("LINEBELOW", (0, 1), (-1, -1), 0.25, grey(0.75)),
    ]
    numeric = [at for at, head in enumerate(table.heads) if head.numeric]
    numeric += [len(table.heads)] if table.events else []
    style += [("ALIGN", (at, 0), (at, -1), "RIGHT") for at in numeric]
    if footed:
        style += [
            ("FONT", (0, -1), (-1, -1), SEMIBOLD, type_.size, type_.size * 1.3),
            ("LINEABOVE", (0, -1), (-1, -1), 0.75, grey(0)),
        ]
    return style


def _head(text: str, wide: float, type_: Type) -> Any:
    if width(text, type_.size, SEMIBOLD) <= wide + HAIR:
        return text
    return _paragraph(text, ParagraphStyle("th", parent=type_.text, fontName=SEMIBOLD))


def _cell(text: str, wide: float, type_: Type) -> Any:
    if width(text, type_.size) <= wide + HAIR:
        return text
    return _paragraph(text, ParagraphStyle("td", parent=type_.text, splitLongWords=1))


def _paragraph(text: str, style: ParagraphStyle) -> Paragraph:
    """In one piece: with what XML escapes it would be drawn in several, side by side."""
    made = Paragraph("x", style)
    made.frags[0].text = text
    return made
