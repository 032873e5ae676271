"""Parts of the start page about the system: workers, settlement, signing, verification, regrade."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from casino.money.payouts.queries import count_held
from casino.play.settlement import payout_holds
from casino.play.settlement.settled import SETTLEMENT
from casino.proof.integrity import queries as integrity
from casino.proof.integrity import runs as verifications
from casino.proof.regrade.models import Regrade
from casino.proof.regrade.runs import alarming
from casino.words.languages import durations
from ledger import checkpoints, journal, subscriptions
from ledger.models import ParkedEvent

if TYPE_CHECKING:
    from datetime import datetime

    from casino.house.establishments.models import Establishment


def settlement(house: Establishment) -> dict[str, Any]:
    parked = ParkedEvent.objects.filter(establishment=house.pk, subscription=SETTLEMENT)
    behind = subscriptions.lag(SETTLEMENT, establishment=house.pk)
    return {
        "behind": behind,
        "settled_through": journal.head(establishment=house.pk) - behind,
        "parked": parked.values("stream").distinct().count(),
        "stopped": payout_holds.stop_now(house.pk) is not None,
        "held": count_held(house.pk),
    }


def proof(house: Establishment, now: datetime) -> dict[str, Any]:
    """Whether the ledger is signed, and what no outside copy covers; for managers and auditors."""
    outside = integrity.outside(house.pk)
    age, exposed_for = outside.age(now), outside.exposed_for(now)
    return {
        "obstacle": integrity.obstacle(house),
        "signed": checkpoints.latest(house.pk),
        "outside": outside,
        "age": durations.length(age) if age is not None else "",
        "exposed_for": durations.length(exposed_for) if exposed_for is not None else "",
    }


def checks(house: Establishment) -> dict[str, Any]:
    """The last verification (E2) and regrade (E4), and whether an earlier one has an open alarm."""
    return {
        "verified": verifications.last(house),
        "regraded": Regrade.objects.filter(establishment=house, parameters__current=False).first(),
        "differs": alarming().filter(establishment=house).exists(),
    }
