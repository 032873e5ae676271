"""
What the data of events looks like: a pattern for each shape that was found canonical before.

Data of one kind of event comes in a few shapes: the same keys, in their order, around other texts
and numbers. A text that has the shape of a canonical one, with plain texts and short whole numbers
in the same places, is canonical itself, which a pattern tells in a fourth of the time that reading
it and spelling it again takes. What fits no pattern is read (`bodies.read`), and a pattern is made
of what comes often.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from ledger.checking import bodies

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

A_TEXT, A_NUMBER, TEXTS, NUMBERS = b"\x01", b"\x02", b"\x03", b"\x04"  # no JSON holds them
TEXT: Final = rb"[ !#-\[\]-~]*"  # ASCII that stands as it is between quotes
NUMBER: Final = rb"(?:0|-?[1-9][0-9]{0,14})"  # below 2**53, in its one spelling
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
OFTEN: Final = 6  # times that a shape is met before a pattern is made of it: that takes a while
OF_ONE_KIND: Final = 24
IN_ALL: Final = 2048


class Shapes:
    """Patterns by the kind of event, bounded in number."""

    def __init__(self) -> None:
        self._known: dict[str, list[Callable[[bytes], object]]] = {}
        self._met: dict[tuple[str, bytes], int] = {}

    def canonical(self, kinds: Iterable[str], texts: Iterable[bytes]) -> None:
        """
        That each text, the data of an event of a kind, is canonical JSON.

        :raises ValueError: or another of what `bodies.read` raises, if one is not.
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
    """A canonical text without a backslash, with marks where texts and numbers may be others."""
    parts = text.split(b'"')  # in turn what holds it together, and what stands between quotes
    holds = DIGITS.sub(A_NUMBER, b'"'.join(parts[::2])).split(b'"')
    parts[::2] = holds
    for at in range(1, len(parts), 2):
        if not parts[at + 1].startswith(b":"):  # else it is a key
            parts[at] = A_TEXT
    found = b'"'.join(parts)
    for mark, many in LISTS.items():
        found = many.sub(mark, found)
    return found


def pattern(of: bytes) -> re.Pattern[bytes]:
    """What fits a shape."""
    marked = re.escape(of)
    for mark, means in MEANS.items():
        marked = marked.replace(mark, means)
    return re.compile(marked)


SHAPES: Final = Shapes()
"""What a process has met: that a shape is canonical is so in every house."""
