"""Games on record whose rules are not installed here: what rests on them is not compared."""

from __future__ import annotations

from typing import TYPE_CHECKING

from casino.game_streams.catalogue import GameNotInstalled, is_installed
from ledger.models import Event

if TYPE_CHECKING:
    from collections.abc import Sequence
    from uuid import UUID

    from casino.integrity.rebuilt_rows import Difference


def of(establishment: UUID) -> list[str]:
    """Their ids, as the openings on record name them."""
    openings = Event.objects.filter(
        establishment=establishment, stream__startswith="game/", stream_version=1
    )
    types = openings.order_by().values_list("event_type", flat=True).distinct()
    families = {name.partition(".")[0] for name in types}
    return sorted(each.replace("_", "-") for each in families if not is_installed(each))


def stops(found: Sequence[Difference]) -> bool:
    """
    Whether a follower could not read an event again because its game is not installed. Then rows
    that were made while it was cannot be compared, and sums of a day hold both.
    """
    said = f"{GameNotInstalled.__name__}:"
    return any(str(each.found.get("error", "")).startswith(said) for each in found)
