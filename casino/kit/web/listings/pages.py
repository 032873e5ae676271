"""A list on a page of the office."""

from __future__ import annotations

from dataclasses import replace
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, Final, cast

from django.utils import timezone
from django.utils.module_loading import import_string
from django.utils.translation import gettext as _

from casino.engine.scale.replicas import place as replicas
from casino.house.attendants import preferences
from casino.house.attendants.permissions import NotYours
from casino.house.establishments.gaming_day import current
from casino.kit.documents import document, writers
from casino.kit.documents.report import Column, Line, Query, Report, Table
from casino.kit.documents.writers import FORMATS, filename, write
from casino.kit.web import periods
from casino.kit.web.listings.keyset import Slice, everything
from casino.kit.web.listings.listing import Viewer
from casino.kit.web.listings.request import LINES, lenient_request
from casino.kit.web.listings.table import ListTable
from casino.kit.web.pages import ASK_A_SUPERVISOR, Page, office
from casino.kit.web.parameters import check_given_once, check_known
from casino.words.languages.messages import translate
from games.refusals import Malformed, Refused
from ledger import journal

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping

    from django.http import HttpResponse

    from casino.house.attendants.permissions import Act
    from casino.kit.documents.report import Cell
    from casino.kit.web.listings.listing import Listing, Surface
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
                return answer(_list_request(page, listing, given, "file"), form)
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
        return page_with_list(page, listing, "kit/web/list.html")

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


# Files of a list: all of its lines, filtered and sorted as on its page.


LINES_MAX: Final = 10_000
"""A person waits for the file. Longer ones are for reports, which a worker prepares."""


def answer(request: ListRequest, form: str) -> HttpResponse:
    """
    The list as a file, as a response.

    :param form: one of the names of `FORMATS`.
    :raises Malformed: if the format is unknown, or the value of a filter is not valid: a file of
        all lines is not what was asked for.
    :raises TooLong: if there are more lines than such a file may have.
    """
    if form not in FORMATS:
        raise Malformed(f"format is one of {', '.join(FORMATS)}.", field="format")
    for name in request.filters.form.errors:
        raise Malformed(request.filters.refusal(name), field=name)
    house, kind = request.viewer.house, FORMATS[form]
    now = timezone.now()
    day = current(house, now)
    query = Query(
        house=house,
        since=day,  # a list has no period: it shows the day of the request
        until=day,
        through=journal.head(establishment=house.pk),
        chosen={**request.filters.narrowed, **({"sort": request.sort} if request.sort else {})},
    )
    by = str(request.viewer.person)
    made = document.make_document(report(request), query, asked_by=by, generated_at=now)
    made = replace(made, most=LINES_MAX)
    file = writers.File(
        name=filename(made, kind), media_type=kind.media_type, content=write(made, kind)
    )
    return cast("HttpResponse", writers.send_file(file, as_attachment=True))


def _cell(value: Any) -> Cell:
    """A cell of the file: flags become "yes" or "no", other values stay."""
    cell: Cell = (_("yes") if value else _("no")) if isinstance(value, bool) else value
    return cell


def report(request: ListRequest) -> Report:
    """The list as a report with one table and without a period."""
    listing = request.listing
    columns = listing.seen_by(request.viewer)

    def lines(_query: Query) -> Iterator[Line]:
        for rows in everything(request.rows, request.order):
            for item in listing.items(request.viewer, rows):
                yield Line(cells=tuple(_cell(column.read(item)) for column in columns))

    table = Table(
        name=listing.name,
        title=listing.title,
        columns=tuple(
            Column(
                name=column.name,
                title=column.title or column.name,
                kind=column.kind,
                total=column.total,
                files_only="page" not in column.on,
            )
            for column in columns
        ),
        lines=lines,
        empty=listing.empty,
    )
    return Report(
        name=listing.name,
        title=listing.title,
        about=listing.about,
        controls=(),
        tables=(table,),
        names_players=listing.names_players,
    )
