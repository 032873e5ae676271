"""Shared by all pages of the settings: the tabs, saving a form, and read-only fields."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from casino.house.acts import changes
from casino.kit.web.listings.pages import page_with_list
from casino.kit.web.pages import Outcome
from casino.settings.configuration.submit import carry_out, outcome_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from django.http import HttpResponse

    from casino.house.acts import acts
    from casino.kit.web.listings.listing import Listing
    from casino.kit.web.pages import Page, Said
    from casino.settings.configuration import operations as configuration
    from casino.settings.configuration.operations import Adding, Changing

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
    outcome: configuration.Outcome, thing: Callable[[], tuple[str, str]] | None
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
