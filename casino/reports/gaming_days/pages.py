"""Pages of gaming days: their states, closing, the summary of a day, late entries (B4)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.http import Http404
from django.utils.translation import gettext as _

from casino.engine.logs.health.models import play_worker
from casino.kit.web.forms import ActForm, status_of
from casino.kit.web.listings.pages import of_rows, page_with_list
from casino.kit.web.pages import Page, office
from casino.reports.gaming_days import closing, queries, tasks
from casino.reports.gaming_days.listings import DAYS, LATE
from casino.reports.gaming_days.models import GamingDay
from casino.words.languages import locales

if TYPE_CHECKING:
    from django.http import HttpResponse

LATEST = 20  # late entries on a day's own page


@office("look", section="today", from_replica=True)
def all_days(page: Page) -> HttpResponse:
    """The state of the current days, and the list of all days."""

    def context() -> dict[str, Any]:
        return {"days": queries.state(page.house, page.now), "closes": page.may("configure")}

    return page_with_list(page, DAYS, "reports/gaming_days/index.html", context)


@office("look", section="today", post="configure")
def day(page: Page, day: str) -> HttpResponse:
    """One day: what it would carry over, the progress of its closing, or its summary."""
    row = _row(page, day)
    if page.posted:
        return _close(page, row)
    return _render(page, row)


def _row(page: Page, text: str) -> GamingDay:
    wanted = queries.day_of(text)
    row = queries.rows(page.house).filter(day=wanted).first() if wanted else None
    if row is not None:
        return row
    if wanted and wanted == queries.state(page.house, page.now).to_close:
        return GamingDay(establishment=page.house, day=wanted)  # begun, and its row is not kept yet
    raise Http404("This house has no such gaming day.")


def _render(page: Page, row: GamingDay, sent: ActForm | None = None) -> HttpResponse:
    """
    The page of a day, by its state.

    :param sent: a form that was refused; the page says why, in every state of the day.
    """
    event = queries.event_of_close(page.house, row)
    shared = {
        "row": row,
        "late": of_rows(page, LATE, queries.late(page.house, row.day)[:LATEST]),
        "late_count": queries.late(page.house, row.day).count(),
        "form": ActForm(),
        "refused": sent.non_field_errors() if sent else (),
    }
    status = status_of(sent)
    if event is not None:
        summary = queries.summary_of_day(page.house, row, event)
        signs = page.may("approve") and not row.signed_by and row.by != str(page.person.pk)
        whole = page.may("audit")  # people who count floats must not see what these hold (B1)
        more = {"summary": summary, "signs": signs, "whole": whole}
        return page.show("reports/gaming_days/closed.html", {**shared, **more}, status=status)
    if row.state == GamingDay.State.CLOSING:
        more = {
            "behind": queries.state(page.house, page.now).behind,
            "worker": play_worker(page.now),
        }
        return page.show("reports/gaming_days/closing.html", {**shared, **more}, status=status)
    more = {
        "days": queries.state(page.house, page.now),
        "left": queries.open_things(page.house, row.day),
        "closes": page.may("configure"),
    }
    return page.show("reports/gaming_days/day.html", {**shared, **more}, status=status)


def _close(page: Page, row: GamingDay) -> HttpResponse:
    form = ActForm(page.sent)

    def close() -> None:
        closing.close(page.act(form.act_id), row.day)
        tasks.wake(establishment=page.house.pk)

    message = _("%(day)s is being closed.") % {"day": locales.day_of_year(row.day)}
    return page.take(form, close, message, "day", day=row.day) or _render(page, row, form)


@office("approve", section="today")
def sign(page: Page, day: str) -> HttpResponse:
    """Sign a closed day as the second person."""
    row = _row(page, day)
    form = ActForm(page.sent)
    done = page.take(
        form,
        lambda: closing.sign(page.act(form.act_id), row.day),
        _("Signed by your name."),
        "day",
        day=row.day,
    )
    return done or _render(page, row, form)
