"""Checkpoints as pages show them, and the names of files about a house's ledger."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from casino.platform.encodings import in_base64

if TYPE_CHECKING:
    from datetime import datetime
    from uuid import UUID

    from ledger.models import Checkpoint

SIZE: Final = re.compile(r"[0-9]{1,15}")
SOON: Final = timedelta(seconds=1)
MINUTE, HOUR, DAY = 60, 60 * 60, 24 * 60 * 60


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


def ago(since: timedelta) -> str:
    """A time ago in words, in the largest unit that fits."""
    if since < SOON:
        return _("just now")
    return _("%(length)s ago") % {"length": length(since)}


def length(time: timedelta) -> str:
    """A length of time in words, in the largest unit that fits."""
    seconds = max(0, int(time.total_seconds()))
    if seconds < MINUTE:
        return ngettext("%(n)s second", "%(n)s seconds", seconds) % {"n": seconds}
    if seconds < HOUR:
        n = seconds // MINUTE
        return ngettext("%(n)s minute", "%(n)s minutes", n) % {"n": n}
    if seconds < DAY:
        n = seconds // HOUR
        return ngettext("%(n)s hour", "%(n)s hours", n) % {"n": n}
    n = seconds // DAY
    return ngettext("%(n)s day", "%(n)s days", n) % {"n": n}


def filename(establishment: UUID, rest: str) -> str:
    """The name of a file to download: the beginning of the house's id, and `rest`."""
    return f"{str(establishment)[:8]}-{rest}"


def size_in(given: str | None) -> int | None:
    """The size of a checkpoint in a query parameter; None: there is none, or it is no number."""
    return int(given) if given and SIZE.fullmatch(given) else None
