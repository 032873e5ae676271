"""
The rows that Django's admin shows to managers and auditors: of their own houses, all read-only.

The ledger is the truth of all of them, and whatever changes one leaves an event there: the house's
things are changed on its own pages, with the second person that they ask for (C1). Django's own
permissions are not used (see casino/house/attendants/permissions.py).
"""

# ruff: noqa: ARG002 - Django hands over more than a method may need

from __future__ import annotations

import json
import uuid
from typing import TYPE_CHECKING, Any, ClassVar

from django.contrib import admin
from django.contrib.admin.utils import unquote
from django.contrib.auth.models import Group
from django.core.paginator import Paginator
from django.urls import reverse
from django.utils.functional import cached_property
from django.utils.html import format_html
from knox.models import AuthToken

from casino.house.attendants import permissions
from casino.house.attendants.models import Attendant, Employment
from casino.house.attendants.pseudonyms import tokens
from casino.house.establishments.clock import show_times_of, write_as_at
from casino.house.establishments.columns import AmountField
from casino.house.establishments.models import Establishment, Table
from casino.house.home_throws.models import HomeThrow
from casino.kit.web.current_house import house_of
from casino.play.core.models import GameCard
from casino.play.dice.models import DiceSet
from casino.play.settlement.models import PrizeRule
from casino.words.languages.amounts import money
from casino.words.presenters import TITLES
from ledger.models import Event, Transfer

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from uuid import UUID

    from django.contrib.admin.views.main import ChangeList
    from django.db.models import Model, QuerySet
    from django.http import HttpRequest, HttpResponse

ROWS_DEEP = 10_000  # the rows that can be paged through; for older rows people filter

admin.site.unregister(Group)
admin.site.unregister(AuthToken)


class HeadPaginator(Paginator):  # type: ignore[type-arg]  # generic in the stubs alone
    """A paginator for tables that only grow: it does not count all rows, which gets ever slower."""

    @cached_property
    def count(self) -> int:
        rows: QuerySet[Any] = self.object_list  # type: ignore[assignment]  # of an admin: a queryset
        return rows[:ROWS_DEEP].count()


def houses(request: HttpRequest) -> list[UUID]:
    """Like `permissions.houses`, but queried once for a page, whose menus call it 30 times."""
    if not hasattr(request, "own_houses"):
        request.own_houses = permissions.houses(request.user, "look")  # type: ignore[attr-defined]
    return request.own_houses  # type: ignore[attr-defined,no-any-return]


def amount_column(name: str, heading: str) -> Callable[[Any], str]:
    """A column of amounts, as the house of each row writes them: a list may have several houses."""

    @admin.display(description=heading, ordering=name)
    def amount(row: Any) -> str:
        house = row if isinstance(row, Establishment) else getattr(row, "house_row", None)
        house = house or row.establishment
        if not isinstance(house, Establishment):
            house = Establishment.objects.get(pk=house)
        with write_as_at(house):
            return money(getattr(row, name))

    return amount


class HouseRows(admin.ModelAdmin):  # type: ignore[type-arg]  # generic in the stubs alone
    """:param amounts: columns of money that are not an `AmountField`."""

    house_field: ClassVar[str] = "establishment_id"
    amounts: ClassVar[tuple[str, ...]] = ()
    actions = None
    paginator = HeadPaginator
    show_full_result_count = False
    show_facets = admin.ShowFacets.NEVER

    def __init__(self, model: type[Model], site: admin.AdminSite) -> None:
        super().__init__(model, site)
        columns = {
            each.name: amount_column(each.name, str(each.verbose_name).capitalize())
            for each in model._meta.fields  # noqa: SLF001 - Django's documented interface
            if isinstance(each, AmountField) or each.name in self.amounts
        }
        self.columns = columns
        self.list_display = [columns.get(str(each), each) for each in self.list_display]

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        if houses(request):
            show_times_of(house_of(request))
        return super().changelist_view(request, extra_context)

    def changeform_view(
        self, request: HttpRequest, object_id: str | None = None, *args: Any, **kwargs: Any
    ) -> HttpResponse:
        """Times and amounts are those of the row's own house, which may not be the one chosen."""
        row = self.get_object(request, unquote(object_id or ""))
        house = row and Establishment.objects.filter(pk=getattr(row, self.house_field)).first()
        if house:
            show_times_of(house)
        return super().changeform_view(request, object_id, *args, **kwargs)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        return super().get_queryset(request).filter(**{f"{self.house_field}__in": houses(request)})

    def get_exclude(self, request: HttpRequest, obj: Model | None = None) -> tuple[str, ...]:
        return (*(self.exclude or ()), *self.columns)

    def get_readonly_fields(self, request: HttpRequest, obj: Model | None = None) -> Any:
        return (*self.readonly_fields, *self.columns.values())

    def has_module_permission(self, request: HttpRequest) -> bool:
        return bool(houses(request))

    def has_view_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return bool(houses(request))

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False


