"""What every page of the settings shares: its tabs, saving, and fields that are only read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.urls import reverse
from django.utils.translation import gettext_lazy

from casino.configuration.submit import said, tried

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from django.http import HttpResponse

    from casino.configuration.operations import Adding, Changing
    from casino.operations import acts
    from casino.web.pages import Page

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
    "settings-prize-new": "settings-prizes",
    "settings-import-list": "settings-import",
}
"""The tab under which a page stands that has none of its own."""


def shown(page: Page, template: str, context: dict[str, Any]) -> HttpResponse:
    """A page of the section, with its tabs."""
    here = (page.request.resolver_match and page.request.resolver_match.url_name) or ""
    tabs = [
        {"url": reverse(name), "title": title, "here": name == TAB_OF.get(here, here)}
        for name, title in TABS
        if name != "settings-import" or page.may("configure")
    ]
    more = {"tabs": tabs, "configures": page.may("configure"), "two": page.house.two_configure}
    return page.show(template, {**more, **context})


def put(
    page: Page,
    form: Any,
    change: Callable[[acts.Act], Iterable[Adding | Changing]],
    to: str,
) -> HttpResponse | None:
    """Save what a form says and go on to the page `to`; None: the page is shown, with the form."""
    outcome = tried(page, form, change, do="configure")
    return None if outcome is None else page.done(said(outcome.became), to)


def locked(page: Page, form: Any) -> Any:
    """For who may look and not change: the same fields, to read."""
    if not page.may("configure"):
        for field in form.fields.values():
            field.disabled = True
    return form
