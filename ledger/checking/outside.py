"""Selects the checkpoints kept by others that a house's ledger can be compared with."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from ledger import epochs
from ledger.conflicts import count_of
from ledger.models import Event
from ledger.verify import Key, Trust, Untrue

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from uuid import UUID

    from ledger.verify import Checkpoint as Published


class NotOfThisHouse(Exception):  # noqa: N818  names the fact
    """The checkpoint is of another ledger, or is not signed with a key of the house."""


def checkpoints_to_compare(
    establishment: UUID,
    using: str,
    given: Iterable[Published],
    *,
    first_origin: str,
    keys: Sequence[Key],
) -> tuple[Published, ...]:
    """
    The given checkpoints that the ledger must agree with.

    A checkpoint of an earlier epoch is left out if it covers events that are on record as lost.

    :raises NotOfThisHouse: if one of them is not the house's own.
    """
    lost = list(_positions_lost(establishment, using))
    return tuple(
        each
        for each in given
        if each.size <= _common(_epoch(each, first_origin, keys), lost, each.size)
    )


def _epoch(each: Published, first_origin: str, keys: Sequence[Key]) -> int:
    epoch = epochs.epoch_of(each, first_origin=first_origin)
    if epoch is None:
        raise NotOfThisHouse(f"The checkpoint is of {each.origin}; the book is {first_origin}.")
    own = tuple({key.public: Key(each.origin, key.public) for key in keys}.values())
    try:
        signed = bool(own and Trust(own).believe(each))
    except Untrue:
        signed = False
    if not signed:
        raise NotOfThisHouse(
            f"The checkpoint of {count_of(each.size, 'event')} is not signed with a key of this"
            " house."
        )
    return epoch


def _common(epoch: int, lost: Iterable[tuple[int, int]], size: int) -> int:
    return min((begin for opened, begin in lost if opened > epoch), default=size)


def _positions_lost(establishment: UUID, using: str) -> Iterator[tuple[int, int]]:
    """Each epoch from 2 on, with the first position that its opening says was lost."""
    rows = Event.objects.using(using).filter(
        establishment=establishment, stream=epochs.STREAM, event_type=epochs.OPENED
    )
    for body in rows.values_list("body", flat=True):
        try:
            data: Any = json.loads(bytes(body))["data"]
            yield int(data["epoch"]), int(data["lost"]["from"])
        except (ValueError, LookupError, TypeError):
            continue  # the check of events reports that this is not an event
