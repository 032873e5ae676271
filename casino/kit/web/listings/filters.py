"""
Filters of lists, each declared once for the page and the API.

    FILTERS = filters(
        state=ChoiceFilter(title=gettext_lazy("State"), choices=RequestRow.State.choices),
        day=DayFilter("gaming_day", title=gettext_lazy("Gaming day")),
    )

If a value is not valid, a page ignores it and says so beside the field; the API refuses it, naming
the field. Django-filter provides declarations and forms; this module adds what is specific to a
house: its tables, its players' tokens, its spelling of days, and one strict spelling of ids.
"""

from __future__ import annotations

import re
from operator import attrgetter
from typing import TYPE_CHECKING, Any, ClassVar, Final, cast
from uuid import UUID

import django_filters
from django import forms
from django.db.models import QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from drf_spectacular.utils import OpenApiParameter

from casino.house.attendants.pseudonyms import tokens
from casino.house.establishments.models import Establishment
from casino.house.establishments.table_names import in_list_order
from casino.kit.web.api import params
from casino.kit.web.listings.columns import EVERYWHERE
from casino.words.languages.date_fields import DayField, MomentField
from games import kinds
from games.refusals import Malformed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from django.utils.functional import _StrPromise

    from casino.kit.web.listings.columns import Surface

    Choices = Iterable[tuple[Any, str | _StrPromise]]

WORD_MAX: Final = 200
ALL: Final = gettext_lazy("all")


class Filters(django_filters.FilterSet):  # type: ignore[misc]  # published without types
    """
    The filters of a list, with the values that somebody gave.

    :param strict: whether an invalid or empty value is refused, as in the API.
    """

    def __init__(self, data: Mapping[str, str], *, house: Establishment, strict: bool) -> None:
        self.house, self.strict = house, strict
        known = {
            name: data[name]
            for name, each in self.base_filters.items()
            if name in data and (not strict or "api" in each.on)
        }
        super().__init__(known, queryset=Establishment.objects.none())
        self.given = known

    @property
    def form(self) -> forms.Form:
        fresh = not hasattr(self, "_form")
        form = cast("forms.Form", super().form)
        if fresh:
            for name, each in self.filters.items():
                each.bind(form.fields[name], self.house)
        return form

    def apply(self, rows: Any) -> Any:
        """
        The rows that the filters leave; a list in memory is filtered in memory.

        :raises Malformed: if `strict`, naming the first field whose value is not valid.
        """
        wrong = {*self.form.errors, *(name for name in self.given if not self.given[name])}
        if self.strict:
            for name in self.given:
                if name in wrong:
                    raise Malformed(self.refusal(name), field=name)
        for name, value in self.form.cleaned_data.items():
            rows = self.filters[name].filter(rows, value)
        return rows

    def refusal(self, name: str) -> str:
        """The error message for a value of the filter `name` that is not valid."""
        text: str = self.filters[name].refusal(name)
        return text

    @property
    def narrowed(self) -> dict[str, str]:
        """The valid values that were given, by filter, as texts of an address."""
        wrong = self.form.errors
        return {name: text for name, text in self.given.items() if text and name not in wrong}

    @classmethod
    def fields_of_dates(cls) -> dict[str, forms.Field]:
        """The form's fields for days and moments, before they are bound to a house."""
        return {
            name: each.field
            for name, each in cls.base_filters.items()
            if isinstance(each, DayFilter | MomentFilter)
        }

    @classmethod
    def parameters(cls) -> list[OpenApiParameter]:
        """The filters as parameters in the API's description."""
        return [
            OpenApiParameter(name, each.schema, description=str(each.about))
            for name, each in cls.base_filters.items()
            if "api" in each.on
        ]


def filters(**named: ListFilter) -> type[Filters]:
    """A class with the filters of a list, in the order of its form."""
    return cast("type[Filters]", type("ListFilters", (Filters,), named))


class _NameField(forms.CharField):
    def __init__(self, **settings: Any) -> None:
        super().__init__(max_length=kinds.NAME_MAX, strip=False, **settings)


class _IdField(forms.Field):
    def to_python(self, value: Any) -> UUID | None:
        if not value:
            return None
        if kinds.UUID.fullmatch(str(value)) is None:
            raise forms.ValidationError(_("Enter a valid UUID."), code="invalid")
        return UUID(str(value))


class ListFilter(django_filters.Filter):  # type: ignore[misc]  # published without types
    """
    A filter of a list.

    :param field_name: the field of the row that is compared; None: the filter's own name.
    :param title: the label of its field on the page; "": hidden there, and set only by addresses.
    :param about: for the API's description.
    :param keep: filters the rows if comparing a field is not enough: (rows, value) -> rows.
    :param on: the surfaces that offer it; without "api" it is only for people.
    """

    field_class: type[forms.Field] = forms.CharField
    schema: dict[str, Any]
    base_schema: ClassVar[dict[str, Any]] = {"type": "string"}

    def __init__(
        self,
        field_name: str | None = None,
        *,
        title: str | _StrPromise = "",
        about: str = "",
        keep: Callable[[Any, Any], Any] | None = None,
        on: frozenset[Surface] = EVERYWHERE,
        **more: Any,
    ) -> None:
        lookup = more.pop("lookup", None)
        if not title:
            more["widget"] = forms.HiddenInput
        super().__init__(field_name, lookup, label=title, required=False, **more)
        self.schema, self.about, self.keep = dict(self.base_schema), about, keep
        self.on = on

    def bind(self, field: forms.Field, house: Establishment) -> None:
        """Set the parts of the form's field that depend on the house, such as its choices."""

    def filter(self, rows: Any, value: Any) -> Any:
        if value in (None, ""):
            return rows
        if self.keep is not None:
            return self.keep(rows, value)
        if isinstance(rows, QuerySet):
            return rows.filter(**{f"{self.field_name}__{self.lookup_expr}": value})
        read = attrgetter(self.field_name.replace("__", "."))
        return [row for row in rows if read(row) == value]

    def refusal(self, name: str) -> str:
        """The error message for a value that is not valid."""
        return f"{name} is no such text."


