"""The part of a house's ledger that is checked, and how its rows are read."""

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

CHUNK: Final = 2048  # rows in memory at a time: eight tiles
PAGE: Final = 500  # checkpoints that one query reads

BOUNDS: Final = """
    SELECT (SELECT max(position) FROM ledger_event WHERE establishment = %(house)s),
           (SELECT max(seq) FROM ledger_commandreceipt WHERE establishment = %(house)s)"""

HEADS: Final = """
    SELECT epoch, size, origin, root, receipts, chain, note, {signed_at} FROM ledger_checkpoint
    WHERE establishment = %(house)s AND (epoch, size) > (%(epoch)s, %(size)s)
    ORDER BY epoch, size LIMIT {page}"""


COPIED: Final = ("origin", "size", "root", "receipts", "chain")
"""Columns of a checkpoint that are also in its note; the tree is compared with them."""


@dataclass(frozen=True, slots=True)
class Head:
    """A row of a signed checkpoint. `published` is its parsed note, None if it is unreadable."""

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
        """Whether the columns agree with the note."""
        return self.published is not None and all(
            getattr(self.published, name) == getattr(self, name) for name in COPIED
        )


class Ahead(Protocol):
    """Reads stretches of events ahead of the check, e.g. in other processes."""

    def leaves(self, first: int, stop: int) -> list[bytes] | None:
        """The same result as `whole.leaves`."""


@dataclass(frozen=True, kw_only=True)
class Book:
    """
    A house's ledger up to a given position, read over a connection that only reads.

    :param using: Django's alias of the database. :param keys: public keys that may have signed.
    :param start: positions before it are trusted, because the checkpoint of this size covers them;
        0: everything is checked. :param stop: the position after the last.
    :param receipts: the number of answered commands. :param now: no signature may be later.
    :param kept: checkpoints of this house that others kept.
    :param behind: the position at which the ledger itself says that it is behind what others have;
        None: it does not.
    :param ahead: reads stretches of events besides this process; None: nobody does.
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
        """The end of the stretch that is read at once from a position on."""
        return min(self.stop, (first // CHUNK + 1) * CHUNK)

    def spelt(self, model: type[models.Model], names: Sequence[str], of: str = "") -> str:
        """Columns in SQL, spelled as event bodies do."""
        return spelling.spelt(self.connection, model, names, of)

    def rows(self, statement: str, **values: Any) -> list[tuple[Any, ...]]:
        """The rows of a statement, which leaves no lock or snapshot. ``%(house)s`` is the house."""
        return keyed.fetch(self.connection.cursor(), statement, {"house": self.key, **values})

    def bulk(self, statement: str, **values: Any) -> list[tuple[Any, ...]]:
        """The same for many bodies or hashes. All other columns must be numbers, or `spelt`."""
        cursor = keyed.in_binary(self.connection)
        return keyed.fetch(cursor, statement, {"house": self.key, **values})

    @contextmanager
    def moment(self) -> Iterator[None]:
        """A block whose queries all see the same moment; only for short reads."""
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
        """The signed checkpoint at which the check begins; None: it begins at position 0."""
        rows = Checkpoint.objects.using(self.using).filter(
            establishment=self.establishment, size=self.start
        )
        epoch = rows.order_by("-epoch").values_list("epoch", flat=True).first()
        if not self.start or epoch is None:
            return None
        return next(self.heads([epoch, self.start - 1]))

    def heads(self, after: Sequence[int]) -> Iterator[Head]:
        """The signed checkpoints after `after` (epoch, size)."""
        statement = HEADS.format(signed_at=self.spelt(Checkpoint, ["signed_at"]), page=PAGE)
        while page := self.rows(statement, epoch=after[0], size=after[1]):
            for epoch, size, origin, root, receipts, chain, note, signed_at in page:
                yield Head(
                    epoch, size, origin, bytes(root), receipts, bytes(chain), note, signed_at,
                    readable(note),
                )  # fmt: skip
            after = page[-1][:2]

    def signed(self, published: Published) -> bool:
        """Whether one of the house's keys signed a checkpoint, in the name of its origin."""
        keys = tuple({key.public: Key(published.origin, key.public) for key in self.keys}.values())
        try:
            return bool(keys and Trust(keys).believe(published))
        except Untrue:
            return False


def key(establishment: UUID, using: str) -> Any:
    """The id of a house as the database stores it."""
    return keyed.key(connections[using], establishment)


def bounds(establishment: UUID, using: str) -> tuple[int, int]:
    """How many positions and answered commands a ledger has, both at one moment."""
    with connections[using].cursor() as cursor:
        cursor.execute(BOUNDS, {"house": key(establishment, using)})
        head, seq = cursor.fetchone()
    return (0 if head is None else head + 1), (0 if seq is None else seq + 1)


def start_of(establishment: UUID, using: str, since: int) -> int:
    """The start of a check of everything after a position: the newest checkpoint up to it."""
    rows = Checkpoint.objects.using(using).filter(establishment=establishment, size__lte=since)
    return rows.order_by("-size").values_list("size", flat=True).first() or 0


def readable(note: str) -> Published | None:
    try:
        published = Published.parse(note.encode())
    except (Unreadable, UnicodeEncodeError):
        return None
    return published if published.note == note else None
