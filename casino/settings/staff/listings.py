"""Lists of people: who works at a house, who had which role when, the sign-in log (D1, D2)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import TYPE_CHECKING, Any, Final
from uuid import UUID
from zoneinfo import ZoneInfo

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db.models import Max, Q
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from casino.house.acts import changes
from casino.house.attendants import lockout, permissions
from casino.house.attendants.models import Attendant, Employment, Factor, Role, SignIn
from casino.house.attendants.pseudonyms import tokens
from casino.kit.web.listings.listing import (
    API,
    FILE,
    FOR_PEOPLE,
    ChoiceFilter,
    Column,
    DayFilter,
    Listing,
    Sign,
    filters,
)
from casino.words.languages import names as lookalikes
from ledger import journal

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from casino.house.establishments.models import Establishment
    from casino.kit.web.listings.listing import Level, Viewer

DAYS: Final = (MinValueValidator(date(1900, 1, 1)), MaxValueValidator(date(2999, 12, 31)))
"""The days that a filter accepts: the very first and last dates overflow in some time zones."""


def midnight(house: Establishment, day: date, *, days: int = 0) -> datetime:
    """The midnight at which a day begins by the house's clock, or `days` days later."""
    zone = ZoneInfo(house.time_zone)
    return datetime.combine(day + timedelta(days=days), time(), tzinfo=zone)


class ClockDayFilter(DayFilter):
    """A calendar day by the house's clock, from midnight to midnight; not a gaming day."""

    def __init__(self, field_name: str | None = None, **more: Any) -> None:
        super().__init__(field_name, validators=DAYS, **more)

    def filter(self, rows: Any, value: Any) -> Any:
        if not value:
            return rows
        house = self.parent.house
        within = {
            f"{self.field_name}__gte": midnight(house, value),
            f"{self.field_name}__lt": midnight(house, value, days=1),
        }
        return rows.filter(**within)


# --- The sign-in log ------------------------------------------------------------------------------

BAD: Final = frozenset({"wrong_password", "locked", "factor_refused", "pin_refused"})
"""Outcomes that the log highlights."""
LEFT: Final = frozenset({"signed_out", "cut_off"})


def _level(what: str) -> Level:
    return "alarm" if what in BAD else "off" if what in LEFT else "well"


class OutcomeFilter(ChoiceFilter):
    def filter(self, rows: Any, value: Any) -> Any:
        return rows.filter(what__in=BAD) if value == "bad" else super().filter(rows, value)


def staff_of(house: Establishment) -> list[tuple[str, str]]:
    """Everybody who works or worked at a house, by name: ids and names."""
    jobs = Employment.objects.filter(establishment=house).select_related("attendant")
    known = {str(job.attendant_id): str(job.attendant) for job in jobs}
    return sorted(known.items(), key=lambda each: each[1].casefold())


def who(row: SignIn) -> str:
    """The person's name, or for a name that nobody has, the beginning of its keyed hash."""
    return str(row.attendant) if row.attendant else f"{_('unknown name')} {row.unknown[:6]}"


def way(row: SignIn) -> str:
    """The way of signing in, and who did it if it was not the person."""
    return f"{row.way} {_('by %(by)s') % {'by': row.by}}".strip() if row.by else row.way


