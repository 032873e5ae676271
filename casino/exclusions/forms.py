"""The form of acts about an excluded player, or somebody whose name reads alike (P1)."""

from __future__ import annotations

from django import forms

from casino.pseudonyms.tokens import PLAYER
from casino.web.forms import ReasonForm


class AboutForm(ReasonForm):
    """Asks for a reason; has the player's token, and for names that read alike the other token."""

    player = forms.RegexField(rf"\A{PLAYER}\Z", widget=forms.HiddenInput)
    other = forms.RegexField(rf"\A{PLAYER}\Z", widget=forms.HiddenInput, required=False)
