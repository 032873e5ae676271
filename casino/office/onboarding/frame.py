"""The frame of the set-up pages: each step is saved when it is sent, and can be opened again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from casino.house.acts import changes
from casino.office.onboarding import operations as onboarding
from casino.office.onboarding.operations import STEPS
from casino.settings.configuration import operations as configuration
from casino.settings.configuration.operations import Adding, Became
from casino.settings.configuration.submit import carry_out, outcome_text

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from django.http import HttpResponse

    from casino.house.acts import acts
    from casino.kit.web.pages import Page
    from casino.settings.configuration.operations import Changing

SECTION = "settings"
TITLES: Final = {
    "house": (gettext_lazy("House"), gettext_lazy("The house")),
    "tables": (gettext_lazy("Tables"), gettext_lazy("Tables")),
    "dice": (gettext_lazy("Dice"), gettext_lazy("Dice sets")),
    "games": (gettext_lazy("Games"), gettext_lazy("Games")),
    "home-throw": (gettext_lazy("Home throw"), gettext_lazy("Home throw")),
    "staff": (gettext_lazy("Staff"), gettext_lazy("Staff")),
    "done": (gettext_lazy("Done"), gettext_lazy("Done")),
}
"""Two titles of each step: in the list of steps, and at the top of its page."""


def step(page: Page, name: str, context: dict[str, Any]) -> HttpResponse:
    """The page of a step, with the list of all steps."""
    here = STEPS.index(name)
    steps = [
        {"title": TITLES[each][0], "url": reverse(f"set-up-{each}"), "here": each == name,
         "before": number < here}
        for number, each in enumerate(STEPS)
    ]  # fmt: skip
    more = {
        "title": TITLES[name][1],
        "two": changes.wants_two(page.house),
        "steps": steps,
        "back": reverse(f"set-up-{STEPS[here - 1]}") if here else "",
        "skip": reverse(f"set-up-{STEPS[here + 1]}") if here + 1 < len(STEPS) else "",
    }
    return page.show(f"office/onboarding/{name.replace('-', '_')}.html", {**more, **context})


def save(
    page: Page,
    name: str,
    form: Any,
    change: Callable[[acts.Act], Sequence[Adding | Changing]],
) -> HttpResponse | None:
    """Save what a step adds, and redirect to the next step; None if the form has errors."""
    outcome = carry_out(page, form, change, do=f"set up {name}", reason=_("Set-up."))
    if outcome is None:
        return None
    onboarding.record_step(page.house, name)
    following = f"set-up-{STEPS[STEPS.index(name) + 1]}"
    if outcome.became == Became.UNCHANGED:
        return redirect(following)
    return page.done(outcome_text(outcome.became), following)


def adding(act: acts.Act, rows: Sequence[Any]) -> list[Adding]:
    """New rows with ids derived from the act's id, so that a second tap adds none."""
    for number, row in enumerate(rows):
        row.pk = configuration.new_id(act, number)
    return [Adding(row) for row in rows]
