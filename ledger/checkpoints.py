"""
Checkpoints: extends a house's Merkle tree and signs its head (RFC 6962, C2SP tlog-checkpoint).

`grow` returns at once if another worker is already doing it. If `grow` is killed, the next call
continues. The lock order is the usual one: the subscription's row first; nothing here takes the
house's own lock.
"""

import base64
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final
from uuid import UUID

from django.db import DEFAULT_DB_ALIAS, transaction
from django.db.models import QuerySet

from ledger import epochs, journal, spelling
from ledger.canonical import moment
from ledger.conflicts import count_of
from ledger.models import Checkpoint, Subscription
from ledger.notes import SigningKey, sign
from ledger.tiles import WIDTH, Altered, Tiles
from ledger.verify import NO_RECEIPTS, chain_hash
from ledger.verify import Checkpoint as Published

TILES: Final = 64  # tiles written in one transaction: on SQLite nobody else may write meanwhile


@dataclass(frozen=True, slots=True)
class Integrity:
    """The subscription that signs the ledger, in the shape that `lag` expects (`Named`)."""

    name: str = "integrity"


INTEGRITY: Final = Integrity()


class BehindPublished(Exception):  # noqa: N818  names the fact
    """
    Others have a checkpoint that the ledger does not reach, or does not agree with. Nothing is
    signed.
    """

    def __init__(self, says: str, published: Published) -> None:
        super().__init__(says)
        self.published = published


def latest(establishment: UUID, *, using: str = DEFAULT_DB_ALIAS) -> Checkpoint | None:
    """The newest checkpoint of a house."""
    rows = Checkpoint.objects.using(using).filter(establishment=establishment)
    return rows.order_by("-epoch", "-size").first()


