"""The pages of a PDF report: A4, with the provenance in the footer of each page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, BinaryIO, Final

from django.utils.translation import gettext as _
from reportlab import rl_config
from reportlab.lib.pagesizes import A4, landscape
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import BaseDocTemplate, Frame, PageTemplate

from casino.kit.documents.writers.fonts import REGULAR, SEMIBOLD, drawable, letters, width
from casino.kit.documents.writers.ink import Ink
from casino.words.languages import locales

if TYPE_CHECKING:
    from casino.kit.documents.provenance import Header

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
