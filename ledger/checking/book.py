"""Which part of which house's book is checked, and how its rows are read."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, Protocol

from django.db import connections, transaction

from ledger import keyed, spelling
from ledger.models import Checkpoint
from ledger.verify import Checkpoint as Published
from ledger.verify import Key, Trust, Unreadable, Untrue

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import datetime
    from uuid import UUID

    from django.db import models

CHUNK: Final = 2048  # rows in memory: eight tiles
PAGE: Final = 500  # checkpoints that are read in one go

BOUNDS: Final = """
    SELECT (SELECT max(position) FROM ledger_event WHERE establishment = %(house)s),
           (SELECT max(seq) FROM ledger_commandreceipt WHERE establishment = %(house)s)"""

HEADS: Final = """
    SELECT epoch, size, origin, root, receipts, chain, note, {signed_at} FROM ledger_checkpoint
    WHERE establishment = %(house)s AND (epoch, size) > (%(epoch)s, %(size)s)
    ORDER BY epoch, size LIMIT {page}"""


COPIED: Final = ("origin", "size", "root", "receipts", "chain")
"""Columns of a checkpoint that its note has, too, and that the tree is held against."""


@dataclass(frozen=True, slots=True)
class Head:
    """A row of signed checkpoints; `published`: what its note says, None if nobody can read it."""

    epoch: int
    size: int
    origin: str
    root: bytes
    receipts: int
    chain: bytes
    note: str
    signed_at: str
    published: Published | None

    @property
    def place(self) -> list[int]:
        return [self.epoch, self.size]

    @property
    def whole(self) -> bool:
        """Whether the columns are what the note says."""
        return self.published is not None and all(
            getattr(self.published, name) == getattr(self, name) for name in COPIED
        )


class Ahead(Protocol):
    """Who has told stretches of events already."""

    def leaves(self, first: int, stop: int) -> list[bytes] | None:
        """As `whole.leaves`."""


@dataclass(frozen=True, kw_only=True)
class Book:
    """
    A house's book as far as it went at a moment, read over a connection that only reads.

    :param using: Django's alias of the database. :param keys: public keys that may have signed.
    :param start: positions before it are taken as the checkpoint of that size signed them; 0: all
        is checked. :param stop: the position behind the last. :param receipts: answered commands.
    :param now: nothing was signed later. :param kept: checkpoints that others kept of this house.
    :param behind: where the book says itself that it is behind what others have; None: nowhere.
    :param ahead: who tells stretches of events beside this process; None: nobody.
    """

    establishment: UUID
    using: str
    keys: tuple[Key, ...]
    start: int
    stop: int
    receipts: int
    now: datetime
    kept: tuple[Published, ...] = field(default=())
    behind: int | None = None
    ahead: Ahead | None = None

    def stretch(self, first: int) -> int:
        """Where the stretch ends that is read in one go from a position on."""
        return min(self.stop, (first // CHUNK + 1) * CHUNK)

    def spelt(self, model: type[models.Model], names: Sequence[str], of: str = "") -> str:
        """Columns in SQL, as bodies spell them."""
        return spelling.spelt(self.connection, model, names, of)

    def rows(self, statement: str, **values: Any) -> list[tuple[Any, ...]]:
        """One statement of its own: no lock and no snapshot outlives it. Knows ``%(house)s``."""
        return keyed.fetched(self.connection.cursor(), statement, {"house": self.key, **values})

    def bulk(self, statement: str, **values: Any) -> list[tuple[Any, ...]]:
        """The same of many bodies or hashes; `spelt` are all other columns, or numbers."""
        cursor = keyed.in_binary(self.connection)
        return keyed.fetched(cursor, statement, {"house": self.key, **values})

    @contextmanager
    def moment(self) -> Iterator[None]:
        """What is read within is of one moment; for what is read in no time."""
        begun = self.connection.in_atomic_block
        with transaction.atomic(using=self.using):
            if not begun and self.connection.vendor == "postgresql":
                with self.connection.cursor() as cursor:
                    cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
            yield

    @property
    def connection(self) -> Any:
        return connections[self.using]

    @cached_property
    def key(self) -> Any:
        return key(self.establishment, self.using)

    @cached_property
    def base(self) -> Head | None:
        """The signed checkpoint that this begins with; None: it begins at position 0."""
        rows = Checkpoint.objects.using(self.using).filter(
            establishment=self.establishment, size=self.start
        )
        epoch = rows.order_by("-epoch").values_list("epoch", flat=True).first()
        if not self.start or epoch is None:
            return None
        return next(self.heads([epoch, self.start - 1]))

    def heads(self, after: Sequence[int]) -> Iterator[Head]:
        """Signed checkpoints, from the one behind `after` (epoch, size)."""
        statement = HEADS.format(signed_at=self.spelt(Checkpoint, ["signed_at"]), page=PAGE)
        while page := self.rows(statement, epoch=after[0], size=after[1]):
            for epoch, size, origin, root, receipts, chain, note, signed_at in page:
                yield Head(
                    epoch, size, origin, bytes(root), receipts, bytes(chain), note, signed_at,
                    readable(note),
                )  # fmt: skip
            after = page[-1][:2]

    def signed(self, published: Published) -> bool:
        """Whether one of the house's keys signed it, in the name of its origin."""
        keys = tuple({key.public: Key(published.origin, key.public) for key in self.keys}.values())
        try:
            return bool(keys and Trust(keys).believe(published))
        except Untrue:
            return False


def key(establishment: UUID, using: str) -> Any:
    """A house as the database keeps its id."""
    return keyed.key(connections[using], establishment)


def bounds(establishment: UUID, using: str) -> tuple[int, int]:
    """How many positions and answered commands a book has, of one moment."""
    with connections[using].cursor() as cursor:
        cursor.execute(BOUNDS, {"house": key(establishment, using)})
        head, seq = cursor.fetchone()
    return (0 if head is None else head + 1), (0 if seq is None else seq + 1)


def start_of(establishment: UUID, using: str, since: int) -> int:
    """Where a check of what is new since a position begins: at the newest checkpoint up to it."""
    rows = Checkpoint.objects.using(using).filter(establishment=establishment, size__lte=since)
    return rows.order_by("-size").values_list("size", flat=True).first() or 0


def readable(note: str) -> Published | None:
    try:
        published = Published.parse(note.encode())
    except (Unreadable, UnicodeEncodeError):
        return None
    return published if published.note == note else None
