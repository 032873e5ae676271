"""Events, rounds and lots as they are found, read from the ledger by the follower ``house``."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any
from uuid import UUID

from django.db.models import F

from casino import following
from casino.finding import terms
from casino.finding.models import (
    EventBlock,
    EventTerm,
    LotLine,
    RoundAmount,
    RoundLine,
    RoundPerson,
)
from casino.play import rollovers
from casino.play.bookings import game_key
from casino.play.loading import NOT_UNDERSTOOD, GameKey, Loaded, load, load_through
from casino.play.telling.rounds import chapters
from casino.players import veil
from games.history import live
from games.messages import Voided
from games.payments import POT, RESERVED

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from games.messages import Fact
    from games.payments import Payment
    from ledger.wire import StoredEvent

ROWS = (EventBlock, EventTerm, RoundLine, RoundPerson, RoundAmount, LotLine)
LOOKED_BACK = 40  # events of a round: somebody named before those is put down twice, and kept once


def handle(event: StoredEvent) -> None:
    terms.handle(event)
    kind = event.stream.partition("/")[0]
    if kind == "game":
        _played(event)
    elif kind == "rollover":
        _rolled(event)


FINDING = following.Area("finding", handle, ROWS)


# --- Rounds ------------------------------------------------------------------------------------


def _played(event: StoredEvent) -> None:
    """
    An event takes its round further. Which round that is, and all that is written, follows from
    the events up to this one: later ones may be known already, and are not asked.
    """
    key = game_key(event)
    loaded, number = (_readable(key, event.stream_version) if key else None), event.stream_version
    if loaded is None:
        return
    fact, of = loaded.facts[number - 1], chapters(loaded.facts).of
    round_no = of[number - 1]
    first = of.index(round_no) + 1
    _round(loaded, event, fact, round_no, first)
    if isinstance(fact, Voided):
        _undone(loaded, number, of, of[fact.back_to - 1])
    beginning = loaded.events[first - 1]
    place = {
        "establishment_id": event.establishment,
        "began_at": beginning.provenance.occurred_at,
        "position": beginning.position,
    }
    before = [each for each in range(first, number) if of[each - 1] == round_no][-LOOKED_BACK:]
    known = {who for each in before for who in named(loaded.events[each - 1])}
    RoundPerson.objects.bulk_create(
        [RoundPerson(who=who, **place) for who in sorted(named(event) - known)],
        ignore_conflicts=True,
    )
    amounts = sorted({payment.amount for payment in fact.payments if payment.amount})
    RoundAmount.objects.bulk_create(
        [RoundAmount(amount=amount, **place) for amount in amounts], ignore_conflicts=True
    )


def _readable(key: GameKey, number: int) -> Loaded | None:
    """
    The game, at least through an event; None: that event, or one before it, is not understood.

    It is parked by the followers that need it. Here it would be lost to whoever looks for it in the
    ledger, so it is none of a round's business, and an event all the same.
    """
    try:
        return load(key, through=number)
    except NOT_UNDERSTOOD:
        try:
            return load_through(key, number)
        except NOT_UNDERSTOOD:
            return None


def named(event: StoredEvent) -> set[str]:
    """The players an event names, by token, and who recorded it."""
    return {event.provenance.actor, *veil.players_in(event.body.decode())}


def _round(loaded: Loaded, event: StoredEvent, fact: Fact, round_no: int, first: int) -> None:
    told = event.provenance
    now = {
        "last": event.stream_version,
        "last_position": event.position,
        "last_at": told.occurred_at,
    }
    came, went = coins(fact.payments)
    if event.stream_version == first:
        RoundLine.objects.create(
            establishment_id=event.establishment,
            position=event.position,
            game=loaded.key.game,
            round=round_no,
            table_id=UUID(loaded.place["table"]),
            ruleset=loaded.ruleset.id,
            gaming_day=told.gaming_day,
            began_at=told.occurred_at,
            first=first,
            throws=int(fact.is_throw),
            staked=came,
            won=went,
            over=fact.ends_round,
            **now,
        )
        return
    changes: dict[str, Any] = dict(now)
    if fact.is_throw or fact.payments:
        changes |= {
            "void": False,
            "throws": F("throws") + int(fact.is_throw),
            "staked": F("staked") + came,
            "won": F("won") + went,
        }
    if fact.ends_round:
        changes["over"] = True
    _line(loaded, round_no).update(**changes)


def _undone(loaded: Loaded, void: int, of: Sequence[int], since: int) -> None:
    """What a void left of the rounds it went back over."""
    standing: dict[int, list[Fact]] = {}
    for number, fact in live(loaded.history[:void]):
        if of[number - 1] >= since:
            standing.setdefault(of[number - 1], []).append(fact)
    for round_no in {each for each in of[:void] if each >= since}:
        facts = standing.get(round_no, [])
        came, went = coins([payment for fact in facts for payment in fact.payments])
        throws = sum(fact.is_throw for fact in facts)
        _line(loaded, round_no).update(
            throws=throws,
            staked=came,
            won=went,
            over=any(fact.ends_round for fact in facts),
            void=not (throws or came or went),
        )


def _line(loaded: Loaded, round_no: int) -> Any:
    return RoundLine.objects.filter(
        establishment=loaded.key.establishment, game=loaded.key.game, round=round_no
    )


def coins(payments: Iterable[Payment]) -> tuple[int, int]:
    """What players put into the pot, and what players got."""
    staked = won = 0
    for payment in payments:
        if payment.payee == POT and payment.payer not in RESERVED:
            staked += payment.amount
        elif payment.payee not in RESERVED:
            won += payment.amount
    return staked, won


# --- What rolls over ---------------------------------------------------------------------------


def _rolled(event: StoredEvent) -> None:
    data, ruleset = event.data, event.stream.partition("/")[2]
    mine = {"taker": UUID(data["game"]), "taken_position": event.position}
    match event.event_type:
        case rollovers.LEFT:
            for lot in data["lots"]:
                _left(event, lot, ruleset)
        case rollovers.DRAWN:
            _put(event, data["lots"], state=LotLine.State.TAKEN, **mine)
            _put(event, data["awaited"], state=LotLine.State.CLAIMED, **mine)
        case rollovers.ARRIVED:
            _put(event, data["lots"], state=LotLine.State.TAKEN, **mine)
        case rollovers.RECLAIMED:
            _put(event, data["lots"], state=LotLine.State.CLAIMED, **mine)
        case rollovers.RETURNED:
            _put(event, data["lots"], state=LotLine.State.WAITING, **{**mine, "taker": None})
        case rollovers.TAKEN_BACK:
            _put(event, data["lots"], state=LotLine.State.UNDONE, **{**mine, "taker": None})


def _left(event: StoredEvent, lot: dict[str, Any], ruleset: str) -> None:
    LotLine.objects.update_or_create(
        establishment_id=event.establishment,
        game=UUID(lot["game"]),
        event=lot["event"],
        defaults={
            "ruleset": ruleset,
            "amount": lot["amount"],
            "since": datetime.fromisoformat(lot["since"]),
            "position": event.position,
            "state": LotLine.State.WAITING,
            "taker": None,
            "taken_position": None,
        },
    )


def _put(event: StoredEvent, lots: Iterable[dict[str, Any]], **where: Any) -> None:
    for lot in lots:
        LotLine.objects.filter(
            establishment=event.establishment, game=UUID(lot["game"]), event=lot["event"]
        ).update(**where)
