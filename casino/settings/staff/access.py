"""
The access listing: who had which role at a house, as of any moment (D1). Reviewed every quarter.

The spells of a role are read from the ledger's events, which have every change with before and
after.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any
from uuid import UUID

from django.db.models import Max, Q

from casino.house.acts import changes
from casino.house.attendants.models import Attendant, Employment, Factor, SignIn
from ledger import journal

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from casino.house.establishments.models import Establishment

ENTERED = (
    SignIn.What.SIGNED_IN, SignIn.What.PIN_TAKEN, SignIn.What.ONE_ACT, SignIn.What.TOKEN_GIVEN
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Spell:
    """A role from one moment until another; `until` None: it had not ended."""

    role: str
    since: datetime
    until: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Access:
    """
    One employment as it was at that moment.

    :param role: empty if the employment had ended.
    :param factors: kinds of second factor the person had.
    """

    employment: Employment
    person: Attendant
    role: str
    spells: tuple[Spell, ...]
    factors: tuple[str, ...]
    last_sign_in: datetime | None

    @property
    def since(self) -> datetime:
        return self.spells[0].since

    @property
    def until(self) -> datetime | None:
        return self.spells[-1].until


def listing(house: Establishment, at: datetime) -> list[Access]:
    """Every employment begun by a moment: people who still worked there first, then by name."""
    jobs = Employment.objects.filter(establishment=house, since__lte=at)
    rows = list(jobs.select_related("attendant"))
    spells = _spells(house.pk, at)
    people = {row.attendant_id for row in rows}
    held, seen = _factors(people, at), _last_seen(house.pk, at)
    found = [_access(row, spells.get(row.pk) or _of_row(row, at), held, seen, at) for row in rows]
    return sorted(found, key=lambda each: (not each.role, str(each.person).casefold(), each.since))


def _access(
    row: Employment,
    spells: tuple[Spell, ...],
    held: Mapping[UUID, tuple[str, ...]],
    seen: Mapping[UUID, datetime],
    at: datetime,
) -> Access:
    last = spells[-1]
    return Access(
        employment=row,
        person=row.attendant,
        role=last.role if last.until is None or last.until > at else "",
        spells=spells,
        factors=held.get(row.attendant_id, ()),
        last_sign_in=seen.get(row.attendant_id),
    )


def _of_row(row: Employment, at: datetime) -> tuple[Spell, ...]:
    """The spell of an employment without events, from a house founded before there were events."""
    until = row.until if row.until and row.until <= at else None
    return (Spell(row.role, row.since, until),)


def _spells(house: UUID, at: datetime) -> dict[UUID, tuple[Spell, ...]]:
    """The spells of each employment, folded from its events up to a moment."""
    found: dict[str, list[Spell]] = {}
    stream = changes.record_stream(changes.kind_of(Employment()))
    for event in journal.stream(establishment=house, stream=stream):
        if event.provenance.recorded_at > at:
            break
        _fold(found, event.data["after"], event.provenance.recorded_at)
    return {UUID(key): tuple(spells) for key, spells in found.items()}


def _fold(found: dict[str, list[Spell]], after: Mapping[str, Any], moment: datetime) -> None:
    spells = found.setdefault(after["id"], [])
    if not spells:
        spells.append(Spell(after["role"], datetime.fromisoformat(after["since"]), None))
    elif spells[-1].role != after["role"]:
        spells[-1] = Spell(spells[-1].role, spells[-1].since, moment)
        spells.append(Spell(after["role"], moment, None))
    if after["until"]:
        last = spells[-1]
        spells[-1] = Spell(last.role, last.since, datetime.fromisoformat(after["until"]))


def _factors(people: Iterable[UUID], at: datetime) -> dict[UUID, tuple[str, ...]]:
    there = Factor.objects.filter(
        Q(removed_at__isnull=True) | Q(removed_at__gt=at),
        attendant__in=list(people),
        added_at__lte=at,
    )
    found: dict[UUID, set[str]] = {}
    for person, kind in there.values_list("attendant_id", "kind"):
        found.setdefault(person, set()).add(kind)
    return {person: tuple(sorted(kinds)) for person, kinds in found.items()}


def _last_seen(house: UUID, at: datetime) -> dict[UUID, datetime]:
    entered = SignIn.objects.filter(establishment=house, at__lte=at, what__in=ENTERED)
    rows = entered.order_by().values_list("attendant_id").annotate(last=Max("at"))
    return {person: last for person, last in rows if person}
