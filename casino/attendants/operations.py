"""Taking people on and letting them go, as events."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib.auth.password_validation import validate_password
from django.db import transaction
from django.utils import timezone

from casino.attendants.models import Attendant, Employment, Role
from casino.establishments import changes

if TYPE_CHECKING:
    from casino.establishments.models import Establishment


def employ(
    *, establishment: Establishment, attendant: Attendant, role: Role, by: Attendant | None
) -> Employment:
    """Give a person a role at a house. Two roles at once are refused by the database."""
    employment = Employment(establishment=establishment, attendant=attendant, role=role)
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
    by: Attendant,
) -> Employment:
    """
    Make a sign-in for somebody new and employ them, both or neither.

    The person's name and password stay out of the ledger; the employment is the event.

    :raises ValidationError: if the username is taken or the password is too easy.
    """
    person = Attendant(username=username, first_name=first_name, last_name=last_name)
    validate_password(password, person)
    person.set_password(password)
    with transaction.atomic():
        person.full_clean()
        person.save(force_insert=True)
        return employ(establishment=establishment, attendant=person, role=role, by=by)


def dismiss(*, employment: Employment, by: Attendant | None, reason: str = "") -> None:
    """End an employment: cut off at once, the record stays (D1)."""
    employment.until = timezone.now()
    changes.change(employment, establishment=employment.establishment, by=by, reason=reason)