@admin.register(Establishment)
class EstablishmentAdmin(HouseRows):
    house_field = "pk"
    list_display = ("name", "currency", "currency_code", "time_zone", "day_cutoff")
    exclude = ("denominations",)  # amounts within JSON; the settings page shows them


@admin.register(Table)
class TableAdmin(HouseRows):
    list_display = ("name", "establishment", "stake_min", "stake_max", "in_use")
    list_filter = ("in_use",)
    list_select_related = ("establishment",)


@admin.register(DiceSet)
class DiceSetAdmin(HouseRows):
    list_display = ("number", "count", "sides", "colour", "withdrawn", "establishment")
    list_filter = ("sides", "withdrawn")
    list_select_related = ("establishment",)


@admin.register(HomeThrow)
class HomeThrowAdmin(HouseRows):
    list_display = ("__str__", "game", "establishment", "effective_from", "set_by")
    list_select_related = ("establishment", "set_by")
    exclude = ("story", "override")  # tokens
    readonly_fields = ("story_in_words", "override_in_words")

    @admin.display(description="Story")
    def story_in_words(self, throw: HomeThrow) -> str:
        return str(tokens.resolve(throw.establishment_id, throw.story))

    @admin.display(description="Why it may score otherwise")
    def override_in_words(self, throw: HomeThrow) -> str:
        return str(tokens.resolve(throw.establishment_id, throw.override))


@admin.register(Employment)
class EmploymentAdmin(HouseRows):
    list_display = ("attendant", "role", "establishment", "since", "until")
    list_filter = ("role", ("until", admin.EmptyFieldListFilter))
    search_fields = ("attendant__username", "attendant__first_name", "attendant__last_name")
    list_select_related = ("attendant", "establishment")


@admin.register(PrizeRule)
class PrizeRuleAdmin(HouseRows):
    list_display = ("prize", "ruleset", "kind", "at", "amount", "active", "establishment")
    list_filter = ("ruleset", "active")
    list_select_related = ("establishment",)


@admin.register(GameCard)
class GameAdmin(HouseRows):
    amounts = ("pot",)
    list_display = ("opened_at", "title", "table", "status", "round", "players", "pot", "recorded")
    list_filter = ("status", "gaming_day")
    list_select_related = ("table", "establishment")
    readonly_fields = ("recorded",)

    @admin.display(description="Game", ordering="ruleset")
    def title(self, card: GameCard) -> str:
        return str(TITLES.get(card.ruleset, card.ruleset))

    @admin.display(description="Recorded")
    def recorded(self, card: GameCard) -> str:
        return format_html('<a href="{}">everything</a>', reverse("floor-log", args=[card.game]))


@admin.register(Event)
class EventAdmin(HouseRows):
    house_field = "establishment"
    list_display = ("position", "event_type", "who", "occurred_at", "gaming_day", "stream", "house")
    list_filter = ("gaming_day",)
    search_fields = ("stream__startswith", "event_type__startswith", "command_id__iexact")
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
    people = Attendant.objects.in_bulk({each.actor for each in events if is_person(each.actor)})
    at = Establishment.objects.in_bulk({each.establishment for each in events})
    return {str(key): str(each) for key, each in people.items()}, {
        key: str(each) for key, each in at.items()
    }


def is_person(actor: str) -> bool:
    """Whether an actor is a person: an id, not the name of a program."""
    try:
        uuid.UUID(actor)
    except ValueError:
        return False
    return True


@admin.register(Transfer)
class TransferAdmin(HouseRows):
    house_field = "establishment"
    amounts = ("amount",)
    list_display = (
        "position", "amount", "debit_kind", "debit_name", "credit_kind", "credit_name", "reason",
        "reverses",
    )  # fmt: skip
    list_filter = ("debit_kind", "credit_kind")
    search_fields = ("debit_name__startswith", "credit_name__startswith")
    ordering = ("-position", "seq")

    def get_changelist_instance(self, request: HttpRequest) -> ChangeList:
        """Look up the houses of the page's rows, with one query for all of them."""
        page: ChangeList = super().get_changelist_instance(request)
        page.result_list = rows = list(page.result_list)
        at = Establishment.objects.in_bulk({row.establishment for row in rows})
        for row in rows:
            row.house_row = at.get(row.establishment)
        return page
