"""
Epochs of a house's ledger: which house and which epoch a checkpoint belongs to.

There is one epoch until a backup is restored that is behind a checkpoint that others have. What was
lost must not be replaced unnoticed. So the house opens the next epoch, under another origin. The
first event of that epoch says what was lost. Checkpoints of the old epoch stay valid.
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
    """The number of the house's current epoch, from 1."""
    last = journal.last(establishment=establishment, stream=STREAM)
    return 1 if last is None else int(last.data["epoch"])


def origin(establishment: UUID, *, name: str, epoch: int) -> str:
    """
    The origin of a house's ledger: the first line of its checkpoints.

    :param name: the name of the installation; only used for a house that has signed nothing yet. A
        house keeps the name that it has published, even if it moves to another installation.
    """
    rows = Checkpoint.objects.filter(establishment=establishment)
    last = rows.order_by("-epoch", "-size").first()
    first = f"{name}/{establishment}"
    if last is not None:
        first = last.origin if last.epoch == 1 else last.origin.rpartition("/")[0]
    return first if epoch == 1 else f"{first}/{epoch}"


def epoch_of(published: Published, *, first_origin: str) -> int | None:
    """The epoch of a checkpoint; None: it belongs to another ledger."""
    if published.origin == first_origin:
        return 1
    before, slash, epoch = published.origin.rpartition("/")
    known = slash and before == first_origin and epoch.isdecimal()
    return int(epoch) if known else None


def opening(
    *, establishment: UUID, published: Published, epoch: int, reason: str
) -> tuple[dict[str, int], NewEvent]:
    """
    The guards and the event that open the epoch after the epoch of a published checkpoint.

    :param epoch: the epoch of that checkpoint. :param reason: the token of the text that somebody
        wrote as the reason.
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
    """The first position of which nobody can prove that both ledgers have the same event."""
    rows = Checkpoint.objects.filter(establishment=establishment, size__lte=published.size)
    size = rows.order_by("-size").values_list("size", flat=True).first()
    return 0 if size is None else min(size, published.size - 1)
