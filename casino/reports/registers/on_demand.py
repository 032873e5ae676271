"""Reports on demand: read and written within the request, if they are short enough."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from casino.kit.documents import document, writers
from casino.kit.documents.sending import File
from casino.reports.registers import params
from games.refusals import Refused

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from casino.house.establishments.models import Establishment
    from casino.kit.documents.document import Document
    from casino.kit.documents.report import Query, Report
    from casino.kit.documents.writers import Format


AT_ONCE: Final = 1_000  # lines


class NeedsWorker(Refused):
    """The report is too long for a request: a worker has to prepare it."""

    code = "needs_worker"


def fits_a_page(report: Report, query: Query) -> bool:
    """Whether the first lines of the report may be rendered within a request."""
    return not (report.long or params.Period(since=query.since, until=query.until).long)


def needs_worker(report: Report, query: Query) -> bool:
    """Whether the whole report is too long for a request."""
    return not fits_a_page(report, query) or report.at_least(query) > AT_ONCE


def ready(
    house: Establishment,
    report: Report,
    given: Mapping[str, str],
    *,
    asked_by: str,
    now: datetime,
) -> Document:
    """
    The report as a document, ready to be written.

    :raises Malformed: if a value is not valid; names the field.
    :raises NotReadYet: if projections have not reached the position yet.
    :raises NeedsWorker: if the report is too long for a request.
    """
    query = params.query(house, report, given, now)
    if needs_worker(report, query):
        raise NeedsWorker(
            f"{report.title}: these days take a worker. Have it prepared, or ask for fewer days, at"
            f" most {params.AT_ONCE.days}."
        )
    return document.make_document(report, query, asked_by=asked_by, generated_at=now)


def file(made: Document, form: Format) -> File:
    """
    The report as a file of one format.

    :raises TooLong: if the report has more lines than the format may have.
    """
    return File(
        name=writers.filename(made, form),
        media_type=form.media_type,
        content=writers.write(made, form),
    )
