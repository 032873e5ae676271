"""The paper of a PDF report: A4 pages with the provenance in their footer, fonts, texts."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Final

from django.utils.translation import gettext as _
from reportlab import rl_config
from reportlab.lib.pagesizes import A4, landscape
from reportlab.lib.rl_accel import fp_str
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import BaseDocTemplate, Frame, PageTemplate

from casino.words.languages import locales

if TYPE_CHECKING:
    from collections.abc import Callable

    from reportlab.pdfbase.pdfdoc import PDFDocument

    from casino.kit.documents.document import Header


# Texts as PDF operators; each letter of a font is looked up only once in a document.


FIRST: Final = 0
"""The subset of an embedded font that has the plain letters; most reports need no other."""


class Ink:
    """
    A font in one PDF document.

    :param escape: escapes bytes for a PDF string, which stands in parentheses.
    """

    def __init__(self, font: str, document: PDFDocument, escape: Callable[[bytes], str]) -> None:
        self._font: Any = pdfmetrics.getFont(font)  # a TTFont, which type Font does not cover
        self._document, self._escape = document, escape
        self._spelled: dict[int, str] = {}
        self._known: set[str] = set()
        self._elsewhere: set[str] = set()

    def chosen(self, size: float, leading: float, part: int = FIRST) -> str:
        """The operators that select this font for the texts that follow."""
        name = self._font.getSubsetInternalName(part, self._document)
        return f"{name} {fp_str(size)} Tf {fp_str(leading)} TL"

    def drawn(self, text: str, size: float, leading: float) -> str:
        """The operators that draw a text. Before and after, this font is the selected one."""
        if not self._known.issuperset(text):
            for letter in text:
                self._meet(letter)
        if self._elsewhere.isdisjoint(text):
            return f"({text.translate(self._spelled)}) Tj"
        return self._in_parts(text, size, leading)

    def _meet(self, letter: str) -> None:
        if letter in self._known:
            return
        [(part, spelled)] = self._font.splitString(letter, self._document)
        if part == FIRST:
            self._spelled[ord(letter)] = self._escape(spelled)
        else:
            self._elsewhere.add(letter)
        self._known.add(letter)

    def _in_parts(self, text: str, size: float, leading: float) -> str:
        """The operators for a text whose letters are in several subsets, each of 256 letters."""
        pieces = [
            f"{self.chosen(size, leading, part)} ({self._escape(spelled)}) Tj"
            for part, spelled in self._font.splitString(text, self._document)
        ]
        return "\n".join([*pieces, self.chosen(size, leading)])


# The house's fonts for PDF: registering them, and measuring texts.


REGULAR, SEMIBOLD = "Inter", "Inter-SemiBold"
FILES: Final = {REGULAR: "inter-regular.ttf", SEMIBOLD: "inter-semibold.ttf"}


@cache
def letters() -> frozenset[str]:
    """Register both fonts with reportlab; returns the letters that both of them can draw."""
    known: list[frozenset[str]] = []
    for name, file in FILES.items():
        font = TTFont(name, str(Path(__file__).parent / "fonts" / file))
        pdfmetrics.registerFont(font)
        known.append(frozenset(map(chr, font.face.charToGlyph)))
    return frozenset.intersection(*known)


def drawable(text: str) -> str:
    """The text in letters that the fonts have: others as code points, line ends as blanks."""
    plain, known = " ".join(text.split()), letters()
    if known.issuperset(plain):
        return plain
    return "".join(
        each
        if each in known
        else f"\N{SINGLE LEFT-POINTING ANGLE QUOTATION MARK}"
        f"U+{ord(each):04X}\N{SINGLE RIGHT-POINTING ANGLE QUOTATION MARK}"
        for each in plain
    )


class _Advances(dict[str, float]):
    """The advance width of each letter of a font, in thousandths of the font size; cached."""

    def __init__(self, font: str) -> None:
        letters()
        self._face = pdfmetrics.getFont(font).face  # type: ignore[attr-defined]

    def __missing__(self, letter: str) -> float:
        found: float = self._face.charWidths.get(ord(letter), self._face.defaultWidth)
        self[letter] = found
        return found


_advances = cache(_Advances)


def width(text: str, size: float, font: str = REGULAR) -> float:
    """The width of a text in points."""
    return 0.001 * size * sum(map(_advances(font).__getitem__, text))


MM: Final = 72 / 25.4
MARGIN: Final = 14 * MM
FOOT: Final = 15 * MM
SMALL: Final = 6.5
LEADING: Final = 8.5


class Numbered(Canvas):
    """A canvas that adds "Page 1 of 3" to each page at the end, when their number is known."""

    _pagesize: tuple[float, float]
    _pageNumber: int  # noqa: N815 - reportlab's own names

    def __init__(self, *args: Any, header: Header, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._header = header
        self._drawn: list[dict[str, Any]] = []
        self._inks: dict[str, Ink] = {}

    def ink(self, font: str) -> Ink:
        """The `Ink` of a font for this document."""
        if font not in self._inks:
            self._inks[font] = Ink(font, self._doc, self._escape)  # type: ignore[attr-defined]
        return self._inks[font]

    def showPage(self) -> None:  # noqa: N802 - reportlab's own name
        self._drawn.append(dict(self.__dict__))
        self._startPage()  # type: ignore[attr-defined]

    def save(self) -> None:
        for page in self._drawn:
            self.__dict__.update(page)
            self._foot(len(self._drawn))
            super().showPage()
        super().save()

    def _foot(self, pages: int) -> None:
        wide = self._pagesize[0]
        number = _("Page %(number)s of %(pages)s") % {"number": self._pageNumber, "pages": pages}
        top = MARGIN + FOOT - 2 * LEADING
        self.setStrokeGray(0.6)
        self.setLineWidth(0.5)
        self.line(MARGIN, top + LEADING, wide - MARGIN, top + LEADING)
        self.setFillGray(0)
        self.setFont(SEMIBOLD, SMALL)
        self.drawRightString(wide - MARGIN, top, drawable(number))
        self.setFont(REGULAR, SMALL)
        room = wide - 2 * MARGIN - width(number, SMALL, SEMIBOLD) - 12
        for at, line in enumerate(foot(self._header)):
            text = fit(drawable(line), SMALL, room if not at else wide - 2 * MARGIN)
            self.drawString(MARGIN, top - at * LEADING, text)


def foot(header: Header) -> tuple[str, ...]:
    """The three lines of the footer (E6): house and time; software; ledger position and root."""
    made = _("generated %(at)s for %(who)s") % {
        "at": locales.long_moment_to_seconds(header.generated_at), "who": header.who,
    }  # fmt: skip
    rules = ", ".join(f"{game} {version}" for game, version in header.rules.items())
    values = {"position": header.position, "root": header.root}
    return (
        f"{header.house} · {header.title} · {days(header)} · {made}",
        f"Home Throw {header.software} · {_('rules')} {rules}",
        _("Ledger position %(position)s · root %(root)s") % values,
    )


def days(header: Header) -> str:
    if header.since == header.until:
        return locales.weekday(header.since)
    return f"{locales.day(header.since)} \N{EN DASH} {locales.day(header.until)}"


def fit(text: str, size: float, room: float, font: str = REGULAR) -> str:
    """The text, shortened with "…" if it is wider than `room` points."""
    if width(text, size, font) <= room:
        return text
    while text and width(f"{text}…", size, font) > room:
        text = text[:-1]
    return f"{text}…"


def sheet(into: BinaryIO, header: Header, *, wide: bool) -> BaseDocTemplate:
    """A document whose pages have one frame; `build` it with the canvas `Numbered`."""
    letters()
    rl_config.useA85 = 0  # raw bytes: in ASCII (base 85) a file is a quarter larger
    size = landscape(A4) if wide else A4
    made = BaseDocTemplate(
        into,
        pagesize=size,
        title=drawable(f"{header.title} · {header.house}"),
        author=drawable(header.house),
        creator=f"Home Throw {header.software}",
        subject=drawable(days(header)),
        invariant=1,
    )
    across, down = room(wide=wide)
    frame = Frame(
        MARGIN, MARGIN + FOOT, across, down,
        leftPadding=0, rightPadding=0, topPadding=0, bottomPadding=0,
    )  # fmt: skip
    made.addPageTemplates([PageTemplate(id="page", frames=[frame])])
    return made


def room(*, wide: bool) -> tuple[float, float]:
    """The size of the area for a page's content, in points: width and height."""
    across, down = landscape(A4) if wide else A4
    return across - 2 * MARGIN, down - 2 * MARGIN - FOOT
