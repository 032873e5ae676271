"""What verifications have found, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext as _

from casino.integrity.models import VerificationFinding

if TYPE_CHECKING:
    from collections.abc import Mapping
    from uuid import UUID


def because(establishment: UUID, about: str) -> str:
    """
    Why a verification stopped the payouts of a house: the first thing that it found (E2).

    :param about: the verification's id, as the stop has it.
    """
    rows = VerificationFinding.objects.filter(establishment=establishment, job=about)
    first = rows.order_by("seq").values_list("details", flat=True).first()
    if first is None:
        return _("a verification found that records were changed")
    return _("a verification found: %(says)s") % {"says": first["says"]}


def line(told: Mapping[str, Any]) -> str:
    """A finding for people at a terminal: where, what, and what stands there instead."""
    first, last = told.get("from"), told.get("to")
    where = "" if first is None else f"position {first}: "
    if first is not None and last != first:
        where = f"positions {first} to {last}: "
    lines = [f"! {told['what']}: {where}{told['says']}"]
    if "expected" in told or "found" in told:
        lines += [f"    {side}: {told.get(side)}" for side in ("expected", "found")]
    return "\n".join(lines)
