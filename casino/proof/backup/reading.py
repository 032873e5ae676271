"""
Reads a backup back from its file and verifies each ledger in it, before the backup counts as made.

For every house it checks: no position is missing; every body hashes to its stored leaf; the tree
(RFC 6962) computed from the bodies has the root of every checkpoint; every checkpoint is signed
with a key that the ledger itself announces; the answers to commands make the chains that were
signed; there are as many transfers as in the bodies; accounts hold the sums of their transfers.

It needs 32 bytes of memory for each event and each answer, and some 120 for each checkpoint.
"""

from __future__ import annotations

import base64
import json
import re
import sqlite3
import struct
import subprocess
from collections import Counter
from contextlib import closing
from dataclasses import dataclass, field
from datetime import UTC, datetime
from hashlib import sha256
from tempfile import TemporaryFile
from typing import TYPE_CHECKING, Any, Final
from uuid import UUID

from casino.proof.backup import databases
from casino.proof.backup.manifests import BackupRefused
from casino.proof.signing import keys
from ledger.conflicts import count_of
from ledger.models import CommandReceipt
from ledger.verify import (
    NO_RECEIPTS,
    Checkpoint,
    Key,
    Range,
    Trust,
    Undecided,
    Unreadable,
    Untrue,
    leaf_hash,
)
from ledger.wire import answer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

    from django.db.backends.base.base import BaseDatabaseWrapper

    from casino.proof.backup.manifests import Contents

HASH: Final = 32  # bytes
HEAD: Final = struct.Struct(f">QQ{HASH}s{HASH}s")  # size, receipts, root, chain: sorts by size
AHEAD: Final = 1_000_000  # rows; in a real file of one table, no row is so far out of order
NO_TRANSFERS: Final = b'"transfers":[]'
ANNOUNCES: Final = b'"event_type":"keys.announced"'
SENTENCES_MAX: Final = 10  # per house; more of them say nothing new


@dataclass(slots=True)
class Hashes:
    """An array of hashes by number, which may be filled in any order."""

    expected: int = 0
    """Up to this number they may come in any order: a later piece of a table may be read first."""
    data: bytearray = field(default_factory=bytearray)
    count: int = 0

    def put(self, number: int, hashed: bytes) -> None:
        """Store a hash. :raises ValueError: if its number is far beyond what is to come."""
        if number > max(self.expected, self.count + AHEAD):
            raise ValueError(f"{number}, with {self.count} before it")
        end = HASH * (number + 1)
        if len(self.data) < end:
            self.data.extend(bytes(end - len(self.data)))
        self.data[end - HASH : end] = hashed
        self.count += 1

    @property
    def size(self) -> int:
        return len(self.data) // HASH

    def missing(self) -> int | None:
        """The first number without a hash; None: there is none. A real hash is never all zeros."""
        if self.count == self.size:
            return None
        none = bytes(HASH)
        return next(at for at in range(self.size) if self.of(at) == none)

    def of(self, number: int) -> bytes:
        return bytes(self.data[HASH * number : HASH * (number + 1)])

    def between(self, first: int, end: int) -> list[bytes]:
        return [self.of(at) for at in range(first, end)]


