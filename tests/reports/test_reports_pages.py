"""Tables on the pages of a PDF: set as reportlab sets them, broken between lines, nothing lost."""

from __future__ import annotations

import io
from functools import partial
from typing import TYPE_CHECKING, Any
from xml.sax.saxutils import escape

from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from reportlab.lib.styles import ParagraphStyle
from reportlab.platypus import Paragraph
from reportlab.platypus.doctemplate import LayoutError

from casino.kit.documents.page import RenderedCell, RenderedLine, RenderedTable
from casino.kit.documents.writers import blocks, paper
from casino.kit.documents.writers.blocks import broken
from casino.kit.documents.writers.paper import REGULAR, SEMIBOLD, drawable, letters, width
from tests.forms import how_often
from tests.reports.test_reports_writers import NASTY, document
from tests.support import long_table
from tests.support.pdf_marks import Rule, Words, marks

if TYPE_CHECKING:
    from collections.abc import Sequence

    from reportlab.platypus import Flowable

SENTENCE = "Bo finished with 8, the lowest of the round, and takes the pot (TA1)."
RULED = 0.75  # the grey of what stands between rows
DRAWN = "".join(sorted(each for each in letters() if each.isprintable()))
"""More letters than a part of an embedded font holds."""

words = st.text(st.characters(min_codepoint=33, max_codepoint=126), min_size=1, max_size=24)
sentences = st.lists(words, min_size=1, max_size=25).map(" ".join)
strange = st.sampled_from((*NASTY, "a\N{SOFT HYPHEN}b" * 9)) | st.text(DRAWN, max_size=40)
texts = st.sampled_from((SENTENCE, "", "12,345 r")) | sentences | strange


@st.composite
def rendered(draw: st.DrawFn) -> RenderedTable:
    """Tables of a few columns, sentences among them; some with an event at the end, or a foot."""
    many = draw(st.integers(1, 6))
    numeric = draw(st.lists(st.booleans(), min_size=many, max_size=many))
    heads = [RenderedCell(draw(texts.filter(str.strip)), each) for each in numeric]
    few = [
        [RenderedCell(draw(texts), each) for each in numeric]
        for _ in range(draw(st.integers(1, 6)))
    ]
    count = draw(st.sampled_from((len(few), 70)))
    events = draw(st.booleans())
    lines = [RenderedLine(few[at % len(few)], at if events else None, "") for at in range(count)]
    foot = [RenderedCell(draw(texts), each) for each in numeric] if draw(st.booleans()) else []
    return RenderedTable("t", "T", heads, lines, foot, more=False, events=events, empty="")


def with_a_foot(lines: int) -> RenderedTable:
    cell = RenderedCell("a", numeric=False)
    rows = [RenderedLine([cell], None, "") for _ in range(lines)]
    return RenderedTable("t", "T", [cell], rows, [cell], more=False, events=False, empty="")


def drawn(story: Sequence[Flowable], *, wide: bool) -> list[Words | Rule]:
    file, header = io.BytesIO(), document([]).header
    made = paper.sheet(file, header, wide=wide)
    made.build(list(story), canvasmaker=partial(paper.Numbered, header=header))
    return marks(file.getvalue())


def as_ours(found: list[Words | Rule]) -> list[Words | Rule]:
    """
    Without what reportlab rules twice at one place.

    Where a head comes again it rules it in grey once more: ours stays black. Where a foot begins a
    page it rules the end of the page before in black as well, over the grey of the last line.
    """
    last = max(each.page for each in found if isinstance(each, Rule))
    ruled: dict[tuple[int, tuple[float, float]], Rule] = {}
    kept: list[Words | Rule] = []
    for each in found:
        if isinstance(each, Rule):
            before = ruled.setdefault((each.page, each.begin), each)
            again_in_grey = each.grey and not before.grey
            before_a_foot = before.grey and not each.grey and each.page < last
            if again_in_grey or before_a_foot:
                continue
        kept.append(each)
    return kept


