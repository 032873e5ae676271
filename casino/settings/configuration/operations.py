"""
Changes of the house's configuration: made at once, or once a second person has approved them.

    put(act, Adding(Table(establishment=house, name="Garden")))
    put(act, Changing(table, {"stake_max": 50}), reason="Quiet nights.")

Rows and events are written in one transaction, all of them or none; each event has the values
before and after (C2). Where the house requires two people, the change waits as a request of the
kind ``configuration`` and is carried out in the approver's act (C1). No change affects a running
game: its terms are in its opening event.
"""

from __future__ import annotations

import uuid
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Final

from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from casino.house.acts import acts, changes
from casino.house.attendants import permissions
from casino.house.attendants.pseudonyms import tokens as pseudonyms
from casino.house.establishments.denominations import can_make, smallest
from casino.house.establishments.models import Establishment, HouseRules, Table
from casino.house.home_throws import house_rules
from casino.house.home_throws.models import HomeThrow
from casino.kit.approvals import kinds, requests
from casino.kit.approvals import operations as approvals
from casino.kit.approvals.kinds import Kind
from casino.kit.approvals.requests import State
from casino.play.dice.models import DiceSet
from casino.play.settlement.models import PrizeRule, Scoreboard
from casino.settings.configuration import descriptions
from casino.words.languages.amounts import money
from casino.words.presenters import TITLES
from casino.words.presenters.opening_forms import UNIT
from games.refusals import Refused
from ledger import journal

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from django.db.models import Model

    from casino.house.attendants.models import Attendant
    from casino.kit.approvals.requests import Request

KIND: Final = "configuration"
THINGS: Final[Mapping[str, type[Model]]] = {
    changes.kind_of(model()): model
    for model in (Establishment, Table, DiceSet, HomeThrow, HouseRules, Scoreboard, PrizeRule)
}
"""The models that are configured here, by the kind in their events' names."""


NOBODY_ELSE: Final[Mapping[str, str]] = {}


class ChangedMeanwhile(Refused):
    code = "changed_meanwhile"


class NoLongerFits(Refused):
    code = "no_longer_fits"


class Overtaken(NoLongerFits):
    """Another row with the same unique values was saved between check and save."""


class Became(StrEnum):
    DONE = "done"
    WAITING = "waiting"
    UNCHANGED = "unchanged"


@dataclass(frozen=True, slots=True)
class ChangeOutcome:
    """The outcome of a change; `request`: the id of the request that waits for a second person."""

    became: Became
    request: uuid.UUID | None = None


@dataclass(frozen=True, slots=True)
class Adding:
    """A new thing. `follows`: the one in force before, which becomes `before` in the event."""

    thing: Model
    follows: Model | None = None


@dataclass(frozen=True, slots=True)
class Changing:
    """New values for columns of a thing; columns that are not named keep their values."""

    thing: Model
    values: Mapping[str, Any]


def put(
    act: acts.Act, *wanted: Adding | Changing, reason: str = "", summary: str = ""
) -> ChangeOutcome:
    """
    Change things of the house, all together or not at all.

    :param summary: the change in a few words, for the approver; names no person.
    :raises NotYours: if the person's role does not let them change the house's things.
    :raises ValidationError: by field, if the values are not valid together.
    :raises ReasonMissing: if a second person is to approve it and no reason is given.
    :raises CommandReused: if the act's id was used for something else.
    """
    if act.by is not None:
        permissions.require(act.by, "configure", act.house)
    if (before := earlier_outcome(act)) is not None:
        return before
    try:
        for each in wanted:
            _validate(each)
    except ValidationError:
        if (before := earlier_outcome(act)) is not None:  # the same act arrived in the meantime
            return before
        raise
    written = [as_json for each in wanted if (as_json := _write(act.house.pk, each)) is not None]
    if not written:
        return ChangeOutcome(Became.UNCHANGED)
    if act.by is not None and changes.wants_two(act.house):
        subject = {"changes": written, "told": summary}
        approvals.ask(act, kind=KIND, subject=subject, reason=reason)
        return ChangeOutcome(Became.WAITING, requests.id_of(act.house.pk, act.command_id))
    kept = pseudonyms.keep(act.house.pk, reason) if reason.strip() else ""
    return _put(act, written, kept)


