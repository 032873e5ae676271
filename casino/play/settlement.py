"""
What the rules decided, booked: payments, points and prizes, once each, in ``settlement/<game>``.

Settlement reads what an event says and never decides again. A void books the mirror image of what
it cancels, newest first, whether it came before its settlement or after.
"""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from celery.exceptions import SoftTimeLimitExceeded
from django.utils import timezone

from casino.play import accounts, scoreboard
from casino.play.loading import GameKey, Loaded, load
from casino.play.settled import BOOKED, PRIZE_ISSUED, REVERSED
from casino.play.settled import SETTLEMENT as NAME
from games.history import live
from games.messages import Voided
from games.wire import written
from ledger import journal, subscriptions
from ledger.accounts import AccountRef

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from games.messages import Fact
    from ledger.subscriptions import StreamVersions
    from ledger.wire import StoredEvent

ACTOR = "settlement"
FEE_BOX = "fee_box"  # why chips move from a table's float to its box: a fee was paid (A5)
NAMESPACE = uuid.UUID("6f9a3f0e-3c0b-5e0b-9d57-0a5b5a2f7c11")


@dataclass(frozen=True, slots=True)
class Moved:
    """A transfer that was booked, as far as its reversal needs it."""

    transfer_id: uuid.UUID
    debit: AccountRef
    credit: AccountRef
    amount: int


@dataclass(frozen=True, slots=True)
class Booking:
    """What one event of a game brought about, as settlement wrote it down."""

    cause: int
    points: Mapping[str, Fraction]
    transfers: tuple[Moved, ...]


def touches(event: StoredEvent) -> tuple[str, ...]:
    key = game_key(event)
    return (key.settlement,) if key else ()


def handle(event: StoredEvent, versions: StreamVersions) -> Sequence[journal.Entry]:
    """The entries that book what an event of a game says, or take back what it voids."""
    key = game_key(event)
    if key is None:
        return ()
    loaded = load(key)
    fact = loaded.facts[event.stream_version - 1]
    if isinstance(fact, Voided):
        return taken_back(loaded, event, fact, versions)
    return booked(loaded, event, fact, versions) if fact.payments or fact.points else ()


SETTLEMENT = subscriptions.Follower(
    name=NAME, handle=handle, touches=touches, transient=(SoftTimeLimitExceeded,)
)


def game_key(event: StoredEvent) -> GameKey | None:
    """The game that an event belongs to; None for the house's other events."""
    kind, _, game = event.stream.partition("/")
    return GameKey(event.establishment, uuid.UUID(game)) if kind == "game" else None


def booked(
    loaded: Loaded, event: StoredEvent, fact: Fact, versions: StreamVersions
) -> Sequence[journal.Entry]:
    """One entry: the payments as transfers, the points, and the prizes those reach."""
    key = loaded.key
    points = dict(fact.points)
    scoreboard.score(key.establishment, loaded.ruleset.id, points)
    prizes = list(_prizes(loaded, event, points))
    data: dict[str, Any] = {
        "cause": event.stream_version,
        "payments": [written(payment) for payment in fact.payments],
        "points": _told(points),
    }
    transfers = [
        *_payments(loaded, fact),
        *(_prize_owed(won, number) for number, won in enumerate(prizes, 1) if won.rule.amount),
    ]
    guards = {key.settlement: versions[key.settlement]}
    if prizes:  # a void that comes at this moment must not miss them, nor they it
        guards[key.stream] = loaded.version
    events = [
        _event(key, BOOKED, data),
        *(_event(key, PRIZE_ISSUED, _prize(won, event)) for won in prizes),
    ]
    return [_entry(event, guards, events, transfers)]


def _payments(loaded: Loaded, fact: Fact) -> Iterator[journal.NewTransfer]:
    for payment in fact.payments:
        payer, payee = accounts.payer_and_payee(loaded.key.game, loaded.ruleset.id, payment)
        yield journal.NewTransfer(
            debit=payer,
            credit=payee,
            amount=payment.amount,
            reason=" ".join(payment.rules),
            event=0,
        )
        if (moved := accounts.boxed(loaded.place["table"], payment)) is not None:
            into, out_of = moved
            yield journal.NewTransfer(
                debit=into, credit=out_of, amount=payment.amount, reason=FEE_BOX, event=0
            )


def _prizes(
    loaded: Loaded, event: StoredEvent, points: Mapping[str, Fraction]
) -> Iterator[scoreboard.Won]:
    """Nothing is handed over for a point that has been voided meanwhile."""
    if points and not is_cancelled(loaded, event.stream_version):
        yield from scoreboard.reached(
            loaded.key.establishment, loaded.ruleset.id, points, event.position
        )


def is_cancelled(loaded: Loaded, number: int) -> bool:
    later = loaded.facts[number:]
    return any(isinstance(fact, Voided) and fact.back_to <= number for fact in later)


def _prize(won: scoreboard.Won, event: StoredEvent) -> dict[str, Any]:
    return {
        "cause": event.stream_version,
        "player": won.player,
        "rule": str(won.rule.pk),
        "prize": won.rule.prize,
        "amount": won.rule.amount,
    }


def _prize_owed(won: scoreboard.Won, event: int) -> journal.NewTransfer:
    """The house gives the prize: its own money becomes the player's until it is collected."""
    return journal.NewTransfer(
        debit=accounts.bank(),
        credit=accounts.prizes_owed(won.player),
        amount=won.rule.amount,
        reason="prize",
        event=event,
    )


