"""Set-up pages of the house itself: correcting its settings, resuming and finishing the set-up."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.shortcuts import redirect
from django.utils.translation import gettext as _

from casino.house.home_throws import operations as home_throws
from casino.kit.web.forms import ActForm
from casino.kit.web.pages import Page, office
from casino.office.onboarding import operations as onboarding
from casino.office.onboarding import readiness
from casino.office.onboarding.founding import HouseStep
from casino.office.onboarding.frame import SECTION, save, step
from casino.play.dice.models import DiceSet
from casino.settings.configuration.house_pages import reload
from casino.settings.configuration.operations import Changing

if TYPE_CHECKING:
    from django.http import HttpResponse


class HouseAgain(HouseStep, ActForm):
    """The form of the first step again, for a house that exists."""


@office("configure", section=SECTION)
def resume(page: Page) -> HttpResponse:
    """Redirect to the step at which the set-up was left."""
    return redirect(f"set-up-{page.house.setting_up}" if page.house.setting_up else "settings")


@office("configure", section=SECTION)
def house(page: Page) -> HttpResponse:
    form = HouseAgain(page.sent, instance=reload(page))
    done = save(page, "house", form, lambda _act: [Changing(reload(page), form.values())])
    return done or step(page, "house", {"form": form})


@office("configure", section=SECTION)
def last_step(page: Page) -> HttpResponse:
    """
    The last step: what the house has, what the first game waits for, and the button that finishes.

    It leads to the table where the first game is opened; to the floor if none can be opened yet.
    """
    if page.posted:
        onboarding.finish(page.house)
        now = readiness.ready(page.house, page.now)
        said = _("The house is set up.")
        if now.opens and now.table is not None:
            return page.done(said, "floor-open", table=now.table.pk)
        return page.done(said, "floor")
    throws = home_throws.of_each_game(page.house, page.now).values()
    context = {
        "ready": readiness.ready(page.house, page.now),
        "tables": page.house.tables.filter(in_use=True).count(),
        "sets": DiceSet.objects.filter(establishment=page.house, withdrawn=False).count(),
        "throws": {throw.faces for throw in throws if throw},
    }
    return step(page, "done", context)
