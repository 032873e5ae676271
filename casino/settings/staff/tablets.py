"""Shared floor tablets: enrolled and withdrawn by people who may approve (D3)."""

from __future__ import annotations

import hashlib
import secrets
from typing import TYPE_CHECKING, Final
from uuid import UUID

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone

from casino.house.acts import changes
from casino.house.attendants import permissions
from casino.house.attendants.models import Tablet
from casino.words.languages import spelled
from casino.words.languages.spelled import compact
from games.refusals import Refused

if TYPE_CHECKING:
    from casino.house.attendants.models import Attendant
    from casino.house.establishments.models import Establishment

COOKIE: Final = "tablet"
COOKIE_AGE: Final = 400 * 24 * 60 * 60  # seconds; as long as browsers keep a cookie


class NameTaken(Refused):
    code = "name_taken"


def enrol(*, house: Establishment, name: str, by: Attendant) -> tuple[Tablet, str]:
    """
    Make this device a floor tablet; returns the tablet and the value of the device's cookie.

    :raises NotYours: unless the person's role lets them approve, with a second factor.
    :raises NameTaken: if another tablet of the house has the name, or the name is not valid.
    """
    permissions.require(by, "approve", house)
    secret = secrets.token_urlsafe(32)
    tablet = Tablet(establishment=house, name=name.strip(), secret=_digest(secret), enrolled_by=by)
    try:
        with transaction.atomic():
            tablet.full_clean()
            tablet.save(force_insert=True)
            changes.record(
                establishment=house, thing=tablet, happened="created", before=None, by=by
            )
    except ValidationError:
        raise NameTaken(
            f"“{name.strip()}” is no name, or another tablet has it: take another."
        ) from None
    return tablet, f"{compact(house.pk)}.{tablet.pk}.{secret}"


def withdraw(*, tablet: Tablet, by: Attendant, reason: str = "") -> None:
    """Withdraw a tablet: from now on no PIN works on it."""
    permissions.require(by, "approve", tablet.establishment)
    if tablet.withdrawn_at is not None:
        return
    before = changes.state_of(tablet)
    tablet.withdrawn_at = timezone.now()
    with transaction.atomic():
        tablet.save(force_update=True)
        changes.record(
            establishment=tablet.establishment,
            thing=tablet,
            happened="changed",
            before=before,
            by=by,
            reason=reason,
        )


def tablet_of_cookie(cookie: str) -> Tablet | None:
    """The tablet that has this cookie, unless it was withdrawn."""
    house, _, rest = cookie.partition(".")
    number, _, secret = rest.partition(".")
    at = spelled.read(house)
    try:
        key = UUID(number)
    except ValueError:
        return None
    found = Tablet.objects.select_related("establishment").filter(
        establishment=at, pk=key, secret=_digest(secret), withdrawn_at__isnull=True
    )
    return found.first() if at is not None else None


def _digest(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()