SIGN_INS: Final = Listing[SignIn, SignIn](
    name="sign-ins",
    title=gettext_lazy("Sign-in log"),
    about=gettext_lazy("Who signed in when and from where, and how it went."),
    rows=lambda viewer: SignIn.objects.filter(establishment=viewer.house).select_related(
        "attendant", "by"
    ),
    order=("-at", "-id"),
    filters=filters(
        person=ChoiceFilter("attendant", title=gettext_lazy("Who"), choices=staff_of,
                            all_of_them=gettext_lazy("Everybody"), on=FOR_PEOPLE),
        what=OutcomeFilter(
            title=gettext_lazy("What"),
            choices=[("bad", gettext_lazy("What went wrong")), *SignIn.What.choices],
            all_of_them=gettext_lazy("Everything"), on=FOR_PEOPLE,
        ),
        day=ClockDayFilter("at", title=gettext_lazy("Day"), on=FOR_PEOPLE),
    ),
    columns=(
        Column(name="at", title=gettext_lazy("When"), kind="moment", style="soft",
               template="settings/staff/_signed_at.html", order=("at", "id")),
        Column(name="who", title=gettext_lazy("Who"), value=who, on=FOR_PEOPLE, style="row-name",
               template="settings/staff/_who.html"),
        Column(name="what", title=gettext_lazy("What"), signs={
            what.value: Sign(_level(what.value), what.label) for what in SignIn.What
        }),
        Column(name="attendant", on=API),
        Column(name="name", on=API,
               value=lambda row: str(row.attendant) if row.attendant else None),
        Column(name="unknown", on=API),
        Column(name="way", title=gettext_lazy("By"), display=way, style="wide soft"),
        Column(name="address", title=gettext_lazy("From"), style="soft",
               display=lambda row: row.address or None),
        Column(name="device", title=gettext_lazy("Device"), style="wide soft",
               display=lambda row: row.device or None),
        Column(name="by", on=API),
    ),
    empty=gettext_lazy(
        "No sign-in is on record here. Each appears with its time, place and outcome."
    ),
    names_players=False,
    sees=("audit",),
    section="people",
    links=(("people", gettext_lazy("All people")),),
    from_replica=True,
)  # fmt: skip


# --- Who works here -------------------------------------------------------------------------------

