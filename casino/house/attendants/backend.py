"""
Django's authentication backend: sign-in by name and password, with lockout and log (D1b, D2).

Superusers cannot sign in. The sign-in page, API tokens and the admin all use `authenticate`, so
guesses are counted together, wherever they are made.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib.auth.backends import BaseBackend
from django.core.exceptions import PermissionDenied
from django.utils import timezone
from django.utils.translation import ngettext

from casino.house.attendants import lockout, passwords, signins
from casino.house.attendants.models import Attendant, SignIn

if TYPE_CHECKING:
    from datetime import datetime
    from uuid import UUID

What = signins.What


class StaffBackend(BaseBackend):
    def authenticate(  # type: ignore[override]  # the keywords are a form's own
        self,
        request: Any,
        username: str | None = None,
        password: str | None = None,
    ) -> Attendant | None:
        """:raises PermissionDenied: while sign-in is locked for this name from this place."""
        if username is None or password is None:
            return None
        now, place = timezone.now(), signins.where(request)
        person = Attendant.objects.filter(username=username).first()
        tried = lockout.password(username, place.address, person, place.number(person))

        def noted(what: SignIn.What) -> None:
            signins.note(what, at=now, place=place, person=person, name=username, way="password")

        try:
            last = lockout.spend_all(tried, now)
        except lockout.LockedOut as locked:
            noted(What.LOCKED)
            raise PermissionDenied(str(locked)) from None
        if person is None:
            Attendant().set_password(password)  # takes as long as for a name that exists
        elif passwords.holds(person, password, now) and welcome(person):
            lockout.right(tried)
            return person
        noted(What.WRONG_PASSWORD)
        if last:
            noted(What.LOCKED)
        return None

    def get_user(self, user_id: UUID) -> Attendant | None:
        person = Attendant.objects.filter(pk=user_id).first()
        return person if person and welcome(person) else None


def end_of_lock(name: str, place: signins.Where, now: datetime) -> datetime | None:
    """Until when sign-in is locked for this name from this place; None if it is not."""
    person = Attendant.objects.filter(username=name).first()
    tried = lockout.password(name, place.address, person, place.number(person))
    return lockout.end_of_lock(tried, now)


def lock_sentence(until: datetime, now: datetime) -> str:
    """What whoever tries a locked name is told."""
    minutes = lockout.minutes(until, now)
    sentence = ngettext(
        "Too many tries with this name from here: no more are taken for a minute."
        " A manager can unlock you. D2",
        "Too many tries with this name from here: no more are taken for %(minutes)s minutes."
        " A manager can unlock you. D2",
        minutes,
    )
    return sentence % {"minutes": minutes}


def welcome(person: Attendant) -> bool:
    """
    Whether a person may sign in at all.

    A superuser may not (D1b): that account is for the console of the machine's owner.
    """
    return person.is_active and not person.is_superuser
