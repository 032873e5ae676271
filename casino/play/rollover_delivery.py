"""
Coins of the rollover that a game awaits, handed over once settlement has booked them (TA10).

What is to be handed over stands in the rollover's stream, so whoever comes by finds it:
settlement's task as soon as it has booked something, and a sweep if that one was killed between
the two.
"""

from __future__ import annotations

import json
import uuid
from hashlib import sha256
from typing import TYPE_CHECKING

import structlog
from django.db.models import OuterRef, Subquery
from django.utils import timezone

from casino.establishments import gaming_day
from casino.establishments.models import Establishment
from casino.game_streams import catalogue
from casino.game_streams.loading import GameKey, load
from casino.play import consequences
from casino.rollovers import operations as rollovers
from casino.settlement.entries import ACTOR, NAMESPACE
from games.commands import Arrive
from games.refusals import Refused
from ledger import journal
from ledger.models import Event

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import date, datetime
    from uuid import UUID

    from casino.rollovers.operations import Lot
    from ledger.wire import StoredEvent

log = structlog.get_logger(__name__)


def deliver(establishment: UUID) -> int:
    """
    Hand over every lot that is booked by now to the game that awaits it; how many there were.

    Done twice, or by two at the same moment, each lot arrives once: its command id follows from it.
    """
    return sum(
        _delivered(establishment, ruleset, lot)
        for ruleset in rollovers.kinds(establishment)
        for lot in rollovers.read(establishment, ruleset).claimed
    )


def houses_waiting() -> Iterator[UUID]:
    """The houses in which some game awaits coins: one look at the end of a stream in each."""
    for ruleset in catalogue.RULESETS:
        rows = Event.objects.filter(
            establishment=OuterRef("pk"), stream=rollovers.stream_of(ruleset.id)
        )
        newest = Subquery(rows.order_by("-stream_version").values("body")[:1])
        houses = Establishment.objects.annotate(newest=newest).filter(newest__isnull=False)
        for house, body in houses.values_list("pk", "newest"):
            if json.loads(bytes(body))["data"]["claimed"]:
                yield house


def _delivered(establishment: UUID, ruleset: str, lot: Lot) -> bool:
    booked = rollovers.booking(establishment, lot)
    if booked is None:
        return False
    try:
        receipt = _append(establishment, ruleset, lot, booked)
    except journal.StreamMoved as moved:  # somebody plays there this very moment: come by again
        gaming_day.moved(establishment, moved)
        return False
    except Refused as refused:
        log.info("rollover_not_taken", game=lot.claimed_by, code=refused.code)
        return False
    return receipt is not None and not receipt.repeated


def _append(
    establishment: UUID, ruleset: str, lot: Lot, booked: StoredEvent
) -> journal.Receipt | None:
    """:raises Refused: if the rules of the game do not take the coins now."""
    key = GameKey(establishment, uuid.UUID(lot.claimed_by))
    loaded = load(key)
    # Read behind the game: whatever of both moves until the append, its guards notice.
    if lot not in rollovers.read(establishment, ruleset).claimed:
        return None
    facts = loaded.ruleset.decider.decide(Arrive(lot.amount), loaded.state)
    now = timezone.now()
    today = gaming_day.enter(Establishment.objects.get(pk=establishment), now)
    (receipt,) = journal.append(
        establishment=establishment,
        entries=[
            consequences.entry(
                key=key,
                ruleset=loaded.ruleset,
                loaded=loaded,
                facts=facts,
                place=loaded.place,
                seen=today.guards,
                provenance=_provenance(key, lot, booked, now, today.day),
                request_hash=sha256(_name(lot).encode()).digest(),
                delivered=lot,
            )
        ],
    )
    return receipt


def _name(lot: Lot) -> str:
    """A lot that was voided and claimed again is another delivery: the claim tells them apart."""
    return f"arrive/{lot.game}/{lot.event}/{lot.claimed_by}/{lot.claim}"


def _provenance(
    key: GameKey, lot: Lot, booked: StoredEvent, now: datetime, day: date
) -> journal.Provenance:
    return journal.Provenance(
        command_id=uuid.uuid5(NAMESPACE, _name(lot)),
        actor=ACTOR,
        device=ACTOR,
        correlation_id=key.game,
        causation_id=booked.event_id,
        occurred_at=now,
        recorded_at=now,
        gaming_day=day,
    )
