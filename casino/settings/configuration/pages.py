"""
Pages of the settings: the house, its tables, dice sets and prizes, and the change log.

All pages of the settings share the tabs and the saving of a form; setting up a house shares the
latter.
"""

from __future__ import annotations

from dataclasses import dataclass
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Final
from uuid import UUID, uuid4

from django import forms
from django.core.exceptions import ValidationError
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from casino.house.acts import changes
from casino.house.attendants import permissions
from casino.house.establishments.models import Change, Establishment, Table
from casino.kit.web.forms import ActForm
from casino.kit.web.listings.pages import of_rows, page_with_list
from casino.kit.web.pages import REFUSALS, Outcome, Page, office
from casino.play.dice.models import DiceSet
from casino.play.settlement.models import PrizeRule
from casino.settings.configuration import operations as configuration
from casino.settings.configuration.forms import Explained
from casino.settings.configuration.forms.house import HouseForm
from casino.settings.configuration.forms.things import DiceSetForm, PrizeForm, TableForm, ThingForm
from casino.settings.configuration.listings import CHANGES, TABLES
from casino.settings.configuration.operations import Adding, Became, Changing
from casino.words.languages import names
from casino.words.presenters import TITLES, registered

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from django.db.models import QuerySet
    from django.http import HttpResponse
    from django.utils.functional import _StrPromise

    from casino.house.acts import acts
    from casino.kit.web.listings.listing import Listing
    from casino.kit.web.pages import Said
    from casino.settings.configuration.operations import ChangeOutcome

SECTION = "settings"

TABS = (
    ("settings", gettext_lazy("House")),
    ("settings-tables", gettext_lazy("Tables")),
    ("settings-dice", gettext_lazy("Dice sets")),
    ("settings-rules", gettext_lazy("Rules and fees")),
    ("settings-home-throws", gettext_lazy("Home throws")),
    ("settings-prizes", gettext_lazy("Prizes")),
    ("settings-import", gettext_lazy("Import")),
    ("settings-changes", gettext_lazy("Change log")),
)


TAB_OF = {
    "settings-table": "settings-tables",
    "settings-table-new": "settings-tables",
    "settings-dice-set": "settings-dice",
    "settings-dice-new": "settings-dice",
    "settings-rules-of": "settings-rules",
    "settings-prize": "settings-prizes",
    "settings-scoreboard": "settings-prizes",
    "settings-season-end": "settings-prizes",
    "settings-prize-new": "settings-prizes",
    "settings-import-list": "settings-import",
}
"""For pages without a tab of their own: the tab to highlight."""


def respond(page: Page, template: str, context: dict[str, Any]) -> HttpResponse:
    """Render a page of the settings, with its tabs."""
    return page.show(template, {**_tabs(page), **context})


def respond_list(
    page: Page,
    listing: Listing[Any, Any],
    template: str,
    context: Mapping[str, Any] | None = None,
) -> HttpResponse:
    """Render a page of the settings that has a list."""
    return page_with_list(page, listing, template, {**_tabs(page), **(context or {})})


def _tabs(page: Page) -> dict[str, Any]:
    here = (page.request.resolver_match and page.request.resolver_match.url_name) or ""
    tabs = [
        {"url": reverse(name), "title": title, "here": name == TAB_OF.get(here, here)}
        for name, title in TABS
        if name != "settings-import" or page.may("configure")
    ]
    return {"tabs": tabs, "configures": page.may("configure"), "two": changes.wants_two(page.house)}


def put(
    page: Page,
    form: Any,
    change: Callable[[acts.Act], Iterable[Adding | Changing]],
    to: str,
    *,
    thing: Callable[[], tuple[str, str]] | None = None,
) -> HttpResponse | None:
    """
    Save what a form says and redirect to the page `to`; None if the page with its form is to be
    shown.

    :param thing: the name and the address of what is saved, if `to` shows more than that.
    """
    outcome = carry_out(page, form, change, do="configure")
    if outcome is None:
        return None
    return page.done(_message_of(outcome, thing), to)


def _message_of(
    outcome: configuration.ChangeOutcome, thing: Callable[[], tuple[str, str]] | None
) -> Said:
    """The message about a change: it links to the request if one waits, else to the thing."""
    sentence = outcome_text(outcome.became)
    if outcome.request is not None:
        return Outcome(sentence, _("The request"), reverse("approval", args=[outcome.request]))
    return sentence if thing is None else Outcome(sentence, *thing())


def lock(page: Page, form: Any) -> Any:
    """Disable all fields for a person who may look and not change."""
    if not page.may("configure"):
        for field in form.fields.values():
            field.disabled = True
    return form


# Settings page of the house itself: its name, money, gaming day and thresholds.


class HousePage(HouseForm, Explained, ActForm):
    """The form of the house on its page."""

    field_order = (*HouseForm.Meta.fields, "counted", "reason")


@office("audit", section=SECTION, post="configure")
def house(page: Page) -> HttpResponse:
    form = HousePage(page.sent, instance=reload_house(page))
    done = put(page, form, lambda _act: [Changing(reload_house(page), form.values())], "settings")
    return done or respond(page, "settings/configuration/house.html", {"form": lock(page, form)})


def reload_house(page: Page) -> Establishment:
    """
    The house's row, read again: a form writes the values that were sent into the row that it is
    bound to.
    """
    return Establishment.objects.get(pk=page.house.pk)


# The change log: who changed what, from what to what, when and why (C2).


@office("audit", section=SECTION, from_replica=True)
def change_log(page: Page) -> HttpResponse:
    """The list of changes, the latest first."""
    return respond_list(page, CHANGES, "settings/configuration/changes.html")


# Settings pages of things that a house has several of: tables, dice sets, scoreboard prizes.


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
    alike = names.namesakes({each.pk: each.number for each in sets})
    context = {"sets": sets, "alike": alike, "kinds": registered.dice_labels()}
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


# Puts a valid form's changes to the house; the settings and the set-up of a house share this.


HIDDEN = frozenset({"csrfmiddlewaretoken", "command_id"})


def carry_out(
    page: Page,
    form: Any,
    change: Callable[[acts.Act], Iterable[Adding | Changing]],
    *,
    do: str,
    reason: str | None = None,
) -> ChangeOutcome | None:
    """
    Carry out what a form says; None if nothing was sent, or it cannot be done and the form says
    why.

    :param change: makes the changes to put, given the act.
    :param do: the name of what is done, by which a repeat of the act is recognised.
    :param reason: the reason, if the form has no field for it.
    """
    if not form.is_valid():
        return None
    act = page.act(form.act_id, do=do, sent=_fields_as_sent(page))
    why = form.cleaned_data.get("reason", "") if reason is None else reason
    try:
        return configuration.put(act, *change(act), reason=why)
    except ValidationError as invalid:
        form.refuse(invalid)
    except REFUSALS as refused:
        form.refuse(page.why(refused))
    return None


def _fields_as_sent(page: Page) -> dict[str, Any]:
    """The submitted fields as they arrived, the same for a second tap."""
    return {name: values for name, values in page.request.POST.lists() if name not in HIDDEN}


def outcome_text(became: Became) -> str:
    match became:
        case Became.WAITING:
            return _("This waits for a second person: they find it under Approvals.")
        case Became.UNCHANGED:
            return _("Nothing differs, nothing was changed.")
        case _:
            return _("Saved, and written into the change log.")
