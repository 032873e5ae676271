"""
Exports everything of a house in an open format (E1): its ledger, and the texts behind its tokens.

`python -m ledger.verify export` checks an export without the house; docs/reference/proofs.md
describes each file. The secret that keys the hashes of requests is left out: with it, somebody
could guess erased names from those hashes. Keys that sign and all means to sign in are left out
too.
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
"""Subscribers that append: after an import they must not handle the same events again."""


def export(
    establishment: Establishment, *, to: Path, now: datetime, names: bool = True
) -> dict[str, Any]:
    """
    Export everything of a house; the content of the manifest. The house plays on meanwhile.

    :param to: a folder that does not exist yet, or a file whose name ends in .zip.
    :param names: whether to include players' names and free texts; else they are exported as if
        they had been erased.
    :raises FileExistsError: if the name is taken.
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
