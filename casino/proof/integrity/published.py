"""Checkpoints as pages show them, and the names of files about a house's ledger."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from casino.words.languages.durations import ago
from casino.words.text.encodings import in_base64

if TYPE_CHECKING:
    from datetime import datetime
    from uuid import UUID

    from ledger.models import Checkpoint

SIZE: Final = re.compile(r"[0-9]{1,15}")


@dataclass(frozen=True, slots=True)
class CheckpointItem:
    """A checkpoint as pages show it: `root` as in its note, and its age in words."""

    checkpoint: Checkpoint
    root: str
    age: str


def item_of(checkpoint: Checkpoint, now: datetime) -> CheckpointItem:
    return CheckpointItem(
        checkpoint, in_base64(bytes(checkpoint.root)), ago(now - checkpoint.signed_at)
    )


def filename(establishment: UUID, rest: str) -> str:
    """The name of a file to download: the beginning of the house's id, and `rest`."""
    return f"{str(establishment)[:8]}-{rest}"


def size_in(given: str | None) -> int | None:
    """The size of a checkpoint in a query parameter; None: there is none, or it is no number."""
    return int(given) if given and SIZE.fullmatch(given) else None
