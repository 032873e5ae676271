"""
Everything of a house in an open format (E1): its ledger, and what the ledger has only tokens of.

`python -m ledger.verify export` checks it without the house; docs/reference/proofs.md describes
each file. The secret with which a house keys the hashes of requests is not in it: with it names
that were erased could be guessed at by those hashes. Neither is a key to sign with, nor any way to
sign in.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from django.conf import settings

from casino.integrity import export_tables, keys
from casino.platform.version import VERSION
from casino.settlement.subscriber import SETTLEMENT
from ledger import exporting

if TYPE_CHECKING:
    from datetime import datetime
    from pathlib import Path

    from casino.establishments.models import Establishment

BOOKING: Final = (SETTLEMENT.name,)
"""Subscribers that append: what they have handled is not to be handled again."""


def export(
    establishment: Establishment, *, to: Path, now: datetime, names: bool = True
) -> dict[str, Any]:
    """
    Write everything of a house; what the manifest says. The house plays on meanwhile.

    :param to: a folder that is not there yet, or a file that ends in .zip.
    :param names: with players' names and what people wrote; without, all of them as if erased.
    :raises FileExistsError: if there is something of that name.
    :raises Altered: if the ledger has a gap.
    """
    using = settings.LEDGER_READER
    return exporting.export(
        establishment=establishment.pk,
        to=to,
        keys=keys.every_public_key(establishment.pk),
        exported_at=now,
        software=f"home-throw {VERSION}",
        booking=BOOKING,
        extra_files=export_tables.files(establishment.pk, names=names, using=using),
        using=using,
    )
