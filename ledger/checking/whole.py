"""
The fast path of the check of events: accepts a stretch of many events at once, if all are right.

This module either accepts a stretch of positions or leaves it undecided. Then `events` checks it
one by one and reports what is wrong, if anything is. So whatever is accepted here must be accepted
there, and no finding is made here.

A body is canonical JSON with its keys in order. The columns, spelled as JSON and joined, must be
the beginning and the end of the body. Between them is the data, which must be canonical by itself.
Then the whole body is canonical and agrees with the columns.
"""

from __future__ import annotations

import json
import re
from hashlib import sha256
from operator import itemgetter
from typing import TYPE_CHECKING, Any, Final

from ledger import canonical, spelling
from ledger.checking.book import CHUNK
from ledger.models import Event, Transfer
from ledger.spelling import Unusual

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from ledger.checking.book import Book


# Parses the bodies of events: whether they are canonical, and what columns should copy.


NOT_IN_BODY: Final = ("position", "body", "leaf_hash")  # columns that are not in the body
COLUMNS: Final = tuple(
    each.name
    for each in Event._meta.concrete_fields  # noqa: SLF001 - documented API
    if each.name not in NOT_IN_BODY
)
COPIED: Final = itemgetter(*COLUMNS)
NUMBERS_OF_BODY: Final = itemgetter("stream_version", "schema_version", "command_seq")
KEYS: Final = {*COLUMNS, "data", "transfers"}

AT: Final = ("position", "seq")  # these identify a transfer within its house
OF_TRANSFERS: Final = AT + tuple(
    each.name
    for each in Transfer._meta.concrete_fields  # noqa: SLF001 - documented API
    if each.name not in {"establishment", *AT}
)
BOOKED_COLUMNS: Final = itemgetter(*OF_TRANSFERS)
BOOKED_KEYS: Final = {"transfer_id", "debit", "credit", "amount", "reason", "reverses"}


def read_bodies(body: bytes) -> Any:
    """
    The parsed body, if it is canonical.

    Nearly all bodies are ASCII. For them the parser and the encoder, both in C, give the same
    result as `canonical.decode`, because ASCII keys sort the same by code points.

    :raises NotCanonical: if the body is not the canonical spelling of its value.
    """
    if body.isascii() and b"\\u0000" not in body:
        try:
            fields, _ = PARSE(body.decode("ascii"))
            if canonical.WRITE(fields).encode("ascii") == body:
                return fields
        except (ValueError, RecursionError):
            pass  # the slow path below names the place
    try:
        return canonical.decode(body)
    except RecursionError:
        raise canonical.NotCanonical("Nested too deeply to be read.") from None


def rows_of_transfers(position: int, transfers: Any) -> Iterator[tuple[Any, ...]]:
    """
    The transfers of a body as rows, in the order of the columns.

    :raises ValueError: if one of them has not the fields of a transfer.
    """
    for seq, each in enumerate(transfers):
        if each.keys() != BOOKED_KEYS:
            raise ValueError(f"Transfer {seq} has other fields than a transfer has.")
        debit, credit = (each[side].partition(":") for side in ("debit", "credit"))
        yield BOOKED_COLUMNS(
            {
                **each,
                "position": position,
                "seq": seq,
                "debit_kind": debit[0],
                "debit_name": debit[2],
                "credit_kind": credit[0],
                "credit_name": credit[2],
            }
        )


def _no_float(text: str) -> Any:
    raise ValueError(text)


def _whole(text: str) -> int:
    number = int(text)
    if -canonical.INTEGER_MAX <= number <= canonical.INTEGER_MAX:
        return number
    raise ValueError(text)


PARSE: Final = json.JSONDecoder(
    parse_int=_whole, parse_float=_no_float, parse_constant=_no_float
).raw_decode

Columns = dict[str, "Sequence[Any]"]

HOUSE: Final = "establishment"  # not read: all rows are selected by it
DATA: Final = "data"
MONEY: Final = "transfers"
NAMES: Final = tuple(name for name in COLUMNS if name != HOUSE)
FRONT: Final = tuple(sorted(name for name in KEYS if name < DATA))
BACK: Final = tuple(sorted(name for name in KEYS if name > DATA))
BEGINS: Final = "{" + ",".join(f'"{name}":%s' for name in FRONT) + ',"data":'
ENDS: Final = "," + ",".join(f'"{name}":%s' for name in BACK) + "}"
MOVED: Final = tuple(sorted(BOOKED_KEYS))
BOOKED: Final = "{" + ",".join(f'"{name}":%s' for name in MOVED) + "}"
SIDES: Final = ("debit", "credit")

