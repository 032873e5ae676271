"""The admin's pages of the house's things, changed through operations that leave an event."""

# ruff: noqa: ARG002 - Django hands over more than a method may need
from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from django import forms
from django.contrib import admin
from unfold.widgets import UnfoldAdminSelectWidget

from casino.house.acts.game_streams.catalogue import RULESETS
from casino.house.attendants import permissions
from casino.house.attendants.models import Attendant, Employment
from casino.house.attendants.pseudonyms import tokens
from casino.house.establishments.models import Establishment, Table
from casino.house.home_throws.models import HomeThrow
from casino.house.home_throws.operations import HomeThrowForm, set_home_throw
from casino.play.dice.models import DiceSet
from casino.play.settlement.models import PrizeRule
from casino.settings.admin_site.admin.base import HouseAdmin, amount_column
from casino.settings.staff.operations import check_change, employ, hire, revise
from casino.settings.staff.pages import HireForm
from casino.words.presenters import TITLES
from games.refusals import Refused

if TYPE_CHECKING:
    from django.contrib.admin.views.main import ChangeList
    from django.db.models import Model, QuerySet
    from django.forms import ModelForm
    from django.http import HttpRequest

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
