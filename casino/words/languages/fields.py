"""
Form fields for whole numbers, amounts, dates and times, which read them as the house writes them:
1250, and 1,250 or 1.250 depending on its locale.
"""

from __future__ import annotations

import re
from datetime import date, datetime, time
from typing import TYPE_CHECKING, Any, ClassVar, Final

from django import forms
from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.utils.html import format_html
from django.utils.safestring import mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from casino.words.languages import amounts, dates, locales
from casino.words.languages.locales import figures_of_day, without_groups

if TYPE_CHECKING:
    from collections.abc import Mapping

    from django.forms.renderers import BaseRenderer
    from django.utils.safestring import SafeString

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


# Form fields for dates and times, in the spelling of the house (`dates`).
#
# A browser's own date field follows the language of the device, not the locale of the house: it
# would show 11/22/2026 in a house that writes 22/11/2026. These are text fields, so they work
# without a script; `js/calendar.js` adds a calendar to the button beside them.


DRAWN = mark_safe(
    '<svg viewBox="0 0 20 20" width="20" height="20" fill="none" stroke="currentColor"'
    ' stroke-width="1.5" aria-hidden="true">'
    '<rect x="2.75" y="4" width="14.5" height="13" rx="2"/><path d="M3 8h14M7 2v4M13 2v4"/></svg>'
)


class ClockInput(forms.TextInput):
    """A text field for a time."""

    def __init__(self, attrs: Mapping[str, Any] | None = None) -> None:
        super().__init__({"autocomplete": "off", "spellcheck": "false", **(attrs or {})})

    def get_context(self, name: str, value: Any, attrs: dict[str, Any] | None) -> dict[str, Any]:
        context: dict[str, Any] = super().get_context(name, value, attrs)
        context["widget"]["attrs"].setdefault("placeholder", self.example)
        return context

    @property
    def example(self) -> str:
        return dates.type_clock(dates.EXAMPLE.time())


class DayInput(ClockInput):
    """A text field for a date, with a button that opens a calendar."""

    @property
    def example(self) -> str:
        return dates.type_day(dates.EXAMPLE)

    def render(
        self,
        name: str,
        value: Any,
        attrs: dict[str, Any] | None = None,
        renderer: BaseRenderer | None = None,
    ) -> SafeString:
        field = super().render(name, value, attrs, renderer)
        return format_html(
            '<span class="date-field">{}<button type="button" class="date-open" hidden'
            ' aria-haspopup="dialog" aria-label="{}" data-calendar="{}" data-first="{}"'
            ' data-today="{}" data-clock="{}" data-before="{}" data-after="{}">{}</button></span>',
            field, _("Choose in a calendar"), dates.form(), dates.first_weekday(),
            locales.today(), self.clock, _("Month before"), _("Month after"), DRAWN,
        )  # fmt: skip

    @property
    def clock(self) -> str:
        """The time that a date from the calendar gets where none is typed; "": it gets none."""
        return ""


class MomentInput(DayInput):
    """A text field for a date and time, with a button that opens a calendar."""

    @property
    def example(self) -> str:
        return dates.type_moment(dates.EXAMPLE)

    @property
    def clock(self) -> str:
        return dates.type_clock(time(0, 0))


class _TypedField(forms.Field):
    """
    A field whose value is read from, and shown in, the house's spelling.

    :param iso_only: whether it reads ISO 8601 alone, as addresses of the API have it.
    """

    kind: ClassVar[type[Any]]

    def __init__(self, *, iso_only: bool = False, **settings: Any) -> None:
        super().__init__(**settings)
        self.iso_only = iso_only

    def to_python(self, value: Any) -> Any:
        if value in self.empty_values:
            return None
        if isinstance(value, self.kind):
            return value
        try:
            found = self.read(str(value))
        except dates.Unreadable as unreadable:
            raise ValidationError(str(unreadable), code="invalid") from None
        if self.iso_only and not self.is_iso(str(value)):
            raise ValidationError(self.in_address(found), code="invalid")
        return found

    def prepare_value(self, value: Any) -> Any:
        try:
            found = self.to_python(value)
        except ValidationError:
            return value
        if found is None:
            return value
        return self.in_address(found) if self.widget.is_hidden else self.typed(found)

    def read(self, text: str) -> Any:
        """:raises Unreadable: if the text is no value of this field."""
        raise NotImplementedError

    def typed(self, value: Any) -> str:
        """The value as people type it."""
        raise NotImplementedError

    def in_address(self, value: Any) -> str:
        """The value in ISO 8601, as an address has it."""
        return str(value.isoformat())

    def is_iso(self, text: str) -> bool:
        """Whether a text that was read is written in ISO 8601."""
        return self.in_address(self.read(text)) == text


class DayField(_TypedField):
    """A date: a gaming day, or a day of the calendar."""

    kind = date
    widget = DayInput

    def read(self, text: str) -> date:
        return dates.read_day(text)

    def typed(self, value: date) -> str:
        return figures_of_day(value)


class MomentField(_TypedField):
    """A date and time, in Django's current time zone, which is the house's."""

    kind = datetime
    widget = MomentInput

    def read(self, text: str) -> datetime:
        return dates.read_moment(text)

    def typed(self, value: datetime) -> str:
        return dates.type_moment(value)

    def in_address(self, value: datetime) -> str:
        return dates.iso_moment(value)

    def is_iso(self, text: str) -> bool:
        return dates.ISO_DAY.match(text) is not None


class ClockField(_TypedField):
    """A time of the day, by the clock on the wall."""

    kind = time
    widget = ClockInput

    def read(self, text: str) -> time:
        return dates.read_clock(text)

    def typed(self, value: time) -> str:
        return dates.type_clock(value)
