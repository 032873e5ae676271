"""Why payouts of a house are stopped, as a page says it, and when they may be resumed (E2)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from casino.house.establishments import epochs
from casino.play.settlement import payout_holds
from casino.proof.integrity import advice, findings, rollback_detection

if TYPE_CHECKING:
    from datetime import datetime

    from casino.house.establishments.models import Establishment
    from casino.play.settlement.payout_holds import Stop


def explain(house: Establishment, stop: Stop, now: datetime) -> dict[str, Any]:
    """
    What a page says of a stop.

    If the ledger is behind a checkpoint that others hold: the command that comes first. If an epoch
    has recorded the loss since the stop: the lost positions.
    """
    found = stop.why == payout_holds.VERIFICATION
    why = findings.because(house.pk, stop.about) if found else findings.why_stopped(stop.why)
    if (known := rollback_detection.unanswered(house.pk)) is not None:
        command = advice.open_epoch(house.pk)
        return {"why": why, "behind": known.published.size, "command": command}
    restored = epochs.restored(house, now)
    if restored is None or restored.since < stop.since:
        return {"why": why}
    first, last = restored.lost
    return {"why": why, "lost": {"from": first, "to": last}}


def register() -> None:
    payout_holds.CAUSES.append(payout_holds.Causes(explain, rollback_detection.answered))
