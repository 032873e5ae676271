"""
Queues by house: on which of several queues the wakes of a house go.

By jump consistent hashing (Lamping and Veach, 2014): with one queue more, one in so many houses
goes to the new one, and no other house moves. Whoever sends and whoever works knows the number of
queues from the settings. If they differ for a while, a house is woken on two queues, which does
nothing twice (docs/decisions/0060).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from uuid import UUID

MOST: Final = 64
"""Queues of one kind of work. Those above the number that is set are looked at for leftovers."""
BITS: Final = (1 << 64) - 1
MULTIPLIER: Final = 2_862_933_555_777_941_757


def names(queue: str, number: int) -> tuple[str, ...]:
    """The queues: the first has the plain name, as if there were no other; then ``play-2``, …"""
    return (queue, *(f"{queue}-{place}" for place in range(2, number + 1)))


def place(house: UUID, number: int) -> int:
    """The place of a house among so many queues, from 0."""
    key, found, following = house.int & BITS, 0, 0
    while following < number:
        found = following
        key = (key * MULTIPLIER + 1) & BITS
        following = int((found + 1) * (1 << 31) / ((key >> 33) + 1))
    return found
