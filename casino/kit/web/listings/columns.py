"""A column of a list: its value, how it is shown, what it links to, how it sorts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Generic, Literal, Protocol, TypeVar

from casino.kit.documents.report import SUMMED

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.utils.functional import _StrPromise

    from casino.house.attendants.permissions import Act
    from casino.kit.documents.report import Cell, Kind

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
