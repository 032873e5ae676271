"""
Proofs of a house's ledger, for people who do not trust it: `ledger.verify` checks them.

Every proof is of a checkpoint that was signed and is kept. One of any size may be asked for, so
that whoever has kept a checkpoint gets proofs against that one.
"""

from uuid import UUID

from django.db import DEFAULT_DB_ALIAS

from ledger import checkpoints
from ledger.models import Checkpoint, Event
from ledger.tiles import Tiles
from ledger.verify import Checkpoint as Published
from ledger.verify import Link, Receipt


class NotCovered(LookupError):  # noqa: N818  names the fact
    """No checkpoint covers the event, or none has the size that is asked for."""


def covering(
    establishment: UUID, position: int, *, size: int | None = None, using: str = DEFAULT_DB_ALIAS
) -> Checkpoint:
    """
    The checkpoint that a receipt of an event is made for: the newest, or the one of a size.

    :raises NotCovered: if there is none, or it does not reach the event.
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
            else f"The checkpoint of {size} events does not cover position {position}."
        )
    return found


def of_size(establishment: UUID, size: int, *, using: str = DEFAULT_DB_ALIAS) -> Checkpoint:
    """
    The newest epoch's checkpoint of a size.

    :raises NotCovered: if none was signed at that size.
    """
    rows = Checkpoint.objects.using(using).filter(establishment=establishment, size=size)
    found = rows.order_by("-epoch").first()
    if found is None:
        raise NotCovered(f"No checkpoint of {size} events was signed.")
    return found


def receipt(
    establishment: UUID, position: int, *, size: int | None = None, using: str = DEFAULT_DB_ALIAS
) -> Receipt:
    """
    That an event is recorded: one small file with the event in it (C2SP tlog-proof).

    :param size: of the checkpoint to prove it against; None: the newest.
    :raises NotCovered: if there is no such checkpoint, or it does not reach the event.
    """
    checkpoint = covering(establishment, position, size=size, using=using)
    body = (
        Event.objects.using(using)
        .values_list("body", flat=True)
        .get(establishment=establishment, position=position)
    )
    proof = Tiles(establishment, using=using).inclusion(position, checkpoint.size)
    return Receipt(bytes(body), position, tuple(proof), published(checkpoint))


def link(establishment: UUID, old: int, new: int, *, using: str = DEFAULT_DB_ALIAS) -> Link:
    """
    That the checkpoint of `new` events continues a tree of `old` (RFC 6962, 2.1.2).

    :param old: at most `new`; a checkpoint of that size need not be kept here.
    :raises NotCovered: if none was signed at the new size.
    :raises ValueError: if `old` is greater, or negative.
    """
    checkpoint = of_size(establishment, new, using=using)
    proof = Tiles(establishment, using=using).consistency(old, new)
    return Link(old, tuple(proof), published(checkpoint))


def published(checkpoint: Checkpoint) -> Published:
    """A kept checkpoint as those who check it read it."""
    return Published.parse(checkpoint.note.encode())
