"""
The subscriber `settlement`: books payments, points and prizes, once each, in ``settlement/<game>``.

Settlement reads what an event says and never decides again. A void books the reversal of what it
cancels, newest first, whether the void came before or after those bookings. What may not be paid
yet is booked as held, by the rules of holding.py, and released once it waits for nothing more.
"""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

import structlog
from celery.exceptions import SoftTimeLimitExceeded

from casino.house.acts import accounts
from casino.house.acts.accounts import PayoutPlace
from casino.house.acts.game_streams import catalogue, course
from casino.house.acts.game_streams.loading import GameKey, Loaded, load, meet
from casino.house.establishments import gaming_day
from casino.play.settlement import entries as settlement_entries
from casino.play.settlement import holding, payout_holds, scoreboard, seasons, settled
from casino.play.settlement.entries import (
    as_stored,
    as_transfers,
    funds_of_game,
    game_key,
    lots_of,
    new_entry,
    new_event,
    note_withheld,
    points_as_json,
    read,
    record,
    standing,
    withholds,
)
from casino.play.settlement.held_funds import HeldFunds, Move
from casino.play.settlement.models import Withheld
from casino.play.settlement.settled import ADJUSTED, BOOKED, HELD, PRIZE_ISSUED, RELEASED, REVERSED
from casino.play.settlement.settled import SETTLEMENT as NAME
from games.messages import Disputed, Resolved, Voided, VoidRejected, VoidRequested, Witnessed, live
from games.payments import RESERVED
from games.wire import write
from ledger import journal, subscriptions

if TYPE_CHECKING:
    import uuid
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from casino.play.settlement.entries import Moved
    from games.messages import Fact
    from games.payments import Payment
    from ledger.subscriptions import StreamVersions
    from ledger.wire import StoredEvent

WITHOUT_PAYMENTS = Voided | Disputed | Witnessed | Resolved | VoidRequested | VoidRejected
"""Facts without payments that settlement takes back, holds or releases money for."""
DAYS = {gaming_day.OPENED, gaming_day.CLOSED}
"""After these a day may be over for good, and with it seasons."""
FEE_BOX = "fee_box"  # reason of transfers of a paid fee from a table's float to its box (A5)


def touches(event: StoredEvent) -> tuple[str, ...]:
    key = game_key(event)
    if event.event_type in DAYS:
        return tuple(seasons.stream(ruleset.id) for ruleset in catalogue.RULESETS)
    return (key.settlement, payout_holds.STREAM) if key else ()


def handle(event: StoredEvent, versions: StreamVersions) -> Sequence[journal.Entry]:
    """
    The entries that book an event of a game, or reverse what it voids; those that close seasons
    after their last day. A game that was parked may be what its season waited for.
    """
    key = game_key(event)
    if event.event_type in DAYS:
        return seasons.close_of_days(event, versions)
    if key is None:
        return (
            release_after_stop(event, versions) if event.event_type == payout_holds.RESUMED else ()
        )
    entries, day = entries_of(key, event, versions), event.provenance.gaming_day
    if entries:
        version = versions[gaming_day.STREAM]
        late = gaming_day.of_effect(event.establishment, day, version=version).day != day
    else:  # as this process knows it: that is as of its last booking, and costs no query
        closed = gaming_day.state_of_days(event.establishment).closed
        late = closed is not None and day <= closed
    return [*entries, *seasons.close_late(event, versions)] if late else entries


def entries_of(  # noqa: PLR0911 - one for each kind of thing that books
    key: GameKey, event: StoredEvent, versions: StreamVersions
) -> Sequence[journal.Entry]:
    """The entries that book an event of a game, or reverse what it voids."""
    loaded = load(key, through=event.stream_version)
    fact = loaded.facts[event.stream_version - 1]
    if books(fact):
        loaded = load(key)  # the current state: an event that was voided meanwhile wins no prize
    match fact:
        case Voided():
            return take_back(loaded, event, fact, versions)
        case Disputed():
            return hold_disputed(loaded, event, fact, versions)
        case Witnessed():
            seen = [PayoutPlace(fact.cause, fact.seq)]
            return lift_reason(loaded, event, holding.LARGE_PRIZE, versions, payouts=seen)
        case VoidRequested():
            return hold_questioned(loaded, event, fact, versions)
        case VoidRejected():
            return release_after_rejection(loaded, event, fact, versions)
        case Resolved():
            return release_after_dispute(loaded, event, fact, versions)
        case _ if books(fact):
            return book(loaded, event, fact, versions)
        case _:
            return ()


