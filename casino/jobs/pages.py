"""The page of all jobs of a house: those that run, with their progress, and how others ended."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final
from uuid import UUID

from django.db.models import Q
from django.utils.translation import gettext as _

from casino.jobs import kinds
from casino.jobs.models import Job
from casino.web.pages import office

if TYPE_CHECKING:
    from django.db.models import QuerySet
    from django.http import HttpResponse

    from casino.web.pages import Page

SECTION: Final = "reports"
ROWS: Final = 50


@office("audit", section=SECTION)
def jobs(page: Page) -> HttpResponse:
    """The newest first, a page at a time; the list is polled while a job runs."""
    jobs = list(_before(page, page.request.GET.get("before", ""))[: ROWS + 1])
    rows = [_row(job) for job in jobs[:ROWS]]
    context = {
        "jobs": rows,
        "running": any(each["job"].running for each in rows),
        "here": page.request.get_full_path(),
        "older": jobs[ROWS - 1].id if jobs[ROWS:] else None,
    }
    fragment = page.request.headers.get("HX-Request") == "true"
    return page.show(f"jobs/{'_jobs' if fragment else 'index'}.html", context)


def _before(page: Page, last: str) -> QuerySet[Job]:
    """The jobs begun before this one; all of them, if there is no such job."""
    rows = Job.objects.filter(establishment=page.house).select_related("establishment", "asked_by")
    try:
        known = rows.filter(id=UUID(last)).first()
    except ValueError:
        known = None
    if known is not None:
        earlier = Q(asked_at=known.asked_at, id__lt=known.id)
        rows = rows.filter(Q(asked_at__lt=known.asked_at) | earlier)
    return rows.order_by("-asked_at", "-id")


def _row(job: Job) -> dict[str, Any]:
    kind = kinds.of(job.kind)
    return {
        "job": job,
        "title": kind.title,
        "about": kind.about(job),
        "sign": kind.sign(job),
        "url": kind.url(job),
        "progress": _("%(done)s of %(whole)s") % {"done": job.done, "whole": job.whole},
    }