def grow(
    *,
    establishment: UUID,
    keys: Sequence[SigningKey],
    name: str,
    now: datetime,
    published: Iterable[Published] = (),
) -> Checkpoint | None:
    """
    Compare the ledger with the last checkpoint, hash the new events, and sign a new checkpoint.

    :param keys: the keys that sign now; two while a key is exchanged. Their names do not matter:
        each signs in the name of the origin. :param name: see `epochs.origin`.
    :param published: checkpoints that others have of this house.
    :returns: None if there is nothing new, or another worker is doing it.
    :raises Altered: if the ledger is not what was signed; names the interval. Nothing is signed.
    :raises BehindPublished: if others have a checkpoint that the ledger does not reach or does not
        agree with. Nothing is signed.
    """
    last = latest(establishment)
    head = journal.head(establishment=establishment)
    compare(establishment, last)
    _behind(establishment, head + 1, name, published)
    tiles = Tiles(establishment)
    while tiles.full() < (full := (head + 1) // WIDTH):
        if not _more_tiles(tiles, full):
            return None
    return _sign(establishment, keys, name, now)


def compare(
    establishment: UUID, checkpoint: Checkpoint | None, *, using: str = DEFAULT_DB_ALIAS
) -> None:
    """
    Check that the ledger still begins with the events of a signed checkpoint.

    :raises Altered: if it does not.
    """
    if checkpoint is None:
        return
    whole = {"first": 0, "last": checkpoint.size - 1}
    published = Published.parse(checkpoint.note.encode())
    columns = checkpoint.origin, checkpoint.size, bytes(checkpoint.root)
    if (published.origin, published.size, published.root) != columns:
        raise Altered("A signed checkpoint is not what its note says.", **whole)
    if Tiles(establishment, using=using).root(checkpoint.size) != published.root:
        raise Altered(
            f"The first {count_of(checkpoint.size, 'event is', 'events are')} not what was"
            " signed at"
            f" {checkpoint.signed_at:%Y-%m-%d %H:%M:%S} UTC.",
            **whole,
        )


def _behind(establishment: UUID, size: int, name: str, published: Iterable[Published]) -> None:
    epoch = epochs.current(establishment)
    first = epochs.origin(establishment, name=name, epoch=1)
    for each in published:
        theirs = epochs.epoch_of(each, first_origin=first)
        if theirs is None or theirs < epoch:
            continue  # an earlier epoch: what it lost is on record
        if theirs > epoch or each.size > size:
            raise BehindPublished(
                f"A checkpoint of {count_of(each.size, 'event')} of epoch {theirs} is published;"
                " the book has"
                f" {size} in epoch {epoch}.",
                each,
            )
        if Tiles(establishment, beyond=True).root(each.size) != each.root:
            raise BehindPublished(
                f"The published checkpoint of {count_of(each.size, 'event')} is not of this"
                " book: it was"
                " restored from a backup and went on, or was changed.",
                each,
            )


def _more_tiles(tiles: Tiles, full: int) -> bool:
    """Hash the bodies of the next tiles, up to `full` in all; False: another worker does it."""
    with transaction.atomic():
        if not _lock(tiles.establishment):
            return False
        tiles.grow(full, at_once=TILES)
    return True


def _sign(
    establishment: UUID, keys: Sequence[SigningKey], name: str, now: datetime
) -> Checkpoint | None:
    with transaction.atomic():
        held = _lock(establishment)
        if not held:
            return None
        last, epoch = latest(establishment), epochs.current(establishment)
        # Receipts first: the events that they refer to are then among those that are read next.
        receipts, chain = _chain(establishment, last)
        size = journal.head(establishment=establishment) + 1
        tiles = Tiles(establishment)
        if size == 0 or (last is not None and (last.epoch, last.size) == (epoch, size)):
            return None
        if tiles.full() < size // WIDTH:
            return None  # more events came meanwhile: the next call hashes them
        checkpoint = _sign_head(
            epochs.origin(establishment, name=name, epoch=epoch),
            Head(size, tiles.root(size), receipts, chain, now, 0 if last is None else last.size),
            keys,
        )
        row = Checkpoint.objects.create(
            establishment=establishment, epoch=epoch, size=size, origin=checkpoint.origin,
            root=checkpoint.root, receipts=receipts, chain=chain, note=checkpoint.note,
            signed_at=now,
        )  # fmt: skip
        held.update(position=size - 1)
    return row


@dataclass(frozen=True, slots=True)
class Head:
    """The content of a new checkpoint. :param follows: size of the one before; 0: the first."""

    size: int
    root: bytes
    receipts: int
    chain: bytes
    signed_at: datetime
    follows: int


def _sign_head(origin: str, head: Head, keys: Sequence[SigningKey]) -> Published:
    root, chain = (base64.b64encode(each).decode() for each in (head.root, head.chain))
    text = (
        f"{origin}\n{head.size}\n{root}\nreceipts {head.receipts} {chain}\n"
        f"signed {moment(head.signed_at)} after {head.follows}\n"
    )
    return Published.parse(sign(text, [key.named(origin) for key in keys]).encode())


def _chain(establishment: UUID, last: Checkpoint | None) -> tuple[int, bytes]:
    """
    The chain over all receipts that there are now: their number and its hash.

    :raises Altered: if a receipt is missing.
    """
    count, chain = (0, NO_RECEIPTS) if last is None else (last.receipts, bytes(last.chain))
    for seq, answer in spelling.answers_of(establishment, count):
        if seq != count:
            raise Altered(f"The receipt of command {count} is missing.", first=0, last=0)
        count, chain = count + 1, chain_hash(chain, answer)
    return count, chain


def _lock(establishment: UUID) -> QuerySet[Subscription] | None:
    """Lock the row of the signing subscription; None: another worker has locked it."""
    rows = Subscription.objects.filter(establishment=establishment, name=INTEGRITY.name)
    Subscription.objects.bulk_create(
        [Subscription(establishment=establishment, name=INTEGRITY.name)], ignore_conflicts=True
    )
    mine = rows.select_for_update(of=("self",), no_key=True, skip_locked=True)
    return rows if mine.first() is not None else None