class House:
    """What was read of one house, and what is wrong with it."""

    def __init__(self, establishment: str, head: int = 0) -> None:
        self.establishment = establishment
        self.leaves, self.answers = Hashes(head), Hashes()
        self.heads: list[bytes] = []
        self.notes: list[tuple[int, str]] = []
        self.announced: set[bytes] = set()
        self.booked = self.transfers = 0
        self.sums: Counter[tuple[str, str, str]] = Counter()
        self.wrong: list[str] = []

    def report(self, sentence: str) -> None:
        if len(self.wrong) < SENTENCES_MAX:
            self.wrong.append(f"{self.establishment}: {sentence}")

    def event(self, position: int, body: bytes, stored: bytes) -> None:
        leaf = leaf_hash(body)
        if leaf != stored:
            self.report(f"position {position} does not hash to what is stored.")
        self.leaves.put(position, leaf)
        if NO_TRANSFERS not in body:
            self.booked += len(json.loads(body)["transfers"])
        if ANNOUNCES in body:
            self.announced.add(Key.parse(json.loads(body)["data"]["vkey"]).public)

    def receipt(self, seq: int, *columns: Any) -> None:
        names = TABLES["ledger_commandreceipt"][2:]
        row = CommandReceipt(**dict(zip(names, columns, strict=True)))
        self.answers.put(seq, sha256(answer(row)).digest())

    def transfer(self, *columns: Any) -> None:
        debit, debit_name, credit, credit_name, amount = columns
        self.transfers += 1
        self.sums[debit, debit_name, "debits"] += amount
        self.sums[credit, credit_name, "credits"] += amount

    def account(self, kind: str, name: str, debits: int, credits_: int) -> None:
        self.sums[kind, name, "debits"] -= debits
        self.sums[kind, name, "credits"] -= credits_

    def checkpoint(self, *columns: Any) -> None:
        """Take in a checkpoint; one that no known key signed is kept, as keys may come later."""
        _epoch, size, origin, root, receipts, chain, note = columns
        try:
            parsed = Checkpoint.parse(note.encode())
        except Unreadable:
            self.report(f"the checkpoint of {count_of(size, 'event')} cannot be read.")
            return
        if (parsed.origin, parsed.size, parsed.root, parsed.receipts, parsed.chain) != (
            origin, size, root, receipts, chain,
        ):  # fmt: skip
            self.report(f"the checkpoint of {count_of(size, 'event')} is not what its note says.")
        self.heads.append(HEAD.pack(parsed.size, parsed.receipts, parsed.root, parsed.chain))
        if not self._is_signed(parsed):
            self.notes.append((size, note))

    def _is_signed(self, checkpoint: Checkpoint) -> bool:
        names = tuple(keys.key_of(public, checkpoint.origin) for public in self.announced)
        try:
            return bool(names and Trust(names).believe(checkpoint))
        except (Untrue, Undecided):
            return False

    def verified(self) -> dict[str, Any]:
        """Compare everything that was read; the figures for the manifest."""
        for size, note in self.notes:  # the key may have been announced later in the file
            if not self._is_signed(Checkpoint.parse(note.encode())):
                self.report(
                    f"the checkpoint of {count_of(size, 'event')} is not signed with a"
                    " key on record."
                )
        self._whole()
        self.heads.sort()
        root = self._tree()
        self._chain()
        if self.transfers != self.booked:
            self.report(
                f"{count_of(self.transfers, 'transfer')}, and the bodies have {self.booked}."
            )
        if off := sorted({f"{kind} {name}" for (kind, name, _), left in self.sums.items() if left}):
            self.report(f"{off[0]} does not hold what its transfers come to; so do {len(off)}.")
        return {
            "id": self.establishment, "position": self.leaves.size - 1,
            "root": base64.b64encode(root).decode(), "receipts": self.answers.size,
            "transfers": self.transfers, "checkpoints": len(self.heads),
            "signed": HEAD.unpack(self.heads[-1])[0] if self.heads else 0,
        }  # fmt: skip

    def _whole(self) -> None:
        if (gone := self.leaves.missing()) is not None:
            self.report(f"position {gone} is missing.")
        if (gone := self.answers.missing()) is not None:
            self.report(f"the answer to command {gone} is missing.")

    def _tree(self) -> bytes:
        """The root over all events, compared at each checkpoint on the way. RFC 6962."""
        tree, sound = Range(), 0
        for size, _receipts, root, _chain in map(HEAD.unpack, self.heads):
            if size > self.leaves.size:
                self.report(
                    f"{count_of(size, 'event was', 'events were')} signed, and there are"
                    f" {self.leaves.size}."
                )
                break
            tree.extend(self.leaves.between(tree.size, size))
            if tree.root() != root:
                self.report(f"positions {sound} to {size - 1} are not what was signed.")
            sound = size
        tree.extend(self.leaves.between(tree.size, self.leaves.size))
        return tree.root()

    def _chain(self) -> None:
        chain, count, sound = NO_RECEIPTS, 0, 0
        for _size, receipts, _root, signed in map(HEAD.unpack, self.heads):
            if receipts > self.answers.size:
                self.report(
                    f"{count_of(receipts, 'answer was', 'answers were')} signed, and"
                    f" there are {self.answers.size}."
                )
                return
            while count < receipts:
                chain, count = sha256(chain + self.answers.of(count)).digest(), count + 1
            if chain != signed:
                self.report(f"the answers to commands {sound} to {receipts - 1} were changed.")
                return
            sound = receipts


