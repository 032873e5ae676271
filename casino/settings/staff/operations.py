"""Hiring people, changing their roles and dismissing them, as events (D1, C2)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib.auth.password_validation import validate_password
from django.db import transaction
from django.db.models import F
from django.utils import timezone
from knox.models import AuthToken

from casino.house.acts import changes
from casino.house.attendants import factors, lockout, passwords, permissions, signins
from casino.house.attendants.models import Attendant, Employment, Invitation, Role
from casino.house.establishments.models import Establishment
from games.refusals import Refused

if TYPE_CHECKING:
    from datetime import datetime

What = signins.What


class OwnRole(Refused):
    code = "own_role"


class LastManager(Refused):
    code = "last_manager"


class PlayerTaken(Refused):
    code = "player_taken"


class ReasonMissing(Refused):
    code = "reason_missing"


class HasLeft(Refused):
    code = "has_left"


class WorksElsewhere(Refused):
    code = "works_elsewhere"


class SecondPersonNeeded(Refused):
    code = "second_person_needed"


class OwnPlayer(Refused):
    code = "own_player"


def employ(
    *,
    establishment: Establishment,
    attendant: Attendant,
    role: Role,
    by: Attendant | None,
    invitation: Invitation | None = None,
) -> Employment:
    """
    Give a person a role at a house. The database refuses a second role at the same time.

    :param by: None if nobody decides it now: it is the program, or an invitation is accepted.
    :raises SecondPersonNeeded: if the house wants a second person to approve who is hired.
    """
    if by is not None and changes.wants_two(establishment):
        raise SecondPersonNeeded(
            f"At {establishment} a second person approves who is taken on: invite them under"
            " People, where it is put to them. C1"
        )
    employment = Employment(
        establishment=establishment, attendant=attendant, role=role, invitation=invitation
    )
    changes.create(employment, establishment=establishment, by=by)
    return employment


def hire(  # noqa: PLR0913 - a person and their place
    *,
    establishment: Establishment,
    username: str,
    first_name: str,
    last_name: str,
    password: str,
    role: Role,
    by: Attendant | None,
) -> Employment:
    """
    Make a sign-in for a new person and employ them; both are saved or neither.

    The person's name and password are not in the ledger; the employment is the event. With this
    first password they can only choose a password of their own, within a week.

    :raises ValidationError: if the username is taken or the password is too easy.
    """
    with transaction.atomic():
        person = sign_up(
            username=username, first_name=first_name, last_name=last_name, password=password
        )
        Attendant.objects.filter(pk=person.pk).update(password=passwords.first(password))
        return employ(establishment=establishment, attendant=person, role=role, by=by)


def sign_up(*, username: str, first_name: str, last_name: str, password: str) -> Attendant:
    """
    Make a sign-in for a new person, who works nowhere yet.

    :raises ValidationError: if the username is taken or the password is too easy.
    """
    person = Attendant(username=username, first_name=first_name, last_name=last_name)
    validate_password(password, person)
    person.set_password(password)
    person.full_clean()
    person.save(force_insert=True)
    return person


def change_role(*, employment: Employment, role: Role, by: Attendant | None, reason: str) -> None:
    """
    Give somebody another role; the event has before, after and the reason.

    Pages call `appointments.change_role`, which asks a second person if the house wants one.

    :raises OwnRole: if it is one's own role: nobody promotes themselves.
    :raises LastManager: if no manager would be left.
    :raises SecondPersonNeeded: if the house wants a second person to approve changes of roles.
    """
    employment.role = role
    revise(employment=employment, by=by, reason=reason)


def dismiss(*, employment: Employment, by: Attendant | None, reason: str = "") -> None:
    """
    End an employment: the person is cut off at once, the record stays (D1).

    From the next request on the person has no access at this house. If no other house employs them,
    they lose every session, every token and the PIN.

    :raises LastManager: if no manager would be left.
    """
    now = timezone.now()
    employment.until = now
    revise(employment=employment, by=by, reason=reason)


def link_player(
    *, employment: Employment, player: str, by: Attendant | None, reason: str = ""
) -> None:
    """
    Record as which player an employee plays at the house; an empty token: they do not play (D1b).

    :raises PlayerTaken: if a colleague is this player.
    :raises OwnPlayer: if somebody changes or removes the player they are themselves.
    :raises ValidationError: if the house knows no such player.
    """
    others = Employment.objects.filter(
        establishment=employment.establishment_id, player=player, until__isnull=True
    )
    if player and others.exclude(pk=employment.pk).exists():
        raise PlayerTaken("A colleague is this player already: look at the name again. D1b")
    employment.player = player
    revise(employment=employment, by=by, reason=reason)


def revise(*, employment: Employment, by: Attendant | None, reason: str = "") -> None:
    """
    Save an employment's new values. Every direct change or end of a role goes through here.

    :param by: None if the program does it, at the console; then the house may lose its last
        manager.
    :raises OwnRole: if it is one's own role.
    :raises LastManager: if the house would have no manager.
    :raises HasLeft: if the employment had ended before.
    :raises SecondPersonNeeded: if the house wants a second person to approve changes of roles. The
        end of an employment needs none.
    """
    with transaction.atomic():
        house = Establishment.objects.select_for_update(of=("self",), no_key=True).get(
            pk=employment.establishment_id
        )
        stored = Employment.objects.get(establishment=house, pk=employment.pk)
        if by is not None:
            permissions.require(by, "configure", house)
        check_change(stored, employment, by)
        _keeps_own_player(stored, employment, by)
        recall(stored, employment, now=timezone.now())
        changes.change(employment, establishment=house, by=by, reason=reason)
        if employment.until is not None and not permissions.roles(employment.attendant):
            cut_off(person=employment.attendant, by=by, now=timezone.now())


def check_change(stored: Employment, wanted: Employment, by: Attendant | None) -> None:
    """
    Check a change of an employment against the rules, without making it.

    :raises OwnRole, LastManager, HasLeft, SecondPersonNeeded: as for `revise`.
    """
    fits(stored, wanted, by)
    house = stored.establishment
    if by is not None and wanted.role != stored.role and changes.wants_two(house):
        raise SecondPersonNeeded(
            f"At {house} a second person approves a change of role: ask for it on the person's own"
            " page, under People. C1"
        )


def fits(stored: Employment, wanted: Employment, by: Attendant | None) -> None:
    """
    Like `check_change`, but for a change that a second person approves.

    :raises OwnRole, LastManager, HasLeft: as for `revise`.
    """
    if stored.until is not None:
        raise HasLeft("This employment has ended: take the person on anew. D1")
    if by is None:
        return
    if by.pk == stored.attendant_id and wanted.role != stored.role:
        raise OwnRole("Nobody changes their own role: another manager does. D1")
    stays = wanted.role == Role.MANAGER and wanted.until is None
    if stored.role == Role.MANAGER and not stays:
        others = Employment.objects.filter(
            establishment=stored.establishment_id,
            role=Role.MANAGER,
            until__isnull=True,
            attendant__is_active=True,
            attendant__is_superuser=False,  # superusers cannot sign in, so cannot manage (D1b)
        ).exclude(pk=stored.pk)
        if not others.exists():
            raise LastManager("The house would have no manager: make somebody else one first. D1")


def _keeps_own_player(stored: Employment, wanted: Employment, by: Attendant | None) -> None:
    """
    Refuse a change of one's own player.

    Otherwise somebody could stop being the player who is paid, approve the payout, and become the
    player again.
    """
    own = by is not None and by.pk == stored.attendant_id
    if own and stored.player and wanted.player != stored.player:
        raise OwnPlayer("As whom you play yourself is changed or ended by another manager. C1, D1b")


def recall(stored: Employment, wanted: Employment, *, now: datetime) -> None:
    """
    Revoke the open invitations of a person who is no longer a manager (D1).

    Otherwise a person who expects to be dismissed could keep a way back in.
    """
    if stored.role != Role.MANAGER or (wanted.role == Role.MANAGER and wanted.until is None):
        return
    links = Invitation.objects.select_for_update(of=("self",), no_key=True).filter(
        establishment=stored.establishment_id,
        invited_by=stored.attendant_id,
        accepted_at__isnull=True,
        revoked_at__isnull=True,
        expires_at__gt=now,
    )
    for link in links:
        link.revoked_at = now
        changes.change(link, establishment=stored.establishment, by=None)


def cut_off(
    *,
    person: Attendant,
    now: datetime,
    place: signins.Where | None = None,
    by: Attendant | None = None,
    pin: bool = True,
) -> None:
    """
    End every session and token of a person, and remove their PIN.

    :param pin: False keeps the PIN, when somebody only signs out everywhere.
    """
    wanted = {"sign_in_epoch": F("sign_in_epoch") + 1} | ({"pin": ""} if pin else {})
    with transaction.atomic():
        Attendant.objects.filter(pk=person.pk).update(**wanted)
        end_tokens(person)
    signins.note(What.CUT_OFF, at=now, place=place or signins.Where(), person=person, by=by)


def end_tokens(person: Attendant) -> None:
    """Delete all API tokens of a person: a password that is known to others also gave tokens."""
    AuthToken.objects.filter(user=person).delete()


def unlock(*, employment: Employment, by: Attendant, place: signins.Where, now: datetime) -> int:
    """Remove all locks of an employee; returns how many there were."""
    permissions.require(by, "configure", employment.establishment)
    person = employment.attendant
    fell = lockout.unlock(person, now)
    if fell:
        signins.note(What.UNLOCKED, at=now, place=place, person=person, by=by)
    return fell


def reset_factors(
    *, employment: Employment, by: Attendant, place: signins.Where, now: datetime
) -> None:
    """
    Remove all second factors of somebody who lost them; they enrol again at their next sign-in.

    All sessions and tokens of the person end too, so a lost phone is useless to its finder.

    :raises OwnRole: if it is oneself: another manager has to do it.
    :raises WorksElsewhere: if a house that `by` does not manage also employs the person.
    """
    person = employment.attendant
    permissions.require(by, "configure", employment.establishment)
    if person.pk == by.pk:
        raise OwnRole("Your own second factor is taken away by another manager. D2")
    if not permissions.roles(person).keys() <= set(permissions.houses(by, "configure")):
        raise WorksElsewhere(
            "Another house employs them, too: its manager has to agree. They can use a recovery"
            " code. D2"
        )
    for factor in factors.of(person):
        factors.remove(factor=factor, place=place, now=now, by=by)
    cut_off(person=person, now=now, place=place, by=by, pin=False)
