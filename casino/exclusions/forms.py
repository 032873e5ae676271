"""What somebody says about an exclusion."""

from __future__ import annotations

from typing import Final

from django import forms
from django.utils.translation import gettext_lazy

from casino.web.forms import ActForm

REASON_MAX: Final = 500


class ReasonForm(ActForm):
    reason = forms.CharField(label=gettext_lazy("Reason"), max_length=REASON_MAX)
