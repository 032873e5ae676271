"""A list on a page of the office."""

from __future__ import annotations

from http import HTTPStatus
from typing import TYPE_CHECKING, Any, Final

from django.utils.module_loading import import_string

from casino.engine.scale.replicas import place as replicas
from casino.house.attendants import preferences
from casino.house.attendants.permissions import NotYours
from casino.kit.documents import document
from casino.kit.web import periods
from casino.kit.web.listings import files
from casino.kit.web.listings.keyset import Slice
from casino.kit.web.listings.listing import Viewer
from casino.kit.web.listings.request import LINES, lenient_request
from casino.kit.web.listings.table import ListTable
from casino.kit.web.pages import ASK_A_SUPERVISOR, Page, office
from casino.kit.web.parameters import check_given_once, check_known
from casino.words.languages.messages import translate
from games.refusals import Malformed, Refused

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping

    from django.http import HttpResponse

    from casino.house.attendants.permissions import Act
    from casino.kit.web.listings.columns import Surface
    from casino.kit.web.listings.listing import Listing
    from casino.kit.web.listings.request import ListRequest

OF_A_FILE: Final = ("cursor", "format", "limit", "sort")
"""The parameters of a list's file beside its filters, as its page links to it."""


def page_with_list(
    page: Page,
    listing: Listing[Any, Any],
    template: str,
    context: Mapping[str, Any] | Callable[[], Mapping[str, Any]] | None = None,
    *,
    status: int = 0,
) -> HttpResponse:
    """
    A page with a list, which its template gets as ``table``; or, if the address has a ``format``, a
    file of all lines of the list.

    :param context: the page's own context, or a function that makes it: a file does not need it.
    """
    given = page.request.GET.dict()
    if plain := periods.plain_address(page, listing.filters.fields_of_dates()):
        return plain
    refused = ""
    if form := given.get("format"):
        try:
            _check_file(page, listing)
            with document.in_turn():
                return files.answer(_list_request(page, listing, given, "file"), form)
        except (Malformed, Refused) as no:
            refused, status = translate(str(no)), HTTPStatus.UNPROCESSABLE_ENTITY
    query = _list_request(page, listing, given, "page")
    made = context() if callable(context) else context or {}
    return page.show(
        template,
        {
            "table": ListTable(query, query.page()),
            "presets": periods.presets(page, query.filters.form.fields, only="day"),
            "list_refused": refused,
            **made,
        },
        status=status,
    )


def _check_file(page: Page, listing: Listing[Any, Any]) -> None:
    """
    Nobody wants the file that a mistyped filter leaves whole. A page ignores what it does not know:
    people follow links to which mails and searches have added something.
    """
    given = page.request.GET
    check_given_once(given)
    check_known(given, {*listing.filters.base_filters, *OF_A_FILE}, asked=listing.name)


def page_of(path: str) -> Callable[..., HttpResponse]:
    """
    The view of a page that shows only this list.

    :param path: the dotted name of the list, such as ``casino.settings.staff.listings.SIGN_INS``.
    """
    listing: Listing[Any, Any] = import_string(path)
    act: Act = listing.sees[0] if len(listing.sees) == 1 else "look"

    @office(act, section=listing.section, from_replica=listing.from_replica)
    def page_of_list(page: Page) -> HttpResponse:
        if listing.sees and not any(page.may(each) for each in listing.sees):
            raise NotYours(str(ASK_A_SUPERVISOR))
        return page_with_list(page, listing, "web/list.html")

    return page_of_list


def of_rows(
    page: Page, listing: Listing[Any, Any], rows: Iterable[Any], *, without: Collection[str] = ()
) -> ListTable:
    """
    A table of given rows with the columns of a list, for a page about something else.

    :param without: columns that the page leaves out, because they are alike in each line.
    """
    request = lenient_request(listing, viewer(page, "page"), {}, sort="", limit=LINES)
    return ListTable(request, Slice(list(rows), None, None), sorts=False, without=without)


def viewer(page: Page, surface: Surface) -> Viewer:
    """The viewer of a list on a page or in its file."""
    return Viewer(
        house=page.house, person=page.person, role=page.role, request=page.request, surface=surface
    )


def _list_request(
    page: Page, listing: Listing[Any, Any], given: Mapping[str, str], surface: Surface
) -> ListRequest:
    """The request, in the order that the person chose last unless the address has another."""
    with replicas.on_primary():  # how a person likes lists is no part of what the page shows
        kept = preferences.of_list(page.person, listing.name)
    seen_by = viewer(page, surface)
    query = lenient_request(listing, seen_by, given, sort=kept.sort, limit=kept.lines or LINES)
    if surface == "page" and ({"sort", "limit"} & given.keys()):
        with replicas.on_primary():
            preferences.keep_list(page.person, listing.name, sort=query.sort, lines=query.limit)
    return query
