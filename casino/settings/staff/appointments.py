"""
Changes of roles, and invitations, which may need a second person, like configuration (C1, C2, D1b).

    appointments.change_role(act, employment=…, role=Role.SUPERVISOR, reason="Passed the exam.")
    appointments.invite(act, name="Nell Ferro", role=Role.ATTENDANT, reason="For the garden.")

If the house wants a second person for changes of its configuration, these changes wait for one and
are carried out in that person's act. The person whose role it is does not decide about it. A
dismissal never waits: `operations.dismiss`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final
from uuid import UUID

from django.core.exceptions import ValidationError
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from casino.house.acts import acts, changes
from casino.house.attendants import permissions
from casino.house.attendants.models import Attendant, Employment, Invitation, Role
from casino.house.establishments.models import Establishment
from casino.kit.approvals import operations as approvals
from casino.kit.approvals import requests
from casino.kit.approvals.kinds import Kind
from casino.kit.approvals.models import RequestRow
from casino.kit.approvals.requests import State
from casino.settings.staff import invitations, operations
from games.refusals import Refused
from ledger import journal

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from django.db.models import Model, QuerySet

    from casino.kit.approvals.requests import Request

ROLE: Final = "role"
INVITATION: Final = "invitation"


class SameRole(Refused):
    code = "same_role"


class ChangedMeanwhile(Refused):
    code = "changed_meanwhile"


class AskerLeft(Refused):
    code = "asker_left"


@dataclass(frozen=True, slots=True)
class Offer:
    """
    An invitation that was made or asked for.

    :param secret: the secret in its link, which is shown only once.
    :param request: the request that waits for a second person; until then the link does not work.
    """

    invitation: Invitation
    secret: str
    request: UUID | None = None


def change_role(act: acts.Act, *, employment: Employment, role: Role, reason: str) -> UUID | None:
    """
    Give somebody another role, or ask for it if the house wants a second person.

    :returns: the request that waits, or None if the role is changed.
    :raises NotYours: unless the person may configure, with a second factor.
    :raises SameRole, OwnRole, LastManager, HasLeft: as `operations.revise`.
    :raises ReasonMissing: if a second person is to approve it and no reason is given.
    """
    by = _manager(act)
    stored = Employment.objects.get(pk=employment.pk, establishment=act.house)
    if stored.role == role:
        raise SameRole(_("They have this role already: nothing changes. D1"))
    if not changes.wants_two(act.house):
        operations.change_role(employment=employment, role=role, by=by, reason=reason)
        return None
    operations.fits(stored, _employment_wanted(stored, role), by)
    approvals.ask(
        act,
        kind=ROLE,
        subject={"employment": str(stored.pk), "before": stored.role, "after": str(role)},
        reason=reason,
        beneficiaries=[str(stored.attendant_id)],
    )
    return requests.id_of(act.house.pk, act.command_id)


def invite(act: acts.Act, *, name: str, role: Role, reason: str = "") -> Offer:
    """
    Invite somebody, or ask for it if the house wants a second person.

    The link is shown now and works once it is approved. The ledger has only the hash of its 192
    random bits, with which nobody can use the link.

    :raises NotYours: unless the person may configure, with a second factor.
    :raises InvitationSpent: if this act made an invitation already.
    :raises ReasonMissing: if a second person is to approve it and no reason is given.
    """
    by, house, key = _manager(act), act.house, act.command_id
    if not changes.wants_two(house):
        made, secret = invitations.invite(
            house=house, name=name, role=role, by=by, now=act.now, key=key
        )
        return Offer(made, secret)
    request = requests.id_of(house.pk, key)
    if journal.last(establishment=house.pk, stream=requests.stream_of(request)) is not None:
        raise invitations.InvitationSpent(REPEATED)
    draft, secret = invitations.draft(
        house=house, name=name, role=role, by=by, now=act.now, key=key
    )
    subject = {
        "invitation": str(draft.pk),
        "name": draft.name,
        "role": str(role),
        "link": draft.secret,
    }
    try:
        approvals.ask(act, kind=INVITATION, subject=subject, reason=reason)
    except journal.CommandReused:  # two taps at the same time: the other one got the link
        raise invitations.InvitationSpent(REPEATED) from None
    return Offer(draft, secret, request)


REPEATED: Final = "This invitation was asked for already; its link was shown then. D1"


def _manager(act: acts.Act) -> Attendant:
    if act.by is None:
        raise permissions.NotYours("A person decides who works here, by name. D1")
    permissions.require(act.by, "configure", act.house)
    return act.by


def _employment_wanted(stored: Employment, role: str) -> Employment:
    """The employment with another role, to be checked and not saved."""
    return Employment(
        pk=stored.pk,
        establishment=stored.establishment,
        attendant_id=stored.attendant_id,
        role=role,
        until=stored.until,
    )


# --- Carried out with the approval ----------------------------------------------------------------


def appoint(request: Request, by: Attendant, now: datetime) -> acts.Done:
    """
    Carry out a requested change of a role. Called within a transaction (`Kind.rows`).

    :raises ChangedMeanwhile: if the role has changed since the request.
    :raises LastManager, HasLeft: as `operations.fits`, if that has become so since.
    """
    _alone_with(request)
    subject = request.subject
    stored = Employment.objects.get(pk=subject["employment"], establishment=request.house)
    if why := _describe_move(stored, subject["before"]):
        raise ChangedMeanwhile(why)
    wanted = _employment_wanted(stored, subject["after"])
    operations.fits(stored, wanted, by)
    operations.recall(stored, wanted, now=now)
    before = changes.state_of(stored)
    stored.role = subject["after"]
    stored.full_clean()
    stored.save(force_update=True)
    return _record(request, stored, "changed", before)


def offer(request: Request, by: Attendant, now: datetime) -> acts.Done:
    """
    Make a requested invitation: from now on its link works, once.

    :raises AskerLeft: if the requester, who has the link, is no longer a manager of the house.
    """
    del by
    _alone_with(request)
    if why := invitation_refusals([request])[0]:
        raise AskerLeft(why)
    asker, subject = UUID(request.asked_by), request.subject
    invitation = Invitation(
        pk=UUID(subject["invitation"]),
        establishment=request.house,
        name=subject["name"],
        role=subject["role"],
        invited_by_id=asker,
        secret=subject["link"],
        made_at=now,
        expires_at=now + invitations.HOLDS,
    )
    try:
        invitation.full_clean()
    except ValidationError as invalid:
        raise ChangedMeanwhile(" ".join(invalid.messages)) from None
    invitation.save(force_insert=True)
    return _record(request, invitation, "created", None)


def invitation_refusals(requests: Sequence[Request]) -> list[str]:
    """Why each invitation can be made no longer, because who has its link is no manager; or ""."""
    managers = Employment.objects.filter(
        establishment=requests[0].house, role=Role.MANAGER, until__isnull=True
    )
    known = {str(each) for each in managers.values_list("attendant", flat=True)}
    why = _("Who has the link is no manager here any more: reject this, and invite anew. D1")
    return ["" if request.asked_by in known else why for request in requests]


def _alone_with(request: Request) -> None:
    """
    Lock the house, as `operations.revise` does, so that of two approvals at once one comes second.

    :raises AlreadyDecided: if another approval or rejection came first.
    """
    Establishment.objects.select_for_update(of=("self",), no_key=True).get(pk=request.house.pk)
    if requests.state(request.house, request.id).state != State.WAITING:
        raise approvals.AlreadyDecided(
            "Somebody decided this request a moment ago: nothing is left to do. C1"
        )


def _record(request: Request, thing: Model, happened: str, before: Any) -> acts.Done:
    kind = changes.kind_of(thing)
    stream = changes.record_stream(kind)
    event = journal.NewEvent(
        stream=stream,
        event_type=f"{kind}.{happened}",
        schema_version=1,
        data={
            "id": str(thing.pk),
            "before": before,
            "after": changes.state_of(thing),
            "reason": request.reason,
        },
    )
    guards = journal.versions(establishment=request.house.pk, streams=[stream])
    return acts.Done(guards=guards, events=[event])


# --- Requests in words ----------------------------------------------------------------------------


def describe_roles(requests: Sequence[Request]) -> list[str]:
    jobs = Employment.objects.select_related("attendant").filter(
        pk__in=[request.subject["employment"] for request in requests],
        establishment=requests[0].house,
    )
    people = {str(job.pk): job.attendant for job in jobs}
    return [
        _("%(who)s, until now %(before)s, becomes %(after)s.")
        % {
            "who": people[str(subject["employment"])],
            "before": _name_role(subject["before"]),
            "after": _name_role(subject["after"]),
        }
        for subject in (request.subject for request in requests)
    ]


def role_refusals(requests: Sequence[Request]) -> list[str]:
    """Why each change of a role can be made no longer, because it is another one by now; or ""."""
    ids = [request.subject["employment"] for request in requests]
    jobs = Employment.objects.filter(pk__in=ids, establishment=requests[0].house)
    known = {str(job.pk): job for job in jobs}
    return [
        _describe_move(known[request.subject["employment"]], request.subject["before"])
        for request in requests
    ]


def _describe_move(stored: Employment, before: str) -> str:
    if stored.until is not None or stored.role == before:
        return ""
    return _("Their role is %(role)s by now: reject this, and ask anew. C2") % {
        "role": _name_role(stored.role)
    }


def describe_invitations(requests: Sequence[Request]) -> list[str]:
    askers = Attendant.objects.in_bulk([UUID(request.asked_by) for request in requests])
    return [
        _(
            "The link that %(asker)s has opens a place as %(role)s for %(name)s, once, for seven"
            " days."
        )
        % {
            "asker": askers[UUID(request.asked_by)],
            "role": _name_role(request.subject["role"]),
            "name": request.subject["name"],
        }
        for request in requests
    ]


def _name_role(role: str) -> str:
    return str(Role(role).label).lower()


def _person_page(request: Request) -> str:
    return reverse("person", kwargs={"employment": request.subject["employment"]})


def waiting(house: Establishment, kind: str, **subject: str) -> QuerySet[RequestRow]:
    """The waiting requests of a kind at a house, about this subject if given; the oldest first."""
    rows = RequestRow.objects.filter(
        establishment=house, kind=kind, open=True, state=RequestRow.State.WAITING
    )
    about = {f"subject__{name}": value for name, value in subject.items()}
    return rows.filter(**about).order_by("position")


REQUESTS: Final = {
    ROLE: Kind(
        title=gettext_lazy("Change of role"),
        act="configure",
        carry_out=appoint,
        rows=True,
        tells=describe_roles,
        address=_person_page,
        refusals=role_refusals,
    ),
    INVITATION: Kind(
        title=gettext_lazy("Invitation"),
        act="configure",
        carry_out=offer,
        rows=True,
        tells=describe_invitations,
        refusals=invitation_refusals,
        address=lambda _request: reverse("people"),
    ),
}