class DayFilter(ListFilter):
    """A filter by gaming day; the API reads 2026-11-21 alone, a page the house's spelling too."""

    field_class = DayField
    base_schema: ClassVar[dict[str, Any]] = {"type": "string", "format": "date"}

    def bind(self, field: forms.Field, house: Establishment) -> None:
        super().bind(field, house)
        _only_iso(field, strict=self.parent.strict)

    def refusal(self, name: str) -> str:
        return f"{name} is {params.A_DATE}."


class MomentFilter(ListFilter):
    """A filter by date and time, by the house's clock."""

    field_class = MomentField
    base_schema: ClassVar[dict[str, Any]] = {"type": "string", "format": "date-time"}

    def bind(self, field: forms.Field, house: Establishment) -> None:
        super().bind(field, house)
        _only_iso(field, strict=self.parent.strict)

    def refusal(self, name: str) -> str:
        return f"{name} is a moment, as 2026-11-21T20:15."


class IdFilter(ListFilter):
    """A filter by id, for use in addresses."""

    field_class = _IdField
    base_schema: ClassVar[dict[str, Any]] = {"type": "string", "format": "uuid"}

    def refusal(self, name: str) -> str:
        return f"{name} is no UUID."


class ChoiceFilter(ListFilter):
    """
    A filter by one of several values.

    :param choices: value and title of each choice, or a function that returns them for a house.
    :param values: the values of such a function, if they are the same for every house; the API's
        description lists them.
    :param whole: whether the API's description says that the values are whole numbers.
    :param all_of_them: the words for the choice that does not filter.
    """

    field_class = forms.ChoiceField

    def __init__(
        self,
        field_name: str | None = None,
        *,
        choices: Choices | Callable[[Establishment], Choices],
        values: Iterable[str] = (),
        all_of_them: str | _StrPromise = ALL,
        whole: bool = False,
        **more: Any,
    ) -> None:
        super().__init__(field_name, **more)
        self.choices, self.all_of_them = choices, all_of_them
        if values:
            self.schema["enum"] = list(values)
        if not callable(choices):
            self.choices = [(str(value), title) for value, title in choices]
            self.schema["enum"] = [int(v) if whole else v for v, _title in self.choices]
        if whole:
            self.schema["type"] = "integer"

    def bind(self, field: forms.Field, house: Establishment) -> None:
        offered = self.choices(house) if callable(self.choices) else self.choices
        _offer(field, [("", self.all_of_them), *offered])

    def refusal(self, name: str) -> str:
        known = ", ".join(map(str, self.schema.get("enum", ())))
        return f"{name} is one of {known}." if known else f"{name} is none there is."


class TableFilter(IdFilter):
    """A filter by a table of the house; tables come in the order in which people count them."""

    def __init__(self, field_name: str | None = None, **more: Any) -> None:
        more.setdefault("title", gettext_lazy("Table"))
        super().__init__(field_name, widget=forms.Select, **more)

    def bind(self, field: forms.Field, house: Establishment) -> None:
        tables = in_list_order(house.tables.all())
        _offer(field, [("", _("all")), *((str(table.pk), table.name) for table in tables)])


class PlayerFilter(ListFilter):
    """A filter by a player's name, for rows that contain the player's token."""

    field_class = _NameField
    base_schema: ClassVar[dict[str, Any]] = params.PLAYER

    def __init__(self, field_name: str | None = None, **more: Any) -> None:
        more.setdefault("title", gettext_lazy("Player"))
        more.setdefault("about", "By name.")
        super().__init__(field_name, **more)

    def filter(self, rows: Any, value: Any) -> Any:
        if not value:
            return rows
        token = tokens.player_tokens(self.parent.house.pk, [value], new=False).get(value)
        if token is None:
            return rows.none() if isinstance(rows, QuerySet) else []
        return super().filter(rows, token)

    def refusal(self, name: str) -> str:
        return f"{name} is a name of 1 to {kinds.NAME_MAX} characters."


class TextFilter(ListFilter):
    """
    A filter by a text.

    :param pattern: a regular expression that the text must match; ``""``: any text.
    """

    def __init__(self, field_name: str | None = None, *, pattern: str = "", **more: Any) -> None:
        super().__init__(field_name, max_length=WORD_MAX, **more)
        self.pattern = pattern
        if pattern:
            self.schema["pattern"] = f"^{pattern}$"
            self.extra["validators"] = [_matching(pattern)]

    def refusal(self, name: str) -> str:
        return f"{name}: {self.pattern} is what it looks like." if self.pattern else (
            f"{name} has at most {WORD_MAX} characters."
        )  # fmt: skip


def _only_iso(field: forms.Field, *, strict: bool) -> None:
    assert isinstance(field, DayField | MomentField)  # noqa: S101 - the filters' own
    field.iso_only = strict


def _matching(pattern: str) -> Callable[[str], None]:
    whole = re.compile(pattern)

    def check(value: str) -> None:
        if whole.fullmatch(value) is None:
            raise forms.ValidationError(_("Enter a valid value."), code="invalid")

    return check


def _offer(field: forms.Field, choices: Choices) -> None:
    """Set the choices of a field, or of its widget if the field accepts other values as well."""
    offered = list(choices)
    if isinstance(field, forms.ChoiceField):
        field.choices = offered
    else:
        field.widget.choices = offered
