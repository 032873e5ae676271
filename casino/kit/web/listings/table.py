"""The table that a page draws for a list: headings that sort, lines, links to pages and files."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, Literal

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from casino.kit.documents.writers import FORMATS
from casino.kit.documents.writers.cells import NUMERIC, format_cell
from casino.kit.web.listings.listing import DESCENDING
from casino.kit.web.listings.request import LINES, LINES_OFFERED

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from django import forms

    from casino.kit.web.listings.keyset import Slice
    from casino.kit.web.listings.listing import Column, Listing, Sign
    from casino.kit.web.listings.request import ListRequest

SENTENCE: Final = 40  # letters; a longer text counts as a sentence
PLAIN: Final = frozenset({"money", "moment", "day"})
"""Kinds of columns that need no name on a phone, which shows no headings, unless a row has two."""
Direction = Literal["", "ascending", "descending"]


@dataclass(frozen=True, slots=True)
class Heading:
    """
    The heading of a column.

    :param url: sorts the list by the column; "": it does not sort.
    :param sorted: the value of ``aria-sort``.
    """

    title: str
    style: str
    url: str
    sorted: Direction


@dataclass(frozen=True, slots=True)
class TableCell:
    """
    A cell of the table.

    :param title: the title of the column, if a phone has to show it with the cell; else "".
    """

    title: str
    text: str
    style: str
    url: str
    sign: Sign | None
    template: str


@dataclass(frozen=True, slots=True)
class TableLine:
    """A line of the table. Its `url` is the row's link: that of the first cell with one, or ""."""

    item: Any
    cells: Sequence[TableCell]

    @property
    def url(self) -> str:
        return next((cell.url for cell in self.cells if cell.url), "")


class ListTable:
    """The table of a list, as the template ``kit/web/_listing.html`` draws it."""

    def __init__(
        self,
        request: ListRequest,
        part: Slice[Any],
        *,
        sorts: bool = True,
        without: Collection[str] = (),
    ) -> None:
        self.request, self._part, self._sorts = request, part, sorts
        columns = request.listing.seen_by(request.viewer)
        self.columns = [column for column in columns if column.name not in without]
        self.items = request.listing.items(request.viewer, part.rows)

    @property
    def listing(self) -> Listing[Any, Any]:
        return self.request.listing

    @property
    def form(self) -> forms.Form:
        return self.request.filters.form

    @property
    def narrowed(self) -> bool:
        return bool(self.request.filters.narrowed)

    @property
    def has_any(self) -> bool:
        """Whether the list has any rows without its filters."""
        rows = self.listing.rows(self.request.viewer)
        return rows.exists() if isinstance(rows, QuerySet) else bool(rows)

    @property
    def headings(self) -> Iterator[Heading]:
        sort = self.request.sort or self.listing.default_sort
        for column in self.columns:
            url = ""
            if column.order and self._sorts:
                turned = column.name == sort or (sort != f"-{column.name}" and _falls(column))
                url = f"?{self.request.query(sort=f'{DESCENDING * turned}{column.name}')}"
            yield Heading(str(column.title), _style(column), url, _direction(column, sort))

    @cached_property
    def lines(self) -> list[TableLine]:
        kinds = Counter(column.kind for column in self.columns)
        named = {each.name for each in self.columns if _shows_title(each, kinds[each.kind])}
        return [
            TableLine(
                item,
                [_cell(column, item, named=column.name in named) for column in self.columns],
            )
            for item in self.items
        ]

    @property
    def foot(self) -> list[TableCell]:
        """The cells of the totals row, if the page has all lines; else empty."""
        if self.next_url or self.previous_url or not any(each.total for each in self.columns):
            return []
        cells = []
        for column in self.columns:
            total = sum(column.of(item) or 0 for item in self.items) if column.total else None
            text = "" if total is None else format_cell(total, column.kind)
            title = str(column.title) if text else ""
            cells.append(TableCell(title, text, _style(column), "", None, ""))
        return cells

    @property
    def looked(self) -> bool:
        """Whether the page ends because enough rows were examined, not because it is full."""
        return self._part.looked

    @property
    def next_url(self) -> str:
        return f"?{self.request.query(cursor=str(self._part.next))}" if self._part.next else ""

    @property
    def previous_url(self) -> str:
        before = self._part.previous
        return f"?{self.request.query(cursor=str(before))}" if before else ""

    @property
    def files(self) -> list[tuple[str, str]]:
        """The title and address of each file format for all lines."""
        return [
            (each.title, f"?{self.request.query(format=name)}") for name, each in FORMATS.items()
        ]

    @property
    def lengths(self) -> list[tuple[int, str]]:
        """The numbers of lines to choose from, with the address for each; "" for the current."""
        if not (self.next_url or self.previous_url) and self.request.limit == LINES:
            return []
        return [
            (
                lines,
                "" if lines == self.request.limit else f"?{self.request.query(limit=str(lines))}",
            )
            for lines in LINES_OFFERED
        ]


def _falls(column: Column[Any]) -> bool:
    """Whether the first click on a heading sorts descending: for numbers, days and moments."""
    return column.kind in NUMERIC or column.kind in {"moment", "day"}


def _direction(column: Column[Any], sort: str) -> Direction:
    if sort.removeprefix(DESCENDING) != column.name or not column.order:
        return ""
    return "descending" if sort.startswith(DESCENDING) else "ascending"


def _style(column: Column[Any]) -> str:
    figures = "num money" if column.kind == "money" else "num" if column.kind in NUMERIC else ""
    return f"{figures} {column.style}".strip()


def _cell(column: Column[Any], item: Any, *, named: bool) -> TableCell:
    sign = None
    if column.signs is not None:
        sign = column.signs.get(column.of(item))
    text = ""
    if not column.template and sign is None:
        read = column.read(item)
        text = "" if read is None else _words(read) if isinstance(read, bool) else format_cell(
            read, column.kind
        )  # fmt: skip
    return TableCell(
        title=str(column.title) if named and not sign else "",
        text=text,
        style=_style(column) + (" words" if len(text) > SENTENCE else ""),
        url=column.link(item) if column.link else "",
        sign=sign,
        template=column.template,
    )


def _shows_title(column: Column[Any], alike: int) -> bool:
    """
    Whether a phone, which shows no headings, shows the column's title in each line.

    :param alike: how many columns of the table are of the column's kind.
    """
    if column.template:
        return "named" in column.style.split()
    return column.kind not in PLAIN or alike > 1


def _words(flag: bool) -> str:  # noqa: FBT001 - a cell's value
    return _("yes") if flag else ""
