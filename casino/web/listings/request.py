"""What somebody wants of a list, by an address: filters, order, which page, how many lines."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlencode

from casino.web.api import params
from casino.web.listings.keyset import BadCursor, Cursor, cut
from games.refusals import Malformed

if TYPE_CHECKING:
    from collections.abc import Mapping

    from casino.web.listings.filters import Filters
    from casino.web.listings.keyset import Slice
    from casino.web.listings.listing import Listing, Viewer

LINES: Final = 50
LINES_MAX: Final = 200
LINES_OFFERED: Final = (50, 100, 200)


@dataclass(frozen=True, slots=True, kw_only=True)
class ListRequest:
    """
    :param sort: a column's name, with ``-`` where it falls; "": as the list is by itself.
    :param limit: lines of a page.
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
        All rows that are looked for.

        :raises Malformed: for the API, where a filter is none.
        """
        return self.filters.applied(self.listing.rows(self.viewer))

    def page(self) -> Slice[Any]:
        """:raises Malformed: for the API, where a filter is none, or a cursor not of this list."""
        return cut(self.rows, self.order, limit=self.limit, cursor=self.cursor, sort=self.sort)

    def query(self, **more: str) -> str:
        """The address's query of the same list, with something else; ``""`` takes it away."""
        given = {**self.filters.narrowed, "sort": self.sort, **more}
        return urlencode({**self._taken_away(given), **{k: v for k, v in given.items() if v}})

    @property
    def all_of_it(self) -> str:
        """The query of the same list without any filter."""
        given = {"sort": self.sort} if self.sort else {}
        return urlencode({**given, **self._taken_away(given)})

    def _taken_away(self, given: Mapping[str, str]) -> dict[str, str]:
        """Filters that would be there by themselves, said to be none."""
        return {name: "" for name in self.listing.usual if not given.get(name)}


def strict_request(
    listing: Listing[Any, Any], viewer: Viewer, given: Mapping[str, str]
) -> ListRequest:
    """
    As a program asks.

    :raises Malformed: naming the parameter that cannot be.
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
    As a person does: what cannot be is passed over.

    :param sort: what the person chose before; what the address says counts more.
    :param limit: likewise.
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
