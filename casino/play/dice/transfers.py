"""
A dice set that moves from one house to another: out of one ledger, and into the other's (F1).

`send` ends the set at its house for good, and `arrive` begins it at the other, where it is
inspected and issued like any delivery. In between it is at no house, and never at two: `arrive` is
for callers who know that `send` is on record. Each may be repeated any number of times.
"""

from __future__ import annotations

import uuid
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from casino.house.acts import acts, changes
from casino.house.acts.game_streams import occupancy
from casino.kit.approvals.operations import perform
from casino.play.dice import life
from casino.play.dice.models import DiceSet, State
from ledger import journal

if TYPE_CHECKING:
    from collections.abc import Mapping

    from casino.house.establishments.models import Establishment

NUMBER_MAX = 24


@dataclass(frozen=True, slots=True, kw_only=True)
class Transfer:
    """
    A transfer, as its two events say it.

    :param signed: who asked and who approved it, by id.
    """

    id: uuid.UUID
    source: Establishment
    target: Establishment
    reason: str
    signed: Mapping[str, str]

    def act(self, house: Establishment, do: str, **context: Any) -> acts.Act:
        """The act at one of the houses: the same one however often a worker begins it."""
        return acts.Act(
            house=house,
            command_id=uuid.uuid5(house.pk, f"dice-transfer/{self.id}/{do}"),
            request={"do": do, "transfer": str(self.id)},
            **context,
        )

    @property
    def arrived_as(self) -> uuid.UUID:
        """The id of the set at the house where it arrives."""
        return uuid.uuid5(self.target.pk, f"dice-transfer/{self.id}")


def send(transfer: Transfer, dice_set: uuid.UUID, **context: Any) -> journal.Receipt:
    """
    End a set at its house: from now on it is withdrawn there for good.

    :param context: who acts, from where and when: `by`, `device`, `now`.
    :raises NoSuchDice: if the house has no such set.
    :raises NotInItsState: if it lies on a table, waits for an inspection, or is gone.
    """
    act = transfer.act(transfer.source, "send", **context)
    act = replace(act, request={**act.request, "dice_set": str(dice_set)})
    life.find(transfer.source, dice_set)

    def judged() -> acts.Done:
        # What may be withdrawn may leave: it is on no table, and nothing is open about it.
        dice, last = life.take_up(transfer.source, dice_set, life.Do.WITHDRAW)
        dice.state, dice.withdrawn, dice.issued_to = State.SENT, True, None
        data = {
            "dice_set": str(dice.pk), "number": dice.number, "dice": str(dice.dice),
            "transfer": str(transfer.id), "to": str(transfer.target.pk), **transfer.signed,
            **life.tokens_of_texts(transfer.source, reason=f"{transfer.target}: {transfer.reason}"),
        }  # fmt: skip
        stream = occupancy.dice_stream(str(dice.pk))
        return life.save_with_events(last, dice, [life.new_event(stream, occupancy.SENT, data)])

    return perform(act, judged, rows=True)


def arrive(transfer: Transfer, sent: DiceSet, **context: Any) -> journal.Receipt:
    """
    Begin a set at the house that it was sent to. It has to be inspected and issued there.

    It keeps its number, unless the house has a set of that number: then it gets one beside it.

    :param sent: the row at the house that it comes from.
    """
    house = transfer.target
    act = transfer.act(house, "arrive", **context)
    papers = {
        "supplier": str(transfer.source),
        "reference": str(transfer.id)[:8],
        "reason": transfer.reason,
    }

    def judged() -> acts.Done:
        dice = DiceSet(
            id=transfer.arrived_as, establishment=house, number=_free(house, sent.number),
            state=State.RECEIVED, **sent.traits,
        )  # fmt: skip
        record = changes.record_stream(changes.kind_of(dice))
        stream = occupancy.dice_stream(str(dice.pk))
        guards = journal.versions(establishment=house.pk, streams=[record, stream])
        life.save(dice)
        created = {"id": str(dice.pk), "before": None, "after": changes.state_of(dice)}
        received = {
            "dice_set": str(dice.pk), "number": dice.number, "dice": str(dice.dice),
            "transfer": str(transfer.id), "from": str(transfer.source.pk),
            "was": {"dice_set": str(sent.pk), "number": sent.number},
            **life.tokens_of_texts(house, **papers), **transfer.signed,
        }  # fmt: skip
        events = [
            life.new_event(record, "dice_set.created", {**created, "reason": ""}),
            life.new_event(stream, occupancy.RECEIVED, received),
        ]
        return acts.Done(guards=guards, events=events)

    return perform(act, judged, rows=True)


def _free(house: Establishment, number: str) -> str:
    """The number, or the first of "number/2", "number/3" … that the house has no set of."""
    taken = set(
        DiceSet.objects.filter(
            establishment=house, number__startswith=number[: NUMBER_MAX - 4]
        ).values_list("number", flat=True)
    )
    found, more = number, 1
    while found in taken:
        more += 1
        found = f"{number[: NUMBER_MAX - 4]}/{more}"
    return found
