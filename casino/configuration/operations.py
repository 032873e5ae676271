"""
Changes of the house's configuration as acts: at once, or once a second person has approved them.

    put(act, Adding(Table(establishment=house, name="Garden")))
    put(act, Changing(table, {"stake_max": 50}), reason="Quiet nights.")

Rows and events are written in one transaction, all of them or none; each event says what was and
what is (C2). Where the house wants two people, the change waits as a request of the kind
``configuration`` and is carried out in the approver's act (C1). Nothing of it touches a game that
runs: what a game goes by stands in its opening.
"""

from __future__ import annotations

import uuid
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Final

from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction

from casino.approvals import operations as approvals
from casino.approvals import requests
from casino.approvals.requests import State
from casino.attendants import permissions
from casino.dice.models import DiceSet
from casino.establishments.models import Establishment, HouseRules, Table
from casino.home_throws.models import HomeThrow
from casino.house_rules import operations as house_rules
from casino.operations import acts, changes
from casino.pseudonyms import tokens as pseudonyms
from casino.settlement.models import PrizeRule
from games.refusals import Refused
from ledger import journal

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from django.db.models import Model

    from casino.approvals.requests import Request
    from casino.attendants.models import Attendant

KIND: Final = "configuration"
THINGS: Final[Mapping[str, type[Model]]] = {
    changes.kind_of(model()): model
    for model in (Establishment, Table, DiceSet, HomeThrow, HouseRules, PrizeRule)
}
"""What is configured here, by the name that its events have."""


class ChangedMeanwhile(Refused):
    code = "changed_meanwhile"


class NoLongerFits(Refused):
    code = "no_longer_fits"


class Overtaken(NoLongerFits):
    """Another row took the place between the look and the save."""


class Became(StrEnum):
    DONE = "done"
    WAITING = "waiting"
    UNCHANGED = "unchanged"


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a change; `request`: the one that waits for a second person."""

    became: Became
    request: uuid.UUID | None = None


@dataclass(frozen=True, slots=True)
class Adding:
    """A new thing. `follows`: the one that held before it, to stand as `before` in its event."""

    thing: Model
    follows: Model | None = None


@dataclass(frozen=True, slots=True)
class Changing:
    """New values of a thing's columns; what is not named stays as it is by then."""

    thing: Model
    values: Mapping[str, Any]


def put(act: acts.Act, *wanted: Adding | Changing, reason: str = "", told: str = "") -> Outcome:
    """
    Change the house's things, all together or not at all.

    :param told: what it comes to in a few words, for whoever approves it; names no person.
    :raises NotYours: if the person may not keep the house's things.
    :raises ValidationError: by field, if the values do not hold together.
    :raises ReasonMissing: if a second person is to approve it and no reason is given.
    :raises CommandReused: if the act's id was used for something else.
    """
    if act.by is not None:
        permissions.require(act.by, "configure", act.house)
    if (before := answered(act)) is not None:
        return before
    try:
        for each in wanted:
            _checked(each)
    except ValidationError:
        if (before := answered(act)) is not None:  # the same act came by in the meantime
            return before
        raise
    written = [as_json for each in wanted if (as_json := _written(act.house.pk, each)) is not None]
    if not written:
        return Outcome(Became.UNCHANGED)
    if act.by is not None and changes.wants_two(act.house):
        subject = {"changes": written, "told": told}
        approvals.ask(act, kind=KIND, subject=subject, reason=reason)
        return Outcome(Became.WAITING, requests.id_of(act.house.pk, act.command_id))
    kept = pseudonyms.keep(act.house.pk, reason) if reason.strip() else ""
    return _put(act, written, kept)


def answered(act: acts.Act) -> Outcome | None:
    """What became of the same act before, if it was put already."""
    asked = requests.id_of(act.house.pk, act.command_id)
    stream = requests.stream_of(asked)
    if journal.last(establishment=act.house.pk, stream=stream) is not None:
        waits = requests.state(act.house, asked).state == State.WAITING
        return Outcome(Became.WAITING if waits else Became.DONE, asked)
    receipt = journal.answered(
        establishment=act.house.pk, command_id=act.command_id, request_hash=act.request_hash
    )
    return None if receipt is None else Outcome(Became.DONE)


def _put(act: acts.Act, written: Sequence[Mapping[str, Any]], reason: str) -> Outcome:
    """The change at once. Where somebody was quicker with the same row, look again."""
    for _ in range(acts.TRIES - 1):
        try:
            _put_once(act, written, reason)
        except NoLongerFits as refused:
            if (before := answered(act)) is not None:
                return before
            if not isinstance(refused, Overtaken):
                raise
        else:
            return Outcome(Became.DONE)
    _put_once(act, written, reason)
    return Outcome(Became.DONE)


def _put_once(act: acts.Act, written: Sequence[Mapping[str, Any]], reason: str) -> None:
    """Rows and ledger in one transaction: where the ledger does not take it, no row has changed."""
    with transaction.atomic():
        happened = [_applied(act.house.pk, each, act.now) for each in written]
        acts.perform(act, lambda: _done(act.house.pk, happened, reason))


