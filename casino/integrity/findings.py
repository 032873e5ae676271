"""Sentences about what verifications have found."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from casino.integrity import rollback_detection
from casino.integrity.models import VerificationFinding

if TYPE_CHECKING:
    from collections.abc import Mapping
    from uuid import UUID

    from django.utils.functional import _StrPromise

STOPPED: Final[Mapping[str, _StrPromise]] = {
    "regrade": gettext_lazy("a regrade found payouts that differ"),
    rollback_detection.WHY: gettext_lazy("the book is behind a checkpoint that is kept outside"),
}


def why_stopped(why: str) -> str:
    """
    Why payouts were stopped, in a few words.

    :param why: as the event of the stop has it.
    """
    return str(STOPPED.get(why, _("a check of the house's records failed")))


def because(establishment: UUID, about: str) -> str:
    """
    Why a verification stopped the payouts of a house: its first finding (E2).

    :param about: the verification's id, as the stop of payouts has it.
    """
    rows = VerificationFinding.objects.filter(establishment=establishment, job=about)
    first = rows.order_by("seq").values_list("details", flat=True).first()
    if first is None:
        return _("a verification found that records were changed")
    return _("a verification found: %(says)s") % {"says": first["says"].removesuffix(".")}


def line(details: Mapping[str, Any]) -> str:
    """A finding for people at a terminal: the check, the position, the sentence, the values."""
    first, last = details.get("from"), details.get("to")
    where = "" if first is None else f"position {first}: "
    if first is not None and last != first:
        where = f"positions {first} to {last}: "
    lines = [f"! {details['what']}: {where}{details['says']}"]
    if "expected" in details or "found" in details:
        lines += [f"    {side}: {details.get(side)}" for side in ("expected", "found")]
    return "\n".join(lines)
