"""Invitations by a link that works once (D1): the person chooses user name and password."""

from __future__ import annotations

import hashlib
import secrets
from datetime import timedelta
from typing import TYPE_CHECKING, Final

from django.db import IntegrityError, transaction

from casino.house.acts import changes
from casino.house.attendants.models import Employment, Invitation, Role
from casino.house.attendants.pseudonyms import tokens as pseudonyms
from casino.settings.staff.operations import SecondPersonNeeded, employ, sign_up
from games.refusals import Refused

if TYPE_CHECKING:
    from datetime import datetime
    from uuid import UUID

    from django.db.models import QuerySet

    from casino.house.attendants.models import Attendant
    from casino.house.establishments.models import Establishment

HOLDS: Final = timedelta(days=7)


class InvitationSpent(Refused):
    code = "invitation_spent"


class WorksHere(Refused):
    code = "works_here"


def invite(  # noqa: PLR0913 - who, as what, by whom
    *,
    house: Establishment,
    name: str,
    role: Role,
    by: Attendant | None,
    now: datetime,
    key: UUID | None = None,
) -> tuple[Invitation, str]:
    """
    Make an invitation; returns it with the secret of its link, of which only the hash is stored.

    Pages call `appointments.invite`, which asks a second person if the house wants one.

    :param key: the command's id, so that a second tap makes no second invitation.
    :param by: None at the console, where a house is founded with its first manager.
    :raises NotYours: unless the person may configure, with a second factor.
    :raises InvitationSpent: if `key` has made an invitation already.
    :raises SecondPersonNeeded: if the house wants a second person to approve who is hired.
    """
    if by is not None and changes.wants_two(house):
        raise SecondPersonNeeded(
            f"At {house} a second person approves who is taken on: invite them under People, where"
            " it is put to them. C1"
        )
    invitation, secret = draft(house=house, name=name, role=role, by=by, now=now, key=key)
    changes.create(invitation, establishment=house, by=by)
    return invitation, secret


def draft(  # noqa: PLR0913 - as `invite`
    *,
    house: Establishment,
    name: str,
    role: Role,
    by: Attendant | None,
    now: datetime,
    key: UUID | None = None,
) -> tuple[Invitation, str]:
    """
    An invitation that is not saved yet, and the secret of its link.

    :raises InvitationSpent: if `key` has made an invitation already.
    """
    secret = secrets.token_urlsafe(24)
    if key and Invitation.objects.filter(establishment=house, pk=key).exists():
        raise InvitationSpent("This invitation was made already; its link was shown then. D1")
    invitation = Invitation(
        establishment=house,
        name=pseudonyms.keep(house.pk, name.strip()),
        role=role,
        invited_by=by,
        secret=_digest(secret),
        made_at=now,
        expires_at=now + HOLDS,
        **({"id": key} if key else {}),
    )
    return invitation, secret


def open_at(house: Establishment, now: datetime) -> QuerySet[Invitation]:
    """The open invitations of a house: neither accepted nor revoked nor expired."""
    return Invitation.objects.filter(
        establishment=house,
        accepted_at__isnull=True,
        revoked_at__isnull=True,
        expires_at__gt=now,
    ).order_by("made_at")


def revoke(*, invitation: Invitation, by: Attendant, now: datetime, reason: str = "") -> None:
    """:raises InvitationSpent: if the invitation was accepted already."""
    with transaction.atomic():
        fresh = Invitation.objects.select_for_update(of=("self",), no_key=True).get(
            establishment=invitation.establishment_id, pk=invitation.pk
        )
        if fresh.accepted_at is not None:
            raise InvitationSpent("It was taken up already: dismiss the person instead. D1")
        fresh.revoked_at = fresh.revoked_at or now
        changes.change(fresh, establishment=fresh.establishment, by=by, reason=reason)


def find(secret: str, now: datetime) -> Invitation:
    """
    The invitation of a link.

    :raises InvitationSpent: if no invitation of the link is valid; the message does not say why.
    """
    known = Invitation.objects.select_related("establishment").filter(secret=_digest(secret))
    invitation = known.first()
    if invitation is None or not _holds(invitation, now):
        raise InvitationSpent(
            "This link does not hold, not yet or no longer: ask a manager of the house. D1"
        )
    return invitation


def _holds(invitation: Invitation, now: datetime) -> bool:
    gone = invitation.accepted_at or invitation.revoked_at
    return gone is None and now < invitation.expires_at


def accept_as_new(  # noqa: PLR0913 - a person
    *,
    secret: str,
    username: str,
    first_name: str,
    last_name: str,
    password: str,
    now: datetime,
) -> Employment:
    """
    Accept an invitation with a new sign-in; both are saved or neither.

    :raises InvitationSpent: if the link is not valid.
    :raises ValidationError: if the username is taken or the password is too easy.
    """
    with transaction.atomic():
        invitation = _lock(secret, now)
        person = sign_up(
            username=username, first_name=first_name, last_name=last_name, password=password
        )
        return _take(invitation, person, now)


def accept(*, secret: str, person: Attendant, now: datetime) -> Employment:
    """
    Accept an invitation with the sign-in that the person has.

    :raises InvitationSpent: if the link is not valid.
    :raises WorksHere: if the person works at the house already.
    """
    with transaction.atomic():
        invitation = _lock(secret, now)
        here = Employment.objects.filter(
            establishment=invitation.establishment_id, attendant=person, until__isnull=True
        )
        if here.exists():
            raise WorksHere("You work here already: a manager changes your role instead. D1")
        return _take(invitation, person, now)


def _lock(secret: str, now: datetime) -> Invitation:
    """The invitation, locked for this transaction, so that of two taps only one accepts it."""
    known = find(secret, now)
    fresh = Invitation.objects.select_for_update(of=("self",), no_key=True).select_related(
        "establishment"
    )
    invitation = fresh.get(establishment=known.establishment_id, pk=known.pk)
    return invitation if _holds(invitation, now) else find(secret, now)


def _take(invitation: Invitation, person: Attendant, now: datetime) -> Employment:
    invitation.accepted_at, invitation.accepted_by = now, person
    house = invitation.establishment
    try:
        changes.change(invitation, establishment=house, by=None)
        return employ(
            establishment=house,
            attendant=person,
            role=Role(invitation.role),
            by=None,
            invitation=invitation,
        )
    except IntegrityError:
        raise WorksHere("You work here already: a manager changes your role instead. D1") from None


def _digest(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()
