"""
Form fields: whole numbers as a house writes them (1250, and 1,250 or 1.250 depending on its
locale), dates and times as a browser's own date fields send and expect them.
"""

from __future__ import annotations

import re
from typing import Any, Final

from django import forms
from django.db import models

from casino.languages.locales import ungrouped

DIGITS: Final = re.compile(r"-?[0-9]{1,20}")


class WholeField(forms.IntegerField):
    """
    A whole number, with thousands separated as in the house's locale, or not at all.

    Django's own field takes "1.000" for 1, because it drops decimals that are zero; in half of
    Europe it means a thousand. This field refuses all other spellings.
    """

    widget = forms.TextInput

    def to_python(self, value: Any) -> int | None:
        if not isinstance(value, str):
            return super().to_python(value)
        written = ungrouped(value)
        if written and not DIGITS.fullmatch(written):
            raise forms.ValidationError(self.error_messages["invalid"], code="invalid")
        return super().to_python(written)

    def widget_attrs(self, widget: forms.Widget) -> dict[str, Any]:
        return {**super().widget_attrs(widget), "inputmode": "numeric", "autocomplete": "off"}


class DayInput(forms.DateInput):
    """
    A date input of HTML. Its value is YYYY-MM-DD in every language.

    A browser shows a value in any other format as empty.
    """

    input_type = "date"

    def __init__(self, attrs: dict[str, Any] | None = None) -> None:
        super().__init__(attrs, format="%Y-%m-%d")


class MomentInput(forms.DateTimeInput):
    """A date and time input: like `DayInput`, with hours and minutes."""

    input_type = "datetime-local"

    def __init__(self, attrs: dict[str, Any] | None = None) -> None:
        super().__init__(attrs, format="%Y-%m-%dT%H:%M")


class DayField(forms.DateField):
    widget = DayInput


class MomentField(forms.DateTimeField):
    """A date and time field, read in Django's current time zone."""

    widget = MomentInput


def whole(column: models.Field[Any, Any], **settings: Any) -> forms.Field | None:
    """A `formfield_callback` for model forms: integer columns get a `WholeField`."""
    if isinstance(column, models.IntegerField):  # ignored by a column with choices
        settings.setdefault("form_class", WholeField)
    return column.formfield(**settings)
