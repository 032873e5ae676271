"""The page of cash moved between the cage and the house's bank, by number (C1)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from casino.kit.approvals.asked import ask_second_person
from casino.kit.web.forms import REASON_MAX, ActForm
from casino.kit.web.listings.pages import page_with_list
from casino.kit.web.pages import office
from casino.money.accounts.pages import NOW, SECTION
from casino.money.cash import balance_snapshots, bank
from casino.money.cash.listings.bank import CAGE
from casino.words.languages.fields import CoinsField
from games.payments import COINS_MAX
from ledger.accounts import Kind

if TYPE_CHECKING:
    from django.http import HttpResponse

    from casino.kit.web.pages import Page


class CageForm(ActForm):
    """Asks for cash to move between cage and bank; another person approves it."""

    way = forms.ChoiceField(
        label=gettext_lazy("What happens"),
        choices=[
            ("capital", gettext_lazy("Capital is brought into the cage")),
            ("to_bank", gettext_lazy("Cash is taken to the bank")),
        ],
        widget=forms.RadioSelect,
    )
    amount = CoinsField(label=gettext_lazy("Amount"), min_value=1, max_value=COINS_MAX)
    reason = forms.CharField(label=gettext_lazy("Reason"), max_length=REASON_MAX)


@office("audit", section=SECTION, post="record")
def cage(page: Page) -> HttpResponse:
    """The list of cash moved between cage and bank, and the form to ask for a movement (C1)."""
    form = CageForm(page.sent)
    done = page.take(
        form,
        lambda: bank.ask(
            page.act(form.act_id),
            way=form.cleaned_data["way"],
            amount=form.cleaned_data["amount"],
            reason=form.cleaned_data["reason"],
        ),
        lambda _receipt: ask_second_person(
            page, _("Asked for. Another person approves it under Approvals."), form.act_id
        ),
        "cage",
    )
    if done is not None:
        return done
    context = {
        "form": form if page.may("record") else None,
        "balance": balance_snapshots.through(page.house.pk, bank.CAGE, NOW).of(Kind.CAGE),
    }
    return page_with_list(page, CAGE, "accounts/cage.html", context)
