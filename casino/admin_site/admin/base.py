"""What all of the admin's pages share: one's own houses, what a role may, who did it."""

# ruff: noqa: ARG002 - Django hands over more than a method may need
from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from django.contrib import admin
from django.core.paginator import Paginator
from django.db.models import IntegerField, Q
from django.utils.functional import cached_property
from unfold.admin import ModelAdmin

from casino.attendants import permissions
from casino.attendants.models import Attendant
from casino.establishments.clock import show_times_of
from casino.establishments.models import Establishment, Table
from casino.languages.fields import WholeField
from casino.operations import changes
from casino.web.current_house import house_of

if TYPE_CHECKING:
    from collections.abc import Sequence
    from uuid import UUID

    from django.db.models import Model, QuerySet
    from django.forms import ModelForm
    from django.http import HttpRequest, HttpResponse

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
        rows = self.model._default_manager.filter(establishment__in=mine)  # noqa: SLF001
        return [(str(row.pk), str(row)) for row in rows]

    def queryset(self, _request: HttpRequest, rows: QuerySet[Any]) -> QuerySet[Any]:
        chosen = self.value()
        return rows.filter(**{self.parameter_name or "": chosen}) if chosen else rows


class ByTable(OfMyHouses):
    title, parameter_name, model = "table", "table_id", Table


def known_people(mine: Sequence[UUID]) -> QuerySet[Attendant]:
    """Whom a manager may employ: people of the own houses, and those whom nobody employs."""
    return Attendant.objects.filter(
        Q(employments__establishment__in=mine) | Q(employments__isnull=True), is_active=True
    ).distinct()


def houses(request: HttpRequest, act: permissions.Act = "look") -> list[UUID]:
    """As `permissions.houses`, queried once for a page: its menus call it some thirty times."""
    if not hasattr(request, "roles_at_houses"):
        request.roles_at_houses = permissions.roles(request.user)  # type: ignore[attr-defined]
    roles: dict[UUID, str] = request.roles_at_houses  # type: ignore[attr-defined]
    return sorted(house for house, role in roles.items() if role in permissions.ALLOWED[act])


def by_the_house_s_clock(request: HttpRequest) -> None:
    """Times are rendered and parsed in the time zone of the house."""
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

    def formfield_for_dbfield(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        """Whole numbers are typed as the house writes them."""
        if isinstance(db_field, IntegerField):
            kwargs.setdefault("form_class", WholeField)
        return super().formfield_for_dbfield(db_field, request, **kwargs)

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