TAKEN: Final[dict[str, Callable[..., None]]] = {
    "ledger_event": House.event,
    "ledger_commandreceipt": House.receipt,
    "ledger_transfer": House.transfer,
    "ledger_account": House.account,
    "ledger_checkpoint": House.checkpoint,
}


@dataclass(frozen=True, slots=True)
class Read:
    """
    The result of reading a backup's file back.

    :param houses: ``{"id", "position", "root", "receipts", "transfers", "checkpoints", "signed"}``
        for each: ``position`` is the last position, ``root`` the root over all events in base64,
        ``signed`` how many events the newest checkpoint covers.
    :param wrong: sentences that name the house and the place; empty if all is sound.
    """

    houses: list[dict[str, Any]]
    wrong: list[str]


def read(connection: BaseDatabaseWrapper, file: Path, contents: Contents) -> Read:
    """
    Read a backup back and verify every ledger in it.

    :param contents: what the database reported that it contains.
    :raises BackupRefused: if the file cannot be read to its end.
    """
    houses = {each["id"]: House(each["id"], each["head"]) for each in contents.houses}
    for table, (establishment, *columns) in rows(connection, file):
        # A house that is being imported has a ledger before it has its own row.
        if (house := houses.get(establishment)) is None:
            house = houses[establishment] = House(establishment)
        try:
            TAKEN[table](house, *columns)
        except (ValueError, LookupError, TypeError) as error:
            house.report(f"a row of {table} cannot be read: {error}")
    found = {house.establishment: house.verified() for house in houses.values()}
    wrong = [each for house in houses.values() for each in house.wrong]
    return Read(list(found.values()), [*wrong, *_compare_counts(contents, found)])


def _compare_counts(contents: Contents, found: Mapping[str, dict[str, Any]]) -> Iterator[str]:
    """Sentences for houses of which the file has not what the database reported."""
    for house in contents.houses:
        read_back = found[house["id"]]
        signed = 0 if house["checkpoint"] is None else house["checkpoint"]["size"]
        expected, got = (house["head"], signed), (read_back["position"], read_back["signed"])
        if expected != got:
            yield (
                f"{house['id']}: up to position {got[0]} and the checkpoint of"
                f" {count_of(got[1], 'event')}; the"
                f" database had position {expected[0]} and the checkpoint of {expected[1]}."
            )


# Reads the rows of a backup from its file: an SQLite database, or a dump in pg_dump's custom
# format.
#
# The rows of each table come in the order of the file, those of a partitioned one piece by piece;
# ids as text with dashes, moments in UTC, bytes as bytes. Every table of a dump is read to its end,
# also those that are not wanted.


if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from pathlib import Path

    from django.db.backends.base.base import BaseDatabaseWrapper

    Row = tuple[Any, ...]

TABLES: Final[Mapping[str, Sequence[str]]] = {
    "ledger_event": ("establishment", "position", "body", "leaf_hash"),
    "ledger_commandreceipt": (
        "establishment", "seq", "command_id", "request_hash", "first_position", "last_position",
        "refusal_code", "refusal_detail", "actor", "recorded_at",
    ),
    "ledger_transfer": (
        "establishment", "debit_kind", "debit_name", "credit_kind", "credit_name", "amount",
    ),
    "ledger_account": ("establishment", "kind", "name", "debits", "credits"),
    "ledger_checkpoint": (
        "establishment", "epoch", "size", "origin", "root", "receipts", "chain", "note",
    ),
}  # fmt: skip
"""The tables and columns of a ledger that are read back."""

