"""
The life of a dice set from received to destroyed (F1): what people do with it outside games.

    received → inspected → issued ⇄ returned to the store
    at any of these → withdrawn → destroyed, which needs two people (`ask_to_destroy`)

Each step is an event in the stream ``dice/<id>``, with who did it. The same stream says which game
has the set (`casino.house.acts.game_streams.occupancy`), so a step and the opening of a game at the
same time are decided one after the other. The set's row has its state and changes in the same
transaction; constraints of the database keep its columns consistent. A set that existed before
there were steps, or was added under Settings, counts as received, inspected and issued to all
tables.
"""

from __future__ import annotations

import uuid
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Final, NoReturn

from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from casino.house.acts import acts, changes
from casino.house.acts.game_streams import occupancy
from casino.house.attendants import permissions
from casino.house.attendants.pseudonyms import tokens as pseudonyms
from casino.house.establishments.models import Table
from casino.kit.approvals import kinds
from casino.kit.approvals import operations as approvals
from casino.kit.approvals.operations import perform
from casino.play.dice.models import FOR_GOOD, DiceSet, State
from games.refusals import Refused
from ledger import journal

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from datetime import datetime

    from casino.house.attendants.models import Attendant
    from casino.house.establishments.models import Establishment
    from casino.kit.approvals.requests import Request
    from ledger.wire import StoredEvent


class NoSuchDice(Refused):
    code = "no_such_dice"


class NotInItsState(Refused):
    code = "not_in_its_state"


class ReasonMissing(Refused):
    code = "reason_missing"


class NoSuchTable(Refused):
    code = "no_such_table"


class DiceUnsound(Refused):
    code = "dice_unsound"


class Do(StrEnum):
    """What may be done with an existing set."""

    INSPECT = "inspect"
    ISSUE = "issue"
    RETURN = "return"
    WITHDRAW = "withdraw"
    DESTROY = "destroy"


