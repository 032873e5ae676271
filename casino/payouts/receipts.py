"""
Receipts of payouts: of which event of the ledger one is, and what became of what it booked.

A receipt proves the event of settlement that booked a payout (C2SP tlog-proof). That it was paid,
held or moved back since is said by later events: who holds a receipt asks the house for that, with
the position of the event and the hash of its leaf. Nobody guesses that hash: an event has random
ids in it.
"""

from __future__ import annotations

import hmac
from dataclasses import dataclass
from typing import TYPE_CHECKING

from casino.payouts import queries
from casino.settlement.models import Payout
from ledger import proofs
from ledger.journal import read
from ledger.models import Event
from ledger.tiles import Altered, Tiles
from ledger.verify import Untrue, check_consistency, leaf_hash

if TYPE_CHECKING:
    from uuid import UUID

    from casino.payouts.queries import Step
    from ledger.models import Checkpoint
    from ledger.verify import Link, Receipt
    from ledger.wire import StoredEvent


@dataclass(frozen=True, slots=True)
class Recorded:
    """
    An event that is in the book.

    :param covered: the newest checkpoint, if it reaches the event; None: none does yet.
    """

    event: StoredEvent
    covered: Checkpoint | None


@dataclass(frozen=True, slots=True)
class Continued:
    """:param old_root: of the first `link.old_size` events."""

    link: Link
    old_root: bytes


@dataclass(frozen=True, slots=True)
class Became:
    """A payout that an event booked, and everything that happened to it since."""

    row: Payout
    steps: tuple[Step, ...]


def proven(establishment: UUID, position: int, *, size: int | None = None) -> Receipt:
    """
    The receipt of an event, checked before it is handed out: one that is given holds.

    :param size: of the checkpoint to prove it against; None: the newest.
    :raises NotCovered: if there is no such checkpoint, or it does not reach the event.
    :raises Altered: if the book is not what was signed.
    """
    try:
        receipt = proofs.receipt(establishment, position, size=size)
        receipt.check()
    except (Untrue, Event.DoesNotExist):
        raise _altered(position, position) from None
    return receipt


def continued(establishment: UUID, old: int, new: int) -> Continued:
    """
    That the checkpoint of `new` events continues the first `old` of them, checked likewise.

    :param old: from 1 to `new`; no checkpoint of that size need be kept here.
    :raises NotCovered: if none was signed at the new size.
    :raises Altered: if the book is not what was signed.
    """
    link = proofs.link(establishment, old, new)
    root = Tiles(establishment).root(old)
    try:
        check_consistency(
            old_size=old, old_root=root,
            size=new, root=link.checkpoint.root, proof=link.proof,
        )  # fmt: skip
    except Untrue:
        raise _altered(0, new - 1) from None
    return Continued(link, root)


def recorded(establishment: UUID, position: int, leaf: bytes) -> Recorded | None:
    """
    The event with that leaf hash at that position; None: the book has none.

    :raises Altered: if the event is there, and is not in the tree that was signed.
    """
    found = read(establishment=establishment, after=position - 1, limit=1)
    if not found or found[0].position != position:
        return None
    if not hmac.compare_digest(leaf_hash(found[0].body), leaf):
        return None
    try:
        covered = proofs.covering(establishment, position)
    except proofs.NotCovered:
        return Recorded(found[0], None)
    proven(establishment, position, size=covered.size)
    return Recorded(found[0], covered)


def became(establishment: UUID, position: int) -> list[Became]:
    """The payments that an event booked, in its order; none, if it books none."""
    rows = Payout.objects.filter(establishment=establishment, position=position).order_by("seq")
    return [Became(row, tuple(queries.history(row))) for row in rows]


def _altered(first: int, last: int) -> Altered:
    return Altered("The book is not what was signed.", first=first, last=last)