def books(fact: Fact) -> bool:
    """Whether settlement has something to book for a fact."""
    return bool(fact.payments or fact.points or isinstance(fact, WITHOUT_PAYMENTS))


SETTLEMENT = subscriptions.Subscriber(
    name=NAME,
    handle=settlement_entries.on_their_day(handle),
    touches=settlement_entries.touching_the_day(touches),
    transient=(SoftTimeLimitExceeded,),
    meets=meet,
)


def book(
    loaded: Loaded, event: StoredEvent, fact: Fact, versions: StreamVersions
) -> Sequence[journal.Entry]:
    """The entry that books an event: payments as transfers, points, and the prizes they reach."""
    key = loaded.key
    points = dict(fact.points)
    paid = _book_payments(loaded, event, fact, versions)
    data: dict[str, Any] = {
        "cause": event.stream_version,
        "payments": [write(payment) for payment in fact.payments],
        "points": points_as_json(points),
        **lots_of(paid),
    }
    guards = {key.settlement: versions[key.settlement]}
    opening: Sequence[journal.NewEvent] = ()
    if points:
        day = event.provenance.gaming_day
        season, opening = seasons.of_day(key.establishment, loaded.ruleset.id, day)
        played = course.throwers(loaded.courses[event.stream_version - 1])
        data |= {"season": season.number, "played": played}
        scoreboard.score(key.establishment, loaded.ruleset.id, scoreboard.changes_of(data))
    if opening:
        guards[opening[0].stream] = versions[opening[0].stream]
    prizes = list(_prizes(loaded, event, data))
    transfers = [*as_transfers(paid.moves), *_prize_transfers(prizes, 1)]
    if any(payment.payee not in RESERVED for payment in fact.payments):
        # A stop at this moment must not be missed.
        guards[payout_holds.STREAM] = versions[payout_holds.STREAM]
    if prizes:  # a void at this moment must not miss the prizes, nor the prizes the void
        guards[key.stream] = loaded.version
    events = [
        new_event(key, BOOKED, data),
        *(new_event(key, PRIZE_ISSUED, _prize(won, event.stream_version)) for won in prizes),
        *opening,
    ]
    note_withheld(key, paid)
    return [new_entry(event, guards, events, transfers)]


def _book_payments(
    loaded: Loaded, event: StoredEvent, fact: Fact, versions: StreamVersions
) -> HeldFunds:
    """
    The bookings of an event's payments.

    The funds of the game are read only if payouts are or were held.
    """
    key, number = loaded.key, event.stream_version
    why = reasons(loaded, event, fact.payments, versions)
    by_players = any(payment.payer not in RESERVED for payment in fact.payments)
    if any(why) or (by_players and withholds(key)):
        paid = funds_of_game(loaded, number, versions)
    else:
        paid = funds_without_limit(key.game, loaded.ruleset.id, fact.payments)
    paid.pay(number, fact.payments, why, fee_moves(loaded.place["table"]))
    return paid


def funds_without_limit(game: uuid.UUID, ruleset: str, payments: Sequence[Payment]) -> HeldFunds:
    """Funds of a game without held payouts: every stake has enough for its payments."""
    plain = HeldFunds(game, ruleset)
    for payment in payments:
        plain.free[payment.payer] += payment.amount
    return plain


