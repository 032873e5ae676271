"""What a PDF puts on its pages: every text and every rule, where it stands and how it is drawn."""

from __future__ import annotations

import io
import re
from typing import Any, NamedTuple

import pypdf
from pypdf.generic import ContentStream

STATES = {"TL": "TL", "Tw": "Tw", "w": "w", "RG": "grey", "G": "grey"}
PLACED = {"cm", "Tm", "Td", "T*", "m", "l"}
PLACES = 2  # of a point: what is compared, nobody sees


class Words(NamedTuple):
    """:param closer: what is added to each blank, in points."""

    page: int
    across: float
    up: float
    text: str
    font: str
    size: float
    closer: float


class Rule(NamedTuple):
    page: int
    begin: tuple[float, float]
    end: tuple[float, float]
    wide: float
    grey: float


class _Page:
    """Follows the operators of a page."""

    def __init__(self, number: int, page: pypdf.PageObject) -> None:
        self.number, self.found = number, list[Words | Rule]()
        fonts: Any = page["/Resources"]["/Font"]  # type: ignore[index]
        self.fonts = {name: _Font(font.get_object()) for name, font in fonts.items()}
        self.at = self.pen = (0.0, 0.0)
        self.state: dict[str, Any] = {"origin": (0.0, 0.0), "Tw": 0.0, "w": 1.0, "grey": 0.0}
        self.kept: list[dict[str, Any]] = []

    def take(self, operator: str, given: list[Any]) -> None:
        """Those that draw, and those that say where and how; others change nothing here."""
        match operator:
            case "q":
                self.kept.append(dict(self.state))
            case "Q":
                self.state = self.kept.pop()
            case "Tf":
                self.state |= {"font": self.fonts[str(given[0])], "size": float(given[1])}
            case "Tj":
                self._words(given[0].original_bytes)
            case _ if operator in STATES:
                self.state[STATES[operator]] = float(given[0])
            case _ if operator in PLACED:
                self._placed(operator, [float(each) for each in given])

    def _placed(self, operator: str, given: list[float]) -> None:
        match operator, given:
            case "cm", [a, b, c, d, x, y]:
                assert [a, b, c, d] == [1, 0, 0, 1]
                origin = self.state["origin"]
                self.state["origin"] = (origin[0] + x, origin[1] + y)
            case "Tm", [*_unturned, x, y]:
                self.at = (x, y)
            case "Td", [x, y]:
                self.at = (self.at[0] + x, self.at[1] + y)
            case "T*", []:
                self.at = (self.at[0], self.at[1] - self.state["TL"])
            case "m", [x, y]:
                self.pen = (x, y)
            case "l", [x, y]:
                self._rule((x, y))

    def _moved(self, place: tuple[float, float]) -> tuple[float, float]:
        origin = self.state["origin"]
        return round(place[0] + origin[0], PLACES), round(place[1] + origin[1], PLACES)

    def _words(self, spelled: bytes) -> None:
        font, where = self.state["font"], self._moved(self.at)
        text = font.read(spelled)
        if text.strip():
            size, closer = self.state["size"], round(self.state["Tw"], 3)
            self.found.append(Words(self.number, *where, text, font.name, size, closer))

    def _rule(self, end: tuple[float, float]) -> None:
        self.found.append(
            Rule(
                self.number,
                self._moved(self.pen),
                self._moved(end),
                self.state["w"],
                self.state["grey"],
            )
        )


class _Font:
    """A part of a font: what its codes stand for."""

    def __init__(self, font: Any) -> None:
        self.name = str(font["/BaseFont"]).partition("+")[2]
        spelled = font["/ToUnicode"].get_object().get_data().decode() if self.name else ""
        self.letters = {
            int(code, 16): bytes.fromhex(letter).decode("utf-16-be")
            for code, letter in re.findall(r"<(\w{2})> <(\w{4,8})>", spelled)
        }

    def read(self, spelled: bytes) -> str:
        return "".join(self.letters[code] for code in spelled)


def marks(pdf: bytes) -> list[Words | Rule]:
    """In the order in which they are drawn, but for texts before rules on each page."""
    found: list[Words | Rule] = []
    for number, page in enumerate(pypdf.PdfReader(io.BytesIO(pdf)).pages, 1):
        subscriber = _Page(number, page)
        content = page.get_contents()
        assert content is not None
        for given, operator in ContentStream(content, page.pdf).operations:
            subscriber.take(operator.decode(), list(given))
        found += subscriber.found
    return found
