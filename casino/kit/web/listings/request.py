"""Reads what an address asks of a list: filters, order, which page, how many lines."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlencode

from casino.kit.web.api import params
from casino.kit.web.listings.keyset import BadCursor, Cursor, cut
from games.refusals import Malformed

if TYPE_CHECKING:
    from collections.abc import Mapping

    from casino.kit.web.listings.keyset import Slice
    from casino.kit.web.listings.listing import Filters, Listing, Viewer

LINES: Final = 50
LINES_MAX: Final = 200
LINES_OFFERED: Final = (50, 100, 200)


@dataclass(frozen=True, slots=True, kw_only=True)
class ListRequest:
    """
    A request for a part of a list.

    :param sort: a column's name, after ``-`` for descending order; "": the list's default order.
    :param limit: the number of lines on a page.
    """

    listing: Listing[Any, Any]
    viewer: Viewer
    filters: Filters
    sort: str
    limit: int
    cursor: Cursor | None = None

    @property
    def order(self) -> tuple[str, ...]:
        return self.listing.ordered_by(self.sort)

    @property
    def rows(self) -> Any:
        """
        All rows that the filters leave.

        :raises Malformed: for the API, if the value of a filter is not valid.
        """
        return self.filters.apply(self.listing.rows(self.viewer))

    def page(self) -> Slice[Any]:
        """
        The rows of the requested page.

        :raises Malformed: for the API, if a filter's value or the cursor is not valid.
        """
        return cut(self.rows, self.order, limit=self.limit, cursor=self.cursor, sort=self.sort)

    def query(self, **more: str) -> str:
        """The query string of this list with other parameters; ``""`` removes a parameter."""
        given = {**self.filters.narrowed, "sort": self.sort, **more}
        return urlencode({**self._empty_defaults(given), **{k: v for k, v in given.items() if v}})

    @property
    def all_of_it(self) -> str:
        """The query string of this list without any filter."""
        given = {"sort": self.sort} if self.sort else {}
        return urlencode({**given, **self._empty_defaults(given)})

    def _empty_defaults(self, given: Mapping[str, str]) -> dict[str, str]:
        """Filters with a default value that are not given, as empty, so that it does not apply."""
        return {name: "" for name in self.listing.usual if not given.get(name)}


def strict_request(
    listing: Listing[Any, Any], viewer: Viewer, given: Mapping[str, str]
) -> ListRequest:
    """
    The request of a program, which is refused if anything in it is not valid.

    :raises Malformed: naming the parameter that is not valid.
    """
    sort = given.get("sort", "")
    if "sort" in given and not listing.sort_is_known(sort):
        known = ", ".join(listing.sorts)
        raise Malformed(f"sort is one of {known}; - before it turns it.", field="sort")
    limit = params.whole(given, "limit", default=LINES, least=1, most=LINES_MAX)
    cursor = Cursor.parse(given["cursor"], sort) if "cursor" in given else None
    return ListRequest(
        listing=listing,
        viewer=viewer,
        filters=listing.filters(given, house=viewer.house, strict=True),
        sort=sort,
        limit=limit,
        cursor=cursor,
    )


def lenient_request(
    listing: Listing[Any, Any], viewer: Viewer, given: Mapping[str, str], *, sort: str, limit: int
) -> ListRequest:
    """
    The request of a person, in which values that are not valid are ignored.

    :param sort: the order that the person chose before; the address takes precedence.
    :param limit: the number of lines that the person chose before; the address takes precedence.
    """
    usual = {name: of(viewer) for name, of in listing.usual.items() if name not in given}
    given = {**usual, **given}
    if listing.sort_is_known(given.get("sort", "")):
        sort = given["sort"]
    if given.get("limit", "") in map(str, LINES_OFFERED):
        limit = int(given["limit"])
    try:
        cursor = Cursor.parse(given["cursor"], sort) if given.get("cursor") else None
    except BadCursor:
        cursor = None
    return ListRequest(
        listing=listing,
        viewer=viewer,
        filters=listing.filters(given, house=viewer.house, strict=False),
        sort=sort if listing.sort_is_known(sort) else "",
        limit=limit,
        cursor=cursor,
    )
