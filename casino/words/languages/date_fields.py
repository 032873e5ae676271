"""
Form fields for dates and times, in the spelling of the house (`dates`).

A browser's own date field follows the language of the device, not the locale of the house: it would
show 11/22/2026 in a house that writes 22/11/2026. These are text fields, so they work without a
script; `js/calendar.js` adds a calendar to the button beside them.
"""

from __future__ import annotations

from datetime import date, datetime, time
from typing import TYPE_CHECKING, Any, ClassVar

from django import forms
from django.core.exceptions import ValidationError
from django.utils.html import format_html
from django.utils.safestring import mark_safe
from django.utils.translation import gettext as _

from casino.words.languages import dates, locales
from casino.words.languages.locales import figures_of_day

if TYPE_CHECKING:
    from collections.abc import Mapping

    from django.forms.renderers import BaseRenderer
    from django.utils.safestring import SafeString

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
