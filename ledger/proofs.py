"""
Makes proofs of a house's ledger for people who do not trust it; `ledger.verify` checks them.

Every proof refers to a signed and stored checkpoint. The caller may choose its size, so that people
who have kept a checkpoint get proofs against that one.
"""

from uuid import UUID

from django.db import DEFAULT_DB_ALIAS

from ledger import checkpoints
from ledger.conflicts import count_of
from ledger.models import Checkpoint, Event
from ledger.tiles import Tiles
from ledger.verify import Checkpoint as Published
from ledger.verify import Link, Receipt


class NotCovered(LookupError):  # noqa: N818  names the fact
    """No checkpoint covers the event, or none has the requested size."""


def covering(
    establishment: UUID, position: int, *, size: int | None = None, using: str = DEFAULT_DB_ALIAS
) -> Checkpoint:
    """
    The checkpoint against which a receipt proves an event: the newest, or the one of a given size.

    :raises NotCovered: if there is no such checkpoint, or it does not cover the event.
    """
    found = (
        checkpoints.latest(establishment, using=using)
        if size is None
        else of_size(establishment, size, using=using)
    )
    if found is None or found.size <= position:
        raise NotCovered(
            f"No checkpoint covers position {position} yet: ask again in some seconds."
            if size is None
            else f"The checkpoint of {count_of(size, 'event')} does not cover position {position}."
        )
    return found


def of_size(establishment: UUID, size: int, *, using: str = DEFAULT_DB_ALIAS) -> Checkpoint:
    """
    The checkpoint of a given size; if several epochs have one, that of the newest epoch.

    :raises NotCovered: if none was signed at that size.
    """
    rows = Checkpoint.objects.using(using).filter(establishment=establishment, size=size)
    found = rows.order_by("-epoch").first()
    if found is None:
        raise NotCovered(f"No checkpoint of {count_of(size, 'event')} was signed.")
    return found


def receipt(
    establishment: UUID, position: int, *, size: int | None = None, using: str = DEFAULT_DB_ALIAS
) -> Receipt:
    """
    A receipt: the proof that an event is recorded, with the event itself (C2SP tlog-proof).

    :param size: the size of the checkpoint to prove against; None: the newest.
    :raises NotCovered: if there is no such checkpoint, or it does not cover the event.
    """
    checkpoint = covering(establishment, position, size=size, using=using)
    body = (
        Event.objects.using(using)
        .values_list("body", flat=True)
        .get(establishment=establishment, position=position)
    )
    proof = Tiles(establishment, using=using).inclusion(position, checkpoint.size)
    return Receipt(bytes(body), position, tuple(proof), parse_checkpoint(checkpoint))


def link(establishment: UUID, old: int, new: int, *, using: str = DEFAULT_DB_ALIAS) -> Link:
    """
    The proof that the checkpoint of `new` events continues a tree of `old` (RFC 6962, 2.1.2).

    :param old: at most `new`; no checkpoint of that size need be stored here.
    :raises NotCovered: if no checkpoint of size `new` was signed.
    :raises ValueError: if `old` is greater than `new`, or negative.
    """
    checkpoint = of_size(establishment, new, using=using)
    proof = Tiles(establishment, using=using).consistency(old, new)
    return Link(old, tuple(proof), parse_checkpoint(checkpoint))


def parse_checkpoint(checkpoint: Checkpoint) -> Published:
    """A stored checkpoint, parsed from its note as `ledger.verify` does it."""
    return Published.parse(checkpoint.note.encode())
