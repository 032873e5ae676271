"""
Reads the rows of a backup from its file: an SQLite database, or a dump in pg_dump's custom format.

The rows of each table come in the order of the file, those of a partitioned one piece by piece; ids
as text with dashes, moments in UTC, bytes as bytes. Every table of a dump is read to its end, also
those that are not wanted.
"""

from __future__ import annotations

import re
import sqlite3
import subprocess
from contextlib import closing
from datetime import UTC, datetime
from tempfile import TemporaryFile
from typing import TYPE_CHECKING, Any, Final
from uuid import UUID

from casino.proof.integrity import backup_postgresql, backup_sqlite
from casino.proof.integrity.backup_manifest import BackupRefused

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
        yield from _rows_of_dump(backup_postgresql.find_programs(connection).pg_restore, file)
    else:
        yield from _rows_of_copy(file)


def _rows_of_copy(file: Path) -> Iterator[tuple[str, Row]]:
    try:
        with closing(backup_sqlite.open_read_only(file)) as database:
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
