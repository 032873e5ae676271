"""
Quiet houses: which houses sweeps need not ask for (`ledger.lag`).

A house is on the list from its first unread event until everybody has read its ledger and nothing
else is left to do: no game awaits a rollover, and no room has a reason to keep it on the list.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final
from uuid import UUID

import structlog
from django.conf import settings
from django.utils.module_loading import import_string

from casino.engine.processes import registrations
from casino.play.core import rollover_delivery
from ledger import lag
from ledger.checkpoints import INTEGRITY

if TYPE_CHECKING:
    from ledger.lag import Named
    from ledger.subscriptions import Subscriber

LOOK_OVER: Final = 600.0  # seconds between questions for all houses, in each process
AT_MOST: Final = 20.0  # seconds for which houses are taken off the list in one turn

Keep = Callable[[Mapping[UUID, int]], Collection[UUID]]
KEEPERS: dict[str, Keep] = {}
"""
Reasons for which a house stays on the list, by the room that has it (`config.parts`
registers them): given houses with the heads of their ledgers, those with something left to do.
"""

log = structlog.get_logger(__name__)


@dataclass(slots=True)
class Looked:
    at: float = -math.inf
    """When this process last asked for all houses, by a clock that nobody can set."""


LOOKED: Final = Looked()


def look_over() -> None:
    """Put houses that lag and are not on the list there, if it is time to ask for all of them."""
    if time.monotonic() - LOOKED.at < LOOK_OVER:
        return
    if found := lag.look_over_list(READERS):
        log.info("unread_found", houses=len(found))
    LOOKED.at = time.monotonic()


def rest() -> int:
    """Take the houses in which nothing is left to do off the list; how many."""
    registrations.everything()
    heads = lag.read_list(READERS)  # first: whatever happens later moves a head
    kept = set(rollover_delivery.houses_waiting()) if heads else set()
    for keep in KEEPERS.values():
        kept |= set(keep(heads))
    ends, gone = time.monotonic() + AT_MOST, 0
    for house, head in heads.items():
        if time.monotonic() >= ends:
            break
        gone += house not in kept and lag.rest_of_list(house, READERS, head=head)
    return gone


# Who reads the ledger of a house: the subscribers that are woken, and the one that signs.


SUBSCRIBERS: Final[tuple[Subscriber, ...]] = tuple(map(import_string, settings.SUBSCRIBERS))
READERS: Final[tuple[Named, ...]] = (*SUBSCRIBERS, INTEGRITY)
"""All that any sweep asks for. A house is quiet once each of them is at the head of its ledger."""
