"""
What the rules decided, booked: payments, points and prizes, once each, in ``settlement/<game>``.

Settlement reads what an event says and never decides again. A void books the mirror image of what
it cancels, newest first, whether it came before its settlement or after. What may not be paid yet
is booked as held, by the rules of holding.py, and released once nothing holds it any more.
"""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from celery.exceptions import SoftTimeLimitExceeded
from django.utils import timezone

from casino.play import accounts, effects, holding, scoreboard, stops
from casino.play.holding import Hands, Move, Payout, Record
from casino.play.loading import GameKey, Loaded, load
from casino.play.models import Withheld
from casino.play.settled import BOOKED, HELD, PRIZE_ISSUED, RELEASED, REVERSED
from casino.play.settled import SETTLEMENT as NAME
from games.history import live
from games.messages import Disputed, Resolved, Voided, Witnessed
from games.payments import RESERVED
from games.wire import written
from ledger import journal, subscriptions
from ledger.accounts import AccountRef

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from games.messages import Fact
    from games.payments import Payment
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
    return (key.settlement, stops.STREAM) if key else ()


def handle(  # noqa: PLR0911 - one for each kind of thing that books
    event: StoredEvent, versions: StreamVersions
) -> Sequence[journal.Entry]:
    """The entries that book what an event of a game says, or take back what it voids."""
    key = game_key(event)
    if key is None:
        return resumed(event, versions) if event.event_type == stops.RESUMED else ()
    loaded = load(key)
    fact = loaded.facts[event.stream_version - 1]
    match fact:
        case Voided():
            return taken_back(loaded, event, fact, versions)
        case Disputed():
            return disputed(loaded, event, fact, versions)
        case Witnessed():
            seen = [Payout(fact.cause, fact.seq)]
            return lifted(loaded, event, holding.LARGE_PRIZE, versions, payouts=seen)
        case Resolved():
            return lifted(loaded, event, holding.dispute(fact.dispute), versions)
        case _ if fact.payments or fact.points:
            return booked(loaded, event, fact, versions)
        case _:
            return ()


