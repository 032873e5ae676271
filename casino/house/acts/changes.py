"""
Changes of a house's own things, each with an event that records before and after (C2).

All changes go through this module. The row and its event are written in one transaction; neither
exists without the other.
"""

from __future__ import annotations

import hashlib
import re
import uuid
from dataclasses import replace
from datetime import date, datetime, time
from functools import cache
from typing import TYPE_CHECKING, Any, Final

from django.apps import apps
from django.db import transaction
from django.utils import timezone

from casino.house.attendants import permissions
from casino.house.attendants.models import Employment
from casino.house.attendants.pseudonyms import tokens
from casino.house.establishments import gaming_day
from casino.house.establishments.models import Establishment
from ledger import canonical, journal

if TYPE_CHECKING:
    from collections.abc import Mapping

    from django.db.models import Model, QuerySet

    from casino.house.attendants.models import Attendant

SYSTEM = "system"
HIDDEN = frozenset({"secret", "wall_key"})
"""Columns that events leave out: a key, and the key of an address that needs no sign-in."""
ROW = "row"
"""The field in which events of other streams say what they made of a row, as `state_of` does."""

BY_ONE = frozenset({"employment", "invitation"})  # staff: nobody changes their own role
TRIES = 5  # how often an append is tried if other records of the kind come first


def state_of(thing: Model) -> dict[str, Any]:
    """The columns of a thing as JSON values, for `before` or `after` of an event."""
    return {
        field.attname: _plain(field.value_from_object(thing))
        for field in thing._meta.concrete_fields  # noqa: SLF001 - Django's documented Meta API
        if field.attname not in HIDDEN
    }


RECORDED: Final = (
    "establishments.Establishment", "establishments.Table", "dice.DiceSet", "home_throws.HomeThrow",
    "establishments.HouseRules", "settlement.Scoreboard", "settlement.PrizeRule",
    "attendants.Employment", "attendants.Invitation", "attendants.Tablet",
)  # fmt: skip
"""The models whose rows events record, as Django calls them."""


@cache
def models_in_ledger() -> tuple[type[Model], ...]:
    """The models whose rows events record."""
    return tuple(map(apps.get_model, RECORDED))


def kind_of(thing: Model) -> str:
    return re.sub(r"(?<!^)(?=[A-Z])", "_", type(thing).__name__).lower()


def rows_at(house: uuid.UUID, model: type[Model]) -> QuerySet[Any]:
    """The rows of a model that belong to a house; for the model of houses, the house itself."""
    rows = model._default_manager  # noqa: SLF001 - as Django's forms
    return rows.filter(**{"pk" if model is Establishment else "establishment": house})


def record_stream(kind: str) -> str:
    """The stream with the history of a house's things of one kind."""
    return f"record/{kind}"


def _plain(value: object) -> Any:
    if isinstance(value, datetime):
        return canonical.moment(value)
    if isinstance(value, uuid.UUID | date | time):
        return str(value)
    return value


def version_of(establishment: uuid.UUID, stream: str) -> int:
    last = journal.last(establishment=establishment, stream=stream)
    return last.stream_version if last else 0


def record(  # noqa: PLR0913 - one argument for each thing an auditor asks about a change
    *,
    establishment: Establishment,
    thing: Model,
    happened: str,
    before: Mapping[str, Any] | None,
    by: Attendant | None,
    reason: str = "",
) -> None:
    """Append an event that says what changed, from what to what, and who did it."""
    kind = kind_of(thing)
    data = {
        "id": str(thing.pk),
        "before": before,
        "after": state_of(thing),
        "reason": tokens.keep(establishment.pk, reason) if reason else "",
    }
    now = timezone.now()
    command_id = uuid.uuid4()
    provenance = journal.Provenance(
        command_id=command_id,
        actor=str(by.pk) if by else SYSTEM,
        device="office",
        correlation_id=command_id,
        causation_id=None,
        occurred_at=now,
        recorded_at=now,
        gaming_day=gaming_day.gaming_day(establishment, now),
    )
    event = journal.NewEvent(
        stream=record_stream(kind), event_type=f"{kind}.{happened}", schema_version=1, data=data
    )
    _append(establishment, provenance, event)


