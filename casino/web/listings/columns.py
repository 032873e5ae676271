"""A column of a list: what it holds, how it reads, what it links to, what it is ordered by."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Generic, Literal, Protocol, TypeVar

from casino.documents.report import SUMMED

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.utils.functional import _StrPromise

    from casino.attendants.permissions import Act
    from casino.documents.report import Cell, Kind

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
    """A state, told by shape, colour and word; never by colour alone."""

    level: Level
    word: str | _StrPromise


@dataclass(frozen=True, kw_only=True)  # no slots: with them a generic cannot be made by its alias
class Column(Generic[Item]):
    """
    :param name: of the API's field, of the field in JSON, and the head of the column in CSV.
    :param value: what the API has; None: the item's attribute, or key, of that name.
    :param display: what people read, where it is something else than the value.
    :param signs: of a state: how each value is shown.
    :param order: fields of the row by which a click on the heading sorts; none: it does not.
        One that begins with ``-`` runs the other way.
    :param on: where it stands. On files, but not on the page: for programs, and not on paper.
    :param link: the address that the cell leads to; the first link of a row is the row's own.
    :param template: draws the cell on the page, as ``item``, instead of its text.
    :param style: classes of the cell and of its heading, such as ``wide`` or ``because``;
        ``named``: a phone, which has no headings, names a cell that a template draws.
    :param sees: whoever may do one of these sees it; without any, all who see the list.
    :param total: added up at the foot, where all lines are there.
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
        """Its value for an item."""
        if self.value is not None:
            return self.value(item)
        return item[self.name] if isinstance(item, Mapping) else getattr(item, self.name)

    def read(self, item: Item) -> Cell:
        """What people read of an item: in files, and on the page unless a template draws it."""
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
    Makes columns whose value an item's `part` has under the column's name.

    :param usual: what they are unless they say otherwise.
    """

    def column(name: str, title: str | _StrPromise = "", **more: Any) -> Column[Any]:
        def value(item: Any) -> Any:
            return getattr(getattr(item, part), name)

        return Column(name=name, title=title, **{"value": value, **usual, **more})

    return column
