"""Pages of reports: the index, one report, its files, and prepared reports."""

from __future__ import annotations

from http import HTTPStatus
from typing import TYPE_CHECKING, Any, Final, cast

from django import forms
from django.http import Http404
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _

from casino.kit.documents import document, writers
from casino.kit.documents import page as rendering
from casino.kit.documents.writers import FORMATS
from casino.kit.web import periods
from casino.kit.web.forms import ActForm
from casino.kit.web.jobs import tasks
from casino.kit.web.jobs.models import Occasion, State
from casino.kit.web.pages import office
from casino.reports.registers import catalogue, params, preparing
from casino.reports.registers.models import Preparation
from casino.words.languages.fields import DayField
from casino.words.languages.messages import translate
from games.refusals import Malformed, Refused
from ledger import journal

if TYPE_CHECKING:
    from collections.abc import Mapping
    from uuid import UUID

    from django.http import HttpResponse

    from casino.kit.documents.document import Document
    from casino.kit.documents.report import Query, Report
    from casino.kit.web.pages import Page

SECTION: Final = "reports"
FROM_TO: Final = ("from", "to")
NEWEST: Final = 12  # prepared reports on the index


class DaysForm(forms.Form):
    """The gaming days that a report is about."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields |= {  # `from` is no name in Python
            "from": DayField(required=False, label=_("From gaming day")),
            "to": DayField(required=False, label=_("To gaming day")),
        }


@office("audit", section=SECTION, from_replica=True)
def reports(page: Page) -> HttpResponse:
    """Every report, with its files for the last closed day."""
    last = params.last_closed(page.house)
    day = last or page.day
    context = {
        "day": day,
        "closed": last is not None,
        "reports": [
            {
                "report": each,
                "url": f"{reverse('report', args=[each.name])}?{urlencode({'day': str(day)})}",
                "long": each.long,
            }
            for each in catalogue.REPORTS
        ],
        "formats": list(FORMATS.values()),
        "prepared": _rows_of_preparations(page, preparing.newest(page.house, most=NEWEST)),
    }
    return page.show("reports/registers/index.html", context)


@office("audit", section=SECTION, from_replica=True)
def report(page: Page, report: str) -> HttpResponse:
    """One report: its filters (in the address), its first lines, and links to its files."""
    wanted = _report(report)
    given = {key: str(value) for key, value in page.request.GET.items() if key != "format"}
    if page.posted:
        return _prepare(page, wanted, given)
    if otherwise := _days_typed(page, wanted, given):
        return otherwise
    try:
        query = params.query(page.house, wanted, given, page.now)
        if (form := page.request.GET.get("format")) is not None:
            return _file(page, wanted, given, form)
    except (Malformed, Refused) as refused:
        return _not_so(page, wanted, given, refused)
    if not preparing.fits_a_page(wanted, query):
        return page.show("reports/registers/report.html", _frame(page, wanted, given, query))
    with document.in_turn():
        made = document.make_document(
            wanted, query, asked_by=str(page.person), generated_at=page.now
        )
        rendered = _render(made)
    context = {**_frame(page, wanted, given, query), **rendered}
    return page.show("reports/registers/report.html", context)


def _days_typed(page: Page, wanted: Report, given: Mapping[str, str]) -> HttpResponse | None:
    """The answer to days that are not in ISO 8601: a plain address, or the form with its errors."""
    days = DaysForm(page.request.GET)
    if plain := periods.plain_address(page, days.fields, FROM_TO):
        return plain
    if days.is_valid():
        return None
    context = {**_frame(page, wanted, given, None), "days": days}
    return page.show("reports/registers/report.html", context, status=HTTPStatus.BAD_REQUEST)


def _report(name: str) -> Report:
    try:
        return catalogue.report(name)
    except catalogue.NoReport as unknown:
        raise Http404(str(unknown)) from unknown


def _prepare(page: Page, wanted: Report, given: Mapping[str, str]) -> HttpResponse:
    """Begin a preparation of the report of the page, once however often the form is sent."""
    form = ActForm(page.sent)
    if not form.is_valid():
        return page.refused(_("Nothing was sent: try again."), "reports")
    try:
        run = preparing.begin_by_command(
            by=page.person,
            house=page.house,
            report=wanted,
            given=given,
            command_id=form.act_id,
            now=page.now,
        )
    except (Malformed, Refused) as refused:
        return _not_so(page, wanted, given, refused)
    if run.running:
        tasks.wake(run)
    sentence = _("It has begun. You need not wait for it: it goes on by itself.")
    return page.done(sentence, "prepared", preparation=run.id)


@office("audit", section=SECTION)
def preparation_page(page: Page, preparation: UUID) -> HttpResponse:
    """The progress of a preparation, its files, and the buttons to stop or restart it."""
    run = _preparation(page, preparation)
    if page.posted:
        return _stop_or_restart(page, run)
    [row] = _rows_of_preparations(page, [run])
    fragment = page.request.headers.get("HX-Request") == "true"
    part = "_prepared" if fragment else "prepared"
    return page.show(f"reports/registers/{part}.html", {"each": row})


def _preparation(page: Page, preparation: UUID) -> Preparation:
    rows = Preparation.objects.filter(establishment=page.house, id=preparation)
    run = rows.select_related("asked_by").first()
    if run is None:
        raise Http404("This house has prepared no such report.")
    return run


def _stop_or_restart(page: Page, run: Preparation) -> HttpResponse:
    way: dict[str, Any] = {
        "by": page.person, "house": page.house, "preparation": run.id, "now": page.now,
    }  # fmt: skip
    try:
        if page.request.POST.get("do") == "stop":
            preparing.stop(**way)
            return page.done(
                _("Stopped. What was made of it is kept."), "prepared", preparation=run.id
            )
        tasks.wake(preparing.again(**way))
    except Refused as refused:
        return page.refused(refused, "prepared", preparation=run.id)
    return page.done(_("It has begun once more."), "prepared", preparation=run.id)


@office("audit", section=SECTION, from_replica=True)
def file_of_preparation(page: Page, preparation: UUID, form: str) -> HttpResponse:
    """A file of a prepared report, for download: the bytes as they were kept."""
    kept = preparing.file_with_bytes(page.house, preparation, form)
    if kept is None:
        raise Http404("There is no such file.")
    return writers.send_bytes(
        bytes(kept.content), kept.name, FORMATS[kept.format].media_type, as_attachment=True
    )


def _rows_of_preparations(page: Page, runs: list[Preparation]) -> list[dict[str, Any]]:
    """Preparations as rows of a page, with their files."""
    made = preparing.files(page.house, [run.id for run in runs])
    return [
        {
            "run": run,
            "title": preparing.title(run),
            "sign": preparing.PREPARATION.sign(run),
            "by_itself": run.occasion == Occasion.DAY,
            "files": made.get(run.id, []),
            "form": preparing.STEPS[min(run.reached, len(preparing.STEPS) - 1)],
            "of": len(preparing.STEPS),
            "whole": len(preparing.STEPS) * max(run.lines or 0, 1),
            "done": _lines_written(run),
            "again": run.state in {State.STOPPED, State.FAILED}
            or any(file.dropped_at for file in made.get(run.id, [])),
            "url": reverse("prepared", args=[run.id]),
        }
        for run in runs
    ]


def _lines_written(run: Preparation) -> int:
    """Lines written, of all files together; if the number of lines is not known, files made."""
    lines = max(run.lines or 0, 1)
    return run.reached * lines + (min(run.written, lines) if run.lines else 0)


def _file(page: Page, wanted: Report, given: Mapping[str, str], form: str) -> HttpResponse:
    if form not in FORMATS:
        raise Malformed(f"format is one of {', '.join(FORMATS)}.", field="format")
    with document.in_turn():
        made = preparing.ready(page.house, wanted, given, asked_by=str(page.person), now=page.now)
        found = preparing.file(made, FORMATS[form])
    answer = writers.send_file(found, as_attachment=True)
    return cast("HttpResponse", answer)  # the frame uses only what both classes have


def _not_so(
    page: Page, wanted: Report, given: Mapping[str, str], refused: Malformed | Refused
) -> HttpResponse:
    """The page with the form again, and the error message in it."""
    malformed = isinstance(refused, Malformed)
    status = HTTPStatus.BAD_REQUEST if malformed else HTTPStatus.UNPROCESSABLE_ENTITY
    context = {**_frame(page, wanted, given, None), "refused": translate(str(refused))}
    return page.show("reports/registers/report.html", context, status=status)


def _frame(
    page: Page, wanted: Report, given: Mapping[str, str], query: Query | None
) -> dict[str, Any]:
    """The context of the page: the form, and query strings for the files of exactly this report."""
    frozen = query is not None and params.frozen_at(page.house, query.until) == query.through
    asked = {"from": query.since, "to": query.until} if query else dict(given)
    days = DaysForm(initial=asked)
    return {
        "report": wanted,
        "given": given,
        "days": days,
        "presets": periods.presets(page, days.fields, FROM_TO),
        "query": query,
        "frozen": frozen,
        "could_know_more": frozen
        and query is not None
        and params.position_of_projections(page.house) > query.through,
        "filters": [
            {
                "filter": each,
                "value": given.get(each.name, ""),
                "choices": each.choices(page.house) if each.choices else None,
            }
            for each in wanted.filters
        ],
        "behind": _behind(page, query, given) if query else 0,
        "pinned": _pin(query) if query else "",
        "now_known": urlencode({**_days(query), "through": params.HEAD}) if query else "",
        "as_frozen": urlencode(_days(query)) if query else "",
        "formats": list(FORMATS.values()),
        "form": ActForm(auto_id=False),
        "long": query is not None and preparing.needs_worker(wanted, query),
    }


def _behind(page: Page, query: Query, given: Mapping[str, str]) -> int:
    """How many events were recorded after the report's position."""
    if given.get("through", params.HEAD) != params.HEAD:
        return 0
    return journal.head(establishment=page.house.pk) - query.through


def _days(query: Query) -> dict[str, str]:
    return {"from": f"{query.since}", "to": f"{query.until}", **query.chosen}


def _pin(query: Query) -> str:
    """The query string of exactly this report, pinned to its position."""
    through = {"through": str(query.through)} if query.through >= 0 else {}
    return urlencode({**_days(query), **through})


def _render(made: Document) -> dict[str, Any]:
    return {
        "header": made.header,
        "figures": rendering.figures(made),
        "tables": list(rendering.tables(made)),
        "lines_max": rendering.LINES_ON_PAGE,
    }
