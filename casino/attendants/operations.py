"""Taking people on and letting them go, as events."""

from __future__ import annotations

from typing import TYPE_CHECKING

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


def dismiss(*, employment: Employment, by: Attendant | None, reason: str = "") -> None:
    """End an employment: cut off at once, the record stays (D1)."""
    employment.until = timezone.now()
    changes.change(employment, establishment=employment.establishment, by=by, reason=reason)
