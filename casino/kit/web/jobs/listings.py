"""The list of a house's jobs, for its page and exports; and that page."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from casino.kit.web.jobs import running
from casino.kit.web.jobs.models import Job, Occasion, State
from casino.kit.web.listings.listing import (
    API,
    FILE,
    FOR_PROGRAMS,
    ChoiceFilter,
    Column,
    Listing,
    columns_of,
    filters,
)
from casino.kit.web.listings.pages import page_with_list
from casino.kit.web.pages import office

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from django.http import HttpResponse

    from casino.house.establishments.models import Establishment
    from casino.kit.web.jobs.running import Kind
    from casino.kit.web.listings.listing import Sign, Viewer
    from casino.kit.web.pages import Page


@dataclass(frozen=True, slots=True)
class JobItem:
    """A job as an item of the list, in the words of its kind."""

    job: Job
    kind: Kind[Any]
    absolute: Callable[[str], str]

    @property
    def title(self) -> str:
        about = self.kind.about(self.job)
        return f"{self.kind.title} {about}".strip()

    @property
    def sign(self) -> Sign:
        return self.kind.sign(self.job)

    @property
    def progress(self) -> str:
        return _("%(done)s of %(whole)s") % {"done": self.job.done, "whole": self.job.whole}

    @property
    def occasion(self) -> str:
        """Why the job was begun, and by whom."""
        occasion = str(self.job.get_occasion_display())
        return f"{occasion}, {self.job.asked_by}" if self.job.asked_by else occasion

    @property
    def url(self) -> str:
        return self.absolute(self.kind.url(self.job))


def _items(viewer: Viewer, rows: Sequence[Job]) -> list[JobItem]:
    return [JobItem(job, running.kind_of(job.kind), viewer.absolute) for job in rows]


def _titles(_house: Establishment) -> Iterable[tuple[str, Any]]:
    return [(kind.name, kind.title) for kind in running.every_kind()]


_of_job = columns_of("job")


JOBS: Final = Listing[Job, JobItem](
    name="jobs",
    title=gettext_lazy("Jobs, newest first"),
    about=gettext_lazy("What workers did and do step by step, how far it is, and how it ended."),
    rows=lambda viewer: Job.objects.filter(establishment=viewer.house).select_related(
        "establishment", "asked_by"
    ),
    items=_items,
    order=("-asked_at", "-id"),
    filters=filters(
        kind=ChoiceFilter(
            title=gettext_lazy("What"), choices=_titles, values=running.places_of_kinds()
        ),
        occasion=ChoiceFilter(title=gettext_lazy("Why then"), choices=Occasion.choices),
    ),
    columns=(
        _of_job("id", title=gettext_lazy("Id"), on=API),
        _of_job("asked_at", title=gettext_lazy("Begun"), kind="moment", style="soft",
                order=("asked_at", "id"), link=lambda item: item.kind.url(item.job)),
        _of_job("kind", title=gettext_lazy("What"), display=lambda item: item.title,
                order=("kind",)),
        _of_job("state", title=gettext_lazy("State"), template="kit/jobs/_state.html",
                display=lambda item: str(item.sign.word)),
        _of_job("occasion", title=gettext_lazy("Why then"), display=lambda item: item.occasion),
        _of_job("reason", title=gettext_lazy("Why it was not done"), style="wide"),
        _of_job("finished_at", title=gettext_lazy("Ended"), kind="moment", on=FOR_PROGRAMS),
        Column(name="progress", title=gettext_lazy("Done so far"), on=FILE),
        _of_job("done", title=gettext_lazy("Done so far"), kind="number", on=API),
        _of_job("whole", title=gettext_lazy("Of so many"), kind="number", on=API),
        Column(name="url", title=gettext_lazy("Page"), on=API),
    ),
    empty=gettext_lazy("Nothing yet. A job stands here from its beginning, with how far it is."),
    names_players=False,
    sees=("audit",),
    section="reports",
)  # fmt: skip


# The page of a house's jobs: running jobs with their progress, and how earlier jobs ended.


SECTION: Final = "reports"


@office("audit", section=SECTION)
def jobs(page: Page) -> HttpResponse:
    """All jobs, the newest first; while one is running, the page polls."""
    running = Job.objects.filter(establishment=page.house, state=State.RUNNING)
    context = {"running": running.exists(), "here": page.request.get_full_path()}
    fragment = page.request.headers.get("HX-Request") == "true"
    return page_with_list(page, JOBS, f"kit/jobs/{'_jobs' if fragment else 'index'}.html", context)
