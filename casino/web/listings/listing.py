"""What a list is: rows of a house, columns, filters, an order, and who may see it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, Generic, TypeVar

from casino.attendants import permissions
from casino.web.listings.filters import Filters, filters

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from django.http import HttpRequest
    from django.utils.functional import _StrPromise
    from rest_framework.request import Request

    from casino.attendants.models import Attendant
    from casino.attendants.permissions import Act
    from casino.establishments.models import Establishment
    from casino.web.listings.columns import Column, Surface
    from casino.web.listings.keyset import Rows

Row = TypeVar("Row")
Item = TypeVar("Item")
NO_FILTERS: Final = filters()
DESCENDING: Final = "-"


@dataclass(frozen=True, slots=True, kw_only=True)
class Viewer:
    """Who looks at a list, where, and on what."""

    house: Establishment
    person: Attendant
    role: str
    request: HttpRequest | Request
    surface: Surface

    def may(self, act: Act) -> bool:
        return self.role in permissions.ALLOWED[act]

    def absolute(self, path: str) -> str:
        """A path with the host it was asked of: the API's addresses are whole."""
        return self.request.build_absolute_uri(path)


def as_it_is(_viewer: Viewer, rows: Sequence[Any]) -> Sequence[Any]:
    return rows


@dataclass(frozen=True, kw_only=True)  # no slots: as Column
class Listing(Generic[Row, Item]):
    """
    :param name: of its files, and of what a person's order of it is kept by.
    :param about: one sentence: what it lists.
    :param rows: all that a viewer may see; filters and order are applied to them. A query, or,
        where there are few of them, a list; or, of several queries, their numbers; or a search,
        in its own order alone.
    :param items: what columns read, one for each row of a page at once, so that what they speak of
        takes the same few queries however many there are. Names stand in them, no tokens.
    :param order: fields of the row, ``-`` before those that fall: the last of them tell any two
        rows apart, in whatever order is asked for.
    :param usual: what a page is narrowed to as long as its address says nothing of it, by the
        filter's name: a log that begins with the day that it is. The filter's field shows it.
    :param empty: what stands instead of no rows; `none_such`: where filters leave none.
    :param sees: whoever may do one of these sees the list; without any, all staff of the house.
    :param section: of the office, where its page lies; `note`: a sentence above its rows; `links`:
        names of addresses, and their words, beside its heading. Of a page with nothing else on it.
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
    none_such: str | _StrPromise = ""
    names_players: bool = True
    sees: tuple[Act, ...] = ()
    section: str = ""
    note: str | _StrPromise = ""
    links: tuple[tuple[str, str | _StrPromise], ...] = ()

    def __post_init__(self) -> None:
        names = [column.name for column in self.columns]
        if twice := {name for name in names if names.count(name) > 1}:
            raise ValueError(f"{self.name}: {', '.join(sorted(twice))} stands there twice.")

    def seen_by(self, viewer: Viewer) -> list[Column[Item]]:
        """The columns that a viewer has before them."""
        return [
            column
            for column in self.columns
            if viewer.surface in column.on
            and (not column.sees or any(viewer.may(act) for act in column.sees))
        ]

    @property
    def in_api(self) -> list[str]:
        """The columns of the API, by name."""
        return [column.name for column in self.columns if "api" in column.on]

    @property
    def sorts(self) -> Mapping[str, Column[Item]]:
        """The columns by which it is sorted, by name."""
        return {column.name: column for column in self.columns if column.order}

    @property
    def default_sort(self) -> str:
        """As `sort` of an address, where the order begins with a column's; else ""."""
        for column in self.sorts.values():
            if self.order[: len(column.order)] == column.order:
                return column.name
            if self.order[: len(column.order)] == _turned(column.order):
                return f"{DESCENDING}{column.name}"
        return ""

    def ordered_by(self, sort: str) -> tuple[str, ...]:
        """The fields of an order; what is alike stands as it does by itself. A total order."""
        column = self.sorts.get(sort.removeprefix(DESCENDING))
        if column is None or sort == self.default_sort:
            return self.order
        sorted_by = _turned(column.order) if sort.startswith(DESCENDING) else column.order
        named = {path.removeprefix(DESCENDING) for path in sorted_by}
        rest = [path for path in self.order if path.removeprefix(DESCENDING) not in named]
        return (*sorted_by, *rest)

    def sort_is_known(self, sort: str) -> bool:
        return sort.removeprefix(DESCENDING) in self.sorts


def _turned(order: Sequence[str]) -> tuple[str, ...]:
    return tuple(
        path.removeprefix(DESCENDING) if path.startswith(DESCENDING) else f"{DESCENDING}{path}"
        for path in order
    )
