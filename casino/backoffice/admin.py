"""
The admin: the house's things, changed through operations; games and the ledger, read only.

Everything is scoped to the houses at which the person works, and what may be changed follows the
role there. Django's own permissions are not asked (see casino/attendants/permissions.py).
"""

# ruff: noqa: ARG002 - Django hands over more than a method may need
from __future__ import annotations

import json
import uuid
from typing import TYPE_CHECKING, Any, ClassVar

from django.contrib import admin
from django.contrib.auth.models import Group
from django.core.paginator import Paginator
from django.db.models import Q
from django.urls import reverse
from django.utils.functional import cached_property
from django.utils.html import format_html
from knox.models import AuthToken
from unfold.admin import ModelAdmin

from casino.attendants import permissions
from casino.attendants.forms import HireForm
from casino.attendants.houses import house_of
from casino.attendants.models import Attendant, Employment
from casino.attendants.operations import employ, hire
from casino.dice.models import DiceSet
from casino.establishments import changes
from casino.establishments.clock import show_times_of
from casino.establishments.models import Establishment, Table
from casino.home_throws.forms import HomeThrowForm
from casino.home_throws.models import HomeThrow
from casino.home_throws.operations import set_home_throw
from casino.play.models import GameCard, PrizeRule
from casino.play.telling import TITLES
from casino.players import veil
from ledger.models import Event, Transfer

if TYPE_CHECKING:
    from collections.abc import Sequence
    from uuid import UUID

    from django.contrib.admin.views.main import ChangeList
    from django.db.models import Model, QuerySet
    from django.forms import ModelForm
    from django.http import HttpRequest, HttpResponse

NEW_PERSON = ("username", "first_name", "last_name", "password")
ROWS_DEEP = 10_000  # how far back one pages; further back one filters


class HeadPaginator(Paginator):  # type: ignore[type-arg]  # generic in the stubs alone
    """Pages of something that only grows: to count it all would cost more every day."""

    @cached_property
    def count(self) -> int:
        rows: QuerySet[Any] = self.object_list  # type: ignore[assignment]  # of an admin: a queryset
        return rows[:ROWS_DEEP].count()


class OfMyHouses(admin.SimpleListFilter):
    """A filter that names only what belongs to one's own houses."""

    model: ClassVar[type[Model]]

    def lookups(self, request: HttpRequest, _admin: Any) -> list[tuple[str, str]]:
        mine = houses(request)
        things = self.model._default_manager.filter(establishment__in=mine)  # noqa: SLF001
        return [(str(thing.pk), str(thing)) for thing in things]

    def queryset(self, _request: HttpRequest, rows: QuerySet[Any]) -> QuerySet[Any]:
        chosen = self.value()
        return rows.filter(**{self.parameter_name or "": chosen}) if chosen else rows


class ByTable(OfMyHouses):
    title, parameter_name, model = "table", "table_id", Table


class StillEmployed(admin.SimpleListFilter):
    title, parameter_name = "employed", "employed"

    def lookups(self, _request: HttpRequest, _admin: Any) -> list[tuple[str, str]]:
        return [("now", "Now"), ("ended", "No longer")]

    def queryset(self, _request: HttpRequest, rows: QuerySet[Any]) -> QuerySet[Any]:
        chosen = self.value()
        return rows.filter(until__isnull=chosen == "now") if chosen else rows


class ByPart(admin.SimpleListFilter):
    """What events are about, by their streams: the values are known, nothing is counted."""

    title, parameter_name = "part", "part"
    parts = (
        ("game", "Games"),
        ("settlement", "Settlement"),
        ("record", "The house's things"),
        ("table", "Tables taken and left"),
        ("dice", "Dice placed and lifted"),
    )

    def lookups(self, _request: HttpRequest, _admin: Any) -> Sequence[tuple[str, str]]:
        return self.parts

    def queryset(self, _request: HttpRequest, rows: QuerySet[Any]) -> QuerySet[Any]:
        chosen = self.value()
        return rows.filter(stream__startswith=f"{chosen}/") if chosen else rows


