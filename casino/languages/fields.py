"""
Fields of forms: whole numbers as a house writes them (1250, and 1,250 or 1.250 where that is its
way), days and moments as a browser's own calendar gives and takes them.
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
    A whole number, thousands apart as the house has them or not at all.

    Django's own field takes "1.000" for 1, because it cuts decimals of nothing; an amount with
    three of them is a thousand in half of Europe. What is neither here is refused.
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
    """HTML's own: whatever the language, its value is YYYY-MM-DD, and any other stays empty."""

    input_type = "date"

    def __init__(self, attrs: dict[str, Any] | None = None) -> None:
        super().__init__(attrs, format="%Y-%m-%d")


class MomentInput(forms.DateTimeInput):
    """As `DayInput`, to the minute."""

    input_type = "datetime-local"

    def __init__(self, attrs: dict[str, Any] | None = None) -> None:
        super().__init__(attrs, format="%Y-%m-%dT%H:%M")


class DayField(forms.DateField):
    widget = DayInput


class MomentField(forms.DateTimeField):
    """By the clock of whoever is asked: Django's current time zone."""

    widget = MomentInput


def whole(column: models.Field[Any, Any], **settings: Any) -> forms.Field | None:
    """`formfield_callback` of a model's form: its whole numbers are typed as the house writes."""
    if isinstance(column, models.IntegerField):  # one with choices stays a choice
        settings.setdefault("form_class", WholeField)
    return column.formfield(**settings)
