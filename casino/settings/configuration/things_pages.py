"""Settings pages of things that a house has several of: tables, dice sets, scoreboard prizes."""

from __future__ import annotations

from dataclasses import dataclass
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Final
from uuid import UUID, uuid4

from django import forms
from django.core.exceptions import ValidationError
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils.translation import gettext_lazy

from casino.house.acts import changes
from casino.house.attendants import permissions
from casino.house.establishments.models import Change, Table
from casino.kit.web.forms import ActForm
from casino.kit.web.listings.pages import of_rows
from casino.kit.web.pages import Page, office
from casino.play.dice.models import DiceSet
from casino.play.settlement.models import PrizeRule
from casino.settings.configuration import operations as configuration
from casino.settings.configuration.forms.things import DiceSetForm, PrizeForm, TableForm, ThingForm
from casino.settings.configuration.forms.why_and_when import Explained
from casino.settings.configuration.frame import SECTION, lock, put, respond, respond_list
from casino.settings.configuration.listings import CHANGES, TABLES
from casino.settings.configuration.operations import Adding, Changing
from casino.words.languages.text import lookalikes
from casino.words.presenters import TITLES, dice_labels

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.db.models import QuerySet
    from django.http import HttpResponse
    from django.utils.functional import _StrPromise

CHANGES_LISTED: Final = 50
Thing = Table | DiceSet | PrizeRule


class TablePage(TableForm, Explained, ActForm):
    """The form of a table on its page."""


class DiceSetPage(DiceSetForm, Explained, ActForm):
    """The form of a dice set on its page."""


class PrizePage(PrizeForm, Explained, ActForm):
    """The form of a prize on its page."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """
    One kind of thing, and the words of its pages.

    :param called: the name of a thing, as the heading of its page.
    :param effect: what a change affects, and what not.
    :param listed: the page with the list, to which the pages return.
    :param page: the page of one of them.
    """

    model: type[Thing]
    form: type[ThingForm]
    called: Callable[[Any], str]
    new: _StrPromise
    effect: _StrPromise
    listed: str
    page: str

    def address(self, pk: UUID) -> str:
        """The address of the page of one of them."""
        return reverse(self.page, args=[pk])


TABLE: Final = Kind(
    model=Table,
    form=TablePage,
    called=attrgetter("name"),
    new=gettext_lazy("A new table"),
    effect=gettext_lazy(
        "New limits hold for the next game opened here; one that runs keeps its own."
    ),
    listed="settings-tables",
    page="settings-table",
)
DICE_SET: Final = Kind(
    model=DiceSet,
    form=DiceSetPage,
    called=str,
    new=gettext_lazy("A new dice set"),
    effect=gettext_lazy(
        "A set that is withdrawn stays with the game it lies in, and in no later one."
    ),
    listed="settings-dice",
    page="settings-dice-set",
)
PRIZE: Final = Kind(
    model=PrizeRule,
    form=PrizePage,
    called=attrgetter("prize"),
    new=gettext_lazy("A new prize"),
    effect=gettext_lazy(
        "It holds for points scored from now on; prizes that were won stay won. Places are decided"
        " when the season is closed."
    ),
    listed="settings-prizes",
    page="settings-prize",
)


@office("audit", section=SECTION)
def tables(page: Page) -> HttpResponse:
    return respond_list(page, TABLES, "settings/configuration/tables.html")


@office("configure", section=SECTION)
def table_new(page: Page) -> HttpResponse:
    return add(page, TABLE)


@office("look", section=SECTION)
def table(page: Page, table: UUID) -> HttpResponse:
    return change(page, TABLE, table)


@office("audit", section=SECTION)
def dice(page: Page) -> HttpResponse:
    sets = DiceSet.objects.filter(establishment=page.house)
    alike = lookalikes.namesakes({each.pk: each.number for each in sets})
    context = {"sets": sets, "alike": alike, "kinds": dice_labels.labels()}
    return respond(page, "settings/configuration/dice.html", context)


@office("configure", section=SECTION)
def dice_new(page: Page) -> HttpResponse:
    return add(page, DICE_SET)


@office("look", section=SECTION)
def dice_set(page: Page, dice_set: UUID) -> HttpResponse:
    return change(page, DICE_SET, dice_set)


@office("audit", section=SECTION)
def prizes(page: Page) -> HttpResponse:
    rows = PrizeRule.objects.filter(establishment=page.house)
    listed = [{"rule": row, "game": TITLES.get(row.ruleset, row.ruleset)} for row in rows]
    boards = [{"game": game, "title": title} for game, title in TITLES.items()]
    return respond(page, "settings/configuration/prizes.html", {"prizes": listed, "boards": boards})


@office("configure", section=SECTION)
def prize_new(page: Page) -> HttpResponse:
    return add(page, PRIZE)


@office("look", section=SECTION)
def prize(page: Page, prize_rule: UUID) -> HttpResponse:
    return change(page, PRIZE, prize_rule)


def add(page: Page, kind: Kind) -> HttpResponse:
    """The form of a new thing; on POST, the thing is added."""
    new = kind.model(id=coming(page), establishment=page.house)
    form = kind.form(page.sent, instance=new)
    done = put(
        page,
        form,
        lambda _act: [Adding(form.instance)],
        kind.listed,
        thing=lambda: (kind.called(form.instance), kind.address(form.instance.pk)),
    )
    return done or respond(
        page, "settings/configuration/thing.html", {"form": form, "title": kind.new}
    )


def change(page: Page, kind: Kind, pk: UUID) -> HttpResponse:
    """The page of an existing thing: its form and its changes; on POST, the new values are put."""
    stored = mine(page, kind, pk)
    called = kind.called(stored)  # before the form writes what was sent into the row
    form = kind.form(page.sent, instance=stored)
    done = put(
        page,
        form,
        lambda _act: [Changing(mine(page, kind, pk), form.values())],
        kind.listed,
        thing=lambda: (kind.called(mine(page, kind, pk)), kind.address(pk)),
    )
    if done is not None:
        return done
    context = {
        "form": lock(page, form),
        "title": called,
        "effect": kind.effect,
        "changes": of_rows(page, CHANGES, _changes_of(page, stored)),
    }
    return respond(page, "settings/configuration/thing.html", context)


def _changes_of(page: Page, thing: Thing) -> QuerySet[Change]:
    """The latest changes of a thing."""
    rows = Change.objects.filter(
        establishment=page.house, kind=changes.kind_of(thing), thing=str(thing.pk)
    )
    return rows.order_by("-position")[:CHANGES_LISTED]


def mine(page: Page, kind: Kind, pk: UUID) -> Thing:
    """
    A thing of this house. One of another house is not found, whoever asks.

    :raises NotYours: if the thing is here, and the role may not look at it or change it.
    """
    things: QuerySet[Any] = kind.model.objects.filter(establishment=page.house)
    found: Thing = get_object_or_404(things, pk=pk)
    permissions.require(page.person, "configure" if page.posted else "audit", page.house)
    return found


def coming(page: Page) -> UUID:
    """The id that a new thing of this page will have, so that a second tap finds the same thing."""
    given = forms.UUIDField(required=False)
    try:
        command_id = given.clean(page.request.POST.get("command_id", "")) or uuid4()
    except ValidationError:
        command_id = uuid4()
    return configuration.new_id(page.act(command_id))
