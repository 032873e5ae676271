"""Base classes of the admin's pages: limit to one's own houses, permissions, who made a change."""

# ruff: noqa: ARG002 - Django hands over more than a method may need
from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from django.contrib import admin
from django.contrib.admin.utils import unquote
from django.core.paginator import Paginator
from django.db.models import IntegerField, Q
from django.utils.functional import cached_property
from unfold.admin import ModelAdmin
from unfold.widgets import UnfoldAdminTextInputWidget

from casino.house.acts import changes
from casino.house.attendants import permissions
from casino.house.attendants.models import Attendant
from casino.house.establishments.clock import show_times_of, write_as_at
from casino.house.establishments.models import Establishment, Table
from casino.kit.web.current_house import house_of
from casino.words.languages.amounts import money
from casino.words.languages.fields import WholeField

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from uuid import UUID

    from django.db.models import Model, QuerySet
    from django.forms import ModelForm
    from django.http import HttpRequest, HttpResponse

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
