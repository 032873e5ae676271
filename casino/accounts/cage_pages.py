"""Cash between the cage and the house's bank, by number (C1)."""

from __future__ import annotations

from http import HTTPStatus
from typing import TYPE_CHECKING, Final

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from casino.accounts.pages import NOW, SECTION
from casino.cash import balance_snapshots, bank
from casino.cash.listings.bank import CAGE
from casino.languages.fields import WholeField
from casino.web.forms import ActForm
from casino.web.listings.pages import paged
from casino.web.pages import office
from games.payments import COINS_MAX
from games.refusals import Refused
from ledger.accounts import Kind
from ledger.journal import Conflict

if TYPE_CHECKING:
    from django.http import HttpResponse

    from casino.web.pages import Page

REASON_MAX: Final = 500


class CageForm(ActForm):
    """Cash between the cage and the bank: a request, which another person approves."""

    way = forms.ChoiceField(
        label=gettext_lazy("What happens"),
        choices=[
            ("capital", gettext_lazy("Capital is brought into the cage")),
            ("to_bank", gettext_lazy("Cash is taken to the bank")),
        ],
        widget=forms.RadioSelect,
    )
    amount = WholeField(label=gettext_lazy("Amount"), min_value=1, max_value=COINS_MAX)
    reason = forms.CharField(label=gettext_lazy("Reason"), max_length=REASON_MAX)


@office("audit", section=SECTION, post="record")
def cage(page: Page) -> HttpResponse:
    """Cash between cage and bank, by number; who may record asks for more (C1)."""
    form = CageForm(page.request.POST or None)
    if page.posted and form.is_valid():
        given = form.cleaned_data
        try:
            bank.ask(
                page.act(form.act_id),
                way=given["way"], amount=given["amount"], reason=given["reason"],
            )  # fmt: skip
        except (Refused, Conflict) as refused:
            return page.refused(refused, "cage")
        return page.done(_("Asked for. Another person approves it under Approvals."), "cage")
    context = {
        "form": form if page.may("record") else None,
        "balance": balance_snapshots.through(page.house.pk, bank.CAGE, NOW).of(Kind.CAGE),
    }
    status = HTTPStatus.UNPROCESSABLE_ENTITY if page.posted else HTTPStatus.OK
    return paged(page, CAGE, "accounts/cage.html", context, status=status)
