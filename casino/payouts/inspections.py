"""Dice that won a large prize are inspected before they are thrown again (A7)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from casino.attendants import permissions
from casino.dice.models import DiceSet
from casino.establishments import acts
from casino.play import places
from casino.players import veil
from games.refusals import Refused
from ledger import journal

if TYPE_CHECKING:
    from collections.abc import Iterator
    from uuid import UUID

    from casino.establishments.models import Establishment
    from ledger.wire import StoredEvent


class NotInQuarantine(Refused):
    code = "not_in_quarantine"


class NoSuchDice(Refused):
    code = "no_such_dice"


class NoFinding(Refused):
    code = "no_finding"


def waiting(house: Establishment) -> Iterator[tuple[DiceSet, StoredEvent]]:
    """The dice sets of a house that wait for an inspection, or did not pass one, and why."""
    for dice in DiceSet.objects.filter(establishment=house, withdrawn=False):
        stream = places.dice_stream(str(dice.pk))
        if places.in_quarantine(house.pk, stream):
            last = journal.last(establishment=house.pk, stream=stream)
            if last is not None:
                yield dice, last


def inspect(act: acts.Act, *, dice_set: UUID, in_order: bool, finding: str) -> journal.Receipt:
    """
    Record that dice were inspected, by whom, and what was found. In order, they may be thrown
    again; else they stay away until a later inspection, or are withdrawn.

    :raises NotYours: if the person may not approve.
    :raises NoSuchDice: if the house has no such set.
    :raises NotInQuarantine: if they wait for no inspection.
    :raises NoFinding: if nothing is said of what was found.
    """
    if act.by is None:
        raise permissions.NotYours("Somebody inspects dice, by name. A7")
    permissions.require(act.by, "approve", act.house)
    if not DiceSet.objects.filter(establishment=act.house, pk=dice_set).exists():
        raise NoSuchDice("This house has no such dice set. A7")
    stream = places.dice_stream(str(dice_set))

    def decide() -> acts.Done:
        last = journal.last(establishment=act.house.pk, stream=stream)
        if last is None or not places.in_quarantine(act.house.pk, stream):
            raise NotInQuarantine("This dice set waits for no inspection. A7")
        if not finding.strip():
            raise NoFinding("Say what was looked at and found: it stays with the dice. A7")
        data: dict[str, Any] = {
            "game": last.data["game"],
            "dice_set": str(dice_set),
            "payouts": last.data["payouts"],
            "in_order": in_order,
            "finding": veil.keep(act.house.pk, finding),
        }
        event = journal.NewEvent(
            stream=stream, event_type=places.INSPECTED, schema_version=1, data=data
        )
        return acts.Done(guards={stream: last.stream_version}, events=[event])

    return acts.perform(act, decide)