OF_STATE: Final = {
    State.RECEIVED: (Do.INSPECT, Do.WITHDRAW),
    State.READY: (Do.ISSUE, Do.INSPECT, Do.WITHDRAW),
    State.ISSUED: (Do.RETURN, Do.INSPECT, Do.WITHDRAW),
    State.WITHDRAWN: (Do.DESTROY,),
    State.DESTROYED: (),
    State.SENT: (),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Delivery:
    """
    A dice set as it was delivered.

    :param sides: the sides of each die; None: one die of each size.
    :param supplier: and `reference`: of the delivery, as its papers have them.
    :param further: what else is said of the dice, by column (`DiceSet.further_traits`).
    """

    number: str
    sides: int | None
    count: int
    colour: str = ""
    supplier: str
    reference: str
    note: str = ""
    further: Mapping[str, Any] = field(default_factory=dict)


def possible(dice: DiceSet, last: StoredEvent | None) -> Sequence[Do]:
    """
    What may be done with a set now, given its state and the last event of its stream.

    Nothing may be done with dice on a table. Dice that won a large prize have to be inspected first
    (A7). Dice that did not pass may only be inspected again or withdrawn.
    """
    if last is not None and occupancy.is_taken(last):
        return ()
    if last is not None and occupancy.waits(last) and dice.state not in FOR_GOOD:
        if last.event_type == occupancy.QUARANTINED:
            return (Do.INSPECT,)
        if dice.state != State.WITHDRAWN:
            return (Do.INSPECT, Do.WITHDRAW)
    return OF_STATE[State(dice.state)]


def new_id(act: acts.Act) -> uuid.UUID:
    """The id of the set that an act receives: the same one however often the act arrives."""
    return uuid.uuid5(act.house.pk, f"dice/{act.command_id}")


def receive(act: acts.Act, delivery: Delivery) -> journal.Receipt:
    """
    Receive a set. It has to be inspected and issued before it may be thrown.

    :raises NotYours: if the person may not approve.
    :raises ReasonMissing: if the supplier or the reference is missing.
    :raises DiceUnsound: if there are no such dice, or the house has a set of that number.
    """
    person = _person(act)
    papers = {
        "supplier": delivery.supplier,
        "reference": delivery.reference,
        "reason": delivery.note,
    }
    dice = DiceSet(
        id=new_id(act),
        establishment=act.house,
        number=delivery.number,
        sides=delivery.sides,
        count=delivery.count,
        colour=delivery.colour,
        state=State.RECEIVED,
        **delivery.further,
    )
    fields = {"do": "receive", **changes.state_of(dice), **papers}

    def judged() -> acts.Done:
        permissions.require(person, "approve", act.house)
        if not (delivery.supplier.strip() and delivery.reference.strip()):
            raise ReasonMissing("Say who supplied the set, and under which reference. F1")
        record = changes.record_stream(changes.kind_of(dice))
        stream = occupancy.dice_stream(str(dice.pk))
        guards = journal.versions(establishment=act.house.pk, streams=[record, stream])
        save(dice)
        created = {"id": str(dice.pk), "before": None, "after": changes.state_of(dice)}
        received = {
            "number": dice.number,
            "dice": str(dice.dice),
            **tokens_of_texts(act.house, **papers),
        }
        events = [
            new_event(record, "dice_set.created", {**created, "reason": ""}),
            new_event(stream, occupancy.RECEIVED, {"dice_set": str(dice.pk), **received}),
        ]
        return acts.Done(guards=guards, events=events)

    return perform(replace(act, request=fields), judged, rows=True)


def inspect(act: acts.Act, dice_set: uuid.UUID, *, in_order: bool, finding: str) -> journal.Receipt:
    """
    Record an inspection: what was measured, and whether the dice passed.

    A set that did not pass is withdrawn in the same act, except a set that won a large prize: it
    waits until people decide about it (A7).

    :raises ReasonMissing: if the finding is empty.
    """

    def happens(dice: DiceSet, last: StoredEvent | None) -> list[journal.NewEvent]:
        if not finding.strip():
            raise ReasonMissing("Say what was looked at and found: it stays with the dice. F1")
        return events_of_inspection(dice, last, in_order=in_order, finding=finding)

    fields = {"in_order": in_order, "finding": finding}
    return _step(act, dice_set, Do.INSPECT, happens, **fields)


def events_of_inspection(
    dice: DiceSet, last: StoredEvent | None, *, in_order: bool, finding: str
) -> list[journal.NewEvent]:
    """The events of an inspection. The set's row is changed to match, and not saved yet."""
    house = dice.establishment
    data: dict[str, Any] = {"in_order": in_order, **tokens_of_texts(house, finding=finding)}
    prize = last is not None and occupancy.waits(last)
    if prize and last is not None:
        data |= {"game": last.data["game"], "payouts": last.data["payouts"]}
    if in_order and dice.state == State.RECEIVED:
        dice.state = State.READY
    table = str(dice.issued_to_id or "")
    data |= {"issued": dice.state == State.ISSUED, "table": table}
    events = [_of(dice, occupancy.INSPECTED, data)]
    if not in_order and not prize:
        dice.state, dice.withdrawn, dice.issued_to = State.WITHDRAWN, True, None
        events.append(_of(dice, occupancy.WITHDRAWN, tokens_of_texts(house, reason=finding)))
    return events


def issue(
    act: acts.Act, dice_set: uuid.UUID, *, table: uuid.UUID | None, note: str = ""
) -> journal.Receipt:
    """
    Issue a set from the store.

    :param table: the only table at which the set may be thrown; None: any table.
    :raises NoSuchTable: if the house has no such table in use.
    """

    def happens(dice: DiceSet, _last: StoredEvent | None) -> list[journal.NewEvent]:
        at = None
        if table is not None:
            at = Table.objects.filter(establishment=act.house, in_use=True, pk=table).first()
            if at is None:
                raise NoSuchTable("This house has no such table in use: choose another. F1")
        dice.state, dice.issued_to = State.ISSUED, at
        data = {
            "issued": True,
            "table": str(table or ""),
            **tokens_of_texts(act.house, reason=note),
        }
        return [_of(dice, occupancy.ISSUED, data)]

    return _step(act, dice_set, Do.ISSUE, happens, table=str(table or ""), reason=note)


def bring_back(act: acts.Act, dice_set: uuid.UUID, *, note: str = "") -> journal.Receipt:
    """Return a set to the store, from where it may be issued again."""

    def happens(dice: DiceSet, _last: StoredEvent | None) -> list[journal.NewEvent]:
        was = str(dice.issued_to_id or "")
        dice.state, dice.issued_to = State.READY, None
        return [
            _of(dice, occupancy.RETURNED, {"table": was, **tokens_of_texts(act.house, reason=note)})
        ]

    return _step(act, dice_set, Do.RETURN, happens, reason=note)


def withdraw(act: acts.Act, dice_set: uuid.UUID, *, reason: str) -> journal.Receipt:
    """
    Withdraw a set from play. After that two people may have it destroyed.

    :raises ReasonMissing: if the reason is empty.
    """

    def happens(dice: DiceSet, _last: StoredEvent | None) -> list[journal.NewEvent]:
        if not reason.strip():
            raise ReasonMissing("Say why the set is withdrawn: it stays with the dice. F1")
        dice.state, dice.withdrawn, dice.issued_to = State.WITHDRAWN, True, None
        return [_of(dice, occupancy.WITHDRAWN, tokens_of_texts(act.house, reason=reason))]

    return _step(act, dice_set, Do.WITHDRAW, happens, reason=reason)


def find(house: Establishment, dice_set: uuid.UUID) -> DiceSet:
    """:raises NoSuchDice: if the house has no set of that id."""
    dice = DiceSet.objects.filter(establishment=house, pk=dice_set).first()
    if dice is None:
        raise NoSuchDice("This house has no such dice set. F1")
    return dice


def take_up(
    house: Establishment, dice_set: uuid.UUID, do: Do
) -> tuple[DiceSet, StoredEvent | None]:
    """
    A set to be changed, and the last event of its stream. Called within a transaction.

    :raises NotInItsState: if `do` is not possible with the set now.
    """
    # Read the stream first: any later change moves the stream, and the guard notices.
    stream = occupancy.dice_stream(str(dice_set))
    last = journal.last(establishment=house.pk, stream=stream)
    rows = DiceSet.objects.select_for_update(of=("self",), no_key=True).filter(
        establishment=house, pk=dice_set
    )
    dice = rows.first() or find(house, dice_set)
    if do not in possible(dice, last):
        refuse(dice, last)
    return dice, last


def save_with_events(
    last: StoredEvent | None, dice: DiceSet, events: list[journal.NewEvent]
) -> acts.Done:
    """Save the set's row, and return the events with it, guarded by the stream's version."""
    dice.save(update_fields=["state", "withdrawn", "issued_to"])
    row = changes.state_of(dice)
    completed = [replace(each, data={**each.data, changes.ROW: row}) for each in events]
    stream = occupancy.dice_stream(str(dice.pk))
    return acts.Done(guards={stream: last.stream_version if last else 0}, events=completed)


def _step(
    act: acts.Act,
    dice_set: uuid.UUID,
    do: Do,
    happens: Callable[[DiceSet, StoredEvent | None], list[journal.NewEvent]],
    **fields: object,
) -> journal.Receipt:
    """
    Perform one step of a set's life.

    :raises NotYours: if the person may not approve.
    :raises NoSuchDice: if the house has no such set.
    :raises NotInItsState: if `do` is not possible with the set now.
    """
    person = _person(act)
    permissions.require(person, "approve", act.house)
    find(act.house, dice_set)

    def judged() -> acts.Done:
        dice, last = take_up(act.house, dice_set, do)
        return save_with_events(last, dice, happens(dice, last))

    asking = replace(act, request={"do": do, "dice_set": str(dice_set), **fields})
    return perform(asking, judged, rows=True)


def _person(act: acts.Act) -> Any:
    if act.by is None:
        raise permissions.NotYours("Somebody keeps the dice, by name. F1")
    permissions.require(act.by, "approve", act.house)
    return act.by


def refuse(dice: DiceSet, last: StoredEvent | None = None) -> NoReturn:
    """:raises NotInItsState: saying why."""
    number = dice.number
    if last is not None and occupancy.is_taken(last):
        raise NotInItsState(
            f"Set {number} lies on a table: change the dice or close the game first. F1"
        )
    if last is not None and last.event_type == occupancy.QUARANTINED:
        raise NotInItsState(f"Set {number} won a large prize: it is inspected before all else. A7")
    if dice.state == State.DESTROYED:
        raise NotInItsState(f"Set {number} was destroyed: nothing is done with it any more. F1")
    if dice.state == State.SENT:
        raise NotInItsState(f"Set {number} went to another house: it is a set of that house. F1")
    raise NotInItsState(
        f"Set {number} is not where this could be done with it: look at it again. F1"
    )


def tokens_of_texts(house: Establishment, **texts: str) -> dict[str, str]:
    """Tokens for texts that people wrote."""
    return {
        name: pseudonyms.keep(house.pk, text) if text.strip() else ""
        for name, text in texts.items()
    }


def _of(dice: DiceSet, event_type: str, data: dict[str, Any]) -> journal.NewEvent:
    stream = occupancy.dice_stream(str(dice.pk))
    return new_event(stream, event_type, {"dice_set": str(dice.pk), **data})


def new_event(stream: str, event_type: str, data: dict[str, Any]) -> journal.NewEvent:
    return journal.NewEvent(stream=stream, event_type=event_type, schema_version=1, data=data)


def save(dice: DiceSet) -> None:
    """:raises DiceUnsound: saying what is wrong."""
    number = dice.number
    if DiceSet.objects.filter(establishment=dice.establishment, number=number).exists():
        raise DiceUnsound(f"This house has a dice set of that number already: {number}. F1")
    try:
        dice.full_clean()
    except ValidationError as invalid:
        raise DiceUnsound(" ".join(invalid.messages)) from None
    try:
        with transaction.atomic():
            dice.save(force_insert=True)
    except IntegrityError:
        raise DiceUnsound(f"Somebody was quicker: there is a set {number} by now. F1") from None


# Destroying a withdrawn dice set needs two people: one asks, another approves (F1, C1).


DESTROY_DICE: Final = "destroy_dice"


def ask_to_destroy(act: acts.Act, dice_set: uuid.UUID, *, reason: str) -> journal.Receipt:
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
        dice, _last = take_up(act.house, dice_set, Do.DESTROY)
    subject = {"dice_set": str(dice_set), "number": dice.number, "dice": dice.dice}
    return approvals.ask(act, kind=DESTROY_DICE, subject=subject, reason=reason)


def destroy(request: Request, by: Attendant, now: datetime) -> acts.Done:
    """:raises NotInItsState: if the set is no longer withdrawn, or was destroyed already."""
    del by, now
    dice_set = uuid.UUID(request.subject["dice_set"])
    dice, last = take_up(request.house, dice_set, Do.DESTROY)
    dice.state = State.DESTROYED
    event = journal.NewEvent(
        stream=occupancy.dice_stream(str(dice_set)),
        event_type=occupancy.DESTROYED,
        schema_version=1,
        data={"dice_set": str(dice_set), "reason": request.reason},
    )
    return save_with_events(last, dice, [event])


def why_not_destroyed(requests: Sequence[Request]) -> list[str]:
    """Why each set can be destroyed no longer, because its state is another one by now; or ""."""
    ids = [uuid.UUID(request.subject["dice_set"]) for request in requests]
    rows = DiceSet.objects.filter(establishment=requests[0].house, pk__in=ids).in_bulk()
    return [_why_not(rows[each]) for each in ids]


def _why_not(dice: DiceSet) -> str:
    try:
        if dice.state != State.WITHDRAWN:
            refuse(dice)
    except NotInItsState as refused:
        return str(refused)
    return ""


def describe_destroying(request: Request) -> str:
    subject = request.subject
    return _("Set %(number)s, %(dice)s, is destroyed for good: both are there to see it.") % {
        "number": subject["number"],
        "dice": _(subject["dice"]),
    }


def address_of_request(request: Request) -> str:
    return reverse("dice-set", args=[request.subject["dice_set"]])


DESTROY_REQUESTS: Final = {
    DESTROY_DICE: kinds.Kind(
        title=gettext_lazy("Destroy dice"),
        act="approve",
        carry_out=destroy,
        rows=True,
        tells=kinds.each(describe_destroying),
        refusals=why_not_destroyed,
        address=address_of_request,
    ),
}
