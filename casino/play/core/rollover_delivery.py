"""
Rollover delivery: hands coins of the rollover to the game that awaits them, once booked (TA10).

The rollover's stream says which coins are to be delivered. Settlement's task delivers them as soon
as it has booked something. A sweep delivers them if that task was killed in between.
"""

from __future__ import annotations

import json
import uuid
from hashlib import sha256
from typing import TYPE_CHECKING

import structlog
from django.utils import timezone

from casino.house.acts.game_streams import catalogue
from casino.house.acts.game_streams.loading import GameKey, load
from casino.house.establishments import gaming_day
from casino.house.establishments.models import Establishment
from casino.play.core import consequences
from casino.play.settlement import rollovers
from casino.play.settlement.entries import ACTOR, NAMESPACE
from games.commands import Arrive
from games.refusals import Refused
from ledger import journal
from ledger.recent import newest

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import date, datetime
    from uuid import UUID

    from casino.play.settlement.rollovers import Lot
    from ledger.wire import StoredEvent

log = structlog.get_logger(__name__)


def deliver(establishment: UUID) -> int:
    """
    Hand every booked lot to the game that awaits it.

    Each lot arrives only once, even if this runs twice or in two processes at the same time,
    because the command id is derived from the lot.

    :returns: how many lots were delivered.
    """
    return sum(
        _deliver(establishment, ruleset, lot)
        for ruleset in rollovers.kinds(establishment)
        for lot in rollovers.read(establishment, ruleset).claimed
    )


def houses_waiting() -> Iterator[UUID]:
    """
    The houses in which a game awaits coins; reads the last event of one stream in each that has
    something unread. A house that has such a game stays one of them
    (`casino.play.core.subscriptions.quiet`).
    """
    for ruleset in catalogue.RULESETS:
        for house, _type, body in newest(rollovers.stream_of(ruleset.id)):
            if json.loads(body)["data"]["claimed"]:
                yield house


def _deliver(establishment: UUID, ruleset: str, lot: Lot) -> bool:
    booked = rollovers.booking(establishment, lot)
    if booked is None:
        return False
    try:
        receipt = _append(establishment, ruleset, lot, booked)
    except journal.StreamMoved as moved:  # somebody is playing there: a later run delivers it
        gaming_day.forget_state(establishment, moved)
        return False
    except Refused as refused:
        log.info("rollover_not_taken", game=lot.claimed_by, code=refused.code)
        return False
    return receipt is not None and not receipt.repeated


def _append(
    establishment: UUID, ruleset: str, lot: Lot, booked: StoredEvent
) -> journal.Receipt | None:
    """
    Append the arrival of a lot to its game.

    :returns: None if the lot is no longer claimed.
    :raises Refused: if the rules of the game do not take the coins now.
    """
    key = GameKey(establishment, uuid.UUID(lot.claimed_by))
    loaded = load(key)
    # Read after the game: the guards of the append notice any change to either.
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
    """
    The name of a delivery, from which its command id is derived.

    It contains the number of the claim: a lot that is claimed again after a void is a new delivery.
    """
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
