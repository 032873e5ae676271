"""Forms of the settings; here the fields of any change: its reason, and when it takes effect."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any, Final

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from casino.words.languages.fields import MomentField

REASON: Final = 500  # characters
NOW, LATER = "now", "later"
LATEST: Final = datetime(2999, 12, 31, tzinfo=UTC)
"""The limit: the very last days that Python's calendar has are out of range in some time zones."""


class Explained(forms.Form):
    """The reason for a change. The approver sees it, and it is kept beside the ledger."""

    reason = forms.CharField(
        label=gettext_lazy("Reason"),
        required=False,
        max_length=REASON,
        help_text=gettext_lazy("Why it changes; it stands in the change log."),
    )


class Beginning(forms.Form):
    """When something new begins: now, or at a given moment by the house's clock."""

    begins = forms.ChoiceField(
        label=gettext_lazy("In force"),
        choices=[(NOW, gettext_lazy("from now on")), (LATER, gettext_lazy("from a later moment"))],
        initial=NOW,
        widget=forms.RadioSelect,
        help_text=gettext_lazy("Games that are open keep what they were opened with."),
    )
    effective_from = MomentField(
        label=gettext_lazy("The later moment"),
        required=False,
        help_text=gettext_lazy("By the house's clock."),
    )

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        later = cleaned.get("begins") == LATER and "effective_from" not in self.errors
        at: datetime | None = cleaned.get("effective_from")
        if later and at is None:
            self.add_error("effective_from", _("Say from when on."))
        elif later and at is not None and at > LATEST:
            self.add_error("effective_from", _("So far ahead nothing is announced."))
        return cleaned

    def moment(self, now: datetime) -> datetime:
        """The moment at which it begins; only after `is_valid`."""
        later: datetime | None = self.cleaned_data.get("effective_from")
        return later if self.cleaned_data["begins"] == LATER and later else now
