"""The page of a house's jobs: running jobs with their progress, and how earlier jobs ended."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from casino.kit.web.jobs.listings import JOBS
from casino.kit.web.jobs.models import Job, State
from casino.kit.web.listings.pages import page_with_list
from casino.kit.web.pages import office

if TYPE_CHECKING:
    from django.http import HttpResponse

    from casino.kit.web.pages import Page

SECTION: Final = "reports"


@office("audit", section=SECTION)
def jobs(page: Page) -> HttpResponse:
    """All jobs, the newest first; while one is running, the page polls."""
    running = Job.objects.filter(establishment=page.house, state=State.RUNNING)
    context = {"running": running.exists(), "here": page.request.get_full_path()}
    fragment = page.request.headers.get("HX-Request") == "true"
    return page_with_list(page, JOBS, f"kit/jobs/{'_jobs' if fragment else 'index'}.html", context)
