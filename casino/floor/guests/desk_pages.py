"""The desk's page of the office on which a player gets a code for their own page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from django import forms
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from casino.floor.guests import own_pages as guest_codes
from casino.floor.players.pages import SECTION
from casino.house.attendants.pseudonyms import tokens
from casino.house.establishments.table_names import in_list_order
from casino.kit.web.forms import ActForm
from casino.kit.web.pages import REFUSALS, office
from casino.money.payouts.receipts import qr
from casino.words.languages.text import spelled

if TYPE_CHECKING:
    from django.http import HttpResponse

    from casino.kit.web.pages import Page

END: Final = "end"


class CodeForm(ActForm):
    """Gives a player a code, or ends the one that they have."""

    name = forms.CharField(label=gettext_lazy("Name or id"), max_length=80)


@office("record", section=SECTION)
def codes(page: Page) -> HttpResponse:
    """Give out a code, and show it this once; or end the one that is out."""
    form, shown = CodeForm(page.sent), None
    if form.is_valid():
        try:
            shown = _carry_out(page, form)
        except REFUSALS as refused:
            form.refuse(page.why(refused))
        else:
            if shown is None:
                return page.done(_("Ended: the code opens nothing any more."), "guests-codes")
    tables = in_list_order(page.house.tables.filter(in_use=True))
    context = {
        "form": CodeForm() if shown else form,
        "shown": shown,
        "days": guest_codes.LASTS.days,
        "names_from": tables[0] if tables else None,
    }
    return page.show("floor/guests/codes.html", context)


def _carry_out(page: Page, form: CodeForm) -> dict[str, Any] | None:
    """What the page shows of the code that was given out; None: one was ended."""
    name = form.cleaned_data["name"].strip()
    player = tokens.player_tokens(page.house.pk, [name], new=False).get(name, name)
    act = page.act(form.act_id)
    if page.request.POST.get("do") == END:
        guest_codes.end(act, player=player)
        return None
    code = guest_codes.give(act, player=player)
    path = reverse("guests-own", args=[spelled.compact(page.house.pk), code.text])
    address = page.request.build_absolute_uri(path)
    [called] = tokens.resolve(page.house.pk, [player])
    return {"player": called, "until": code.until, "address": address, "qr": qr(address)}
