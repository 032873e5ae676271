"""The pages of floor tablets, on which a PIN works: their list, and enrolling this device (D3)."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING

from django import forms
from django.contrib import messages
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from casino.house.attendants import known_browsers, signins
from casino.house.attendants.models import Tablet
from casino.kit.web.forms import ActForm
from casino.kit.web.pages import Page, office
from casino.settings.staff import tablets
from casino.settings.staff.pages import SECTION
from games.refusals import Refused

if TYPE_CHECKING:
    from uuid import UUID

    from django.http import HttpResponse


class TabletForm(ActForm):
    name = forms.CharField(
        label=gettext_lazy("What you call it"),
        max_length=40,
        help_text=gettext_lazy("As its sticker says: Tablet 1, Garden."),
    )


@office("look", section=SECTION, post="approve")
def floor_tablets(page: Page) -> HttpResponse:
    """The house's tablets; a person who may approve can make this device one of them."""
    here = tablets.tablet_of_cookie(page.request.COOKIES.get(tablets.COOKIE, ""))
    if here is not None and here.establishment_id != page.house.pk:
        here = None
    form = TabletForm(page.sent)
    if form.is_valid():
        try:
            tablet, cookie = tablets.enrol(
                house=page.house, name=form.cleaned_data["name"], by=page.person
            )
        except Refused as refused:
            form.refuse(page.why(refused), "name")
        else:
            return _enrol(page, tablet, cookie)
    rows = Tablet.objects.filter(establishment=page.house, withdrawn_at__isnull=True)
    context = {
        "form": form,
        "here": here,
        "tablets": rows.select_related("enrolled_by").order_by("name"),
        "acts": page.may("approve"),
    }
    return page.show("settings/staff/tablets.html", context)


def _enrol(page: Page, tablet: Tablet, cookie: str) -> HttpResponse:
    request = page.request
    messages.success(
        request, _("This device is the floor tablet “%(name)s” now.") % {"name": tablet.name}
    )
    answer = redirect("floor-attendant")
    known_browsers.keep(request, answer, tablets.COOKIE, cookie, tablets.COOKIE_AGE)
    if signins.DEVICE_COOKIE not in request.COOKIES:
        device = f"floor-{secrets.token_hex(6)}"
        known_browsers.keep(request, answer, signins.DEVICE_COOKIE, device, tablets.COOKIE_AGE)
    return answer


@office("look", section=SECTION, post="approve")
def withdraw_tablet(page: Page, tablet: UUID) -> HttpResponse:
    if not page.posted:
        return redirect("tablets")
    row = get_object_or_404(Tablet, pk=tablet, establishment=page.house)
    tablets.withdraw(tablet=row, by=page.person)
    sentence = _("No PIN is taken on the floor tablet “%(name)s” any more.")
    return page.done(sentence % {"name": row.name}, "tablets")
