"""The declaration of a list: rows of a house, columns, filters, order, and who may see it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, Generic, TypeVar

from casino.house.attendants import permissions
from casino.kit.web.listings.filters import Filters, filters

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from django.http import HttpRequest
    from django.utils.functional import _StrPromise
    from rest_framework.request import Request

    from casino.house.attendants.models import Attendant
    from casino.house.attendants.permissions import Act
    from casino.house.establishments.models import Establishment
    from casino.kit.web.listings.columns import Column, Surface
    from casino.kit.web.listings.keyset import Rows

Row = TypeVar("Row")
Item = TypeVar("Item")
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