def known_people(mine: Sequence[UUID]) -> QuerySet[Attendant]:
    """Whom a manager may employ: people of the own houses, and those whom nobody employs."""
    return Attendant.objects.filter(
        Q(employments__establishment__in=mine) | Q(employments__isnull=True), is_active=True
    ).distinct()


admin.site.unregister(Group)
admin.site.unregister(AuthToken)


def houses(request: HttpRequest, act: permissions.Act = "look") -> list[UUID]:
    """As `permissions.houses`, asked once for a page: its menus ask some thirty times."""
    if not hasattr(request, "roles_at_houses"):
        request.roles_at_houses = permissions.roles(request.user)  # type: ignore[attr-defined]
    roles: dict[UUID, str] = request.roles_at_houses  # type: ignore[attr-defined]
    return sorted(house for house, role in roles.items() if role in permissions.ALLOWED[act])


def by_the_house_s_clock(request: HttpRequest) -> None:
    """Times are shown and taken as at the house one looks at."""
    if houses(request):
        show_times_of(house_of(request))


class HouseAdmin(ModelAdmin):  # type: ignore[misc]  # unfold publishes no types
    """Things of houses: only one's own houses', looked at by all, changed by managers."""

    house_field: ClassVar[str] = "establishment_id"
    act: ClassVar[permissions.Act] = "configure"
    called: ClassVar[str] = ""
    """What the list is headed, where the model's own name would not do."""

    def changelist_view(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        heading = {"title": self.called} if self.called else {}
        by_the_house_s_clock(request)
        page: HttpResponse = super().changelist_view(request, {**heading, **(extra_context or {})})
        return page

    def changeform_view(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        by_the_house_s_clock(request)
        page: HttpResponse = super().changeform_view(request, *args, **kwargs)
        return page

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        mine = houses(request)
        everything: QuerySet[Any] = super().get_queryset(request)
        return everything.filter(**{f"{self.house_field}__in": mine})

    def has_module_permission(self, request: HttpRequest) -> bool:
        return bool(houses(request))

    def has_view_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return bool(houses(request))

    def has_add_permission(self, request: HttpRequest) -> bool:
        return bool(houses(request, self.act))

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        if obj is None:
            return self.has_add_permission(request)
        return getattr(obj, self.house_field) in houses(request, self.act)

    def get_exclude(self, request: HttpRequest, obj: Model | None = None) -> tuple[str, ...]:
        """A thing stays at its house."""
        return ("establishment",) if obj is not None else ()

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def formfield_for_foreignkey(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        mine = houses(request, self.act)
        if db_field.name == "establishment":
            kwargs["queryset"] = Establishment.objects.filter(pk__in=mine)
        elif db_field.name == "attendant":
            kwargs["queryset"] = known_people(mine)
        return super().formfield_for_foreignkey(db_field, request, **kwargs)

    def save_model(
        self,
        request: HttpRequest,
        obj: Any,
        form: ModelForm[Any],
        change: bool,  # noqa: FBT001 - Django's signature
    ) -> None:
        house = obj if isinstance(obj, Establishment) else obj.establishment
        permissions.require(request.user, self.act, house)
        write = changes.change if change else changes.create
        write(obj, establishment=house, by=permissions.person_of(request))


class ReadOnlyAdmin(HouseAdmin):
    """What the ledger is the truth of: looked at, never touched."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False


@admin.register(Establishment)
class EstablishmentAdmin(HouseAdmin):
    called = "Houses"
    house_field = "pk"
    list_display = ("name", "currency", "time_zone", "day_cutoff")

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False  # a house is founded with its first manager, not from a form of another's


@admin.register(Table)
class TableAdmin(HouseAdmin):
    called = "Tables"
    list_display = ("name", "establishment", "stake_min", "stake_max", "in_use")
    list_filter = ("in_use",)
    list_select_related = ("establishment",)


@admin.register(DiceSet)
class DiceSetAdmin(HouseAdmin):
    called = "Dice sets"
    list_select_related = ("establishment",)
    list_display = ("number", "count", "sides", "colour", "withdrawn", "establishment")
    list_filter = ("sides", "withdrawn")


@admin.register(HomeThrow)
class HomeThrowAdmin(HouseAdmin):
    """The history of home throws; a new one is set by a form of its own words."""

    called = "Home throws, the newest first"
    list_display = ("__str__", "establishment", "effective_from", "told", "set_by")
    list_select_related = ("establishment", "set_by")
    fields = ("establishment", "faces", "effective_from", "story_text", "override_reason")
    form = HomeThrowForm

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False  # history: the next home throw follows, none is edited

    def get_fields(self, request: HttpRequest, obj: HomeThrow | None = None) -> tuple[str, ...]:
        if obj is None:
            return self.fields
        return ("establishment", "__str__", "effective_from", "told", "overridden", "set_by")

    def get_readonly_fields(
        self, request: HttpRequest, obj: HomeThrow | None = None
    ) -> tuple[str, ...]:
        return () if obj is None else self.get_fields(request, obj)

    def get_changelist_instance(self, request: HttpRequest) -> ChangeList:
        """The page's stories, one question a house."""
        page: ChangeList = super().get_changelist_instance(request)
        rows = list(page.result_list)
        for house in {row.establishment_id for row in rows}:
            own = [row for row in rows if row.establishment_id == house]
            stories = veil.unveil(house, [row.story for row in own])
            for row, story in zip(own, stories, strict=True):
                row.story_told = story
        page.result_list = rows
        return page

    @admin.display(description="Story")
    def told(self, throw: HomeThrow) -> str:
        known = getattr(throw, "story_told", None)
        return known or str(veil.unveil(throw.establishment_id, throw.story))

    @admin.display(description="Why it may score otherwise")
    def overridden(self, throw: HomeThrow) -> str:
        return str(veil.unveil(throw.establishment_id, throw.override))

    def save_model(
        self,
        request: HttpRequest,
        obj: Any,
        form: ModelForm[Any],
        change: bool,  # noqa: FBT001 - Django's signature
    ) -> None:
        permissions.require(request.user, self.act, obj.establishment)
        saved = set_home_throw(
            establishment=obj.establishment,
            faces=form.cleaned_data["faces"],
            effective_from=obj.effective_from,
            story=form.cleaned_data["story_text"],
            override_reason=form.cleaned_data["override_reason"],
            by=permissions.person_of(request),
        )
        obj.pk = saved.pk


@admin.register(Employment)
class EmploymentAdmin(HouseAdmin):
    called = "Staff, past and present"
    list_display = ("attendant", "role", "establishment", "since", "until")
    list_filter = ("role", StillEmployed)
    search_fields = ("attendant__username", "attendant__first_name", "attendant__last_name")
    list_select_related = ("attendant", "establishment")

    def get_form(
        self,
        request: HttpRequest,
        obj: Employment | None = None,
        change: bool = False,  # noqa: FBT001, FBT002 - Django's signature
        **kwargs: Any,
    ) -> Any:
        """Somebody is taken on by name; nobody picks from a list of other houses' people."""
        more = {} if obj else {"form": HireForm}
        return super().get_form(request, obj, change, **kwargs, **more)

    def get_fields(self, request: HttpRequest, obj: Employment | None = None) -> tuple[str, ...]:
        if obj is None:
            return ("establishment", *NEW_PERSON, "role")
        return ("attendant", "role", "since", "until")

    def get_readonly_fields(
        self, request: HttpRequest, obj: Employment | None = None
    ) -> tuple[str, ...]:
        return () if obj is None else ("attendant", "since")

    def save_model(
        self,
        request: HttpRequest,
        obj: Any,
        form: ModelForm[Any],
        change: bool,  # noqa: FBT001 - Django's signature
    ) -> None:
        if change:
            super().save_model(request, obj, form, change)
            return
        house, told, by = obj.establishment, form.cleaned_data, permissions.person_of(request)
        permissions.require(by, self.act, house)
        known = Attendant.objects.filter(username=told["username"]).first()
        if known is None:
            wanted = {name: told[name] for name in NEW_PERSON}
            hired = hire(establishment=house, role=obj.role, by=by, **wanted)
        else:
            hired = employ(establishment=house, attendant=known, role=obj.role, by=by)
        obj.pk, obj.attendant = hired.pk, hired.attendant


@admin.register(PrizeRule)
class PrizeRuleAdmin(HouseAdmin):
    called = "Prizes of the scoreboard"
    list_select_related = ("establishment",)
    list_display = ("prize", "ruleset", "kind", "at", "amount", "active", "establishment")


@admin.register(GameCard)
class GameAdmin(ReadOnlyAdmin):
    called = "Games"
    list_display = (
        "opened_at", "title", "table", "status", "round", "players", "pot", "version", "look",
    )  # fmt: skip
    list_filter = ("status", "gaming_day", ByTable)
    list_select_related = ("table",)
    show_full_result_count = False
    readonly_fields = ("look",)

    @admin.display(description="Game", ordering="ruleset")
    def title(self, card: GameCard) -> str:
        return TITLES.get(card.ruleset, card.ruleset)

    @admin.display(description="Recorded")
    def look(self, card: GameCard) -> str:
        address = reverse("floor-log", args=[card.game])
        return format_html('<a href="{}">{}</a>', address, "everything")


class LedgerAdmin(ReadOnlyAdmin):
    """Rows of the ledger: never counted whole, they only grow."""

    house_field = "establishment"
    show_full_result_count = False
    paginator = HeadPaginator

    def get_exclude(self, request: HttpRequest, obj: Model | None = None) -> tuple[str, ...]:
        return self.exclude or ()


@admin.register(Event)
class EventAdmin(LedgerAdmin):
    called = "Events of the ledger"
    list_display = ("position", "event_type", "who", "occurred_at", "gaming_day", "stream", "house")
    list_filter = (ByPart, "gaming_day")
    search_fields = ("stream__startswith", "event_type__startswith", "command_id__iexact")
    search_help_text = "A stream, an event type or a command id, from its beginning."
    ordering = ("-position",)
    exclude = ("body", "leaf_hash", "establishment", "actor")
    readonly_fields = ("house", "who", "content", "leaf")

    def get_changelist_instance(self, request: HttpRequest) -> ChangeList:
        """The page's names, one question for all its rows."""
        page: ChangeList = super().get_changelist_instance(request)
        page.result_list = rows = list(page.result_list)
        people, at = names(rows)
        for row in rows:
            row.actor_name = people.get(row.actor, row.actor)
            row.house_name = at.get(row.establishment, "")
        return page

    @admin.display(description="Who", ordering="actor")
    def who(self, event: Event) -> str:
        known = getattr(event, "actor_name", None)
        return known or names([event])[0].get(event.actor, event.actor)

    @admin.display(description="House")
    def house(self, event: Event) -> str:
        known = getattr(event, "house_name", None)
        return known or names([event])[1].get(event.establishment, "")

    @admin.display(description="Body, as it was hashed")
    def content(self, event: Event) -> str:
        body = json.dumps(json.loads(bytes(event.body)), indent=2, ensure_ascii=False)
        return format_html('<pre class="body">{}</pre>', body)

    @admin.display(description="Leaf hash")
    def leaf(self, event: Event) -> str:
        return bytes(event.leaf_hash).hex()


def names(events: Sequence[Event]) -> tuple[dict[str, str], dict[UUID, str]]:
    """The people and the houses that events speak of, by id."""
    ids = {event.actor for event in events if is_person(event.actor)}
    people = Attendant.objects.in_bulk(ids)
    at = Establishment.objects.in_bulk({event.establishment for event in events})
    return (
        {str(key): str(person) for key, person in people.items()},
        {key: str(house) for key, house in at.items()},
    )


def is_person(actor: str) -> bool:
    """An id, not one of the programs that write by a name of their own."""
    try:
        uuid.UUID(actor)
    except ValueError:
        return False
    return True


@admin.register(Transfer)
class TransferAdmin(LedgerAdmin):
    called = "Transfers of the ledger"
    list_display = (
        "position", "amount", "debit_kind", "debit_name", "credit_kind", "credit_name", "reason",
        "reverses",
    )  # fmt: skip
    list_filter = ("debit_kind", "credit_kind")
    search_fields = ("debit_name__startswith", "credit_name__startswith")
    search_help_text = "An account's name from its beginning, as a game's id."
    ordering = ("-position", "seq")
