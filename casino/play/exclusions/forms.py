"""Forms about protected players: exclusions, names that read alike (P1), and limits."""

from __future__ import annotations

from typing import Any, Final

from django import forms
from django.utils.translation import gettext_lazy

from casino.house.attendants.pseudonyms.tokens import PLAYER
from casino.kit.web.forms import ActForm, ReasonForm
from casino.words.languages.fields import CoinsField
from games.payments import COINS_MAX

COINS: Final[dict[str, Any]] = {"min_value": 1, "max_value": COINS_MAX, "required": False}


class AboutForm(ReasonForm):
    """Asks for a reason; has the player's token, and for names that read alike the other token."""

    player = forms.RegexField(rf"\A{PLAYER}\Z", widget=forms.HiddenInput)
    other = forms.RegexField(rf"\A{PLAYER}\Z", widget=forms.HiddenInput, required=False)


class LimitsForm(ActForm):
    """How much a player may pay in; what is left empty has no limit. Its fields are the spans."""

    day = CoinsField(label=gettext_lazy("On a gaming day"), **COINS)
    week = CoinsField(label=gettext_lazy("In a week, from Monday"), **COINS)
    month = CoinsField(label=gettext_lazy("In a month"), **COINS)
