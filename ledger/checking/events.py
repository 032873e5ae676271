"""
Checks every event: its hash, its columns, its stream, its command and its transfers.

The body is the truth. `whole` checks a stretch of many events at once, and either accepts it or
leaves it to this module, which looks at each event and reports what is wrong. The computed hashes
are compared with the stored tiles (`roots`), and added to the tree whose root was signed
(`roots`).
"""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING, Any, Final

from ledger.checking import roots as checking_roots
from ledger.checking import whole
from ledger.checking.findings import Finding, Step
from ledger.checking.roots import Roots
from ledger.models import Event, Transfer

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ledger.checking.book import Book
    from ledger.checking.findings import Place
    from ledger.checking.roots import Leaves

Row = tuple[Any, ...]

ROWS: Final = """
    SELECT position, body, leaf_hash, {columns} FROM ledger_event
    WHERE establishment = %(house)s AND position >= %(first)s AND position < %(stop)s
    ORDER BY position"""

TRANSFERS: Final = """
    SELECT {columns} FROM ledger_transfer
    WHERE establishment = %(house)s AND position >= %(first)s AND position < %(stop)s
    ORDER BY position, seq"""

BEFORE: Final = """
    SELECT {columns} FROM ledger_event
    WHERE establishment = %(house)s AND position = %(first)s - 1"""

NEXT: Final = """
    SELECT min(position) FROM ledger_event
    WHERE establishment = %(house)s AND position >= %(first)s AND position < %(stop)s"""

# Scalar subqueries: one index look-up per row, whatever statistics the planner has.
MISPLACED: Final = """
    WITH placed AS MATERIALIZED (
        SELECT position, stream, stream_version, command_id, (
            SELECT max(before.position) FROM ledger_event AS before
            WHERE before.establishment = %(house)s AND before.stream = each.stream
                AND before.stream_version = each.stream_version - 1) AS before, (
            SELECT max(receipt.last_position) FROM ledger_commandreceipt AS receipt
            WHERE receipt.establishment = %(house)s
                AND receipt.command_id = each.command_id AND receipt.refusal_code IS NULL
                AND receipt.first_position = each.position - each.command_seq) AS answered
        FROM ledger_event AS each
        WHERE establishment = %(house)s AND position >= %(first)s AND position < %(stop)s
    )
    SELECT position, stream, stream_version, {command}, before, answered FROM placed
    WHERE stream_version < 1 OR (stream_version > 1 AND (before IS NULL OR before >= position))
        OR answered IS NULL OR answered < position
    ORDER BY position"""

SAME_VERSION: Final = """
    SELECT each.position, each.stream, each.stream_version, min(twin.position)
    FROM ledger_event AS each JOIN ledger_event AS twin
        ON twin.establishment = %(house)s AND twin.stream = each.stream
            AND twin.stream_version = each.stream_version AND twin.position < each.position
    WHERE each.establishment = %(house)s AND each.position >= %(first)s
        AND each.position < %(stop)s
    GROUP BY each.position, each.stream, each.stream_version ORDER BY each.position"""

COMMAND, SEQ = (3 + whole.COLUMNS.index(name) for name in ("command_id", "command_seq"))


def check(book: Book, place: Place) -> Iterator[Step]:
    """The check of events. :param place: ``at``, the next position; ``roots``, the tree so far."""
    roots = Roots(book, place.get("roots", {}))
    found = [] if place else list(roots.begun())
    at: int = place.get("at", book.start)
    while at < book.stop:
        chunk = Chunk(book, at, book.stretch(at))
        found += chunk.findings
        if chunk.made:
            found += roots.extend(chunk.made, chunk.stored)
        else:
            roots.lose(chunk.stop)
        done, at = chunk.stop - at, chunk.stop
        yield Step(found, {"at": at, "roots": roots.place}, done)
        found = []
    if found:  # there was no event to check
        yield Step(found, {"at": at, "roots": roots.place})


