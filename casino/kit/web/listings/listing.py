"""
The declaration of a list: rows of a house, columns, filters, order, and who may see it.

    FILTERS = filters(
        state=ChoiceFilter(title=gettext_lazy("State"), choices=RequestRow.State.choices),
        day=DayFilter("gaming_day", title=gettext_lazy("Gaming day")),
    )
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from operator import attrgetter
from typing import TYPE_CHECKING, Any, ClassVar, Final, Generic, Literal, Protocol, TypeVar, cast
from uuid import UUID

import django_filters
from django import forms
from django.db.models import QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from drf_spectacular.utils import OpenApiParameter

from casino.house.attendants import permissions
from casino.house.attendants.pseudonyms import tokens
from casino.house.establishments.models import Establishment
from casino.house.establishments.table_names import in_list_order
from casino.kit.documents.report import SUMMED
from casino.kit.web.api import params
from casino.words.languages.fields import DayField, MomentField
from games import kinds
from games.refusals import Malformed

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from django.http import HttpRequest
    from django.utils.functional import _StrPromise
    from rest_framework.request import Request

    from casino.house.attendants.models import Attendant
    from casino.house.attendants.permissions import Act
    from casino.kit.documents.report import Cell, Kind
    from casino.kit.web.listings.keyset import Rows


# A column of a list: its value, how it is shown, what it links to, how it sorts.


Item = TypeVar("Item")
Surface = Literal["page", "file", "api"]
Level = Literal["well", "wait", "alarm", "off"]
EVERYWHERE: Final[frozenset[Surface]] = frozenset({"page", "file", "api"})
FILE: Final[frozenset[Surface]] = frozenset({"file"})
FOR_PEOPLE: Final[frozenset[Surface]] = frozenset({"page", "file"})
FOR_PROGRAMS: Final[frozenset[Surface]] = frozenset({"file", "api"})
API: Final[frozenset[Surface]] = frozenset({"api"})
PAGE: Final[frozenset[Surface]] = frozenset({"page"})


@dataclass(frozen=True, slots=True)
class Sign:
    """A state, shown by shape, colour and word; never by colour alone."""

    level: Level
    word: str | _StrPromise


@dataclass(frozen=True, kw_only=True)  # no slots: they would break `Column[Item](…)`
class Column(Generic[Item]):
    """
    A column of a list.

    :param name: the name of the field in the API and in JSON, and the head of the column in CSV.
    :param value: returns the value in the API; None: the item's attribute or key of this name.
    :param display: returns what people read, if it is not the value.
    :param signs: for a column of states, how each value is shown.
    :param order: the fields of the row by which a click on the heading sorts, descending after
        ``-``; empty: the column does not sort.
    :param on: the surfaces that have it. A column that files have and the page does not is for
        programs, and not on paper.
    :param link: returns the address that the cell links to; the first link of a row is the row's.
    :param template: a template that draws the cell on the page from ``item``, instead of its text.
    :param style: CSS classes of the cell and of its heading, such as ``wide`` or ``because``;
        ``named``: on a phone, which shows no headings, a cell drawn by a template has its title.
    :param sees: people who may do one of these acts see the column; empty: all who see the list.
    :param total: whether it is added up in the totals row, if all lines are on the page.
    """

    name: str
    title: str | _StrPromise = ""
    kind: Kind = "text"
    value: Callable[[Item], Any] | None = None
    display: Callable[[Item], Cell] | None = None
    signs: Mapping[Any, Sign] | None = None
    order: tuple[str, ...] = ()
    on: frozenset[Surface] = EVERYWHERE
    link: Callable[[Item], str] | None = None
    template: str = ""
    style: str = ""
    sees: tuple[Act, ...] = ()
    total: bool = False

    def __post_init__(self) -> None:
        if self.total and self.kind not in SUMMED:
            raise ValueError(f"{self.name}: {self.kind} is nothing to add up.")
        if "page" in self.on and not self.title:
            raise ValueError(f"{self.name}: a column of a page has a heading.")

    def of(self, item: Item) -> Any:
        """The column's value for an item."""
        if self.value is not None:
            return self.value(item)
        return item[self.name] if isinstance(item, Mapping) else getattr(item, self.name)

    def read(self, item: Item) -> Cell:
        """The cell that people read for an item: in files, and on pages without a template."""
        if self.display is not None:
            return self.display(item)
        value = self.of(item)
        if self.signs is not None:
            return str(self.signs[value].word) if value in self.signs else value
        if isinstance(value, bool):
            return value
        if isinstance(value, list | tuple):
            return " ".join(map(str, value))
        found: Cell = value
        return found


class ColumnMaker(Protocol):
    def __call__(self, name: str, title: str | _StrPromise = "", **more: Any) -> Column[Any]: ...


def columns_of(part: str = "row", **usual: Any) -> ColumnMaker:
    """
    A function that makes columns whose value is ``item.<part>.<name of the column>``.

    :param usual: defaults for the columns' other settings.
    """

    def column(name: str, title: str | _StrPromise = "", **more: Any) -> Column[Any]:
        def value(item: Any) -> Any:
            return getattr(getattr(item, part), name)

        return Column(name=name, title=title, **{"value": value, **usual, **more})

    return column


