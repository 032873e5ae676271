"""Settings page of the house itself: its name, money, gaming day and thresholds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from casino.house.establishments.models import Establishment
from casino.kit.web.forms import ActForm
from casino.kit.web.pages import Page, office
from casino.settings.configuration.forms.house import HouseForm
from casino.settings.configuration.forms.why_and_when import Explained
from casino.settings.configuration.frame import SECTION, lock, put, respond
from casino.settings.configuration.operations import Changing

if TYPE_CHECKING:
    from django.http import HttpResponse


class HousePage(HouseForm, Explained, ActForm):
    """The form of the house on its page."""

    field_order = (*HouseForm.Meta.fields, "counted", "reason")


@office("audit", section=SECTION, post="configure")
def house(page: Page) -> HttpResponse:
    form = HousePage(page.sent, instance=reload(page))
    done = put(page, form, lambda _act: [Changing(reload(page), form.values())], "settings")
    return done or respond(page, "settings/configuration/house.html", {"form": lock(page, form)})


def reload(page: Page) -> Establishment:
    """
    The house's row, read again: a form writes the values that were sent into the row that it is
    bound to.
    """
    return Establishment.objects.get(pk=page.house.pk)