def _append(
    establishment: Establishment, provenance: journal.Provenance, event: journal.NewEvent
) -> None:
    """
    Append an event to the stream of its kind; try again if the stream moves.

    Other things of the same kind may change at the same moment.
    """
    tries = TRIES
    while True:
        today = gaming_day.enter(establishment, provenance.recorded_at)
        known = version_of(establishment.pk, event.stream)
        entry = journal.Entry(
            provenance=replace(provenance, gaming_day=today.day),
            request_hash=hashlib.sha256(canonical.encode(event.data)).digest(),
            guards={**today.guards, event.stream: known},
            events=(event,),
        )
        try:
            journal.append(establishment=establishment.pk, entries=[entry])
        except journal.StreamMoved as moved:
            gaming_day.forget_state(establishment.pk, moved)
            tries -= 1
            if not tries:
                raise
        else:
            return


class TwoNeeded(permissions.NotYours):
    """The house requires that a second person approves this change (C1)."""


def wants_two(establishment: Establishment) -> bool:
    """
    Whether changes of a house need a second person.

    The stored setting counts, not the value in memory, which a form may have changed. While the
    house is being set up no second person is needed, until the first one who could approve is
    added: who leaves again does not bring that back.
    """
    wanting = Establishment.objects.filter(pk=establishment.pk, two_configure=True)
    setting_up = wanting.values_list("setting_up", flat=True).first()
    if setting_up is None:
        return False
    if not setting_up:
        return True
    able = Employment.objects.filter(
        establishment=establishment.pk,
        role__in=permissions.ALLOWED["configure"],
        attendant__is_superuser=False,  # superusers cannot sign in, so cannot approve (D1b)
    )
    return able.values("attendant").distinct().count() > 1


def _may(by: Attendant | None, establishment: Establishment, thing: Model) -> None:
    """
    Check that a person may make a change.

    :raises NotYours: if the person may not configure the house, or not without a second person.
    """
    if by is None:
        return
    permissions.require(by, "configure", establishment)
    if kind_of(thing) not in BY_ONE and wants_two(establishment):
        raise TwoNeeded(
            f"At {establishment} a second person approves changes: make this one under Settings,"
            " where it is put to them. C1"
        )


def create(
    thing: Model, *, establishment: Establishment, by: Attendant | None, reason: str = ""
) -> None:
    """
    Save a new thing of the house and record it.

    :param by: who does it; None if the program does, as in the demo house.
    :raises NotYours: if the person may not configure the house.
    :raises ValidationError: if the values of the thing are not valid.
    """
    _may(by, establishment, thing)
    with transaction.atomic():
        thing.full_clean()
        thing.save(force_insert=True)
        record(
            establishment=establishment,
            thing=thing,
            happened="created",
            before=None,
            by=by,
            reason=reason,
        )


def change(
    thing: Model, *, establishment: Establishment, by: Attendant | None, reason: str = ""
) -> bool:
    """
    Save a thing's new values and record old and new ones; do nothing if nothing differs.

    Parameters and errors are those of `create`.

    :returns: whether anything was changed.
    """
    _may(by, establishment, thing)
    with transaction.atomic():
        thing.full_clean()  # first, because it also converts values that were given as text
        model = type(thing)
        stored = (
            rows_at(establishment.pk, model)
            .select_for_update(of=("self",), no_key=True)
            .get(pk=thing.pk)
        )
        before = state_of(stored)
        if before == state_of(thing):
            return False
        thing.save(force_update=True)
        record(
            establishment=establishment,
            thing=thing,
            happened="changed",
            before=before,
            by=by,
            reason=reason,
        )
    return True
