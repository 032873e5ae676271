"""
People of a house: who has which role, how they prove who they are, who is invited (D1 to D3).

A manager acts, an auditor reads. Every change is an operation that leaves an event.
"""

from __future__ import annotations

import csv
import secrets
from datetime import date, datetime, time, timedelta
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlencode
from zoneinfo import ZoneInfo

from django import forms
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from casino.attendants import (
    access,
    appointments,
    guessing,
    invitations,
    operations,
    permissions,
    signins,
    tablets,
)
from casino.attendants.models import Employment, Invitation, Role, SignIn, Tablet
from casino.backoffice.forms import ActForm
from casino.backoffice.pages import Page, office
from casino.establishments import changes
from casino.players import veil
from casino.reports.spreadsheets import plain
from games.refusals import Refused
from ledger.journal import Conflict

if TYPE_CHECKING:
    from collections.abc import Callable
    from uuid import UUID

    from casino.approvals.models import RequestRow

SECTION: Final = "people"
ROWS: Final = 100
UNFIT: Final = 422
BAD: Final = frozenset({"wrong_password", "locked", "factor_refused", "pin_refused"})
"""Outcomes in the log that an eye should rest on."""
ROLES: Final = tuple(Role.choices)


class InviteForm(ActForm):
    name = forms.CharField(
        label=gettext_lazy("Name, as you know them"),
        max_length=80,
        help_text=gettext_lazy("They choose themselves what they sign in with."),
    )
    role = forms.ChoiceField(label=gettext_lazy("Role"), choices=ROLES)
    reason = forms.CharField(
        label=gettext_lazy("Why"),
        max_length=200,
        help_text=gettext_lazy("For the second person, who approves it. C1"),
    )

    def __init__(self, *args: Any, two: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if not two:
            del self.fields["reason"]


class RoleForm(ActForm):
    role = forms.ChoiceField(label=gettext_lazy("New role"), choices=ROLES)
    reason = forms.CharField(label=gettext_lazy("Why"), max_length=200)


class PlayerForm(ActForm):
    player = forms.CharField(
        label=gettext_lazy("Plays here as"),
        max_length=80,
        required=False,
        help_text=gettext_lazy(
            "The name at the table; empty: does not play. Staff do not record at their own table."
        ),
    )


class LeavingForm(ActForm):
    reason = forms.CharField(label=gettext_lazy("Why"), max_length=200)


class TabletForm(ActForm):
    name = forms.CharField(
        label=gettext_lazy("What you call it"),
        max_length=40,
        help_text=gettext_lazy("As its sticker says: Tablet 1, Garden."),
    )


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
    day = forms.DateField(
        label=gettext_lazy("Day"), required=False, widget=forms.DateInput(attrs={"type": "date"})
    )


# --- Who works here -------------------------------------------------------------------------------


@office("audit", section=SECTION)
def people(page: Page) -> HttpResponse:
    now = page.now
    staff = [each for each in access.listing(page.house, now) if each.role]
    locked = guessing.locked(now)
    context = {
        "staff": [
            {
                "access": each,
                "role": Role(each.role).label,
                "approves": each.role in permissions.ALLOWED["approve"],
                "locked": each.person.pk in locked,
                "player": unveiled(page, each.employment.player),
                "own": each.person.pk == page.person.pk,
            }
            for each in staff
        ],
        "invitations": [
            {"row": row, "name": unveiled(page, row.name)}
            for row in invitations.open_at(page.house, now)
        ],
        "asked": [
            {"id": row.id, "name": unveiled(page, row.subject["name"]), "role": _role(row)}
            for row in appointments.waiting(page.house, appointments.INVITATION)
        ],
        "managers": sum(each.role == Role.MANAGER for each in staff),
        "offered": not permissions.second_factor_required(),
        "acts": page.may("configure"),
    }
    return page.show("backoffice/people.html", context)


def _role(row: RequestRow) -> str:
    """The role that a request asks for."""
    return str(Role(row.subject.get("after") or row.subject["role"]).label)


def unveiled(page: Page, token: str) -> str:
    return str(veil.unveil(page.house.pk, token)) if token else ""


@office("audit", section=SECTION, post="configure")
def person(page: Page, employment: UUID) -> HttpResponse:
    """One person at this house: their spells, what they have, and what a manager may change."""
    found = employed(page, employment)
    posted = page.request.POST if page.posted else None
    here = {
        "role": RoleForm(_for(posted, "role"), initial={"role": found.role}, prefix="role"),
        "player": PlayerForm(
            _for(posted, "player"),
            initial={"player": unveiled(page, found.player)},
            prefix="player",
        ),
        "leaving": LeavingForm(_for(posted, "leaving"), prefix="leaving"),
    }
    if page.posted:
        answer = _person_changed(page, found, here)
        if answer is not None:
            return answer
    shown = next(
        each for each in access.listing(page.house, page.now) if each.employment.pk == found.pk
    )
    mine = found.attendant.sign_ins.filter(establishment=page.house)
    context = {
        "employment": found,
        "access": shown,
        "spells": [(Role(each.role).label, each.since, each.until) for each in shown.spells],
        "forms": here,
        "own": found.attendant_id == page.person.pk,
        "acts": page.may("configure") and found.until is None,
        "approves": found.role in permissions.ALLOWED["approve"],
        "player": unveiled(page, found.player),
        "two": changes.wants_two(page.house),
        "asked": [
            {"id": row.id, "role": _role(row)}
            for row in appointments.waiting(page.house, appointments.ROLE, employment=str(found.pk))
        ],
        "locked": guessing.locks_of(found.attendant, page.now).exists(),
        "sign_ins": mine.select_related("attendant", "by").order_by("-at", "-id")[:20],
        "bad": BAD,
    }
    wrong = any(form.errors for form in here.values())
    return page.show("backoffice/person.html", context, status=UNFIT if wrong else 200)


def _for(posted: Any, name: str) -> Any:
    """What was sent, if it was sent by the form of this name."""
    return posted if posted is not None and posted.get("do") == name else None


def employed(page: Page, employment: UUID) -> Employment:
    rows = Employment.objects.select_related("attendant", "establishment")
    return get_object_or_404(rows, pk=employment, establishment=page.house)


def _person_changed(page: Page, found: Employment, here: dict[str, Any]) -> HttpResponse | None:
    """What a manager does to an employment; None if a field does not do."""
    do = page.request.POST.get("do", "")
    form = here.get(do)
    if form is not None and not form.is_valid():
        return None
    told: dict[str, Any] = form.cleaned_data if form is not None else {}
    place = signins.where(page.request)
    acts: dict[str, Callable[[], object]] = {
        "role": lambda: appointments.change_role(
            page.act(told["command_id"]),
            employment=found,
            role=Role(told["role"]),
            reason=told["reason"],
        ),
        "player": lambda: operations.link_player(
            employment=found, player=token_of(page, told["player"]), by=page.person
        ),
        "leaving": lambda: operations.dismiss(
            employment=found, by=page.person, reason=told["reason"]
        ),
        "unlock": lambda: operations.unlock(
            employment=found, by=page.person, place=place, now=page.now
        ),
        "reset": lambda: operations.reset_factors(
            employment=found, by=page.person, place=place, now=page.now
        ),
    }
    if do not in acts:
        return page.refused(Refused(_("Nothing was asked for.")), "person", employment=found.pk)
    try:
        done = acts[do]()
    except ValidationError as said:
        return page.refused(Refused(" ".join(said.messages)), "person", employment=found.pk)
    except (Refused, Conflict) as refused:
        return page.refused(refused, "person", employment=found.pk)
    if do == "role" and done is not None:
        waits = _("This waits for a second person: they find it under Approvals.")
        return page.done(waits, "person", employment=found.pk)
    return page.done(_("Done, and on record."), "people" if do == "leaving" else "person",
                     **({} if do == "leaving" else {"employment": found.pk}))  # fmt: skip


def token_of(page: Page, name: str) -> str:
    """
    The token of a player of the house.

    :raises Refused: if nobody played under the name yet.
    """
    name = name.strip()
    if not name:
        return ""
    tokens = veil.player_tokens(page.house.pk, [name], new=False)
    if name not in tokens:
        raise UnknownName(
            _("Nobody called “%(name)s” has played here: write it as at the table. D1b")
            % {"name": name}
        )
    return tokens[name]


class UnknownName(Refused):
    code = "unknown_player"


# --- Invitations ----------------------------------------------------------------------------------


@office("configure", section=SECTION)
def invite(page: Page) -> HttpResponse:
    """The link is shown with the answer to this form, and never again."""
    two = changes.wants_two(page.house)
    form = InviteForm(page.request.POST if page.posted else None, two=two)
    if not page.posted or not form.is_valid():
        status = UNFIT if form.errors else 200
        return page.show("backoffice/invite.html", {"form": form, "two": two}, status=status)
    told = form.cleaned_data
    try:
        offer = appointments.invite(
            page.act(form.act_id),
            name=told["name"],
            role=Role(told["role"]),
            reason=told.get("reason", ""),
        )
    except Refused as refused:
        return page.refused(refused, "people")
    key = urlencode({"key": offer.secret})
    link = page.request.build_absolute_uri(f"{reverse('invitation')}?{key}")
    context = {
        "invitation": offer.invitation,
        "name": told["name"],
        "link": link,
        "asked": offer.request,
    }
    return page.show("backoffice/invited.html", context)


@office("audit", section=SECTION, post="configure")
def revoke(page: Page, invitation: UUID) -> HttpResponse:
    if not page.posted:
        return redirect("people")
    row = get_object_or_404(Invitation, pk=invitation, establishment=page.house)
    try:
        invitations.revoke(invitation=row, by=page.person, now=page.now)
    except Refused as refused:
        return page.refused(refused, "people")
    return page.done(_("The invitation is called back; its link opens nothing."), "people")


# --- Who has been where ---------------------------------------------------------------------------


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
    return page.show("backoffice/sign_ins.html", context)


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
    as_of = forms.DateField(
        label=gettext_lazy("As of the end of"),
        required=False,
        widget=forms.DateInput(attrs={"type": "date"}),
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
                "spells": [(Role(one.role).label, one.since, one.until) for one in each.spells],
            }
            for each in rows
        ],
        "at": at,
        "query": urlencode({"as_of": day or "", "format": "csv"}),
    }
    return page.show("backoffice/access.html", context)


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


