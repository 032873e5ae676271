"""Waking workers. A task is a nudge: lost or doubled, nothing happens but time."""

from __future__ import annotations

from typing import TYPE_CHECKING

import structlog
from django.db import transaction
from kombu.exceptions import OperationalError as BrokerDown

if TYPE_CHECKING:
    from collections.abc import Callable

log = structlog.get_logger(__name__)


def after_commit(wake: Callable[[], object]) -> None:
    """
    Wake a worker once this transaction is committed, and never if it is not.

    A broker that is down costs the time until the next watch comes by; what was committed stays,
    so whoever committed it hears of no failure.
    """

    def send() -> None:
        try:
            wake()
        except (BrokerDown, OSError) as down:
            log.warning("nudge_lost", reason=str(down))

    transaction.on_commit(send, robust=True)