def put_decided(
    act: acts.Act,
    *wanted: Adding | Changing,
    reason: str,
    asked_by: str,
    decided_for: Mapping[str, str],
) -> ChangeOutcome:
    """
    Change things of the house as two people have decided it above the house, for its chain.

    Those two stand for the house's own two (C1): `act.by` approved it, and is in each event with
    whoever asked. That they may decide it is for the caller to check.

    :param asked_by: the id of whoever proposed it.
    :param decided_for: what else each event says of it: the chain, the proposal.
    :raises ValidationError: by field, if the values are not valid together at this house.
    :raises NoLongerFits: if somebody at the house changes the same thing all the time.
    """
    if (before := earlier_outcome(act)) is not None:
        return before
    for each in wanted:
        _validate(each)
    written = [as_json for each in wanted if (as_json := _write(act.house.pk, each)) is not None]
    if not written:
        return ChangeOutcome(Became.UNCHANGED)
    signed = {"asked_by": asked_by, "approved_by": act.actor, **decided_for}
    return _put(act, written, pseudonyms.keep(act.house.pk, reason), signed)


def earlier_outcome(act: acts.Act) -> ChangeOutcome | None:
    """The outcome of the same act if it was put before; None otherwise."""
    request = requests.id_of(act.house.pk, act.command_id)
    stream = requests.stream_of(request)
    if journal.last(establishment=act.house.pk, stream=stream) is not None:
        waits = requests.state(act.house, request).state == State.WAITING
        return ChangeOutcome(Became.WAITING if waits else Became.DONE, request)
    receipt = journal.recorded_answer(
        establishment=act.house.pk, command_id=act.command_id, request_hash=act.request_hash
    )
    return None if receipt is None else ChangeOutcome(Became.DONE)


def _put(
    act: acts.Act,
    written: Sequence[Mapping[str, Any]],
    reason: str,
    signed: Mapping[str, str] = NOBODY_ELSE,
) -> ChangeOutcome:
    """Make the change at once. If somebody else saved the same row first, try again."""
    for _attempt in range(acts.TRIES - 1):
        try:
            _put_once(act, written, reason, signed)
        except NoLongerFits as refused:
            if (before := earlier_outcome(act)) is not None:
                return before
            if not isinstance(refused, Overtaken):
                raise
        else:
            return ChangeOutcome(Became.DONE)
    _put_once(act, written, reason, signed)
    return ChangeOutcome(Became.DONE)


def _put_once(
    act: acts.Act, written: Sequence[Mapping[str, Any]], reason: str, signed: Mapping[str, str]
) -> None:
    """Write rows and ledger in one transaction: if the ledger refuses, no row has changed."""
    with transaction.atomic():
        happened = [_apply(act.house.pk, each, act.now) for each in written]
        acts.perform(act, lambda: _record(act.house.pk, happened, reason, signed))


def carry_out(request: Request, by: Attendant, now: datetime) -> acts.Done:
    """
    Carry out an approved change in the approver's act. Called within a transaction (`Kind.rows`).

    :raises ChangedMeanwhile: if a value is not as the asker saw it.
    :raises AlreadyDecided: if the reason is that somebody has just approved the same request.
    :raises NoLongerFits: if the values are no longer valid.
    """
    del by
    try:
        happened = [_apply(request.house.pk, each, now) for each in request.subject["changes"]]
    except (ChangedMeanwhile, NoLongerFits):
        if requests.state(request.house, request.id).state != State.WAITING:
            raise approvals.AlreadyDecided(
                "Somebody decided this request a moment ago: nothing is left to do. C1"
            ) from None
        raise
    return _record(request.house.pk, happened, request.reason)


@dataclass(frozen=True, slots=True)
class Happened:
    """A thing before and after a change."""

    kind: str
    thing: str
    created: bool
    before: Mapping[str, Any] | None
    after: Mapping[str, Any]


