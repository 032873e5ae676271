"""
Form fields for figures as a house writes them: whole numbers (1250, and 1,250 or 1.250 depending
on its locale) and amounts. Those for dates and times are in `date_fields`.
"""

from __future__ import annotations

import re
from typing import Any, ClassVar, Final

from django import forms
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.utils.translation import gettext_lazy

from casino.words.languages import amounts
from casino.words.languages.locales import without_groups

EXAMPLE: Final = 125000  # smallest coins: an amount with all marks that the house uses
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
        written = without_groups(value)
        if written and not DIGITS.fullmatch(written):
            raise forms.ValidationError(self.error_messages["invalid"], code="invalid")
        return super().to_python(written)

    def widget_attrs(self, widget: forms.Widget) -> dict[str, Any]:
        return {**super().widget_attrs(widget), "inputmode": "numeric", "autocomplete": "off"}


class CoinsField(forms.IntegerField):
    """
    An amount of money, typed as the house or the person writes it: 5000.50, 5.000,50, 5 000.

    The value is a whole number of the house's smallest coin.
    """

    widget = forms.TextInput
    default_error_messages: ClassVar[dict[str, Any]] = {
        "invalid": gettext_lazy("Enter an amount, as in %(example)s."),
        "several": gettext_lazy("This may be %(one)s or %(other)s: write it with all decimals."),
        "least": gettext_lazy("%(bound)s or more."),
        "most": gettext_lazy("At most %(bound)s."),
    }

    def __init__(
        self, *, min_value: int | None = None, max_value: int | None = None, **settings: Any
    ) -> None:
        super().__init__(**settings)
        self.least, self.most = min_value, max_value

    def prepare_value(self, value: Any) -> Any:
        return amounts.as_typed(value) if isinstance(value, int) else value

    def to_python(self, value: Any) -> int | None:
        if not isinstance(value, str):
            return super().to_python(value)
        if not value.strip():
            return None
        found = amounts.coins().readings(value)
        if len(found) != 1:
            one, other = map(amounts.money, found[:2] or (EXAMPLE, EXAMPLE))
            code, params = ("several", {"one": one, "other": other}) if found else (
                "invalid", {"example": one}
            )  # fmt: skip
            raise forms.ValidationError(self.error_messages[code], code=code, params=params)
        return found[0]

    def validate(self, value: int | None) -> None:
        super().validate(value)
        if value is None:
            return
        for code, bound, holds in (
            ("least", self.least, self.least is None or value >= self.least),
            ("most", self.most, self.most is None or value <= self.most),
        ):
            if not holds:
                raise forms.ValidationError(
                    self.error_messages[code], code=code, params={"bound": amounts.money(bound)}
                )

    def widget_attrs(self, widget: forms.Widget) -> dict[str, Any]:
        mode = "decimal" if amounts.decimal_key() else "numeric"
        return {**super().widget_attrs(widget), "inputmode": mode, "autocomplete": "off"}


def whole(column: models.Field[Any, Any], **settings: Any) -> forms.Field | None:
    """
    A `formfield_callback` for model forms: integer columns get a `WholeField`.

    A column of money makes a `CoinsField` of its own.
    """
    if isinstance(column, models.IntegerField):  # ignored by a column with choices
        settings.setdefault("form_class", WholeField)
    return column.formfield(**settings)


def bounds(column: models.Field[Any, Any]) -> dict[str, int]:
    """The bounds of a column of money for its `CoinsField`, which says them as amounts."""
    least = [each for each in column.validators if isinstance(each, MinValueValidator)]
    most = [each for each in column.validators if isinstance(each, MaxValueValidator)]
    return {
        **({"min_value": max(each.limit_value for each in least)} if least else {}),
        **({"max_value": min(each.limit_value for each in most)} if most else {}),
    }
