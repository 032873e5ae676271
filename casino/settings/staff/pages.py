"""Pages of the people of a house: who works there, invitations, one employee, tablets (D1, D3)."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlencode

from django import forms
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from casino.house.acts import changes
from casino.house.attendants import known_browsers, lockout, permissions, signins
from casino.house.attendants.models import Employment, Invitation, Role, SignIn, Tablet
from casino.house.attendants.pseudonyms import tokens
from casino.house.attendants.pseudonyms import tokens as pseudonyms
from casino.kit.web.forms import ActForm, status_of
from casino.kit.web.listings.pages import of_rows, page_with_list
from casino.kit.web.pages import REFUSALS, Outcome, Page, office
from casino.settings.configuration.operations import Became
from casino.settings.configuration.pages import outcome_text
from casino.settings.staff import appointments, invitations, listings, operations, tablets
from casino.settings.staff.listings import PEOPLE, SIGN_INS
from games.refusals import Refused

if TYPE_CHECKING:
    from collections.abc import Callable
    from uuid import UUID

    from django.http import HttpResponse, QueryDict

    from casino.kit.approvals.models import RequestRow

SECTION: Final = "people"


@office("audit", section=SECTION)
def people(page: Page) -> HttpResponse:
    """Who works here, and who is invited."""
    return page_with_list(page, PEOPLE, "settings/staff/people.html", lambda: _context(page))


def _context(page: Page) -> dict[str, Any]:
    """What the page shows beside its list: who is invited, and what needs attention."""
    invited = list(invitations.open_at(page.house, page.now))
    requested = list(appointments.waiting(page.house, appointments.INVITATION))
    names = [[row.name for row in invited], [row.subject["name"] for row in requested]]
    invited_names, requested_names = tokens.resolve(page.house.pk, names)
    managers = Employment.objects.filter(
        establishment=page.house, role=Role.MANAGER, until__isnull=True
    )
    return {
        "invitations": [
            {"row": row, "name": name} for row, name in zip(invited, invited_names, strict=True)
        ],
        "requested": [
            {"id": row.id, "name": name, "role": role_asked_for(row)}
            for row, name in zip(requested, requested_names, strict=True)
        ],
        "managers": managers.count(),
        "offered": not permissions.second_factor_required(),
        "acts": page.may("configure"),
    }


def role_asked_for(row: RequestRow) -> str:
    """The label of the role that a request would give."""
    return str(Role(row.subject.get("after") or row.subject["role"]).label)


# The pages that invite people to work at a house, and revoke an invitation (D1).


NAME_MOST: Final = 80  # letters


class InviteForm(ActForm):
    name = forms.CharField(
        label=gettext_lazy("Name, as you know them"),
        max_length=NAME_MOST,
        help_text=gettext_lazy("They choose themselves what they sign in with."),
    )
    role = forms.ChoiceField(label=gettext_lazy("Role"), choices=Role.choices)
    reason = forms.CharField(
        label=gettext_lazy("Why"),
        max_length=200,
        help_text=gettext_lazy("For the second person, who approves it. C1"),
    )

    def __init__(self, *args: Any, two: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if not two:
            del self.fields["reason"]


@office("configure", section=SECTION)
def invite(page: Page) -> HttpResponse:
    """Invite somebody; the link is shown with the answer to the form, and never again."""
    two = changes.wants_two(page.house)
    form = InviteForm(page.sent, two=two)
    if not form.is_valid():
        return page.show("settings/staff/invite.html", {"form": form, "two": two})
    given = form.cleaned_data
    try:
        offer = appointments.invite(
            page.act(form.act_id),
            name=given["name"],
            role=Role(given["role"]),
            reason=given.get("reason", ""),
        )
    except REFUSALS as refused:
        return page.refused(refused, "people")
    context = {
        "invitation": offer.invitation,
        "name": given["name"],
        "link": link_of(page, offer.secret),
        "request_id": offer.request,
    }
    return page.show("settings/staff/invited.html", context)


def link_of(page: Page, secret: str) -> str:
    """The address of an invitation, to be given to the person who is invited."""
    key = urlencode({"key": secret})
    return page.request.build_absolute_uri(f"{reverse('invitation')}?{key}")


@office("audit", section=SECTION, post="configure")
def revoke(page: Page, invitation: UUID) -> HttpResponse:
    if not page.posted:
        return redirect("people")
    row = get_object_or_404(Invitation, pk=invitation, establishment=page.house)
    return page.put(
        lambda: invitations.revoke(invitation=row, by=page.person, now=page.now),
        _("The invitation is called back; its link opens nothing."),
        "people",
    )


#
# The page of one employee: role, player, locks and lost factors, dismissal (D1, D2).
#
# Managers act, auditors only read. Every change is an operation that leaves an event.


SIGN_INS_LISTED: Final = 20


class RoleForm(ActForm):
    role = forms.ChoiceField(label=gettext_lazy("New role"), choices=Role.choices)
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


@office("audit", section=SECTION, post="configure")
def person(page: Page, employment: UUID) -> HttpResponse:
    """One person at this house: their roles over time, and what a manager may change."""
    found = page_of_employment(page, employment)
    player = pseudonyms.resolve(page.house.pk, found.player)
    here: dict[str, ActForm] = {
        "role": RoleForm(_form_sent(page, "role"), initial={"role": found.role}, prefix="role"),
        "player": PlayerForm(
            _form_sent(page, "player"), initial={"player": player}, prefix="player"
        ),
        "leaving": LeavingForm(_form_sent(page, "leaving"), prefix="leaving"),
    }
    if page.posted:
        answer = _person_changed(page, found, here)
        if answer is not None:
            return answer
    held = next(
        each
        for each in listings.access_listing(page.house, page.now)
        if each.employment.pk == found.pk
    )
    mine = SignIn.objects.filter(establishment=page.house, attendant=found.attendant_id)
    context = {
        "employment": found,
        "access": held,
        "spells": [(Role(each.role).label, each.since, each.until) for each in held.spells],
        "forms": here,
        "own": found.attendant_id == page.person.pk,
        "acts": page.may("configure") and found.until is None,
        "approves": found.role in permissions.ALLOWED["approve"],
        "player": player,
        "two": changes.wants_two(page.house),
        "requested": [
            {"id": row.id, "role": role_asked_for(row)}
            for row in appointments.waiting(page.house, appointments.ROLE, employment=str(found.pk))
        ],
        "locked": lockout.locks_of(found.attendant, page.now).exists(),
        "sign_ins": of_rows(
            page,
            SIGN_INS,
            mine.select_related("attendant", "by").order_by("-at", "-id")[:SIGN_INS_LISTED],
            without=("who",),
        ),
    }
    return page.show("settings/staff/person.html", context, status=status_of(*here.values()))


def _form_sent(page: Page, name: str) -> QueryDict | None:
    """The form data, if it was sent by the form of this name."""
    return page.sent if page.sent is not None and page.sent.get("do") == name else None


def page_of_employment(page: Page, employment: UUID) -> Employment:
    rows = Employment.objects.select_related("attendant", "establishment")
    return get_object_or_404(rows, pk=employment, establishment=page.house)


def _person_changed(page: Page, found: Employment, here: dict[str, ActForm]) -> HttpResponse | None:
    """Carry out what a manager sent about an employment; None if a field is not valid."""
    do = page.request.POST.get("do", "")
    form = here.get(do)
    if form is not None and not form.is_valid():
        return None
    given: dict[str, Any] = form.cleaned_data if form is not None else {}
    place = signins.where(page.request)
    acts: dict[str, Callable[[], object]] = {
        "role": lambda: appointments.change_role(
            page.act(given["command_id"]),
            employment=found,
            role=Role(given["role"]),
            reason=given["reason"],
        ),
        "player": lambda: operations.link_player(
            employment=found, player=token_of(page, given["player"]), by=page.person
        ),
        "leaving": lambda: operations.dismiss(
            employment=found, by=page.person, reason=given["reason"]
        ),
        "unlock": lambda: operations.unlock(
            employment=found, by=page.person, place=place, now=page.now
        ),
        "reset": lambda: operations.reset_factors(
            employment=found, by=page.person, place=place, now=page.now
        ),
    }
    if do not in acts:
        return page.refused(_("Nothing was asked for."), "person", employment=found.pk)
    try:
        done = acts[do]()
    except ValidationError as invalid:
        return page.refused(" ".join(invalid.messages), "person", employment=found.pk)
    except REFUSALS as refused:
        return page.refused(refused, "person", employment=found.pk)
    if do == "role" and done is not None:
        return page.done(outcome_text(Became.WAITING), "person", employment=found.pk)
    where: dict[str, Any] = {} if do == "leaving" else {"employment": found.pk}
    url = reverse("person", args=[found.pk])
    said = Outcome(_("Done, and on record."), str(found.attendant), url)
    return page.done(said, "person" if where else "people", **where)


def token_of(page: Page, name: str) -> str:
    """
    The token of a player of the house.

    :raises UnknownName: if nobody has played under the name yet.
    """
    name = name.strip()
    if not name:
        return ""
    tokens = pseudonyms.player_tokens(page.house.pk, [name], new=False)
    if name not in tokens:
        raise UnknownName(
            _("Nobody called “%(name)s” has played here: write it as at the table. D1b")
            % {"name": name}
        )
    return tokens[name]


class UnknownName(Refused):
    code = "unknown_player"


# The pages of floor tablets, on which a PIN works: their list, and enrolling this device (D3).


class TabletForm(ActForm):
    name = forms.CharField(
        label=gettext_lazy("What you call it"),
        max_length=40,
        help_text=gettext_lazy("As its sticker says: Tablet 1, Garden."),
    )


@office("look", section=SECTION, post="approve")
def floor_tablets(page: Page) -> HttpResponse:
    """The house's tablets; a person who may approve can make this device one of them."""
    here = tablets.tablet_of_cookie(page.request.COOKIES.get(tablets.COOKIE, ""))
    if here is not None and here.establishment_id != page.house.pk:
        here = None
    form = TabletForm(page.sent)
    if form.is_valid():
        try:
            tablet, cookie = tablets.enrol(
                house=page.house, name=form.cleaned_data["name"], by=page.person
            )
        except Refused as refused:
            form.refuse(page.why(refused), "name")
        else:
            return _enrol(page, tablet, cookie)
    rows = Tablet.objects.filter(establishment=page.house, withdrawn_at__isnull=True)
    context = {
        "form": form,
        "here": here,
        "tablets": rows.select_related("enrolled_by").order_by("name"),
        "acts": page.may("approve"),
    }
    return page.show("settings/staff/tablets.html", context)


def _enrol(page: Page, tablet: Tablet, cookie: str) -> HttpResponse:
    request = page.request
    messages.success(
        request, _("This device is the floor tablet “%(name)s” now.") % {"name": tablet.name}
    )
    answer = redirect("floor-attendant")
    known_browsers.keep(request, answer, tablets.COOKIE, cookie, tablets.COOKIE_AGE)
    if signins.DEVICE_COOKIE not in request.COOKIES:
        device = f"floor-{secrets.token_hex(6)}"
        known_browsers.keep(request, answer, signins.DEVICE_COOKIE, device, tablets.COOKIE_AGE)
    return answer


@office("look", section=SECTION, post="approve")
def withdraw_tablet(page: Page, tablet: UUID) -> HttpResponse:
    if not page.posted:
        return redirect("tablets")
    row = get_object_or_404(Tablet, pk=tablet, establishment=page.house)
    tablets.withdraw(tablet=row, by=page.person)
    sentence = _("No PIN is taken on the floor tablet “%(name)s” any more.")
    return page.done(sentence % {"name": row.name}, "tablets")
