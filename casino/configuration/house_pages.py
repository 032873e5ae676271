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
    stored = Establishment.objects.get(pk=page.house.pk)
    form = HousePage(page.request.POST or None, instance=stored)
    if page.posted and form.is_valid():
        fresh = Establishment.objects.get(pk=page.house.pk)
        done = put(page, form, lambda _act: [Changing(fresh, form.values())], "settings")
        if done is not None:
            return done
    return shown(page, "configuration/house.html", {"form": locked(page, form)})