@given(rendered(), st.booleans(), st.sampled_from((6.0, 8.0)))
@settings(max_examples=how_often(25), deadline=None)
@example(table=with_a_foot(64), wide=False, size=6.0)  # which begins the second page
@example(table=with_a_foot(64), wide=True, size=8.0)  # and here the third
def test_a_table_is_set_as_reportlab_sets_it(table: RenderedTable, wide: bool, size: float) -> None:  # noqa: FBT001 - drawn
    room, type_ = paper.room(wide=wide), blocks.Type(size)
    try:
        theirs = drawn([long_table.grid(table, type_, room)], wide=wide)
    except LayoutError:  # a row higher than a page: it gives up, see below
        assume(False)  # noqa: FBT003 - hypothesis's own

    assert drawn([blocks.grid(table, type_, room)], wide=wide) == as_ours(theirs)


@given(texts.map(drawable), st.floats(8, 300), st.sampled_from((REGULAR, SEMIBOLD)))
@settings(max_examples=how_often(200), deadline=None)
def test_a_text_is_broken_as_a_paragraph_breaks_it(text: str, room: float, font: str) -> None:
    # Where not one letter fits, reportlab breaks a text with "<" in another way than one without.
    assume(max((width(letter, 8, font) for letter in text), default=0.0) <= room)
    style = ParagraphStyle("td", fontName=font, fontSize=8, splitLongWords=1)
    made = Paragraph(escape(text), style).breakLines([room, room])

    lines = broken(text, room, 8, font)

    assert [line.text for line in lines] == [_read(line) for line in made.lines]


def _read(line: Any) -> str:
    """A line of reportlab's: of words, or of pieces where the text has what XML escapes."""
    if isinstance(line, tuple):
        return " ".join(line[1])
    return "".join(piece.text for piece in line.words).rstrip()


@given(
    st.lists(st.integers(0, 60), min_size=1, max_size=60),
    st.sampled_from((80.0, 300.0)),
    st.booleans(),
)
@settings(max_examples=how_often(25), deadline=None)
def test_every_line_comes_once_and_in_order_and_whole(
    long: list[int],
    across: float,
    wide: bool,  # noqa: FBT001 - drawn
) -> None:
    """Whatever a page has room for: rows of no more than a page are on one, higher ones go on."""
    down = paper.room(wide=wide)[1]
    paragraphs = [
        f"row{at} " + " ".join(f"w{at}.{n}" for n in range(each)) for at, each in enumerate(long)
    ]
    lines = [RenderedLine([RenderedCell(text, numeric=False)], None, "") for text in paragraphs]
    head = RenderedCell("Head", numeric=False)
    table = RenderedTable("t", "T", [head], lines, [], more=False, events=False, empty="")

    found = drawn([blocks.grid(table, blocks.Type(), (across, down))], wide=wide)

    above = [
        each for each in found if isinstance(each, Words) and each.up > paper.FOOT + paper.MARGIN
    ]
    pages = {each.page: [other for other in above if other.page == each.page] for each in above}
    assert all(page[0].text == "Head" for page in pages.values())
    body = [each for page in pages.values() for each in page[1:]]
    assert " ".join(each.text for each in body).split() == " ".join(paragraphs).split()
    for page in pages.values():  # none on another one, and none on the foot of the page
        assert [each.up for each in page] == sorted({each.up for each in page}, reverse=True)
    for rule in (each for each in found if isinstance(each, Rule) and each.grey == RULED):
        assert rule.begin[1] >= paper.MARGIN + paper.FOOT - 0.01


def test_a_row_higher_than_a_page_goes_on_on_the_next() -> None:
    """Before and behind it others; reportlab would have refused the whole report."""
    paragraphs = ["before", " ".join(f"word{at}" for at in range(4000)), "behind"]
    lines = [
        RenderedLine(
            [RenderedCell(text, numeric=False), RenderedCell(str(at), numeric=True)], at, ""
        )
        for at, text in enumerate(paragraphs)
    ]
    heads = [RenderedCell("Words", numeric=False), RenderedCell("N", numeric=True)]
    table = RenderedTable("t", "T", heads, lines, [], more=False, events=True, empty="")

    found = drawn([blocks.grid(table, blocks.Type(), paper.room(wide=True))], wide=True)

    body = " ".join(each.text for each in found if isinstance(each, Words))
    assert found[-1].page > 2
    assert [each for each in body.split() if each.startswith("word")] == paragraphs[1].split()
    assert (
        body.index("before") < body.index("word0") < body.index("word3999") < body.index("behind")
    )