def reasons(
    loaded: Loaded, event: StoredEvent, payments: Sequence[Payment], versions: StreamVersions
) -> list[tuple[str, ...]]:
    """What each payment of an event waits for; empty for nothing."""
    if all(payment.payee in RESERVED for payment in payments):
        return [()] * len(payments)
    stopped = (
        bool(versions[payout_holds.STREAM])
        and payout_holds.stop_now(event.establishment) is not None
    )
    recorded = record(loaded)
    return [
        recorded.reasons(event.stream_version, seq, payment, stopped=stopped)
        for seq, payment in enumerate(payments)
    ]


def fee_moves(table: str) -> Callable[[Payment], Move | None]:
    """A function that gives the move of a fee's chips into the table's fee box, if any (A5)."""

    def moved(payment: Payment) -> Move | None:
        ends = accounts.accounts_of_fee(table, payment)
        return Move(*ends, payment.amount, FEE_BOX) if ends else None

    return moved


def _prizes(
    loaded: Loaded, event: StoredEvent, data: Mapping[str, Any]
) -> Iterator[scoreboard.Won]:
    """
    The prizes that an event's points reach; none if the event has been voided meanwhile, and none
    yet while a request to void it waits: a prize that is issued is not taken back (G4).
    """
    number, points = event.stream_version, data["points"]
    if points and number < first_event_questioned(loaded) and not is_cancelled(loaded, number):
        yield from scoreboard.thresholds_reached(
            loaded.key.establishment, loaded.ruleset.id, data["season"], points, event.position
        )


def is_cancelled(loaded: Loaded, number: int) -> bool:
    later = loaded.facts[number:]
    return any(isinstance(fact, Voided) and fact.back_to <= number for fact in later)


def first_event_questioned(loaded: Loaded) -> int:
    """The first event that somebody has asked to void and nobody has answered yet (G4)."""
    now = loaded.version + 1
    return min((each.back_to for each in record(loaded).requests(now)), default=now)


def release_after_rejection(
    loaded: Loaded, event: StoredEvent, fact: VoidRejected, versions: StreamVersions
) -> Sequence[journal.Entry]:
    """
    The entry after a request to void was rejected or withdrawn: it releases what waited for the
    answer, and issues the prizes that were reached meanwhile, if they still are.
    """
    key = loaded.key
    released = lift_reason(loaded, event, holding.void(fact.request), versions)
    prizes = list(_prizes_that_waited(loaded, event, fact, versions))
    if not prizes:
        return released
    guards = {key.settlement: versions[key.settlement], key.stream: loaded.version}
    entry = released[0] if released else new_entry(event, {}, (), (), about=key.game)
    issued = [new_event(key, PRIZE_ISSUED, _prize(won, cause)) for cause, won in prizes]
    first = len(entry.events)
    owed = _prize_transfers([won for _, won in prizes], first)
    return [
        replace(
            entry,
            guards={**entry.guards, **guards},
            events=(*entry.events, *issued),
            transfers=(*entry.transfers, *owed),
        )
    ]


def _prizes_that_waited(
    loaded: Loaded, event: StoredEvent, fact: VoidRejected, versions: StreamVersions
) -> Iterator[tuple[int, scoreboard.Won]]:
    """The prizes that waited for a request, each with the event that scored for it last."""
    requested = loaded.facts[fact.request - 1]
    if not isinstance(requested, VoidRequested):
        return
    until = min(event.stream_version, first_event_questioned(loaded))
    last = {
        (each.season, each.player): booking.cause
        for booking in standing(loaded.key, versions)
        if requested.back_to <= booking.cause < until
        for each in booking.scored
        if each.points
    }
    for (season, player), number in last.items():
        for won in scoreboard.thresholds_reached(
            loaded.key.establishment,
            loaded.ruleset.id,
            season,
            [player],
            loaded.events[number - 1].position,
        ):
            yield number, won


def _prize(won: scoreboard.Won, cause: int) -> dict[str, Any]:
    return {
        "cause": cause,
        "player": won.player,
        "rule": str(won.rule.pk),
        "prize": won.rule.prize,
        "amount": won.rule.amount,
        "season": won.season,
    }