SETTLEMENT = subscriptions.Follower(
    name=NAME,
    handle=effects.on_their_day(handle),
    touches=effects.touching_the_day(touches),
    transient=(SoftTimeLimitExceeded,),
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
    paid = _paid(loaded, event, fact, versions)
    data: dict[str, Any] = {
        "cause": event.stream_version,
        "payments": [written(payment) for payment in fact.payments],
        "points": _told(points),
        **_lots(paid),
    }
    transfers = [
        *as_transfers(paid.moves),
        *(_prize_owed(won, number) for number, won in enumerate(prizes, 1) if won.rule.amount),
    ]
    guards = {key.settlement: versions[key.settlement]}
    if any(payment.payee not in RESERVED for payment in fact.payments):
        guards[stops.STREAM] = versions[stops.STREAM]  # a stop at this moment must not be missed
    if prizes:  # a void that comes at this moment must not miss them, nor they it
        guards[key.stream] = loaded.version
    events = [
        _event(key, BOOKED, data),
        *(_event(key, PRIZE_ISSUED, _prize(won, event)) for won in prizes),
    ]
    _withheld(key, paid)
    return [_entry(event, guards, events, transfers)]


def _paid(loaded: Loaded, event: StoredEvent, fact: Fact, versions: StreamVersions) -> Hands:
    """The payments as they are to be booked. Where nothing is or was held, nothing is looked up."""
    key, number = loaded.key, event.stream_version
    why = reasons(loaded, event, fact.payments, versions)
    by_players = any(payment.payer not in RESERVED for payment in fact.payments)
    if any(why) or (by_players and _withholds(key)):
        paid = hands(loaded, number, versions)
    else:
        paid = unlimited(key.game, loaded.ruleset.id, fact.payments)
    paid.pay(number, fact.payments, why, beside(loaded.place["table"]))
    return paid


def unlimited(game: uuid.UUID, ruleset: str, payments: Sequence[Payment]) -> Hands:
    """Hands in a game where nothing was ever held: every stake has what the rules say."""
    plain = Hands(game, ruleset)
    for payment in payments:
        plain.free[payment.payer] += payment.amount
    return plain


def reasons(
    loaded: Loaded, event: StoredEvent, payments: Sequence[Payment], versions: StreamVersions
) -> list[tuple[str, ...]]:
    """What each payment of an event waits for."""
    if all(payment.payee in RESERVED for payment in payments):
        return [()] * len(payments)
    stopped = bool(versions[stops.STREAM]) and stops.stop_now(event.establishment) is not None
    told = record(loaded)
    return [
        told.reasons(event.stream_version, seq, payment, stopped=stopped)
        for seq, payment in enumerate(payments)
    ]


def record(loaded: Loaded) -> Record:
    return Record(loaded.facts, loaded.opening.data.get(holding.LARGE_PRIZE))


def beside(table: str) -> Callable[[Payment], Move | None]:
    """What moves in the hand with a payment at a table: a fee's chips, into their box (A5)."""

    def moved(payment: Payment) -> Move | None:
        ends = accounts.boxed(table, payment)
        return Move(*ends, payment.amount, FEE_BOX) if ends else None

    return moved


def as_transfers(moves: Iterable[Move]) -> Iterator[journal.NewTransfer]:
    """As the ledger takes them, of the first event of their entry."""
    for move in moves:
        yield journal.NewTransfer(
            debit=move.debit,
            credit=move.credit,
            amount=move.amount,
            reason=move.reason,
            event=0,
            reverses=move.reverses,
        )


def _lots(booked: Hands) -> dict[str, Any]:
    """What a booking did to what is held, to stand in its event; nothing where it did nothing."""
    told = booked.told()
    return {"lots": told} if told else {}


def _withholds(key: GameKey) -> bool:
    """Whether payouts of a game were ever held."""
    return Withheld.objects.filter(establishment=key.establishment, game=key.game).exists()


def _withheld(key: GameKey, booked: Hands) -> None:
    """
    Note what of a game waits now.

    Only whoever holds the row of the house's settlement does this, so nobody notes in between.
    """
    if booked.touched:
        Withheld.objects.update_or_create(
            establishment_id=key.establishment,
            game=key.game,
            defaults={"waiting": any(lot.why for lot in booked.lots.values())},
        )


def hands(loaded: Loaded, through: int, versions: StreamVersions) -> Hands:
    """
    What is booked for the players of a game, with the cash of its events up to one of them; this
    batch's bookings included.
    """
    mine = Hands(loaded.key.game, loaded.ruleset.id)
    for event in loaded.events[:through]:
        mine.fold(map(_ends, map(_as_stored, event.transfers)))
    for _, data, transfers in _written(loaded.key, versions):
        mine.fold(map(_ends, transfers), data.get("lots", ()))
    return mine


def _ends(moved: Moved) -> tuple[AccountRef, AccountRef, int]:
    return moved.debit, moved.credit, moved.amount


def disputed(
    loaded: Loaded, event: StoredEvent, fact: Disputed, versions: StreamVersions
) -> Sequence[journal.Entry]:
    """What of the disputed payouts is still with those who got them waits until it is resolved."""
    mine = hands(loaded, event.stream_version, versions)
    booked = {booking.cause for booking in standing(loaded.key, versions)}
    payouts = [
        (payout, payment)
        for payout, payment in record(loaded).disputed_payouts(fact)
        if payout.cause in booked
    ]
    mine.hold(payouts, holding.dispute(fact.dispute))
    return _held_or_released(loaded.key, event, event.stream_version, mine, versions)


def lifted(
    loaded: Loaded,
    event: StoredEvent,
    reason: str,
    versions: StreamVersions,
    *,
    payouts: Iterable[Payout] | None = None,
) -> Sequence[journal.Entry]:
    """Payouts no longer wait for this: those that wait for nothing more go to their players."""
    if not _withholds(loaded.key):
        return ()
    mine = hands(loaded, event.stream_version, versions)
    mine.lift(reason, payouts)
    return _held_or_released(loaded.key, event, event.stream_version, mine, versions)


def resumed(event: StoredEvent, versions: StreamVersions) -> Sequence[journal.Entry]:
    """The house pays again: an entry for each game in which something waited for that (E2)."""
    house = event.establishment
    waiting = Withheld.objects.filter(establishment=house, waiting=True).order_by("game")
    entries: list[journal.Entry] = []
    for game in waiting.values_list("game", flat=True):
        loaded = load(GameKey(house, game))
        mine = hands(loaded, loaded.version, versions)
        mine.lift(holding.STOPPED)
        entries += _held_or_released(loaded.key, event, None, mine, versions)
    return entries


def _held_or_released(
    key: GameKey, event: StoredEvent, cause: int | None, mine: Hands, versions: StreamVersions
) -> Sequence[journal.Entry]:
    """The entry that says what became of payouts that are or were held."""
    lots = mine.told()
    if not lots:
        return ()
    free = any(not lot["why"] for lot in lots)
    data = {"cause": cause, "because": event.position, "lots": lots}
    guards = {key.settlement: versions[key.settlement]}
    _withheld(key, mine)
    events = [_event(key, RELEASED if free else HELD, data)]
    return [_entry(event, guards, events, list(as_transfers(mine.moves)), about=key.game)]


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
    mine = hands(loaded, event.stream_version, versions)
    # An event's money came to the table before its payments were booked: it goes after them.
    moved = {booking.cause: booking.transfers for booking in cancelled}
    newest_first = sorted({*moved, *brought}, reverse=True)
    reversing = [
        _reversal(each)
        for cause in newest_first
        for each in reversed((*brought.get(cause, ()), *moved.get(cause, ())))
    ]
    mine.take_back(fact.back_to, reversing)
    data |= _lots(mine)
    _withheld(key, mine)
    guards = {key.settlement: versions[key.settlement]}
    events = [_event(key, REVERSED, data)]
    return [_entry(event, guards, events, list(as_transfers(mine.moves)))]


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


def _reversal(moved: Moved) -> Move:
    return Move(moved.credit, moved.debit, moved.amount, "G4", moved.transfer_id)


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
    *,
    about: uuid.UUID | None = None,
) -> journal.Entry:
    """
    Under a command id that follows from the cause: what is handled twice is booked once.

    :param about: the game, where one event may lead to entries for several.
    """
    told = cause.provenance
    name = f"{NAME}/{cause.event_id}" if about is None else f"{NAME}/{cause.event_id}/{about}"
    return journal.Entry(
        provenance=journal.Provenance(
            command_id=uuid.uuid5(NAMESPACE, name),
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