# --- Floor tablets --------------------------------------------------------------------------------


@office("look", section=SECTION, post="approve")
def floor_tablets(page: Page) -> HttpResponse:
    """The house's tablets; and this device made one of them, by whoever answers for it."""
    here = tablets.known(page.request.COOKIES.get(tablets.COOKIE, ""))
    if here is not None and here.establishment_id != page.house.pk:
        here = None
    form = TabletForm(page.request.POST if page.posted else None)
    if page.posted and form.is_valid():
        try:
            tablet, cookie = tablets.enrol(
                house=page.house, name=form.cleaned_data["name"], by=page.person
            )
        except Refused as refused:
            form.add_error("name", str(refused))
        else:
            return _enrolled(page, tablet, cookie)
    rows = Tablet.objects.filter(establishment=page.house, withdrawn_at__isnull=True)
    context = {
        "form": form,
        "here": here,
        "tablets": rows.select_related("enrolled_by").order_by("name"),
        "acts": page.may("approve"),
    }
    return page.show("backoffice/tablets.html", context, status=UNFIT if form.errors else 200)


def _enrolled(page: Page, tablet: Tablet, cookie: str) -> HttpResponse:
    request = page.request
    messages.success(
        request, _("This device is the floor tablet “%(name)s” now.") % {"name": tablet.name}
    )
    answer = redirect("floor-attendant")
    kept: dict[str, Any] = {
        "max_age": tablets.COOKIE_AGE,
        "httponly": True,
        "samesite": "Lax",
        "secure": request.is_secure(),
    }
    answer.set_cookie(tablets.COOKIE, cookie, **kept)
    if signins.DEVICE_COOKIE not in request.COOKIES:
        answer.set_cookie(signins.DEVICE_COOKIE, f"floor-{secrets.token_hex(6)}", **kept)
    return answer


@office("look", section=SECTION, post="approve")
def withdraw_tablet(page: Page, tablet: UUID) -> HttpResponse:
    if not page.posted:
        return redirect("tablets")
    row = get_object_or_404(Tablet, pk=tablet, establishment=page.house)
    tablets.withdraw(tablet=row, by=page.person)
    return page.done(_("No PIN is taken on it any more."), "tablets")
