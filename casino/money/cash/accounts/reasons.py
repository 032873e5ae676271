"""The catalogue of the reasons of transfers: a sentence for each, which says why money moved."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

if TYPE_CHECKING:
    from collections.abc import Mapping

    from django.utils.functional import _StrPromise

SENTENCES: Final[Mapping[str, _StrPromise]] = {
    # At the table
    "buy_in": gettext_lazy("Bought in: cash for a stake."),
    "cash_out": gettext_lazy("Cashed out: a stake for cash."),
    "house_seat": gettext_lazy("The house's own seat brought its stake."),
    "fee_box": gettext_lazy("A fee, from the float into the table's fee box."),
    # Between the tables and the cage
    "opener": gettext_lazy("Opener: a counted float brought to the table."),
    "closer": gettext_lazy("Closer: the counted float back to the cage."),
    "left_over": gettext_lazy("What the book still had at the table, to the cage."),
    "fill": gettext_lazy("Fill: from the cage to the table, by a numbered slip."),
    "credit": gettext_lazy("Credit: from the table to the cage, by a numbered slip."),
    "over_short": gettext_lazy("Over/short: what a count found more, or less, than the book has."),
    "fee_count": gettext_lazy("The fee box was counted by two people and emptied into the cage."),
    # The house's own
    "capital": gettext_lazy("The house's own money, brought into the cage."),
    "to_bank": gettext_lazy("Cash taken from the cage to the bank."),
    # Owed
    "prize": gettext_lazy("A prize was won on the scoreboard: the house owes it."),
    "prize_handed_out": gettext_lazy("A prize was handed out."),
    "late_cash_out": gettext_lazy("A stake that was left behind, paid at the cage."),
    "tip": gettext_lazy("A tip, held for an attendant."),
    "tip_paid_out": gettext_lazy("Tips handed to their attendant."),
    # Held and adjusted
    "held": gettext_lazy("Held until somebody has looked at it."),
    "released": gettext_lazy("Released after it was held."),
    "held_drawn": gettext_lazy("Taken from what is held: the player owed more than lay free."),
    "advanced": gettext_lazy("Advanced by the house: an adjustment had taken it before."),
    "adjustment_handed_out": gettext_lazy("What an adjustment left was handed out at the cage."),
    "adjustment": gettext_lazy("An adjustment, asked for by one person and approved by another."),
}


def sentence(reason: str, *, reverses: bool = False) -> str:
    """
    The sentence for the reason of a transfer.

    A reason that is not in the catalogue consists of numbers of the game's rules.
    """
    if reverses:
        return _("Taken back: a void moved it the other way (G4).")
    if reason in SENTENCES:
        return str(SENTENCES[reason])
    if reason.replace(" ", "").isalnum() and reason.upper() == reason:
        return _("By the rules of the game: %(rules)s.") % {"rules": reason}
    return reason.replace("_", " ").capitalize() + "."


def rules(reason: str) -> list[str]:
    """The numbers of the rules that a reason consists of; empty for reasons of the catalogue."""
    named = reason.replace(" ", "").isalnum() and reason.upper() == reason
    return reason.split() if named else []