ROWS: Final = """
    SELECT position, body, leaf_hash, {columns} FROM ledger_event
    WHERE establishment = %(house)s AND position >= %(first)s - 1 AND position < %(stop)s
    ORDER BY position"""

TRANSFERS: Final = """
    SELECT {columns} FROM ledger_transfer
    WHERE establishment = %(house)s AND position >= %(first)s AND position < %(stop)s
    ORDER BY position, seq"""

ANSWERS: Final = f"""
    SELECT {{command}}, first_position, last_position FROM ledger_commandreceipt
    WHERE establishment = %(house)s AND refusal_code IS NULL AND first_position IS NOT NULL
        AND seq >= (
            SELECT min(seq) FROM ledger_commandreceipt
            WHERE establishment = %(house)s AND command_id = (
                SELECT command_id FROM ledger_event
                WHERE establishment = %(house)s AND position = %(first)s))
        AND seq <= (
            SELECT max(seq) FROM ledger_commandreceipt
            WHERE establishment = %(house)s AND command_id = (
                SELECT command_id FROM ledger_event
                WHERE establishment = %(house)s AND position = %(stop)s - 1))
    LIMIT {2 * CHUNK}"""  # noqa: S608 - of this module alone
"""The answers from that of the first event of a stretch to that of its last event."""

BEGUN: Final = """
    SELECT count(*) FROM ledger_event AS each
    WHERE establishment = %(house)s AND position IN ({positions})
        AND (stream_version = 1 OR EXISTS (
            SELECT 1 FROM ledger_event AS before
            WHERE before.establishment = %(house)s AND before.stream = each.stream
                AND before.stream_version = each.stream_version - 1
                AND before.position < each.position))
        AND NOT EXISTS (
            SELECT 1 FROM ledger_event AS twin
            WHERE twin.establishment = %(house)s AND twin.stream = each.stream
                AND twin.stream_version = each.stream_version
                AND twin.position <> each.position)"""
"""
Counts the given events, the first of their streams in a stretch, that follow their predecessor and
have no twin of the same version.
"""


def leaves(book: Book, first: int, stop: int) -> list[bytes] | None:
    """
    The hashes of the bodies of a stretch, if all its events are right; None: undecided.

    It checks rows, columns, streams, commands, receipts and transfers, but not the tree.
    """
    try:
        return Stretch(book, first, stop).hashed()
    except (Unusual, ValueError, TypeError, LookupError):
        return None


