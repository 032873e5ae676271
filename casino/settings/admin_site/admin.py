"""
The admin's pages: the house's things, changed through operations; games and the ledger, read-only.

Everything is scoped to the houses at which the person works, and what may be changed follows the
role there. Django's own permissions are not used (see casino/house/attendants/permissions.py).
"""

# ruff: noqa: ARG002 - Django hands over more than a method may need

from __future__ import annotations

import json
import uuid
from typing import TYPE_CHECKING, Any, ClassVar

from django import forms
from django.contrib import admin
from django.contrib.admin.utils import unquote
from django.contrib.auth.models import Group
from django.core.paginator import Paginator
from django.db.models import IntegerField, Q
from django.urls import reverse
from django.utils.functional import cached_property
from django.utils.html import format_html
from knox.models import AuthToken
from unfold.admin import ModelAdmin
from unfold.widgets import UnfoldAdminSelectWidget, UnfoldAdminTextInputWidget

from casino.house.acts import changes
from casino.house.acts.game_streams.catalogue import RULESETS
from casino.house.attendants import permissions
from casino.house.attendants.models import Attendant, Employment
from casino.house.attendants.pseudonyms import tokens
from casino.house.establishments.clock import show_times_of, write_as_at
from casino.house.establishments.models import Establishment, Table
from casino.house.home_throws.models import HomeThrow
from casino.house.home_throws.operations import HomeThrowForm, set_home_throw
from casino.kit.web.current_house import house_of
from casino.play.core.models import GameCard
from casino.play.dice.models import DiceSet
from casino.play.settlement.models import PrizeRule
from casino.settings.staff.operations import check_change, employ, hire, revise
from casino.settings.staff.pages import HireForm
from casino.words.languages.amounts import money
from casino.words.languages.fields import WholeField
from casino.words.presenters import TITLES
from games.refusals import Refused
from ledger.models import Event, Transfer

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from uuid import UUID

    from django.contrib.admin.views.main import ChangeList
    from django.db.models import Model, QuerySet
    from django.forms import ModelForm
    from django.http import HttpRequest, HttpResponse

admin.site.unregister(Group)
admin.site.unregister(AuthToken)


# Base classes of the admin's pages: limit to one's own houses, permissions, who made a change.


ROWS_DEEP = 10_000  # the rows that can be paged through; for older rows people filter


class HeadPaginator(Paginator):  # type: ignore[type-arg]  # generic in the stubs alone
    """A paginator for tables that only grow: it does not count all rows, which gets ever slower."""

    @cached_property
    def count(self) -> int:
        rows: QuerySet[Any] = self.object_list  # type: ignore[assignment]  # of an admin: a queryset
        return rows[:ROWS_DEEP].count()


class OfMyHouses(admin.SimpleListFilter):
    """A filter whose choices belong to the person's own houses."""

    model: ClassVar[type[Model]]

    def lookups(self, request: HttpRequest, _admin: Any) -> list[tuple[str, str]]:
        mine = houses(request)
        rows = self.model._default_manager.filter(establishment__in=mine)  # noqa: SLF001
        return [(str(row.pk), str(row)) for row in rows]

    def queryset(self, _request: HttpRequest, rows: QuerySet[Any]) -> QuerySet[Any]:
        chosen = self.value()
        return rows.filter(**{self.parameter_name or "": chosen}) if chosen else rows


class ByTable(OfMyHouses):
    title, parameter_name, model = "table", "table_id", Table


def people_to_employ(mine: Sequence[UUID]) -> QuerySet[Attendant]:
    """People whom a manager may employ: those of the manager's houses, and those never employed."""
    return Attendant.objects.filter(
        Q(employments__establishment__in=mine) | Q(employments__isnull=True), is_active=True
    ).distinct()


def houses(request: HttpRequest, act: permissions.Act = "look") -> list[UUID]:
    """Like `permissions.houses`, but queried once for a page, whose menus call it 30 times."""
    if not hasattr(request, "roles_at_houses"):
        request.roles_at_houses = permissions.roles(request.user)  # type: ignore[attr-defined]
    roles: dict[UUID, str] = request.roles_at_houses  # type: ignore[attr-defined]
    return sorted(house for house, role in roles.items() if role in permissions.ALLOWED[act])


