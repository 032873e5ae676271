"""Large prizes that wait for their witness, as items in the queue of approvals (A7)."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from django.urls import reverse
from django.utils.translation import gettext as _

from casino.house.pseudonyms import tokens
from casino.kit.approvals import pending_items
from casino.kit.approvals.pending_items import PendingItem
from casino.money.payouts import queries
from casino.play.settlement.holding import LARGE_PRIZE

if TYPE_CHECKING:
    from uuid import UUID

    from django.db.models import QuerySet

    from casino.house.establishments.models import Establishment
    from casino.play.settlement.models import Payout


def waiting(establishment: UUID) -> int:
    return _waiting(establishment).count()


def oldest(house: Establishment, most: int) -> list[PendingItem]:
    found = [_item(row) for row in _waiting(house.pk)[:most]]
    sentences = tokens.resolve(house.pk, [each.sentence for each in found])
    return [replace(each, sentence=named) for each, named in zip(found, sentences, strict=True)]


def _waiting(establishment: UUID) -> QuerySet[Payout]:
    return queries.waiting(establishment).filter(why__contains=LARGE_PRIZE)


def _item(row: Payout) -> PendingItem:
    values = {"player": row.payee, "table": row.table.name, "round": row.round}
    return PendingItem(
        title=_("Large prize"),
        sentence=_(
            "Won by %(player)s at %(table)s, round %(round)s: somebody who may approve, and did"
            " not record it, looks at the dice and witnesses it. A7"
        )
        % values,
        since=row.booked_at,
        address=reverse("payout", args=[row.game, row.cause, row.seq]),
        amount=row.held,
    )


SOURCE = pending_items.Source(name="large_prizes", act="approve", count=waiting, items=oldest)
