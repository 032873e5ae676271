"""A list on a page of the office."""

from __future__ import annotations

from http import HTTPStatus
from typing import TYPE_CHECKING, Any

from django.utils.module_loading import import_string

from casino.attendants import preferences
from casino.attendants.permissions import NotYours
from casino.documents import document
from casino.languages.messages import translated
from casino.web.listings import files
from casino.web.listings.keyset import Slice
from casino.web.listings.listing import Viewer
from casino.web.listings.request import LINES, lenient_request
from casino.web.listings.table import ListTable
from casino.web.pages import ASK_A_SUPERVISOR, Page, office
from games.refusals import Malformed, Refused

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping

    from django.http import HttpResponse

    from casino.attendants.permissions import Act
    from casino.web.listings.columns import Surface
    from casino.web.listings.listing import Listing
    from casino.web.listings.request import ListRequest


def paged(
    page: Page,
    listing: Listing[Any, Any],
    template: str,
    context: Mapping[str, Any] | Callable[[], Mapping[str, Any]] | None = None,
    *,
    status: int = 0,
) -> HttpResponse:
    """
    A page with a list on it, ``table`` to its template; or, where a ``format`` is asked for, a
    file of all that the list shows.

    :param context: the page's own, or what makes it: for a file it is not needed.
    """
    given = page.request.GET.dict()
    refused = ""
    if form := given.get("format"):
        try:
            with document.in_turn():
                return files.answer(_list_request(page, listing, given, "file"), form)
        except (Malformed, Refused) as no:
            refused, status = translated(str(no)), HTTPStatus.UNPROCESSABLE_ENTITY
    query = _list_request(page, listing, given, "page")
    made = context() if callable(context) else context or {}
    return page.show(
        template,
        {"table": ListTable(query, query.page()), "list_refused": refused, **made},
        status=status,
    )


def page_of(path: str) -> Callable[..., HttpResponse]:
    """
    The page of a list with nothing else on it.

    :param path: where the list is declared, such as ``casino.staff.listings.SIGN_INS``.
    """
    listing: Listing[Any, Any] = import_string(path)
    act: Act = listing.sees[0] if len(listing.sees) == 1 else "look"

    @office(act, section=listing.section)
    def page_of_list(page: Page) -> HttpResponse:
        if listing.sees and not any(page.may(each) for each in listing.sees):
            raise NotYours(str(ASK_A_SUPERVISOR))
        return paged(page, listing, "web/list.html")

    return page_of_list


def of_rows(
    page: Page, listing: Listing[Any, Any], rows: Iterable[Any], *, without: Collection[str] = ()
) -> ListTable:
    """
    Some rows in the columns of a list, as they come: within a page about something else.

    :param without: columns that the page need not repeat in each line.
    """
    request = lenient_request(listing, viewer(page, "page"), {}, sort="", limit=LINES)
    return ListTable(request, Slice(list(rows), None, None), sorts=False, without=without)


def viewer(page: Page, surface: Surface) -> Viewer:
    """Who looks at a page."""
    return Viewer(
        house=page.house, person=page.person, role=page.role, request=page.request, surface=surface
    )


def _list_request(
    page: Page, listing: Listing[Any, Any], given: Mapping[str, str], surface: Surface
) -> ListRequest:
    """In the order that the person chose last, unless the address says another."""
    kept = preferences.of_list(page.person, listing.name)
    seen_by = viewer(page, surface)
    query = lenient_request(listing, seen_by, given, sort=kept.sort, limit=kept.lines or LINES)
    if surface == "page" and ({"sort", "limit"} & given.keys()):
        preferences.keep_list(page.person, listing.name, sort=query.sort, lines=query.limit)
    return query