def carry_out(request: Request, by: Attendant, now: datetime) -> acts.Done:
    """
    What was asked for, done as the approver's act. Called within a transaction (`Kind.rows`).

    :raises ChangedMeanwhile: if what was to change is not as the asker saw it.
    :raises AlreadyDecided: if that is so because somebody approved it a moment ago.
    :raises NoLongerFits: if the values do not hold together by now.
    """
    del by
    try:
        happened = [_applied(request.house.pk, each, now) for each in request.subject["changes"]]
    except (ChangedMeanwhile, NoLongerFits):
        if requests.state(request.house, request.id).state != State.WAITING:
            raise approvals.AlreadyDecided(
                "Somebody decided this request a moment ago: nothing is left to do. C1"
            ) from None
        raise
    return _done(request.house.pk, happened, request.reason)


@dataclass(frozen=True, slots=True)
class Happened:
    """A thing as it was and as it is."""

    kind: str
    thing: str
    created: bool
    before: Mapping[str, Any] | None
    after: Mapping[str, Any]


def _done(establishment: uuid.UUID, happened: Sequence[Happened], reason: str) -> acts.Done:
    streams = {changes.record_stream(each.kind) for each in happened}
    return acts.Done(
        guards=journal.versions(establishment=establishment, streams=streams),
        events=[_event(each, reason) for each in happened],
    )


def _event(happened: Happened, reason: str) -> journal.NewEvent:
    return journal.NewEvent(
        stream=changes.record_stream(happened.kind),
        event_type=f"{happened.kind}.{'created' if happened.created else 'changed'}",
        schema_version=1,
        data={
            "id": happened.thing,
            "before": happened.before,
            "after": happened.after,
            "reason": reason,
        },
    )


def _checked(wanted: Adding | Changing) -> None:
    """:raises ValidationError: by field."""
    if isinstance(wanted, Changing):
        for name, value in wanted.values.items():
            setattr(wanted.thing, name, value)
    wanted.thing.full_clean()


def _written(house: uuid.UUID, wanted: Adding | Changing) -> dict[str, Any] | None:
    """A change as JSON values; None: it changes nothing."""
    thing = wanted.thing
    told = {"thing": changes.kind_of(thing), "id": str(thing.pk), "label": str(thing)}
    after = changes.state_of(thing)
    if isinstance(wanted, Adding):
        follows = changes.state_of(wanted.follows) if wanted.follows else None
        return {**told, "created": True, "before": follows, "after": after}
    stored = changes.rows_at(house, type(thing)).get(pk=thing.pk)
    was = changes.state_of(stored)
    told["label"] = str(stored)
    differing = {name for name in after if was[name] != after[name]} & _columns(wanted)
    if not differing:
        return None
    before = {name: was[name] for name in sorted(differing)}
    return {
        **told,
        "created": False,
        "before": before,
        "after": {name: after[name] for name in before},
    }


def _columns(wanted: Changing) -> set[str]:
    meta = type(wanted.thing)._meta  # noqa: SLF001 - Django's documented Meta API
    return {meta.get_field(name).attname for name in wanted.values}  # type: ignore[union-attr]


def _applied(house: uuid.UUID, change: Mapping[str, Any], now: datetime) -> Happened:
    """Save what a change says."""
    model = THINGS[change["thing"]]
    if change["created"]:
        thing = _from_json(model(), change["after"])
        _brought_up(thing, now)
        before = change["before"]
    else:
        thing = changes.rows_at(house, model).select_for_update().get(pk=change["id"])
        before = changes.state_of(thing)
        _unmoved(change, before)
        _from_json(thing, change["after"])
    try:
        thing.full_clean()
    except ValidationError as invalid:
        raise NoLongerFits(f"{change['label']}: {' '.join(invalid.messages)} Ask anew.") from None
    _saved(thing, change)
    return Happened(
        change["thing"], str(thing.pk), change["created"], before, changes.state_of(thing)
    )


def _saved(thing: Model, change: Mapping[str, Any]) -> None:
    """:raises Overtaken: if the database has another row in its place by now."""
    try:
        with transaction.atomic():
            thing.save(force_insert=change["created"], force_update=not change["created"])
    except IntegrityError:
        raise Overtaken(f"{change['label']}: somebody was quicker. Look, and ask anew.") from None


def _unmoved(change: Mapping[str, Any], now: Mapping[str, Any]) -> None:
    """:raises ChangedMeanwhile: naming the column."""
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
    """What was to begin while it waited begins now; a version takes the next free number."""
    begins = getattr(thing, "effective_from", None)
    if isinstance(begins, datetime) and isinstance(thing, HomeThrow | HouseRules):
        thing.effective_from = max(begins, now)
    if isinstance(thing, HouseRules):
        thing.version = house_rules.next_version(thing.establishment, thing.game)


def new_id(act: acts.Act, number: int = 0) -> uuid.UUID:
    """The id of a thing that an act adds: the same one however often the act arrives."""
    return uuid.uuid5(act.house.pk, f"{KIND}/{act.command_id}/{number}")


def asked(act: acts.Act, **fields: object) -> acts.Act:
    """The same act with what was asked, in JSON values that a repeat has again."""
    return replace(act, request={"do": "configure", **fields})
