"""
Rounds: what is done for every house now and then is done for some of them each time.

So a watch over ten thousand houses costs no more than one over as many as it takes in a turn.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from casino.house.establishments.models import Establishment

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime
    from uuid import UUID


def of_houses(now: datetime, *, every: int, most: int) -> list[UUID]:
    """
    The houses whose turn it is: all, if there are no more than `most`; else as many, the next ones
    `every` seconds later. Two queries. Nothing is kept: a turn that is missed comes with the next
    round, and so does a house that was founded meanwhile.
    """
    houses = Establishment.objects.order_by("pk").values_list("pk", flat=True)
    return list(houses[_turn(Establishment.objects.count(), now, every, most)])


def of(houses: Iterable[UUID], now: datetime, *, every: int, most: int) -> list[UUID]:
    """As `of_houses`, of these."""
    those = sorted(houses)
    return those[_turn(len(those), now, every, most)]


def _turn(many: int, now: datetime, every: int, most: int) -> slice:
    turns = max(1, -(-many // most))
    turn = int(now.timestamp()) // every % turns
    return slice(turn * most, (turn + 1) * most)
