"""Words that every game has: fees, reasons, names in a row."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

if TYPE_CHECKING:
    from collections.abc import Sequence

    from games.fees import Fee

REASONS: Final = {
    "cocked": gettext_lazy("cocked die"),
    "off_table": gettext_lazy("off the table"),
    "interference": gettext_lazy("interference"),
}


def fee(agreed: Fee, *, pot: str) -> str:
    """
    What the house takes (G6).

    :param pot: what the game calls its pot.
    """
    match agreed.kind:
        case "rake":
            return _("%(percent)s %% of the %(pot)s") % {"percent": agreed.percent, "pot": pot}
        case "seat":
            return _("%(amount)s a round") % {"amount": agreed.amount}
        case _:
            terms = {"amount": agreed.amount, "minutes": agreed.minutes}
            return _("%(amount)s every %(minutes)s min") % terms


def names(people: Sequence[str]) -> str:
    """Ada, Bo and Cyd."""
    if len(people) < 2:  # noqa: PLR2004 - one name needs no "and"
        return "".join(people)
    return _("%(names)s and %(last)s") % {"names": ", ".join(people[:-1]), "last": people[-1]}