FACTOR_SIGNS: Final = {
    "yes": Sign("well", gettext_lazy("yes")),
    "missing": Sign("alarm", gettext_lazy("missing")),
    "no": Sign("off", gettext_lazy("no")),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class AccessItem:
    """A person who has or had a role at the house, as an item of a list."""

    access: Access

    @property
    def name(self) -> str:
        return str(self.access.person)

    @property
    def sort_name(self) -> str:
        return self.name.casefold()

    @property
    def username(self) -> str:
        return self.access.person.username

    @property
    def last_sign_in(self) -> datetime | None:
        return self.access.last_sign_in

    @property
    def url(self) -> str:
        return reverse("person", kwargs={"employment": self.access.employment.pk})


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonItem(AccessItem):
    """
    A person who works at the house, as an item of a list.

    :param player: the name under which they play, or "".
    :param alike: for each person, the other people whose names look the same;
        `perhaps`: those whose names may be another spelling.
    """

    locked: bool
    player: str
    alike: Mapping[Any, Sequence[str]]
    perhaps: Mapping[Any, Sequence[str]]

    @property
    def role(self) -> str:
        return str(Role(self.access.role).label)

    @property
    def since(self) -> datetime:
        return self.access.since

    @property
    def factor(self) -> str:
        """A key of `FACTOR_SIGNS`."""
        if self.access.factors:
            return "yes"
        return "missing" if self.access.role in permissions.ALLOWED["approve"] else "no"

    @property
    def id(self) -> str:
        return str(self.access.employment.pk)


def working(viewer: Viewer) -> list[PersonItem]:
    """The people who work at the house now; all their data is looked up at once."""
    now = timezone.now()
    staff = [each for each in access_listing(viewer.house, now) if each.role]
    players = tokens.resolve(viewer.house.pk, [each.employment.player for each in staff])
    names = {each.person.pk: str(each.person) for each in staff}
    alike, perhaps = lookalikes.namesakes(names), lookalikes.perhaps_the_same(names)
    locked = lockout.people_with_lock(now)
    return [
        PersonItem(
            access=each,
            locked=each.person.pk in locked,
            player=player,
            alike=alike,
            perhaps=perhaps,
        )
        for each, player in zip(staff, players, strict=True)
    ]


PEOPLE: Final = Listing[PersonItem, PersonItem](
    name="people",
    title=gettext_lazy("Who works here"),
    about=gettext_lazy("Who works at the house, as what, and with which factors."),
    rows=working,
    order=("sort_name", "since", "id"),
    filters=filters(
        role=ChoiceFilter("access__role", title=gettext_lazy("Role"), choices=Role.choices),
    ),
    columns=(
        Column(name="name", title=gettext_lazy("Name"), style="row-name",
               template="settings/staff/_name.html", link=lambda item: item.url,
               order=("sort_name",)),
        Column(name="username", title=gettext_lazy("User name"), on=FILE),
        Column(name="role", title=gettext_lazy("Role"), order=("role",)),
        Column(name="since", title=gettext_lazy("Since"), kind="day", style="wide soft",
               display=lambda item: timezone.localtime(item.since).date(), order=("since",)),
        Column(name="factor", title=gettext_lazy("Second factor"), signs=FACTOR_SIGNS),
        Column(name="pin", title=gettext_lazy("PIN"), style="wide",
               value=lambda item: _("set") if item.access.person.pin else None),
        Column(name="player", title=gettext_lazy("Plays as"), style="wide",
               display=lambda item: item.player or None),
        Column(name="last_sign_in", title=gettext_lazy("Last sign-in"), kind="moment",
               style="soft", order=("last_sign_in",)),
    ),
    empty=gettext_lazy("Nobody works here."),
)  # fmt: skip


# --- Who had which role when ----------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class RoleHeld(AccessItem):
    """A role that somebody had at the house, as of a moment."""

    house: str
    as_of: datetime
    spell: Spell
    number: int

    @property
    def has_left(self) -> bool:
        return not self.access.role

    @property
    def role(self) -> str:
        return self.spell.role

    @property
    def since(self) -> datetime:
        return self.spell.since

    @property
    def until(self) -> datetime | None:
        return self.spell.until

    @property
    def now(self) -> str:
        return self.access.role or "left"

    @property
    def role_label(self) -> str:
        return str(Role(self.role).label)

    @property
    def now_label(self) -> str:
        return str(Role(self.access.role).label) if self.access.role else _("left")

    @property
    def id(self) -> str:
        return f"{self.access.employment.pk}/{self.number}"


class AsOfFilter(DayFilter):
    """Makes the rows of the access listing, because they depend on the day that is chosen."""

    def filter(self, rows: Any, value: Any) -> Any:
        del rows
        house, now = self.parent.house, timezone.now()
        at = min(midnight(house, value, days=1), now) if value else now
        return [
            RoleHeld(house=str(house), as_of=at, access=each, spell=spell, number=number)
            for each in access_listing(house, at)
            for number, spell in enumerate(each.spells)
        ]


ACCESS: Final = Listing[RoleHeld, RoleHeld](
    name="access",
    title=gettext_lazy("Access listing"),
    about=gettext_lazy("Who had which role at the house from when until when."),
    rows=lambda _viewer: [],
    order=("has_left", "sort_name", "since", "id"),
    filters=filters(
        as_of=AsOfFilter(title=gettext_lazy("As of the end of"), validators=DAYS),
    ),
    columns=(
        Column(name="house", title=gettext_lazy("House"), on=FILE),
        Column(name="as_of", title=gettext_lazy("As of"), kind="moment", on=FILE),
        Column(name="username", title=gettext_lazy("User name"), on=FILE),
        Column(name="name", title=gettext_lazy("Name"), style="row-name",
               template="settings/staff/_had_role.html", link=lambda item: item.url,
               order=("sort_name",)),
        Column(name="role", title=gettext_lazy("Role"), on=FOR_PEOPLE, order=("role",),
               template="settings/staff/_role.html"),
        Column(name="since", title=gettext_lazy("From"), kind="moment", style="soft",
               order=("since",)),
        Column(name="until", title=gettext_lazy("Until"), kind="moment", style="soft",
               order=("until",)),
        Column(name="now", title=gettext_lazy("Role then"),
               template="settings/staff/_role_then.html", style="wide"),
        Column(name="second_factor", title=gettext_lazy("Second factor"), style="wide",
               value=lambda item: "+".join(item.access.factors) or "none",
               template="settings/staff/_factors.html"),
        Column(name="last_sign_in", title=gettext_lazy("Last sign-in"), kind="moment",
               style="wide soft", order=("last_sign_in",)),
    ),
    empty=gettext_lazy("Nobody had a role here then. Pick a later day."),
    none_such=gettext_lazy("Nobody had a role here then. Pick a later day."),
    names_players=False,
    sees=("audit",),
    section="people",
    links=(("people", gettext_lazy("All people")),),
    from_replica=True,
)  # fmt: skip


# The access listing: who had which role at a house, as of any moment (D1). Reviewed every quarter.
#
# The spells of a role are read from the ledger's events, which have every change with before and
# after.


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


def access_listing(house: Establishment, at: datetime) -> list[Access]:
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
