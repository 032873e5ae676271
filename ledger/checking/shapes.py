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

TEXT: Final = rb'"[ !#-\[\]-~]*"'  # ASCII that stands as it is between quotes
NUMBER: Final = rb"(?:0|-?[1-9][0-9]{0,14})"  # below 2**53, in its one spelling
MARKS: Final = {b"\x01": TEXT, b"\x02": NUMBER}
LISTS: Final = {
    sort: re.compile(rb"\\\[%b(?:,%b)*\\\]" % (mark, mark)) for mark, sort in MARKS.items()
}
TOKEN: Final = re.compile(rb'"[^"]*"(:?)|-?[0-9]+|[^"0-9-]+')
OFTEN: Final = 8  # times that a shape is met before a pattern is made of it: that takes a while
OF_ONE_KIND: Final = 24
IN_ALL: Final = 2048


class Shapes:
    """Patterns by the kind of event, bounded in number."""

    def __init__(self) -> None:
        self._known: dict[str, list[bytes]] = {}
        self._fits: dict[str, Callable[[bytes], object]] = {}
        self._met: dict[tuple[str, bytes], int] = {}
        self._new: set[str] = set()

    def canonical(self, kinds: Iterable[str], texts: Iterable[bytes]) -> None:
        """
        That each text, the data of an event of a kind, is canonical JSON.

        :raises ValueError: or another of what `bodies.read` raises, if one is not.
        """
        while self._new:
            kind = self._new.pop()
            self._fits[kind] = re.compile(b"|".join(self._known[kind])).fullmatch
        fits = self._fits.get
        for kind, text in zip(kinds, texts, strict=True):
            if (known := fits(kind)) is None or known(text) is None:
                self._read(kind, text)

    def _read(self, kind: str, text: bytes) -> None:
        bodies.read(text)
        if b"\\" in text or not text.isascii() or len(self._met) >= IN_ALL:
            return
        met = kind, pattern(text)
        self._met[met] = self._met.get(met, 0) + 1
        if self._met[met] == OFTEN:
            known = self._known.setdefault(kind, [])
            if len(known) < OF_ONE_KIND:
                known.append(met[1])
                self._new.add(kind)


def pattern(text: bytes) -> bytes:
    """What has the shape of a canonical text without a backslash."""
    marked = TOKEN.sub(_marked, text)
    for sort, run in LISTS.items():
        many = rb"\[%b(?:,%b)*\]" % (sort, sort)
        marked = run.sub(many.replace(b"\\", rb"\\"), marked)
    for mark, sort in MARKS.items():
        marked = marked.replace(mark, sort)
    return marked


def _marked(token: re.Match[bytes]) -> bytes:
    """Keys and all that holds things together stay; texts and numbers become marks."""
    if token[0].startswith(b'"'):
        return re.escape(token[0]) if token[1] else b"\x01"
    return b"\x02" if token[0].lstrip(b"-").isdigit() else re.escape(token[0])


SHAPES: Final = Shapes()
"""What a process has met: that a shape is canonical is so in every house."""
