"""
Rounds: what is done for every house now and then is done for some of them each time.

So a watch over ten thousand houses costs no more than one over as many as it takes in a turn.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from casino.establishments.models import Establishment

if TYPE_CHECKING:
    from datetime import datetime
    from uuid import UUID


def of_houses(now: datetime, *, every: int, most: int) -> list[UUID]:
    """
    The houses whose turn it is: all, if there are no more than `most`; else as many, the next ones
    `every` seconds later. Two queries. Nothing is kept: a turn that is missed comes with the next
    round, and so does a house that was founded meanwhile.
    """
    houses = Establishment.objects.order_by("pk").values_list("pk", flat=True)
    turns = max(1, -(-Establishment.objects.count() // most))
    turn = int(now.timestamp()) // every % turns
    return list(houses[turn * most : (turn + 1) * most])
