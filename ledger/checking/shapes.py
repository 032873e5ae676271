"""
Recognises canonical JSON by regular expressions, one for each shape of event data seen before.

Data of one event type comes in a few shapes: the same keys in the same order, with different texts
and numbers. If a text has the shape of a canonical one, with plain texts and short whole numbers in
the same places, it is canonical itself. Matching a pattern takes a fourth of the time of parsing
and encoding. Data that fits no pattern is parsed (`bodies.read`), and a shape that comes often gets
a pattern.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from ledger.checking import bodies

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

A_TEXT, A_NUMBER, TEXTS, NUMBERS = b"\x01", b"\x02", b"\x03", b"\x04"  # never part of JSON
TEXT: Final = rb"[ !#-\[\]-~]*"  # ASCII that JSON does not escape
NUMBER: Final = rb"(?:0|-?[1-9][0-9]{0,14})"  # below 2**53, in canonical spelling
MEANS: Final = {
    A_TEXT: TEXT,
    A_NUMBER: NUMBER,
    TEXTS: rb'\["%b"(?:,"%b")*\]' % (TEXT, TEXT),
    NUMBERS: rb"\[%b(?:,%b)*\]" % (NUMBER, NUMBER),
}
DIGITS: Final = re.compile(rb"-?[0-9]+")
LISTS: Final = {
    TEXTS: re.compile(rb'\["\x01"(?:,"\x01")*\]'),
    NUMBERS: re.compile(rb"\[\x02(?:,\x02)*\]"),
}
OFTEN: Final = 6  # times that a shape is seen before it gets a pattern, which is slow to make
OF_ONE_KIND: Final = 24
IN_ALL: Final = 2048


class Shapes:
    """Patterns by event type, limited in number."""

    def __init__(self) -> None:
        self._known: dict[str, list[Callable[[bytes], object]]] = {}
        self._met: dict[tuple[str, bytes], int] = {}

    def canonical(self, kinds: Iterable[str], texts: Iterable[bytes]) -> None:
        """
        Check that each text, the data of an event, is canonical JSON. :param kinds: event types.

        :raises ValueError: or another error of `bodies.read`, if a text is not canonical.
        """
        known = self._known
        for kind, text in zip(kinds, texts, strict=True):
            for fits in known.get(kind, ()):
                if fits(text):
                    break
            else:
                self._read(kind, text)

    def _read(self, kind: str, text: bytes) -> None:
        bodies.read(text)
        if b"\\" in text or not text.isascii() or len(self._met) >= IN_ALL:
            return
        met = kind, shape(text)
        self._met[met] = self._met.get(met, 0) + 1
        if self._met[met] == OFTEN:
            known = self._known.setdefault(kind, [])
            if len(known) < OF_ONE_KIND:
                known.append(pattern(met[1]).fullmatch)


def shape(text: bytes) -> bytes:
    """The shape of a canonical text without backslashes: marks stand for texts and numbers."""
    parts = text.split(b'"')  # alternately the JSON syntax, and what is between quotes
    holds = DIGITS.sub(A_NUMBER, b'"'.join(parts[::2])).split(b'"')
    parts[::2] = holds
    for at in range(1, len(parts), 2):
        if not parts[at + 1].startswith(b":"):  # otherwise it is a key
            parts[at] = A_TEXT
    found = b'"'.join(parts)
    for mark, many in LISTS.items():
        found = many.sub(mark, found)
    return found


def pattern(of: bytes) -> re.Pattern[bytes]:
    """The regular expression that matches a shape."""
    marked = re.escape(of)
    for mark, means in MEANS.items():
        marked = marked.replace(mark, means)
    return re.compile(marked)


SHAPES: Final = Shapes()
"""The shapes that this process has seen; they are valid for every house."""