def _prize_transfers(prizes: Sequence[scoreboard.Won], first: int) -> list[journal.NewTransfer]:
    """The transfers of prizes; `first`: the place of their first event in the entry."""
    return [
        seasons.prize_owed(won.player, won.rule.amount, at)
        for at, won in enumerate(prizes, first)
        if won.rule.amount
    ]


def take_back(
    loaded: Loaded, event: StoredEvent, fact: Voided, versions: StreamVersions
) -> Sequence[journal.Entry]:
    """
    The entry that reverses everything that a void cancels, newest first.

    It reverses booked payments, and the money that came to the table with a cancelled join or
    buy-in.
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
    back = [
        scoreboard.Scored(each.season, each.player, -each.points, -each.rounds)
        for booking in cancelled
        for each in booking.scored
    ]
    scoreboard.take_back(key.establishment, loaded.ruleset.id, back)
    data: dict[str, Any] = {
        "cause": event.stream_version,
        "reverses": [booking.cause for booking in cancelled],
        **scoreboard.as_data(back),
        "handed_back": list(brought),
    }
    mine = funds_of_game(loaded, event.stream_version, versions)
    # An event's money came to the table before its payments were booked, so it is reversed later.
    moved = {booking.cause: booking.transfers for booking in cancelled}
    newest_first = sorted({*moved, *brought}, reverse=True)
    reversing = [
        _reversal(each)
        for cause in newest_first
        for each in reversed((*brought.get(cause, ()), *moved.get(cause, ())))
    ]
    mine.take_back(fact.back_to, reversing)
    data |= lots_of(mine)
    note_withheld(key, mine)
    guards = {key.settlement: versions[key.settlement]}
    events = [new_event(key, REVERSED, data)]
    return [new_entry(event, guards, events, list(as_transfers(mine.moves)))]


def money_brought(loaded: Loaded, back_to: int, void: int) -> dict[int, tuple[Moved, ...]]:
    """
    The transfers of joins and buy-ins that a void cancels, by the number of their event.

    Events that an earlier void cancelled are left out, because their money was handed back then.
    There is no cash that left, because it prevents a void (G4).
    """
    standing = live(loaded.history[: void - 1])
    transfers = (
        (number, tuple(as_stored(each) for each in loaded.events[number - 1].transfers))
        for number, fact in standing
        if number >= back_to and fact.buy_ins
    )
    return {number: booked for number, booked in transfers if booked}


def _reversal(moved: Moved) -> Move:
    return Move(moved.credit, moved.debit, moved.amount, "G4", moved.transfer_id)


# Holds and releases booked payouts: after disputes, requests, witnesses and resumed payouts.


UNREADABLE = (LookupError, ValueError, TypeError, AttributeError)
"""The exceptions that folding a game raises if its events were forged."""

log = structlog.get_logger(__name__)


def hold_disputed(
    loaded: Loaded, event: StoredEvent, fact: Disputed, versions: StreamVersions
) -> Sequence[journal.Entry]:
    """Hold disputed payouts, as far as players still have them, until the dispute is resolved."""
    mine = funds_of_game(loaded, event.stream_version, versions)
    booked = {booking.cause for booking in standing(loaded.key, versions)}
    payouts = [
        (payout, payment)
        for payout, payment in record(loaded).disputed_payouts(fact)
        if payout.cause in booked
    ]
    mine.hold(payouts, holding.dispute(fact.dispute))
    return _entry_of_states(loaded.key, event, event.stream_version, mine, versions)


def hold_questioned(
    loaded: Loaded, event: StoredEvent, fact: VoidRequested, versions: StreamVersions
) -> Sequence[journal.Entry]:
    """
    Hold what a request to void would take back, as far as players still have it, until somebody
    has answered the request (G4).
    """
    if not fact.holds:
        return ()
    mine = funds_of_game(loaded, event.stream_version, versions)
    booked = {booking.cause for booking in standing(loaded.key, versions)}
    payouts = [
        (payout, payment)
        for payout, payment in record(loaded).questioned_payouts(fact)
        if payout.cause in booked
    ]
    mine.hold(payouts, holding.void(fact.request))
    return _entry_of_states(loaded.key, event, event.stream_version, mine, versions)


def lift_reason(
    loaded: Loaded,
    event: StoredEvent,
    reason: str,
    versions: StreamVersions,
    *,
    payouts: Iterable[PayoutPlace] | None = None,
) -> Sequence[journal.Entry]:
    """Remove a reason from held payouts; those that wait for nothing more go to their players."""
    if not withholds(loaded.key):
        return ()
    mine = funds_of_game(loaded, event.stream_version, versions)
    mine.lift(reason, payouts)
    return _entry_of_states(loaded.key, event, event.stream_version, mine, versions)


def release_after_dispute(
    loaded: Loaded, event: StoredEvent, fact: Resolved, versions: StreamVersions
) -> Sequence[journal.Entry]:
    """
    Release what waited for a dispute that is resolved.

    If the outcome is an adjustment that has not been made yet, the payouts stay held, and the
    adjustment releases them.
    """
    recorded, key = record(loaded), loaded.key
    made = [data for kind, data, _ in read(key, versions) if kind == ADJUSTED]
    for disputed_ in recorded.to_adjust(event.stream_version):
        if disputed_.dispute == fact.dispute and not any(
            recorded.adjusted_by(each, disputed_) for each in made
        ):
            return ()
    return lift_reason(loaded, event, holding.dispute(fact.dispute), versions)


def release_after_stop(event: StoredEvent, versions: StreamVersions) -> Sequence[journal.Entry]:
    """
    Release what waited for a house's payouts to be resumed: an entry for each such game (E2).

    Payouts are stopped when the records are not what they should be, so a game may be unreadable.
    Such a game is skipped, so that it delays no other: what it holds waits for the next resume
    after it can be read.
    """
    house = event.establishment
    waiting = Withheld.objects.filter(establishment=house, waiting=True).order_by("game")
    entries: list[journal.Entry] = []
    for game in waiting.values_list("game", flat=True):
        try:
            loaded = load(GameKey(house, game))
        except UNREADABLE:
            log.exception("resumed_without", establishment=str(house), game=str(game))
            continue
        mine = funds_of_game(loaded, loaded.version, versions)
        mine.lift(holding.STOPPED)
        entries += _entry_of_states(loaded.key, event, None, mine, versions)
    return entries


def _entry_of_states(
    key: GameKey, event: StoredEvent, cause: int | None, mine: HeldFunds, versions: StreamVersions
) -> Sequence[journal.Entry]:
    """The entry that records the new state of held or released payouts; empty if none changed."""
    lots = mine.as_rows()
    if not lots:
        return ()
    free = any(not lot["why"] for lot in lots)
    data = {"cause": cause, "because": event.position, "lots": lots}
    guards = {key.settlement: versions[key.settlement]}
    note_withheld(key, mine)
    events = [new_event(key, RELEASED if free else HELD, data)]
    return [new_entry(event, guards, events, list(as_transfers(mine.moves)), about=key.game)]


# Books a game at once, beside the workers or in their place, while somebody waits for it.


PATIENCE: Final = 2.0  # seconds that somebody at a table waits; workers book a longer backlog
BATCH: Final = 50  # events; other processes can write between two batches
PAUSE: Final = 0.05  # seconds, while a worker is booking


def book_at_once(key: GameKey) -> None:
    """
    Book a game up to its last event, which usually takes a moment; give up after `PATIENCE`.

    Money leaves only when it is booked. Without this function, a device that sends a throw and the
    cash-out of its payout one right after the other would be told again and again to retry.

    :raises OperationalError: and other transient errors; nothing has been booked then.
    """
    until = time.monotonic() + PATIENCE
    loaded = load(key)
    while settled.last_event_handled(loaded) < loaded.version and time.monotonic() < until:
        advanced = subscriptions.advance(SETTLEMENT, establishment=key.establishment, batch=BATCH)
        if advanced.lost_race:
            time.sleep(PAUSE)
        elif not advanced.handled:
            return  # the remaining events are parked
