"""The form of an act about somebody who is refused a seat, or reads like them (P1)."""

from __future__ import annotations

from django import forms

from casino.pseudonyms.tokens import PLAYER
from casino.web.forms import ReasonForm


class AboutForm(ReasonForm):
    """Whom it is about; of two who read alike, the other, too."""

    player = forms.RegexField(rf"\A{PLAYER}\Z", widget=forms.HiddenInput)
    other = forms.RegexField(rf"\A{PLAYER}\Z", widget=forms.HiddenInput, required=False)
