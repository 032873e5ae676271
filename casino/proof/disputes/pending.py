"""Open disputes in the queue of approvals: a second person decides each (C3)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext as _

from casino.kit.approvals import pending_items
from casino.kit.approvals.pending_items import PendingItem
from casino.proof.disputes import queries

if TYPE_CHECKING:
    from casino.house.establishments.models import Establishment
    from casino.proof.disputes.queries import Card


def oldest(house: Establishment, most: int) -> list[PendingItem]:
    return [_item(card) for card in queries.cards(house, queries.open_(house.pk)[:most])]


def _item(card: Card) -> PendingItem:
    values = {"table": card.table, "round": card.round, "who": card.raised_by, "why": card.reason}
    return PendingItem(
        title=_("Dispute"),
        sentence=_("%(table)s, round %(round)s, raised by %(who)s: %(why)s") % values,
        since=card.raised_at,
        address=queries.address(card.row),
    )


SOURCE = pending_items.Source(name="disputes", act="approve", count=None, items=oldest)
"""No `count`: the rail shows the number of open disputes separately."""