def _record(
    establishment: uuid.UUID,
    happened: Sequence[Happened],
    reason: str,
    signed: Mapping[str, str] = NOBODY_ELSE,
) -> acts.Done:
    streams = {changes.record_stream(each.kind) for each in happened}
    return acts.Done(
        guards=journal.versions(establishment=establishment, streams=streams),
        events=[_event(each, reason, signed) for each in happened],
    )


def _event(happened: Happened, reason: str, signed: Mapping[str, str]) -> journal.NewEvent:
    return journal.NewEvent(
        stream=changes.record_stream(happened.kind),
        event_type=f"{happened.kind}.{'created' if happened.created else 'changed'}",
        schema_version=1,
        data={
            "id": happened.thing,
            "before": happened.before,
            "after": happened.after,
            "reason": reason,
            **signed,
        },
    )


def _validate(wanted: Adding | Changing) -> None:
    """
    Validate a change.

    :raises ValidationError: by field.
    """
    if isinstance(wanted, Changing):
        for name, value in wanted.values.items():
            setattr(wanted.thing, name, value)
    wanted.thing.full_clean()
    if isinstance(wanted, Changing) and isinstance(wanted.thing, Establishment):
        check(wanted.thing, wanted.values)


def _write(house: uuid.UUID, wanted: Adding | Changing) -> dict[str, Any] | None:
    """A change in JSON values; None if nothing changes."""
    thing = wanted.thing
    described = {"thing": changes.kind_of(thing), "id": str(thing.pk), "label": str(thing)}
    after = changes.state_of(thing)
    if isinstance(wanted, Adding):
        follows = changes.state_of(wanted.follows) if wanted.follows else None
        return {**described, "created": True, "before": follows, "after": after}
    stored = changes.rows_at(house, type(thing)).get(pk=thing.pk)
    was = changes.state_of(stored)
    described["label"] = str(stored)
    differing = {name for name in after if was[name] != after[name]} & _columns(wanted)
    if not differing:
        return None
    before = {name: was[name] for name in sorted(differing)}
    return {
        **described,
        "created": False,
        "before": before,
        "after": {name: after[name] for name in before},
    }


def _columns(wanted: Changing) -> set[str]:
    meta = type(wanted.thing)._meta  # noqa: SLF001 - Django's documented Meta API
    return {meta.get_field(name).attname for name in wanted.values}  # type: ignore[union-attr]


def _apply(house: uuid.UUID, change: Mapping[str, Any], now: datetime) -> Happened:
    """Save a change to its row."""
    model = THINGS[change["thing"]]
    if change["created"]:
        thing = _from_json(model(), change["after"])
        _brought_up(thing, now)
        before = change["before"]
    else:
        thing = (
            changes.rows_at(house, model)
            .select_for_update(of=("self",), no_key=True)
            .get(pk=change["id"])
        )
        before = changes.state_of(thing)
        check_unmoved(change, before)
        _from_json(thing, change["after"])
    try:
        thing.full_clean()
    except ValidationError as invalid:
        raise NoLongerFits(f"{change['label']}: {' '.join(invalid.messages)} Ask anew.") from None
    _save(thing, change)
    return Happened(
        change["thing"], str(thing.pk), change["created"], before, changes.state_of(thing)
    )


def _save(thing: Model, change: Mapping[str, Any]) -> None:
    """
    Save a thing.

    :raises Overtaken: if another row with the same unique values exists by now.
    """
    try:
        with transaction.atomic():
            thing.save(force_insert=change["created"], force_update=not change["created"])
    except IntegrityError:
        raise Overtaken(f"{change['label']}: somebody was quicker. Look, and ask anew.") from None


def check_unmoved(change: Mapping[str, Any], now: Mapping[str, Any]) -> None:
    """
    Check that the columns still have the values that the asker saw.

    :raises ChangedMeanwhile: naming the column.
    """
    for name, value in change["before"].items():
        if now[name] != value:
            raise ChangedMeanwhile(
                f"{change['label']}: {name} is {now[name]} by now, it was {value} when this was"
                " asked for. Ask anew."
            )


def _from_json(thing: Model, values: Mapping[str, Any]) -> Model:
    for field in thing._meta.concrete_fields:  # noqa: SLF001 - Django's documented Meta API
        if field.attname in values:
            setattr(thing, field.attname, field.to_python(values[field.attname]))
    return thing


