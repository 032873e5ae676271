"""Games on record whose rules are not installed here: what rests on them is not compared."""

from __future__ import annotations

from typing import TYPE_CHECKING

from casino.game_streams.catalogue import is_installed
from ledger.models import Event

if TYPE_CHECKING:
    from uuid import UUID


def of(establishment: UUID) -> list[str]:
    """Their ids, as the openings on record name them."""
    openings = Event.objects.filter(
        establishment=establishment, stream__startswith="game/", stream_version=1
    )
    types = openings.order_by().values_list("event_type", flat=True).distinct()
    families = {name.partition(".")[0] for name in types}
    return sorted(each.replace("_", "-") for each in families if not is_installed(each))
