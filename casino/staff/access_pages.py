"""Who has been where: the log of sign-ins, and who has and had which role (D1, D2)."""

from __future__ import annotations

import csv
from datetime import date, datetime, time, timedelta
from typing import Any, Final
from urllib.parse import urlencode
from zoneinfo import ZoneInfo

from django import forms
from django.core.paginator import Paginator
from django.core.validators import MaxValueValidator, MinValueValidator
from django.http import HttpResponse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from casino.attendants.models import Employment, Role, SignIn
from casino.languages.fields import DayField
from casino.platform.spreadsheets import plain
from casino.staff import access
from casino.staff.pages import SECTION
from casino.web.pages import Page, office

ROWS: Final = 100
BAD: Final = frozenset({"wrong_password", "locked", "factor_refused", "pin_refused"})
"""Outcomes in the log that an eye should rest on."""
DAYS: Final = (MinValueValidator(date(1900, 1, 1)), MaxValueValidator(date(2999, 12, 31)))
"""Days that begin and end by every clock: the first and last of all do not."""


class LogForm(forms.Form):
    """Which lines of the log: a person, an outcome, a day."""

    person = forms.ChoiceField(label=gettext_lazy("Who"), required=False)
    what = forms.ChoiceField(
        label=gettext_lazy("What"),
        required=False,
        choices=[
            ("", gettext_lazy("Everything")),
            ("bad", gettext_lazy("What went wrong")),
            *SignIn.What.choices,
        ],
    )
    day = DayField(
        label=gettext_lazy("Day"),
        required=False,
        validators=DAYS,
    )


@office("audit", section=SECTION)
def sign_ins(page: Page) -> HttpResponse:
    form = LogForm(page.request.GET)
    staff = Employment.objects.filter(establishment=page.house).select_related("attendant")
    known = {str(row.attendant_id): str(row.attendant) for row in staff}
    by_name = sorted(known.items(), key=lambda each: each[1].casefold())
    form.fields["person"].choices = [("", _("Everybody")), *by_name]  # type: ignore[attr-defined]
    rows = SignIn.objects.filter(establishment=page.house).select_related("attendant", "by")
    if form.is_valid():
        rows = _chosen(page, rows, form.cleaned_data)
    shown = Paginator(rows.order_by("-at", "-id"), ROWS).get_page(page.request.GET.get("page"))
    query = page.request.GET.copy()
    query.pop("page", None)
    context = {"form": form, "rows": shown, "query": query.urlencode(), "bad": BAD}
    return page.show("staff/sign_ins.html", context)


def _chosen(page: Page, rows: Any, wanted: dict[str, Any]) -> Any:
    if wanted["person"]:
        rows = rows.filter(attendant=wanted["person"])
    if wanted["what"] == "bad":
        rows = rows.filter(what__in=BAD)
    elif wanted["what"]:
        rows = rows.filter(what=wanted["what"])
    if wanted["day"]:
        begins = midnight(page, wanted["day"])
        rows = rows.filter(at__gte=begins, at__lt=midnight(page, wanted["day"], days=1))
    return rows


def midnight(page: Page, day: date, *, days: int = 0) -> datetime:
    """When a day begins on the house's clock, or so many days later."""
    zone = ZoneInfo(page.house.time_zone)
    return datetime.combine(day + timedelta(days=days), time(), tzinfo=zone)


class AsOfForm(forms.Form):
    as_of = DayField(
        label=gettext_lazy("As of the end of"),
        required=False,
        validators=DAYS,
    )


@office("audit", section=SECTION)
def access_listing(page: Page) -> HttpResponse:
    """Who has and had which role, as of a day; also as a file."""
    form = AsOfForm(page.request.GET)
    day = form.cleaned_data["as_of"] if form.is_valid() else None
    at = min(midnight(page, day, days=1), page.now) if day else page.now
    rows = access.listing(page.house, at)
    if page.request.GET.get("format") == "csv":
        return access_csv(page, rows, at)
    context = {
        "form": form,
        "rows": [
            {
                "access": each,
                "role": Role(each.role).label if each.role else "",
                "spells": [(Role(one.role).label, one.since, one.until) for one in each.spells],
            }
            for each in rows
        ],
        "at": at,
        "query": urlencode({"as_of": day or "", "format": "csv"}),
    }
    return page.show("staff/access.html", context)


def access_csv(page: Page, rows: list[access.Access], at: datetime) -> HttpResponse:
    """A line for each spell of a role. Times are the house's, with their offset."""
    name = f"access-{timezone.localtime(at):%Y-%m-%d}.csv"
    answer = HttpResponse(
        content_type="text/csv; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )
    written = csv.writer(answer)
    written.writerow(
        ["house", "as_of", "username", "name", "role", "since", "until", "now", "second_factor",
         "last_sign_in"]
    )  # fmt: skip
    for each in rows:
        for spell in each.spells:
            written.writerow(
                plain(cell)
                for cell in (
                    str(page.house), moment(at), each.person.username, str(each.person),
                    spell.role, moment(spell.since), moment(spell.until), each.role or "left",
                    "+".join(each.factors) or "none", moment(each.last_sign_in),
                )
            )  # fmt: skip
    return answer


def moment(at: datetime | None) -> str:
    return timezone.localtime(at).isoformat(timespec="seconds") if at else ""
