"""The forms of the cash pages: count sheets, slips, calling off, signatures."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms
from django.utils.translation import gettext_lazy as _

from casino.house.acts.custody import sheets
from casino.house.acts.custody.sheets import PIECES_MOST, Denomination
from casino.kit.web.forms import REASON_MAX, ActForm
from casino.words.languages.fields import WholeField

if TYPE_CHECKING:
    from collections.abc import Iterator

    from django.forms.boundfield import BoundField

    from casino.house.acts.custody.sheets import Sheet
    from casino.house.establishments.models import Establishment


class SheetForm(ActForm):
    """A count sheet: the number of pieces of each denomination; an empty field means none."""

    autocomplete = "off"  # a browser must not suggest what was counted before

    def __init__(self, house: Establishment, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)
        self.denominations = sheets.denominations(house)
        for each in self.denominations:
            self.fields[field_of(each)] = WholeField(
                required=False, min_value=0, max_value=PIECES_MOST
            )

    @property
    def rows(self) -> Iterator[tuple[Denomination, BoundField]]:
        """Each denomination with its field, the greatest first."""
        return ((each, self[field_of(each)]) for each in self.denominations)

    @property
    def sheet(self) -> Sheet:
        """The sheet that was entered: value to pieces. Only after `is_valid`."""
        found = {str(each.value): self.cleaned_data[field_of(each)] for each in self.denominations}
        return {value: pieces for value, pieces in found.items() if pieces}


class SlipForm(SheetForm):
    """Asks for a slip: the pieces, and the reason."""

    reason = forms.CharField(label=_("Reason"), max_length=REASON_MAX)

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        if not self.errors and not self.sheet:
            raise forms.ValidationError(_("Say how many of each coin the slip is for."))
        return cleaned


class CallOffForm(ActForm):
    """Calls off a count or a handover."""

    reason = forms.CharField(label=_("Reason"), max_length=REASON_MAX, required=False)


class SignForm(ActForm):
    """A signature that acknowledges the state of play that the page showed."""

    seen = forms.IntegerField(min_value=0, widget=forms.HiddenInput)


def field_of(each: Denomination) -> str:
    return f"pieces_{each.value}"