class Stretch:
    """The events from `first` to ``stop - 1``, column by column, and the event before them."""

    def __init__(self, book: Book, first: int, stop: int) -> None:
        self.book, self.first, self.stop = book, first, stop
        self.vendor: str = book.connection.vendor
        statement = ROWS.format(columns=spelling.columns_in_sql(book.connection, Event, NAMES))
        rows = book.bulk(statement, first=first, stop=stop)
        if [row[0] for row in rows] != list(range(max(0, first - 1), stop)):
            raise Unusual
        self.before = dict(zip(NAMES, rows[0][3:], strict=True)) if first else None
        _, found, hashes, *columns = zip(*rows[1 if first else 0 :], strict=True)
        self.bodies, self.hashes = list(map(bytes, found)), list(map(bytes, hashes))
        self.columns: Columns = dict(zip(NAMES, columns, strict=True))

    def hashed(self) -> list[bytes]:
        """The hashes of the bodies. :raises Unusual: if anything may be wrong."""
        made = [sha256(b"\x00" + body).digest() for body in self.bodies]
        if made != self.hashes:
            raise Unusual
        SHAPES.canonical(self.columns["event_type"], self._data())
        self._check_order()
        return made

    def _data(self) -> list[bytes]:
        """The data of each body: what is between the columns at its beginning and its end."""
        known = spelling.spell(Event, self.columns, self.vendor)
        known[HOUSE] = [f'"{self.book.establishment}"'] * len(self.bodies)
        known[MONEY] = self._money()
        fronts = zip(*(known[name] for name in FRONT), strict=True)
        backs = zip(*(known[name] for name in BACK), strict=True)
        found = []
        for body, front, back in zip(self.bodies, fronts, backs, strict=True):
            begins, ends = (BEGINS % front).encode(), (ENDS % back).encode()
            if not (body.startswith(begins) and body.endswith(ends)):
                raise Unusual
            found.append(body[len(begins) : -len(ends)])
        return found

    def _money(self) -> list[str]:
        """The transfers of each event, as JSON that its body should contain."""
        selected = spelling.columns_in_sql(self.book.connection, Transfer, OF_TRANSFERS)
        rows = self.book.bulk(TRANSFERS.format(columns=selected), first=self.first, stop=self.stop)
        if not rows:
            return ["[]"] * len(self.bodies)
        of: dict[int, list[str]] = {}
        columns: Columns = dict(zip(OF_TRANSFERS, zip(*rows, strict=True), strict=True))
        for (position, seq, *_), text in zip(rows, self._transfers_as_json(columns), strict=True):
            there = of.setdefault(position, [])
            if seq != len(there):
                raise Unusual
            there.append(text)
        texts = {position: f"[{','.join(those)}]" for position, those in of.items()}
        return [texts.get(position, "[]") for position in range(self.first, self.stop)]

    def _transfers_as_json(self, columns: Columns) -> Iterator[str]:
        """Each transfer as the JSON that a body contains."""
        sides = {side: (columns.pop(f"{side}_kind"), columns.pop(f"{side}_name")) for side in SIDES}
        known = spelling.spell(Transfer, columns, self.vendor)
        for side, (kinds, names) in sides.items():
            if any(":" in kind for kind in set(kinds)):
                raise Unusual
            spelling.plain({*kinds, *names})
            known[side] = [f'"{kind}:{name}"' for kind, name in zip(kinds, names, strict=True)]
        if known.keys() - {*AT} != {*MOVED}:
            raise Unusual  # a column was added later, and bodies do not contain it
        return map(BOOKED.__mod__, zip(*(known[name] for name in MOVED), strict=True))

    def _check_order(self) -> None:
        """Check the order of events in streams and commands, and the receipts of the commands."""
        answers, newest, begun = self._answers(), dict[str, int](), list[int]()
        command_before, seq_before = None, 0
        if self.before is not None:
            command_before, seq_before = self.before["command_id"], self.before["command_seq"]
        names = ("command_id", "command_seq", "stream", "stream_version")
        columns = (self.columns[name] for name in names)
        rows = zip(range(self.first, self.stop), *columns, strict=True)
        for position, command, seq, stream, version in rows:
            if seq and (command != command_before or seq != seq_before + 1):
                raise Unusual
            begins, last = answers[command]
            if begins != position - seq or last < position:
                raise Unusual
            if (newest_of := newest.get(stream)) is None:
                begun.append(position)
            elif version != newest_of + 1:
                raise Unusual
            newest[stream] = version
            command_before, seq_before = command, seq
        if min(self.columns["stream_version"]) < 1 or self._beginning(begun) != len(begun):
            raise Unusual

    def _answers(self) -> dict[Any, tuple[int, int]]:
        command = spelling.columns_in_sql(self.book.connection, Event, ["command_id"])
        rows = self.book.bulk(ANSWERS.format(command=command), first=self.first, stop=self.stop)
        return {command: (first, last) for command, first, last in rows}

    def _beginning(self, positions: list[int]) -> int:
        statement = BEGUN.format(positions=", ".join(map(str, positions)))
        [(count,)] = self.book.bulk(statement)
        return int(count)


# Recognises canonical JSON by regular expressions, one for each shape of event data seen before.
# Data of one event type comes in a few shapes: the same keys in the same order, with different
# texts and numbers. If a text has the shape of a canonical one, with plain texts and short whole
# numbers in the same places, it is canonical itself. Matching a pattern takes a fourth of the time
# of parsing and encoding. Data that fits no pattern is parsed (`bodies.read`), and a shape that
# comes often gets a pattern.


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
        read_bodies(text)
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
