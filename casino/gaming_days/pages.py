"""Gaming days: how they stand, the closing of one, its summary on one page, late entries (B4)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.http import Http404
from django.utils.translation import gettext as _

from casino.approvals.queries import names
from casino.establishments import gaming_day as days
from casino.gaming_days import closing, queries, sheet, signing, tasks
from casino.gaming_days.models import GamingDay, LateEntry
from casino.health.checks import play_worker
from casino.languages import locales
from casino.web.forms import ActForm, status_of
from casino.web.pages import Page, office

if TYPE_CHECKING:
    from collections.abc import Sequence

    from django.http import HttpResponse

ROWS = 60  # days, or late entries, on one page
SHOWN = 20  # late entries on a day's own page


@office("look", section="today")
def all_days(page: Page) -> HttpResponse:
    """How the house's days stand, and those before."""
    rows = list(_before(page)[:ROWS])
    people = names({row.by for row in rows if row.by} | {r.signed_by for r in rows if r.signed_by})
    context = {
        "days": queries.state(page.house, page.now),
        "closes": page.may("configure"),
        "rows": [
            {"row": row, "by": people.get(row.by, ""), "signed_by": people.get(row.signed_by, "")}
            for row in rows
        ],
        "more": rows[-1].day if len(rows) == ROWS else None,
        "system": days.ACTOR,
    }
    return page.show("gaming_days/index.html", context)


def _before(page: Page) -> Any:
    rows = queries.rows(page.house)
    before = sheet.day_of(page.request.GET.get("before", ""))
    return rows.filter(day__lt=before) if before else rows


@office("look", section="today", post="configure")
def day(page: Page, day: str) -> HttpResponse:
    """One day: what it would leave behind, how far its closing is, or what it came to."""
    row = _row(page, day)
    if page.posted:
        return _close(page, row)
    return _shown(page, row)


def _row(page: Page, text: str) -> GamingDay:
    wanted = sheet.day_of(text)
    row = queries.rows(page.house).filter(day=wanted).first() if wanted else None
    if row is None:
        raise Http404("This house has no such gaming day.")
    return row


def _shown(page: Page, row: GamingDay, sent: ActForm | None = None) -> HttpResponse:
    """:param sent: what was not taken: the page says why, whatever it still lets one do."""
    event = queries.told(page.house, row)
    shared = {
        "row": row,
        "late": _late(queries.late(page.house, row.day)[:SHOWN]),
        "late_count": queries.late(page.house, row.day).count(),
        "form": ActForm(),
        "refused": sent.non_field_errors() if sent else (),
    }
    status = status_of(sent)
    if event is not None:
        told = sheet.told(page.house, row, event)
        signs = page.may("approve") and not row.signed_by and row.by != str(page.person.pk)
        whole = page.may("audit")  # what floats hold is not for whoever counts them (B1)
        more = {"told": told, "signs": signs, "whole": whole}
        return page.show("gaming_days/closed.html", {**shared, **more}, status=status)
    if row.state == GamingDay.State.CLOSING:
        more = {
            "behind": queries.state(page.house, page.now).behind,
            "worker": play_worker(page.now),
        }
        return page.show("gaming_days/closing.html", {**shared, **more}, status=status)
    more = {
        "days": queries.state(page.house, page.now),
        "left": queries.left(page.house, row.day),
        "closes": page.may("configure"),
    }
    return page.show("gaming_days/day.html", {**shared, **more}, status=status)


def _close(page: Page, row: GamingDay) -> HttpResponse:
    form = ActForm(page.sent)

    def close() -> None:
        closing.close(page.act(form.act_id), row.day)
        tasks.wake(establishment=page.house.pk)

    said = _("%(day)s is being closed.") % {"day": locales.day_of_year(row.day)}
    return page.take(form, close, said, "day", day=row.day) or _shown(page, row, form)


@office("approve", section="today")
def sign(page: Page, day: str) -> HttpResponse:
    """A second name under a closed day."""
    row = _row(page, day)
    form = ActForm(page.sent)
    done = page.take(
        form,
        lambda: signing.sign(page.act(form.act_id), row.day),
        _("Signed by your name."),
        "day",
        day=row.day,
    )
    return done or _shown(page, row, form)


@office("audit", section="today")
def late(page: Page) -> HttpResponse:
    """Entries whose time at the table and whose time on record lie apart, newest first."""
    found = queries.late(page.house)
    before = page.request.GET.get("before", "")
    if before.isdecimal() and len(before) < len(str(2**63)):
        found = found.filter(position__lt=int(before))
    kind = page.request.GET.get("kind", "")
    if kind in LateEntry.Kind.values:
        found = found.filter(kind=kind)
    rows = list(found[:ROWS])
    context = {
        "late": _late(rows),
        "kind": kind,
        "kinds": LateEntry.Kind.choices,
        "more": rows[-1].position if len(rows) == ROWS else None,
    }
    return page.show("gaming_days/late.html", context)


def _late(found: Sequence[LateEntry] | Any) -> list[dict[str, Any]]:
    rows = list(found)
    people = names({row.actor for row in rows})
    return [
        {
            "row": row,
            "by": people[row.actor],
            "what": row.event_type.replace(".", " ").replace("_", " "),
            "game": row.stream.partition("/")[2] if row.stream.startswith("game/") else "",
            "minutes": abs(row.seconds) // 60,
            "seconds": abs(row.seconds) % 60,
            "ahead": row.seconds < 0,
        }
        for row in rows
    ]