# Filters of lists, each declared once for the page and the API.
#
# If a value is not valid, a page ignores it and says so beside the field; the API refuses it,
# naming the field. Django-filter provides declarations and forms; this module adds what is specific
# to a house: its tables, its players' tokens, its spelling of days, and one strict spelling of ids.


if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from django.utils.functional import _StrPromise

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


Row = TypeVar("Row")
NO_FILTERS: Final = filters()
DESCENDING: Final = "-"


@dataclass(frozen=True, slots=True, kw_only=True)
class Viewer:
    """Who looks at a list, at which house and on which surface (page, file or API)."""

    house: Establishment
    person: Attendant
    role: str
    request: HttpRequest | Request
    surface: Surface

    def may(self, act: Act) -> bool:
        return self.role in permissions.ALLOWED[act]

    def absolute(self, path: str) -> str:
        """The absolute URL of a path: the API's addresses include the host."""
        return self.request.build_absolute_uri(path)


def as_it_is(_viewer: Viewer, rows: Sequence[Any]) -> Sequence[Any]:
    return rows


@dataclass(frozen=True, kw_only=True)  # no slots: see Column
class Listing(Generic[Row, Item]):
    """
    A list, declared once for its page, files and API.

    :param name: the name of its files, and the key under which a person's order is stored.
    :param about: one sentence: what it lists.
    :param rows: returns all rows that a viewer may see; filters and order are applied to them. A
        query; a list, if there are few rows; a `Numbered`, for rows of several queries; or a
        `Search`, which has only its own order.
    :param items: returns what columns read, an item for each row. It is called once for all rows of
        a page, so that the number of queries does not grow with the rows. Items contain names, not
        tokens.
    :param order: the default order: fields of the row, descending after ``-``. The last fields
        must tell any two rows apart, because they complete every other order.
    :param usual: default values of filters by name, used if the address does not mention the
        filter: a log that begins with the current day. The filter's field shows the value.
    :param empty: the text if there are no rows: what will be here; `next_step`: the name of an
        address, with words, that leads to the first of them. `none_such`: the text if filters leave
        none.
    :param sees: people who may do one of these acts see the list; empty: all staff of the house.
    :param section: the office's section of its page; `note`: a sentence above its rows; `links`:
        names of addresses, with words, beside its heading. All three are for a page of its own.
    :param from_replica: nothing is decided on it, and a replica may be read for its own page and
        its API (`casino.engine.scale.replicas`).
    """

    name: str
    title: str | _StrPromise
    about: str | _StrPromise
    columns: tuple[Column[Item], ...]
    rows: Callable[[Viewer], Rows]
    order: tuple[str, ...]
    items: Callable[[Viewer, Sequence[Row]], Sequence[Item]] = as_it_is
    filters: type[Filters] = NO_FILTERS
    usual: Mapping[str, Callable[[Viewer], str]] = field(default_factory=dict)
    empty: str | _StrPromise = ""
    next_step: tuple[str, str | _StrPromise] | None = None
    none_such: str | _StrPromise = ""
    names_players: bool = True
    sees: tuple[Act, ...] = ()
    section: str = ""
    note: str | _StrPromise = ""
    links: tuple[tuple[str, str | _StrPromise], ...] = ()
    from_replica: bool = False

    def __post_init__(self) -> None:
        names = [column.name for column in self.columns]
        if twice := {name for name in names if names.count(name) > 1}:
            raise ValueError(f"{self.name}: {', '.join(sorted(twice))} stands there twice.")

    def seen_by(self, viewer: Viewer) -> list[Column[Item]]:
        """The columns that a viewer sees on their surface."""
        return [
            column
            for column in self.columns
            if viewer.surface in column.on
            and (not column.sees or any(viewer.may(act) for act in column.sees))
        ]

    @property
    def in_api(self) -> list[str]:
        """The names of the columns that the API has."""
        return [column.name for column in self.columns if "api" in column.on]

    @property
    def sorts(self) -> Mapping[str, Column[Item]]:
        """The columns by which the list can be sorted, by name."""
        return {column.name: column for column in self.columns if column.order}

    @property
    def default_sort(self) -> str:
        """The default order as a value of `sort`, if it begins with a column's order; else ""."""
        for column in self.sorts.values():
            if self.order[: len(column.order)] == column.order:
                return column.name
            if self.order[: len(column.order)] == _reverse(column.order):
                return f"{DESCENDING}{column.name}"
        return ""

    def ordered_by(self, sort: str) -> tuple[str, ...]:
        """The fields of the total order for a `sort`: the column's, then those of the default."""
        column = self.sorts.get(sort.removeprefix(DESCENDING))
        if column is None or sort == self.default_sort:
            return self.order
        sorted_by = _reverse(column.order) if sort.startswith(DESCENDING) else column.order
        named = {path.removeprefix(DESCENDING) for path in sorted_by}
        rest = [path for path in self.order if path.removeprefix(DESCENDING) not in named]
        return (*sorted_by, *rest)

    def sort_is_known(self, sort: str) -> bool:
        return sort.removeprefix(DESCENDING) in self.sorts


def _reverse(order: Sequence[str]) -> tuple[str, ...]:
    return tuple(
        path.removeprefix(DESCENDING) if path.startswith(DESCENDING) else f"{DESCENDING}{path}"
        for path in order
    )