def _brought_up(thing: Model, now: datetime) -> None:
    """
    Let a thing that should have begun while it waited begin now; give a version the next free
    number.
    """
    begins = getattr(thing, "effective_from", None)
    if isinstance(begins, datetime) and isinstance(thing, HomeThrow | HouseRules):
        thing.effective_from = max(begins, now)
    if isinstance(thing, HouseRules):
        thing.version = house_rules.next_version(thing.establishment, thing.game)


def new_id(act: acts.Act, number: int = 0) -> uuid.UUID:
    """The id of a thing that an act adds: the same one however often the act arrives."""
    return uuid.uuid5(act.house.pk, f"{KIND}/{act.command_id}/{number}")


def with_request(act: acts.Act, **fields: object) -> acts.Act:
    """The act with the requested change in JSON values, which are the same in a repeat."""
    return replace(act, request={"do": "configure", **fields})


# Other coins and chips of a house, checked against the amounts that are set there (G11).


def check(house: Establishment, changed: Mapping[str, Any]) -> None:
    """
    Check that the house's new pieces make what is set at it.

    Other decimals change amounts and pieces alike, so these are checked where decimals change.

    :param house: with its new values; `changed`: those.
    :raises ValidationError: naming what the pieces do not make.
    """
    if "denominations" not in changed or "coin_digits" in changed:
        return
    was = Establishment.objects.get(pk=house.pk).denominations
    if was != house.denominations and (where := ", ".join(_amounts_left(house, smallest(was)))):
        sentence = _("These pieces do not make what is set: %(where)s. Change that first. G11")
        raise ValidationError({"denominations": sentence % {"where": where}})


def _amounts_left(house: Establishment, smallest_before: int) -> Iterator[str]:
    now, listed = timezone.now(), house.denominations
    coming = HouseRules.objects.filter(establishment=house, effective_from__gt=now)
    for rules in (*house_rules.all_in_force(house, now).values(), *coming):
        point = rules.options.get(UNIT, smallest_before)
        if rules.played and not _holds(house, rules, point):
            words = {"game": TITLES[rules.game], "point": money(point)}
            yield _("%(game)s, where a point is worth %(point)s") % words
    for table in Table.objects.filter(establishment=house):
        if any(not can_make(listed, each or 0) for each in (table.stake_min, table.stake_max)):
            yield str(table)
    for prize in PrizeRule.objects.filter(establishment=house, active=True):
        if not can_make(listed, prize.amount):
            yield str(prize.prize)


def _holds(house: Establishment, rules: HouseRules, point: int) -> bool:
    """Whether rules mean the same as before with the new pieces, which make their amounts."""
    if house_rules.worth_of_point(house, rules.options) != point:
        return False
    try:
        house_rules.check_terms(house, rules.options, rules.fee)
    except Refused:
        return False
    return True


# Changes of configuration as a kind of request for approval.


def refusals(requests: Sequence[Request]) -> list[str]:
    """Why each requested change can be made no longer, because a value has changed since; or ""."""
    house = requests[0].house.pk
    ids: dict[str, set[str]] = {}
    for each in (each for request in requests for each in request.subject["changes"]):
        if not each["created"]:
            ids.setdefault(each["thing"], set()).add(each["id"])
    rows = {
        (thing, str(row.pk)): changes.state_of(row)
        for thing, known in ids.items()
        for row in changes.rows_at(house, THINGS[thing]).filter(pk__in=known)
    }
    return [_describe_move(request, rows) for request in requests]


def _describe_move(request: Request, rows: Mapping[tuple[str, str], Mapping[str, Any]]) -> str:
    for each in request.subject["changes"]:
        try:
            if not each["created"]:
                check_unmoved(each, rows[each["thing"], each["id"]])
        except ChangedMeanwhile as refused:
            return str(refused)
    return ""


REQUESTS: Final = {
    KIND: Kind(
        title=gettext_lazy("Configuration"),
        act="configure",
        carry_out=carry_out,
        rows=True,
        tells=kinds.each(descriptions.request),
        address=descriptions.address,
        refusals=refusals,
    ),
}
