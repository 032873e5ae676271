"""Holds and releases booked payouts: after disputes, requests, witnesses and resumed payouts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import structlog

from casino.house.acts.game_streams.loading import GameKey, Loaded, load
from casino.play.settlement import holding
from casino.play.settlement.entries import (
    as_transfers,
    funds_of_game,
    new_entry,
    new_event,
    note_withheld,
    read,
    record,
    standing,
    withholds,
)
from casino.play.settlement.models import Withheld
from casino.play.settlement.settled import ADJUSTED, HELD, RELEASED

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from casino.house.acts.accounts import PayoutPlace
    from casino.play.settlement.held_funds import HeldFunds
    from games.messages import Disputed, Resolved, VoidRequested
    from ledger import journal
    from ledger.subscriptions import StreamVersions
    from ledger.wire import StoredEvent

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
