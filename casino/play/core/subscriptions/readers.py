"""Who reads the ledger of a house: the subscribers that are woken, and the one that signs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.conf import settings
from django.utils.module_loading import import_string

from ledger.checkpoints import INTEGRITY

if TYPE_CHECKING:
    from ledger.lag import Named
    from ledger.subscriptions import Subscriber

SUBSCRIBERS: Final[tuple[Subscriber, ...]] = tuple(map(import_string, settings.SUBSCRIBERS))
READERS: Final[tuple[Named, ...]] = (*SUBSCRIBERS, INTEGRITY)
"""All that any sweep asks for. A house is quiet once each of them is at the head of its ledger."""