class Chunk:
    """
    The events from `first` to ``stop - 1``. If there are none, it reaches up to the next event.

    :param made: the hashes computed from the bodies. :param stored: the stored hashes.
    """

    def __init__(self, book: Book, first: int, stop: int) -> None:
        self.book, self.first, self.stop = book, first, stop
        self.findings: list[Finding] = []
        self._booked: list[Row] = []
        self.made: Leaves
        self.stored: Leaves
        ahead = book.ahead
        made = whole.leaves(book, first, stop) if ahead is None else ahead.leaves(first, stop)
        if made is not None:
            self.made, self.stored = [*made], [*made]
        else:
            self._one_by_one(first, stop)
        self.findings += checking_roots.against_tiles(book, first, self.made, self.stored)

    def _one_by_one(self, first: int, stop: int) -> None:
        """Look at each event by itself, and note what is wrong with it."""
        book = self.book
        columns = book.spelt(Event, whole.COLUMNS)
        rows = book.bulk(ROWS.format(columns=columns), first=first, stop=stop)
        if not rows:
            [(following,)] = book.rows(NEXT, first=first, stop=book.stop)
            self.stop = book.stop if following is None else following
        size = stop - first if rows else 0
        self.made, self.stored = [None] * size, [None] * size
        self._events(rows)
        self._missing(rows)
        self._transfers()
        self._places()
        self._check_same_version()

    def _events(self, rows: Sequence[Row]) -> None:
        previous = self._previous()
        for row in rows:
            position, body, leaf = row[0], bytes(row[1]), bytes(row[2])
            made = sha256(b"\x00" + body).digest()
            self.made[position - self.first] = made
            self.stored[position - self.first] = leaf
            if made != leaf:
                self._leaf(position, made, leaf)
            self._content(position, body, row[3:])
            command, seq = row[COMMAND], row[SEQ]
            if seq and (command, seq - 1) != previous:
                self._out_of_order(position, command, seq)
            previous = command, seq

    def _content(self, position: int, body: bytes, columns: Row) -> None:
        try:
            fields = whole.read_bodies(body)
            if fields.keys() != whole.KEYS or bool in map(type, whole.NUMBERS_OF_BODY(fields)):
                raise ValueError("Other fields than an event has.")  # noqa: TRY301
            if whole.COPIED(fields) != columns:
                self._columns(position, whole.COPIED(fields), columns)
            if fields["transfers"]:
                self._booked += whole.rows_of_transfers(position, fields["transfers"])
        except (ValueError, TypeError, AttributeError, LookupError) as error:
            self._note("body", position, f"The body at position {position} is no event: {error}")

    def _previous(self) -> Row | None:
        """The command of the event before the first, and its number within that command."""
        columns = self.book.spelt(Event, ["command_id", "command_seq"])
        rows = self.book.rows(BEFORE.format(columns=columns), first=self.first)
        return rows[0] if rows else None

    def _transfers(self) -> None:
        columns = self.book.spelt(Transfer, whole.OF_TRANSFERS)
        there = self.book.rows(TRANSFERS.format(columns=columns), first=self.first, stop=self.stop)
        if there == self._booked:
            return
        in_bodies, kept = ({row[:2]: row for row in rows} for rows in (self._booked, there))
        for at in sorted(in_bodies.keys() | kept.keys()):
            if in_bodies.get(at) != kept.get(at):
                self._transfer(in_bodies.get(at), kept.get(at))

    def _places(self) -> None:
        statement = MISPLACED.format(command=self.book.spelt(Event, ["command_id"]))
        for position, stream, version, command, before, answered in self.book.rows(
            statement, first=self.first, stop=self.stop
        ):
            if version != 1 and (before is None or before >= position):
                self._note(
                    "version", position,
                    f"The event at position {position} is version {version} of {stream}, and no"
                    f" version {version - 1} stands before it.",
                    row={"stream": stream, "version": version},
                )  # fmt: skip
            if answered is None or answered < position:
                self._note(
                    "receipt", position,
                    f"The receipt of the command does not speak of the event at {position}.",
                    row={"command": command},
                )  # fmt: skip

    def _check_same_version(self) -> None:
        """Find events of one stream with the same version, in case the unique key was removed."""
        for position, stream, version, other in self.book.rows(
            SAME_VERSION, first=self.first, stop=self.stop
        ):
            self._note(
                "version", position,
                f"The event at position {position} is version {version} of {stream}, as is the one"
                f" at position {other}.",
                row={"stream": stream, "version": version},
            )  # fmt: skip

    def _missing(self, rows: Sequence[Row]) -> None:
        """Note each interval of positions that has no event."""
        expected = self.first
        for position in (*(row[0] for row in rows), self.stop):
            if position > expected:
                last = position - 1
                missing = f"position {expected}" if last == expected else f"{expected} to {last}"
                self._note("position", expected, f"There is no event at {missing}.", last=last)
            expected = position + 1

    def _leaf(self, position: int, made: bytes, leaf: bytes) -> None:
        self._note(
            "leaf", position, f"The body at position {position} hashes to another leaf.",
            column="leaf_hash", expected=made.hex(), found=leaf.hex(),
        )  # fmt: skip

    def _columns(self, position: int, in_body: Row, columns: Row) -> None:
        for name, expected, found in zip(whole.COLUMNS, in_body, columns, strict=True):
            if expected != found:
                self._note(
                    "column", position,
                    f"The column {name} of the event at position {position} is not what its body"
                    " says.",
                    column=name, expected=expected, found=found,
                )  # fmt: skip

    def _out_of_order(self, position: int, command: str, seq: int) -> None:
        says = f"The event at position {position} does not follow number {seq - 1} of its command."
        self._note("command", position, says, row={"command": command, "seq": seq})

    def _transfer(self, in_body: Row | None, kept: Row | None) -> None:
        position, seq = (in_body or kept or ())[:2]
        row, which = {"transfer": seq}, f"transfer {seq} of the event at position {position}"
        if kept is None:
            self._note("transfer", position, f"The {which} is missing.", row=row)
        elif in_body is None:
            self._note("transfer", position, f"The {which} is not in its body.", row=row)
        else:
            for name, expected, found in zip(whole.OF_TRANSFERS, in_body, kept, strict=True):
                if expected != found:
                    self._note(
                        "transfer", position, f"The {which} is not what its body says: {name}.",
                        row=row, column=name, expected=expected, found=found,
                    )  # fmt: skip

    def _note(self, check: str, position: int, says: str, **more: Any) -> None:
        self.findings.append(Finding(check=check, first=position, says=says, **more))
