"""Settings of the house itself: what it is called, its money, its day, its thresholds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from casino.configuration.forms.house import HouseForm
from casino.configuration.forms.why_and_when import Explained
from casino.configuration.frame import SECTION, locked, put, shown
from casino.configuration.operations import Changing
from casino.establishments.models import Establishment
from casino.web.forms import ActForm
from casino.web.pages import Page, office

if TYPE_CHECKING:
    from django.http import HttpResponse


class HousePage(HouseForm, Explained, ActForm):
    """The house, as a page asks for it."""

    field_order = (*HouseForm.Meta.fields, "counted", "reason")


@office("audit", section=SECTION, post="configure")
def house(page: Page) -> HttpResponse:
    form = HousePage(page.sent, instance=stored(page))
    done = put(page, form, lambda _act: [Changing(stored(page), form.values())], "settings")
    return done or shown(page, "configuration/house.html", {"form": locked(page, form)})


def stored(page: Page) -> Establishment:
    """As it is on record: a form puts into the row it is bound to what was sent."""
    return Establishment.objects.get(pk=page.house.pk)
