"""Files of a list: all of its lines, filtered and sorted as on its page."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final, cast

from django.utils import timezone
from django.utils.translation import gettext as _

from casino.house.establishments.gaming_day import current
from casino.kit.documents import document, sending
from casino.kit.documents.report import Column, Line, Query, Report, Table
from casino.kit.documents.writers import FORMATS, filename, write
from casino.kit.web.listings.keyset import everything
from games.refusals import Malformed
from ledger import journal

if TYPE_CHECKING:
    from collections.abc import Iterator

    from django.http import HttpResponse

    from casino.kit.documents.report import Cell
    from casino.kit.web.listings.request import ListRequest

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
    file = sending.File(
        name=filename(made, kind), media_type=kind.media_type, content=write(made, kind)
    )
    return cast("HttpResponse", sending.send(file, as_attachment=True))


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