def by_the_house_s_clock(request: HttpRequest) -> None:
    """Use the time zone of the house for showing and reading times in this request."""
    if houses(request):
        show_times_of(house_of(request))


def amount_column(name: str, *, heading: str) -> Callable[[Any, Any], str]:
    """
    A column with the amount in the field `name`, as the house of its row writes amounts.

    A list may have rows of several houses, each with a coin of its own. The admin of rows that have
    no more than the id of their house sets `house_row` for its lists.
    """

    @admin.display(description=heading, ordering=name)
    def written(_admin: Any, row: Any) -> str:
        house = getattr(row, "house_row", None) or row.establishment
        if not isinstance(house, Establishment):
            house = Establishment.objects.get(pk=house)
        with write_as_at(house):
            return money(getattr(row, name))

    return written


class HouseAdmin(ModelAdmin):  # type: ignore[misc]  # unfold publishes no types
    """The admin of a house's things: limited to one's own houses; only managers change them."""

    house_field: ClassVar[str] = "establishment_id"
    act: ClassVar[permissions.Act] = "configure"
    called: ClassVar[str] = ""
    """The heading of the list, if the model's name does not fit."""

    def changelist_view(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        heading = {"title": self.called} if self.called else {}
        by_the_house_s_clock(request)
        page: HttpResponse = super().changelist_view(request, {**heading, **(extra_context or {})})
        return page

    def changeform_view(
        self, request: HttpRequest, object_id: str | None = None, *args: Any, **kwargs: Any
    ) -> HttpResponse:
        """Times and amounts are those of the thing's own house, which may not be the one chosen."""
        by_the_house_s_clock(request)
        if (house := self.house_of_form(request, object_id)) is not None:
            show_times_of(house)
        page: HttpResponse = super().changeform_view(request, object_id, *args, **kwargs)
        return page

    def house_of_form(self, request: HttpRequest, object_id: str | None) -> Establishment | None:
        """The house of the thing that is changed, or that is chosen for a new one."""
        if object_id is not None:
            thing = self.get_object(request, unquote(object_id))
            key = None if thing is None else getattr(thing, self.house_field)
        else:
            key = request.POST.get("establishment")
        mine = [each for each in houses(request) if str(each) == str(key)]
        return Establishment.objects.filter(pk__in=mine).first()

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
        """The house of an existing thing cannot be changed."""
        return ("establishment",) if obj is not None else ()

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def formfield_for_dbfield(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        """Whole numbers and amounts are typed as the house writes them."""
        if isinstance(db_field, IntegerField):
            kwargs.setdefault("form_class", WholeField)  # columns of money have their own
            if not db_field.choices:  # a browser's number field takes no 1.000 and no 5,50
                kwargs.setdefault("widget", UnfoldAdminTextInputWidget)
        return super().formfield_for_dbfield(db_field, request, **kwargs)

    def formfield_for_foreignkey(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        mine = houses(request, self.act)
        if db_field.name == "establishment":
            kwargs["queryset"] = Establishment.objects.filter(pk__in=mine)
        elif db_field.name == "attendant":
            kwargs["queryset"] = people_to_employ(mine)
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
    """The admin of rows that come from the ledger: read-only."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False


# The admin's pages of the house's things, changed through operations that leave an event.


NEW_PERSON = ("username", "first_name", "last_name", "password")


class StillEmployed(admin.SimpleListFilter):
    title, parameter_name = "employed", "employed"

    def lookups(self, _request: HttpRequest, _admin: Any) -> list[tuple[str, str]]:
        return [("now", "Now"), ("ended", "No longer")]

    def queryset(self, _request: HttpRequest, rows: QuerySet[Any]) -> QuerySet[Any]:
        chosen = self.value()
        return rows.filter(until__isnull=chosen == "now") if chosen else rows


@admin.register(Establishment)
class EstablishmentAdmin(HouseAdmin):
    called = "Houses"
    house_field = "pk"
    list_display = ("name", "currency", "currency_code", "time_zone", "day_cutoff")
    exclude = ("denominations",)  # amounts within JSON; the settings page has a field for them

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False  # a house is founded with its first manager, see `casino.office.onboarding`

    def get_exclude(self, request: HttpRequest, obj: Model | None = None) -> tuple[str, ...]:
        return self.exclude


@admin.register(Table)
class TableAdmin(HouseAdmin):
    called = "Tables"
    list_display = ("name", "establishment", "least_stake", "greatest_stake", "in_use")
    least_stake = amount_column("stake_min", heading="Least stake")
    greatest_stake = amount_column("stake_max", heading="Greatest stake")
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
    """The history of home throws; a new one is set through `HomeThrowForm`."""

    called = "Home throws, the newest first"
    list_display = (
        "__str__",
        "of_game",
        "establishment",
        "effective_from",
        "displayed_story",
        "set_by",
    )
    list_select_related = ("establishment", "set_by")
    fields = ("establishment", "game", "faces", "effective_from", "story_text", "override_reason")
    form = HomeThrowForm

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False  # history is not edited: a change is the next home throw

    def get_fields(self, request: HttpRequest, obj: HomeThrow | None = None) -> tuple[str, ...]:
        if obj is None:
            return self.fields
        recorded = ("effective_from", "displayed_story", "overridden", "set_by")
        return ("establishment", "__str__", "of_game", *recorded)

    def get_readonly_fields(
        self, request: HttpRequest, obj: HomeThrow | None = None
    ) -> tuple[str, ...]:
        return () if obj is None else self.get_fields(request, obj)

    def get_changelist_instance(self, request: HttpRequest) -> ChangeList:
        """Look up the stories of the page's rows, with one query for each house."""
        page: ChangeList = super().get_changelist_instance(request)
        rows = list(page.result_list)
        for house in {row.establishment_id for row in rows}:
            own = [row for row in rows if row.establishment_id == house]
            stories = tokens.resolve(house, [row.story for row in own])
            for row, story in zip(own, stories, strict=True):
                row.story_text = story
        page.result_list = rows
        return page

    @admin.display(description="Game", ordering="game")
    def of_game(self, throw: HomeThrow) -> str:
        return throw.get_game_display() or "Every game that has one"

    @admin.display(description="Story")
    def displayed_story(self, throw: HomeThrow) -> str:
        known = getattr(throw, "story_text", None)
        return known or str(tokens.resolve(throw.establishment_id, throw.story))

    @admin.display(description="Why it may score otherwise")
    def overridden(self, throw: HomeThrow) -> str:
        return str(tokens.resolve(throw.establishment_id, throw.override))

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
            game=obj.game,
            faces=form.cleaned_data["faces"],
            effective_from=obj.effective_from,
            story=form.cleaned_data["story_text"],
            override_reason=form.cleaned_data["override_reason"],
            by=permissions.person_of(request),
        )
        obj.pk = saved.pk


class KeptRole(forms.ModelForm):  # type: ignore[type-arg]  # generic in the stubs alone
    """Changes or ends an employment, with the same checks as the house's own page (D1)."""

    by: ClassVar[Attendant]

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        stored = Employment.objects.get(
            establishment=self.instance.establishment_id, pk=self.instance.pk
        )
        wanted = Employment(
            establishment=stored.establishment,
            role=cleaned.get("role", stored.role),
            until=cleaned.get("until"),
        )
        try:
            check_change(stored, wanted, self.by)
        except Refused as refused:
            raise forms.ValidationError(str(refused)) from None
        return cleaned


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
        """Use `HireForm` for new employments: it takes a user name, and lists no other people."""
        person = permissions.person_of(request)
        more = (
            {"form": HireForm}
            if obj is None
            else {"form": type("Kept", (KeptRole,), {"by": person})}
        )
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
            permissions.require(request.user, self.act, obj.establishment)
            revise(employment=obj, by=permissions.person_of(request))
            return
        house, data, by = obj.establishment, form.cleaned_data, permissions.person_of(request)
        permissions.require(by, self.act, house)
        known = Attendant.objects.filter(username=data["username"]).first()
        if known is None:
            wanted = {name: data[name] for name in NEW_PERSON}
            hired = hire(establishment=house, role=obj.role, by=by, **wanted)
        else:
            hired = employ(establishment=house, attendant=known, role=obj.role, by=by)
        obj.pk, obj.attendant = hired.pk, hired.attendant


@admin.register(PrizeRule)
class PrizeRuleAdmin(HouseAdmin):
    called = "Prizes of the scoreboard"
    list_select_related = ("establishment",)
    list_display = ("prize", "game", "kind", "at", "worth", "active", "establishment")
    worth = amount_column("amount", heading="Its worth")
    list_filter = ("ruleset", "active")

    @admin.display(description="Game", ordering="ruleset")
    def game(self, rule: PrizeRule) -> str:
        return str(TITLES.get(rule.ruleset, rule.ruleset))

    def formfield_for_dbfield(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        """The field `game` is a choice of the games on offer."""
        if db_field.name == "ruleset":
            games = [(each.id, TITLES.get(each.id, each.id)) for each in RULESETS]
            return forms.ChoiceField(
                label="Game", choices=games, initial=games[0][0], widget=UnfoldAdminSelectWidget
            )
        return super().formfield_for_dbfield(db_field, request, **kwargs)


# The admin's read-only pages of games and the ledger.


class ByPart(admin.SimpleListFilter):
    """Filters events by the kind of their stream; the choices are fixed and need no query."""

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


@admin.register(GameCard)
class GameAdmin(ReadOnlyAdmin):
    called = "Games"
    list_display = (
        "opened_at", "title", "table", "status", "round", "players", "in_pot", "version", "look",
    )  # fmt: skip
    list_filter = ("status", "gaming_day", ByTable)
    list_select_related = ("table", "establishment")
    show_full_result_count = False
    readonly_fields = ("in_pot", "look")
    in_pot = amount_column("pot", heading="Pot")

    def get_exclude(self, request: HttpRequest, obj: Model | None = None) -> tuple[str, ...]:
        return (*super().get_exclude(request, obj), "pot")

    @admin.display(description="Game", ordering="ruleset")
    def title(self, card: GameCard) -> str:
        return str(TITLES.get(card.ruleset, card.ruleset))

    @admin.display(description="Recorded")
    def look(self, card: GameCard) -> str:
        address = reverse("floor-log", args=[card.game])
        return format_html('<a href="{}">{}</a>', address, "everything")


class LedgerAdmin(ReadOnlyAdmin):
    """The admin of rows of the ledger; they only grow, so they are never all counted."""

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
        """Look up the names on the page, with one query for all its rows."""
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
    """The names of the people and the houses of events, by id."""
    ids = {event.actor for event in events if is_person(event.actor)}
    people = Attendant.objects.in_bulk(ids)
    at = Establishment.objects.in_bulk({event.establishment for event in events})
    return (
        {str(key): str(person) for key, person in people.items()},
        {key: str(house) for key, house in at.items()},
    )


def is_person(actor: str) -> bool:
    """Whether an actor is a person: an id, not the name of a program."""
    try:
        uuid.UUID(actor)
    except ValueError:
        return False
    return True


@admin.register(Transfer)
class TransferAdmin(LedgerAdmin):
    called = "Transfers of the ledger"
    list_display = (
        "position", "booked", "debit_kind", "debit_name", "credit_kind", "credit_name", "reason",
        "reverses",
    )  # fmt: skip
    list_filter = ("debit_kind", "credit_kind")
    search_fields = ("debit_name__startswith", "credit_name__startswith")
    search_help_text = "An account's name from its beginning, as a game's id."
    ordering = ("-position", "seq")
    exclude = ("amount",)
    readonly_fields = ("booked",)
    booked = amount_column("amount", heading="Amount")

    def get_changelist_instance(self, request: HttpRequest) -> ChangeList:
        """Look up the houses of the page's rows, with one query for all of them."""
        page: ChangeList = super().get_changelist_instance(request)
        page.result_list = rows = list(page.result_list)
        at = Establishment.objects.in_bulk({row.establishment for row in rows})
        for row in rows:
            row.house_row = at.get(row.establishment)
        return page
