"""The admin's read-only pages of games and the ledger."""

# ruff: noqa: ARG002 - Django hands over more than a method may need
from __future__ import annotations

import json
import uuid
from typing import TYPE_CHECKING, Any

from django.contrib import admin
from django.urls import reverse
from django.utils.html import format_html

from casino.house.attendants.models import Attendant
from casino.house.establishments.models import Establishment
from casino.play.core.models import GameCard
from casino.settings.admin_site.admin.base import (
    ByTable,
    HeadPaginator,
    ReadOnlyAdmin,
    amount_column,
)
from casino.words.presenters import TITLES
from ledger.models import Event, Transfer

if TYPE_CHECKING:
    from collections.abc import Sequence
    from uuid import UUID

    from django.contrib.admin.views.main import ChangeList
    from django.db.models import Model, QuerySet
    from django.http import HttpRequest


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