def taken_back(
    loaded: Loaded, event: StoredEvent, fact: Voided, versions: StreamVersions
) -> Sequence[journal.Entry]:
    """
    One entry that moves back all that the void cancels, newest first: payments that were booked,
    and the money that came to the table with a cancelled join or buy-in.
    """
    key = loaded.key
    cancelled = [
        booking
        for booking in standing(key, versions)
        if fact.back_to <= booking.cause < event.stream_version
    ]
    brought = money_brought(loaded, fact.back_to, event.stream_version)
    if not (cancelled or brought):
        return ()
    points: dict[str, Fraction] = {}
    for booking in cancelled:
        for player, won in booking.points.items():
            points[player] = points.get(player, Fraction()) - won
    scoreboard.score(key.establishment, loaded.ruleset.id, points)
    data: dict[str, Any] = {
        "cause": event.stream_version,
        "reverses": [booking.cause for booking in cancelled],
        "points": _told(points),
        "handed_back": list(brought),
    }
    # An event's money came to the table before its payments were booked: it goes after them.
    moved = {booking.cause: booking.transfers for booking in cancelled}
    newest_first = sorted({*moved, *brought}, reverse=True)
    reversing = [
        _reversal(each)
        for cause in newest_first
        for each in reversed((*brought.get(cause, ()), *moved.get(cause, ())))
    ]
    guards = {key.settlement: versions[key.settlement]}
    return [_entry(event, guards, [_event(key, REVERSED, data)], reversing)]


def money_brought(loaded: Loaded, back_to: int, void: int) -> dict[int, tuple[Moved, ...]]:
    """
    The transfers of joins and buy-ins that a void cancels, by the number of their event.

    What an earlier void cancelled was handed back then; cash that left stops a void (G4).
    """
    stood = live(loaded.history[: void - 1])
    transfers = (
        (number, tuple(_as_stored(each) for each in loaded.events[number - 1].transfers))
        for number, fact in stood
        if number >= back_to and fact.buy_ins
    )
    return {number: booked for number, booked in transfers if booked}


def _reversal(moved: Moved) -> journal.NewTransfer:
    return journal.NewTransfer(
        debit=moved.credit,
        credit=moved.debit,
        amount=moved.amount,
        reason="G4",
        event=0,
        reverses=moved.transfer_id,
    )


def standing(key: GameKey, versions: StreamVersions) -> list[Booking]:
    """What is booked for a game and not reversed, in order; this batch's bookings included."""
    bookings: dict[int, Booking] = {}
    for event_type, data, transfers in _written(key, versions):
        if event_type == BOOKED:
            bookings[data["cause"]] = Booking(
                data["cause"], _exact(data["points"]), tuple(transfers)
            )
        elif event_type == REVERSED:
            for cause in data["reverses"]:
                del bookings[cause]
    return list(bookings.values())


def _written(
    key: GameKey, versions: StreamVersions
) -> Iterator[tuple[str, Mapping[str, Any], Iterable[Moved]]]:
    for event in journal.stream(establishment=key.establishment, stream=key.settlement):
        yield event.event_type, event.data, [_as_stored(each) for each in event.transfers]
    for waiting, transfers in versions.decided(key.settlement):
        moved = [
            Moved(each.transfer_id, each.debit, each.credit, each.amount) for each in transfers
        ]
        yield waiting.event_type, waiting.data, moved


def _told(points: Mapping[str, Fraction]) -> dict[str, int | str]:
    """Whole points as numbers, shared ones as in ``8/3``: JSON has no fractions."""
    return {
        player: won.numerator if won.denominator == 1 else str(won)
        for player, won in points.items()
    }


def _exact(told: Mapping[str, int | str]) -> dict[str, Fraction]:
    return {player: Fraction(won) for player, won in told.items()}


def _as_stored(transfer: Mapping[str, Any]) -> Moved:
    return Moved(
        uuid.UUID(transfer["transfer_id"]),
        AccountRef.parse(transfer["debit"]),
        AccountRef.parse(transfer["credit"]),
        transfer["amount"],
    )


def _event(key: GameKey, event_type: str, data: Mapping[str, Any]) -> journal.NewEvent:
    return journal.NewEvent(
        stream=key.settlement, event_type=event_type, schema_version=1, data=data
    )


def _entry(
    cause: StoredEvent,
    guards: Mapping[str, int],
    events: Sequence[journal.NewEvent],
    transfers: Sequence[journal.NewTransfer],
) -> journal.Entry:
    """Under a command id that follows from the cause: what is handled twice is booked once."""
    told = cause.provenance
    return journal.Entry(
        provenance=journal.Provenance(
            command_id=uuid.uuid5(NAMESPACE, f"{NAME}/{cause.event_id}"),
            actor=ACTOR,
            device=ACTOR,
            correlation_id=told.correlation_id,
            causation_id=cause.event_id,
            occurred_at=told.occurred_at,
            recorded_at=timezone.now(),
            gaming_day=told.gaming_day,  # effects belong to their cause's day (B4)
        ),
        request_hash=cause.leaf_hash,
        guards=guards,
        events=tuple(events),
        transfers=tuple(transfers),
    )