PIECE: Final = r"partitions\.\"?(\w+?)_h\d+(?:_p\d+n?)?"
COPY: Final = re.compile(rf"COPY (?:{PIECE}|(?:\w+\.)?\"?(\w+))\"? \((.*)\) FROM stdin;\n")
"""The table of a piece (casino/engine/scale/partitions/sql), or a table; and the columns."""
END: Final = "\\.\n"
ESCAPE: Final = re.compile(r"\\(.)")
ESCAPED: Final = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v"}
WHOLE: Final = frozenset((
    "position", "seq", "first_position", "last_position", "amount", "debits", "credits", "epoch",
    "size", "receipts",
))  # fmt: skip
BYTES: Final = frozenset(("body", "leaf_hash", "request_hash", "root", "chain"))
IDS: Final = frozenset(("establishment", "command_id"))


def rows(connection: BaseDatabaseWrapper, file: Path) -> Iterator[tuple[str, Row]]:
    """
    The rows of a backup, each with its table's name, and its columns in the order of `TABLES`.

    :raises BackupRefused: if the file cannot be read to its end.
    """
    if connection.vendor == "postgresql":
        yield from _rows_of_dump(databases.find_programs(connection).pg_restore, file)
    else:
        yield from _rows_of_copy(file)


def _rows_of_copy(file: Path) -> Iterator[tuple[str, Row]]:
    try:
        with closing(databases.open_read_only(file)) as database:
            for table, names in TABLES.items():
                read = [_of_sqlite(name) for name in names]
                statement = f"SELECT {', '.join(names)} FROM {table}"  # noqa: S608 - names of ours
                for row in database.execute(statement):
                    yield table, tuple(_read(read, row))
    except sqlite3.Error as error:
        raise BackupRefused(f"{file} cannot be read back: {error}.") from error


def _read(made: Sequence[Callable[[Any], Any]], row: Row) -> Iterator[Any]:
    for each, value in zip(made, row, strict=True):
        yield None if value is None else each(value)


def _of_sqlite(name: str) -> Callable[[Any], Any]:
    if name in IDS:
        return lambda value: str(UUID(value))
    return _utc if name == "recorded_at" else lambda value: value


def _rows_of_dump(program: Path, file: Path) -> Iterator[tuple[str, Row]]:
    """The rows of a dump, from the text for psql that pg_restore prints."""
    command = [str(program), "--data-only", "--file=-", str(file)]
    with (
        TemporaryFile() as complaints,
        subprocess.Popen(  # noqa: S603 - a program of PostgreSQL's, without a shell
            command, stdout=subprocess.PIPE, stderr=complaints
        ) as process,
    ):
        assert process.stdout is not None  # noqa: S101 - a pipe was asked for
        lines = (line.decode(errors="replace") for line in process.stdout)
        for line in lines:
            if line.startswith("COPY ") and (begun := COPY.fullmatch(line)) is not None:
                table, columns = begun[1] or begun[2], begun[3].replace('"', "").split(", ")
                try:
                    yield from _table(lines, table, columns)
                except (ValueError, LookupError) as error:
                    raise BackupRefused(
                        f"{file} cannot be read back: a row of {table}: {error}."
                    ) from error
        process.wait()
        complaints.seek(0)
        errors = complaints.read().decode(errors="replace").strip().splitlines()
    if process.returncode:
        raise BackupRefused(f"{file} cannot be read back: {(errors or ['it is damaged'])[-1]}")


def _table(lines: Iterator[str], table: str, columns: Sequence[str]) -> Iterator[tuple[str, Row]]:
    wanted = TABLES.get(table)
    places = [(columns.index(name), _of_text(name)) for name in wanted or ()]
    for line in lines:
        if line == END:
            return
        if wanted is not None:
            values = line[:-1].split("\t")
            yield (
                table,
                tuple(None if values[at] == r"\N" else made(values[at]) for at, made in places),
            )


def _of_text(name: str) -> Callable[[str], Any]:
    """The function that turns COPY's text of a column into its value."""
    if name in WHOLE:
        return int
    if name in BYTES:
        return lambda text: bytes.fromhex(text[3:])  # after the prefix \\x
    if name == "recorded_at":
        return _utc
    return _unescape


def _unescape(text: str) -> str:
    if "\\" not in text:
        return text
    return ESCAPE.sub(lambda found: ESCAPED.get(found[1], found[1]), text)


def _utc(text: str) -> datetime:
    at = datetime.fromisoformat(text)
    return at.replace(tzinfo=UTC) if at.tzinfo is None else at.astimezone(UTC)
