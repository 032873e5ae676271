"""
Which ledger a checkpoint speaks of: a house's, in one of its epochs.

There is one epoch until a backup is restored that is behind a checkpoint that others have. Nothing
that was lost may be replaced unseen: the house opens the next epoch, under another origin, whose
first event says what was lost; checkpoints of the old one stay what they were.
"""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING

from ledger import journal
from ledger.entries import NewEvent
from ledger.models import Checkpoint

if TYPE_CHECKING:
    from collections.abc import Mapping
    from uuid import UUID

    from ledger.canonical import Json
    from ledger.verify import Checkpoint as Published

STREAM = "ledger"
OPENED = "ledger.epoch_opened"


def current(establishment: UUID) -> int:
    """The house's epoch, from 1."""
    last = journal.last(establishment=establishment, stream=STREAM)
    return 1 if last is None else int(last.data["epoch"])


def origin(establishment: UUID, *, name: str, epoch: int) -> str:
    """
    The first line of a house's checkpoints.

    :param name: of the installation; only for a house that has signed nothing yet. What the house
        has told stays its name, wherever it moves.
    """
    rows = Checkpoint.objects.filter(establishment=establishment)
    last = rows.order_by("-epoch", "-size").first()
    first = f"{name}/{establishment}"
    if last is not None:
        first = last.origin if last.epoch == 1 else last.origin.rpartition("/")[0]
    return first if epoch == 1 else f"{first}/{epoch}"


def epoch_of(published: Published, *, first_origin: str) -> int | None:
    """The epoch that somebody's checkpoint speaks of; None: it is another ledger's."""
    if published.origin == first_origin:
        return 1
    before, slash, epoch = published.origin.rpartition("/")
    known = slash and before == first_origin and epoch.isdecimal()
    return int(epoch) if known else None


def opening(
    *, establishment: UUID, published: Published, epoch: int, reason: str
) -> tuple[dict[str, int], NewEvent]:
    """
    What opens the epoch behind the one that a published checkpoint speaks of: guards and event.

    :param epoch: which that checkpoint speaks of. :param reason: a token of somebody's own words.
    """
    last = journal.last(establishment=establishment, stream=STREAM)
    data: Mapping[str, Json] = {
        "epoch": epoch + 1,
        "head": journal.head(establishment=establishment),
        "lost": {"from": _common(establishment, published), "to": published.size - 1},
        "published": {
            "origin": published.origin,
            "size": published.size,
            "root": base64.b64encode(published.root).decode(),
        },
        "reason": reason,
    }
    event = NewEvent(stream=STREAM, event_type=OPENED, schema_version=1, data=data)
    return {STREAM: 0 if last is None else last.stream_version}, event


def _common(establishment: UUID, published: Published) -> int:
    """The first position that the restored book does not provably share with the published one."""
    rows = Checkpoint.objects.filter(establishment=establishment, size__lte=published.size)
    size = rows.order_by("-size").values_list("size", flat=True).first()
    return 0 if size is None else min(size, published.size - 1)
