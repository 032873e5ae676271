"""
The page of one employee: role, player, locks and lost factors, dismissal (D1, D2).

Managers act, auditors only read. Every change is an operation that leaves an event.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from django import forms
from django.core.exceptions import ValidationError
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from casino.house.acts import changes
from casino.house.attendants import lockout, permissions, signins
from casino.house.attendants.models import Employment, Role, SignIn
from casino.house.attendants.pseudonyms import tokens as pseudonyms
from casino.kit.web.forms import ActForm, status_of
from casino.kit.web.listings.pages import of_rows
from casino.kit.web.pages import REFUSALS, Outcome, Page, office
from casino.settings.configuration.operations import Became
from casino.settings.configuration.submit import outcome_text
from casino.settings.staff import access, appointments, operations
from casino.settings.staff.listings import SIGN_INS
from casino.settings.staff.pages import SECTION, role_asked_for
from games.refusals import Refused

if TYPE_CHECKING:
    from collections.abc import Callable
    from uuid import UUID

    from django.http import HttpResponse, QueryDict

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
        each for each in access.listing(page.house, page.now) if each.employment.pk == found.pk
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
