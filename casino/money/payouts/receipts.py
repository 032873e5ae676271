"""
Receipts of payouts: the proof of the event that booked a payout, and what became of the payout.

A receipt proves the settlement event that booked a payout (C2SP tlog-proof). Later events say
whether the payout was paid, held or reversed since. The holder of a receipt asks the house for
them, with the position of the event and the hash of its leaf. Nobody can guess this hash, because
an event contains random ids.
"""

from __future__ import annotations

import hmac
from dataclasses import dataclass
from typing import TYPE_CHECKING

from casino.money.payouts import queries
from casino.play.settlement.models import Payout
from ledger import proofs
from ledger.journal import read
from ledger.models import Event
from ledger.tiles import Altered, Tiles
from ledger.verify import Untrue, check_consistency, leaf_hash

if TYPE_CHECKING:
    from uuid import UUID

    from casino.money.payouts.queries import Step
    from ledger.models import Checkpoint
    from ledger.verify import Link, Receipt
    from ledger.wire import StoredEvent


@dataclass(frozen=True, slots=True)
class Recorded:
    """
    An event that is in the ledger.

    :param covered: the newest checkpoint, if it covers the event; None: none does yet.
    """

    event: StoredEvent
    covered: Checkpoint | None


@dataclass(frozen=True, slots=True)
class Continued:
    """
    A checked proof that a checkpoint continues an older one.

    :param old_root: root of the first `link.old_size` events.
    """

    link: Link
    old_root: bytes


@dataclass(frozen=True, slots=True)
class Became:
    """A payout that an event booked, with its history."""

    row: Payout
    steps: tuple[Step, ...]


def proven(establishment: UUID, position: int, *, size: int | None = None) -> Receipt:
    """
    The receipt of an event. It is checked before it is handed out, so every receipt is valid.

    :param size: size of the checkpoint to prove the event against; None: the newest.
    :raises NotCovered: if there is no such checkpoint, or it does not cover the event.
    :raises Altered: if the ledger is not what was signed.
    """
    try:
        receipt = proofs.receipt(establishment, position, size=size)
        receipt.check()
    except (Untrue, Event.DoesNotExist):
        raise _alteration(position, position) from None
    return receipt


def prove_continues(establishment: UUID, old: int, new: int) -> Continued:
    """
    The checked proof that the checkpoint of `new` events continues the first `old` of them.

    :param old: from 1 to `new`; the house need not have a checkpoint of this size.
    :raises NotCovered: if no checkpoint of the new size was signed.
    :raises Altered: if the ledger is not what was signed.
    """
    link = proofs.link(establishment, old, new)
    root = Tiles(establishment).root(old)
    try:
        check_consistency(
            old_size=old, old_root=root,
            size=new, root=link.checkpoint.root, proof=link.proof,
        )  # fmt: skip
    except Untrue:
        raise _alteration(0, new - 1) from None
    return Continued(link, root)


def event_of_leaf(establishment: UUID, position: int, leaf: bytes) -> Recorded | None:
    """
    The event at a position, if its leaf has the given hash; None if the ledger has no such event.

    :raises Altered: if the event is in the ledger, but not in the tree that was signed.
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
    """The payouts that an event booked, in its order, with their histories."""
    rows = Payout.objects.filter(establishment=establishment, position=position).order_by("seq")
    return [Became(row, tuple(queries.history(row))) for row in rows]


def _alteration(first: int, last: int) -> Altered:
    return Altered("The book is not what was signed.", first=first, last=last)
