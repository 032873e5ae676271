"""
What the holder of a slip is told: the payout with its reason, and its player's evening.

Whoever finds a lost slip learns no name from it: players are called by their part in the sentence.
It is told of one gaming day, and only for some days (`slip_codes.LASTS`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from django.db.models import Sum
from django.utils.translation import gettext as _

from casino.floor.players.models import CashDay
from casino.floor.wall.content import put_labels
from casino.money.payouts import queries, receipt_slips, slip_codes
from casino.money.payouts.explained import Explained
from casino.play.settlement.models import Payout
from casino.words.presenters import TITLES
from ledger import proofs
from ledger.journal import read
from ledger.verify import leaf_hash

if TYPE_CHECKING:
    from collections.abc import Sequence

    from casino.house.establishments.models import Establishment

SHOWN: Final = 100  # payouts of an evening


@dataclass(frozen=True, slots=True)
class Told:
    """
    A payout without names.

    :param reasons: the throws that decided it, and why it was made.
    :param waits_for: what holds it, in words.
    :param code: the code of its own slip.
    """

    row: Payout
    game: str
    title: str
    reasons: Sequence[str]
    waits_for: Sequence[str]
    code: str

    @property
    def rules(self) -> list[str]:
        return self.row.rules.split()


def tell_payouts(
    house: Establishment, rows: Sequence[Payout], *, whole: bool = False
) -> list[Told]:
    """
    Payouts of one player without names.

    :param whole: whether to tell also by which throws the round ended.
    """
    explained, found = Explained(house, rows), []
    for row in rows:
        reasons = (explained.how(row), explained.why(row)) if whole else (explained.why(row),)
        if row.state == Payout.State.REVERSED:  # its round may have been played again
            reasons = (explained.why(row),)
        me, kind = {row.payee: _("this player")}, explained.kind(row)
        found.append(
            Told(
                row=row,
                game=kind,
                title=str(TITLES.get(kind, "")),
                reasons=[put_labels(each, me) for each in dict.fromkeys(reasons) if each],
                waits_for=[each["says"] for each in queries.reasons(row)],
                code=slip_codes.of(house, row),
            )
        )
    return found


def evening(house: Establishment, of: Payout) -> dict[str, Any]:
    """What the player of a payout won, paid, brought and took away on its gaming day."""
    day = Payout.objects.filter(establishment=house, gaming_day=of.gaming_day)
    stands = day.exclude(state=Payout.State.REVERSED)
    won = queries.payouts_of(house.pk).filter(gaming_day=of.gaming_day, payee=of.payee)
    cash = CashDay.objects.filter(
        establishment=house, gaming_day=of.gaming_day, player=of.payee
    ).first()
    return {
        "day": of.gaming_day,
        "payouts": tell_payouts(house, list(won[:SHOWN])),
        "won": _total(stands.filter(payee=of.payee)),
        "paid": _total(stands.filter(payer=of.payee)),
        "brought": cash.cash_in if cash else 0,
        "taken": cash.cash_out if cash else 0,
    }


def _total(rows: Any) -> int:
    return rows.aggregate(total=Sum("amount"))["total"] or 0


def check_address(house: Establishment, row: Payout) -> str:
    """Where anybody who has the receipt reads what became of the payout."""
    [event] = read(establishment=house.pk, after=row.position - 1, limit=1)
    return receipt_slips.address(house.pk, row.position, leaf_hash(event.body).hex())


def is_signed(row: Payout) -> bool:
    """Whether a checkpoint covers the payout, so that there is a proof."""
    try:
        proofs.covering(row.establishment_id, row.position)
    except proofs.NotCovered:
        return False
    return True
