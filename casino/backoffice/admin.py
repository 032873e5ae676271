"""
The admin: the house's things, changed through operations; games and the ledger, read only.

Everything is scoped to the houses at which the person works, and what may be changed follows the
role there. Django's own permissions are not asked (see casino/attendants/permissions.py).
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, ClassVar

from django.contrib import admin
from django.contrib.auth.models import Group
from django.core.paginator import Paginator
from django.utils.functional import cached_property
from knox.models import AuthToken
from unfold.admin import ModelAdmin

from casino.attendants import permissions
from casino.attendants.models import Employment
from casino.dice.models import DiceSet
from casino.establishments import changes
from casino.establishments.models import Establishment, Table
from casino.home_throws.forms import HomeThrowForm
from casino.home_throws.models import HomeThrow
from casino.home_throws.operations import set_home_throw
from casino.play.models import GameCard, PrizeRule
from casino.players import veil
from ledger.models import Event, Transfer

if TYPE_CHECKING:
    from django.db.models import Model, QuerySet
    from django.forms import ModelForm
    from django.http import HttpRequest

ROWS_DEEP = 10_000  # how far back one pages; further back one filters


class HeadPaginator(Paginator):  # type: ignore[type-arg]  # generic in the stubs alone
    """Pages of something that only grows: to count it all would cost more every day."""

    @cached_property
    def count(self) -> int:
        rows: QuerySet[Any] = self.object_list  # type: ignore[assignment]  # of an admin: a queryset
        return rows[:ROWS_DEEP].count()


admin.site.unregister(Group)
admin.site.unregister(AuthToken)


class HouseAdmin(ModelAdmin):  # type: ignore[misc]  # unfold publishes no types
    """Things of houses: only one's own houses', looked at by all, changed by managers."""

    house_field: ClassVar[str] = "establishment_id"
    act: ClassVar[permissions.Act] = "configure"

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        mine = permissions.houses(request.user)
        return super().get_queryset(request).filter(**{f"{self.house_field}__in": mine})

    def has_module_permission(self, request: HttpRequest) -> bool:
        return bool(permissions.houses(request.user))

    def has_view_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return bool(permissions.houses(request.user))

    def has_add_permission(self, request: HttpRequest) -> bool:
        return bool(permissions.houses(request.user, self.act))

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        if obj is None:
            return self.has_add_permission(request)
        return permissions.may(request.user, self.act, getattr(obj, self.house_field))

    def get_exclude(self, request: HttpRequest, obj: Model | None = None) -> tuple[str, ...]:
        """A thing stays at its house."""
        return ("establishment",) if obj is not None else ()

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def formfield_for_foreignkey(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        if db_field.name == "establishment":
            mine = permissions.houses(request.user, self.act)
            kwargs["queryset"] = Establishment.objects.filter(pk__in=mine)
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
        write(obj, establishment=house, by=request.user)


class ReadOnlyAdmin(HouseAdmin):
    """What the ledger is the truth of: looked at, never touched."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False


@admin.register(Establishment)
class EstablishmentAdmin(HouseAdmin):
    house_field = "pk"
    list_display = ("name", "currency", "time_zone", "day_cutoff")

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False  # a house is founded with its first manager, not from a form of another's


@admin.register(Table)
class TableAdmin(HouseAdmin):
    list_display = ("name", "establishment", "stake_min", "stake_max", "in_use")
    list_filter = ("in_use",)


@admin.register(DiceSet)
class DiceSetAdmin(HouseAdmin):
    list_display = ("number", "count", "sides", "colour", "withdrawn", "establishment")
    list_filter = ("sides", "withdrawn")


@admin.register(HomeThrow)
class HomeThrowAdmin(HouseAdmin):
    """The history of home throws; a new one is set by a form of its own words."""

    list_display = ("__str__", "establishment", "effective_from", "told", "set_by")
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

    @admin.display(description="Story")
    def told(self, throw: HomeThrow) -> str:
        return str(veil.unveil(throw.establishment_id, throw.story))

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
            by=request.user,
        )
        obj.pk = saved.pk


@admin.register(Employment)
class EmploymentAdmin(HouseAdmin):
    list_display = ("attendant", "role", "establishment", "since", "until")
    list_filter = ("role",)
    list_select_related = ("attendant", "establishment")

    def get_readonly_fields(
        self, request: HttpRequest, obj: Employment | None = None
    ) -> tuple[str, ...]:
        return () if obj is None else ("attendant", "since")


@admin.register(PrizeRule)
class PrizeRuleAdmin(HouseAdmin):
    list_display = ("prize", "ruleset", "kind", "at", "amount", "active", "establishment")


@admin.register(GameCard)
class GameAdmin(ReadOnlyAdmin):
    list_display = ("opened_at", "ruleset", "table", "status", "round", "players", "pot", "version")
    list_filter = ("status", "gaming_day", "table")
    list_select_related = ("table",)
    show_full_result_count = False


class LedgerAdmin(ReadOnlyAdmin):
    """Rows of the ledger: never counted whole, they only grow."""

    house_field = "establishment"
    show_full_result_count = False
    paginator = HeadPaginator


@admin.register(Event)
class EventAdmin(LedgerAdmin):
    list_display = ("position", "event_type", "stream", "stream_version", "actor", "recorded_at")
    list_filter = ("event_type", "gaming_day")
    search_fields = ("stream__startswith", "command_id__iexact")
    ordering = ("-position",)
    exclude = ("body", "leaf_hash")
    readonly_fields = ("content", "leaf")

    @admin.display(description="Body")
    def content(self, event: Event) -> str:
        return json.dumps(json.loads(bytes(event.body)), indent=2, ensure_ascii=False)

    @admin.display(description="Leaf hash")
    def leaf(self, event: Event) -> str:
        return bytes(event.leaf_hash).hex()


@admin.register(Transfer)
class TransferAdmin(LedgerAdmin):
    list_display = (
        "position", "amount", "debit_kind", "debit_name", "credit_kind", "credit_name", "reason",
        "reverses",
    )
    list_filter = ("debit_kind", "credit_kind")
    ordering = ("-position", "seq")
