"""Destroying a withdrawn dice set needs two people: one asks, another approves (F1, C1)."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING, Final

from django.db import transaction
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from casino.house.acts.game_streams import occupancy
from casino.house.attendants import permissions
from casino.kit.approvals import kinds
from casino.kit.approvals import operations as approvals
from casino.play.dice import life
from casino.play.dice.models import DiceSet, State
from ledger import journal

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from casino.house.acts import acts
    from casino.house.attendants.models import Attendant
    from casino.kit.approvals.requests import Request

KIND: Final = "destroy_dice"


def ask(act: acts.Act, dice_set: uuid.UUID, *, reason: str) -> journal.Receipt:
    """
    Ask that a withdrawn set is destroyed. Its number is never given to another set.

    :raises NotYours: if the person's role does not let them approve anything themselves.
    :raises NoSuchDice: if the house has no such set.
    :raises NotInItsState: if the set is not withdrawn, or has to be inspected first.
    """
    if act.by is None:
        raise permissions.NotYours("Somebody asks by name, or nobody does. C1")
    permissions.require(act.by, "approve", act.house)
    with transaction.atomic():
        dice, _last = life.take_up(act.house, dice_set, life.Do.DESTROY)
    subject = {"dice_set": str(dice_set), "number": dice.number, "dice": dice.dice}
    return approvals.ask(act, kind=KIND, subject=subject, reason=reason)


def carry_out(request: Request, by: Attendant, now: datetime) -> acts.Done:
    """:raises NotInItsState: if the set is no longer withdrawn, or was destroyed already."""
    del by, now
    dice_set = uuid.UUID(request.subject["dice_set"])
    dice, last = life.take_up(request.house, dice_set, life.Do.DESTROY)
    dice.state = State.DESTROYED
    event = journal.NewEvent(
        stream=occupancy.dice_stream(str(dice_set)),
        event_type=occupancy.DESTROYED,
        schema_version=1,
        data={"dice_set": str(dice_set), "reason": request.reason},
    )
    return life.save_with_events(last, dice, [event])


def refusals(requests: Sequence[Request]) -> list[str]:
    """Why each set can be destroyed no longer, because its state is another one by now; or ""."""
    ids = [uuid.UUID(request.subject["dice_set"]) for request in requests]
    rows = DiceSet.objects.filter(establishment=requests[0].house, pk__in=ids).in_bulk()
    return [_why_not(rows[each]) for each in ids]


def _why_not(dice: DiceSet) -> str:
    try:
        if dice.state != State.WITHDRAWN:
            life.refuse(dice)
    except life.NotInItsState as refused:
        return str(refused)
    return ""


def describe(request: Request) -> str:
    subject = request.subject
    return _("Set %(number)s, %(dice)s, is destroyed for good: both are there to see it.") % {
        "number": subject["number"],
        "dice": _(subject["dice"]),
    }


def address(request: Request) -> str:
    return reverse("dice-set", args=[request.subject["dice_set"]])


REQUESTS: Final = {
    KIND: kinds.Kind(
        title=gettext_lazy("Destroy dice"),
        act="approve",
        carry_out=carry_out,
        rows=True,
        tells=kinds.each(describe),
        refusals=refusals,
        address=address,
    ),
}
