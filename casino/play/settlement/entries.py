"""Settlement entries: what settlement writes for a game in ``settlement/<game>``, for which day."""

from __future__ import annotations

import uuid
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from django.utils import timezone

from casino.house.acts.game_streams.loading import GameKey
from casino.house.establishments import gaming_day
from casino.play.settlement import holding, scoreboard
from casino.play.settlement.held_funds import HeldFunds
from casino.play.settlement.holding import Record
from casino.play.settlement.models import Withheld
from casino.play.settlement.settled import BOOKED, REVERSED, ever_withheld
from casino.play.settlement.settled import SETTLEMENT as NAME
from ledger import journal
from ledger.accounts import AccountRef

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from fractions import Fraction

    from casino.house.acts.game_streams.loading import Loaded
    from casino.play.settlement.held_funds import Move
    from casino.play.settlement.scoreboard import Scored
    from ledger.entries import Entry
    from ledger.subscriptions import Handle, StreamVersions
    from ledger.wire import StoredEvent

ACTOR = "settlement"
NAMESPACE = uuid.UUID("6f9a3f0e-3c0b-5e0b-9d57-0a5b5a2f7c11")


@dataclass(frozen=True, slots=True)
class Moved:
    """The parts of a booked transfer that its reversal needs."""

    transfer_id: uuid.UUID
    debit: AccountRef
    credit: AccountRef
    amount: int


@dataclass(frozen=True, slots=True)
class Booking:
    """What settlement booked for one event of a game."""

    cause: int
    scored: Sequence[Scored]
    transfers: tuple[Moved, ...]


def game_key(event: StoredEvent) -> GameKey | None:
    """The game that an event belongs to; None for the house's other events."""
    kind, _, game = event.stream.partition("/")
    return GameKey(event.establishment, uuid.UUID(game)) if kind == "game" else None


def record(loaded: Loaded) -> Record:
    return Record(loaded.facts, loaded.opening.data.get(holding.LARGE_PRIZE))


def standing(key: GameKey, versions: StreamVersions) -> list[Booking]:
    """The bookings of a game that are not reversed, in order, including those of this batch."""
    bookings: dict[int, Booking] = {}
    for event_type, data, transfers in read(key, versions):
        if event_type == BOOKED:
            bookings[data["cause"]] = Booking(
                data["cause"], tuple(scoreboard.changes_of(data)), tuple(transfers)
            )
        elif event_type == REVERSED:
            for cause in data["reverses"]:
                del bookings[cause]
    return list(bookings.values())


def read(
    key: GameKey, versions: StreamVersions
) -> Iterator[tuple[str, Mapping[str, Any], Iterable[Moved]]]:
    for event in journal.stream(establishment=key.establishment, stream=key.settlement):
        yield event.event_type, event.data, [as_stored(each) for each in event.transfers]
    for waiting, transfers in versions.decided(key.settlement):
        moved = [
            Moved(each.transfer_id, each.debit, each.credit, each.amount) for each in transfers
        ]
        yield waiting.event_type, waiting.data, moved


def funds_of_game(loaded: Loaded, through: int, versions: StreamVersions) -> HeldFunds:
    """
    The funds of the players of a game, from all bookings and the cash of its events.

    Bookings of the current batch are included.

    :param through: number of the last event whose cash counts.
    """
    mine = HeldFunds(loaded.key.game, loaded.ruleset.id)
    for event in loaded.events[:through]:
        mine.fold(map(_ends, map(as_stored, event.transfers)))
    for _, data, transfers in read(loaded.key, versions):
        mine.fold(map(_ends, transfers), data.get("lots", ()))
    return mine


def _ends(moved: Moved) -> tuple[AccountRef, AccountRef, int]:
    return moved.debit, moved.credit, moved.amount


def as_transfers(moves: Iterable[Move]) -> Iterator[journal.NewTransfer]:
    """Moves as transfers of the first event of their entry."""
    for move in moves:
        yield journal.NewTransfer(
            debit=move.debit,
            credit=move.credit,
            amount=move.amount,
            reason=move.reason,
            event=0,
            reverses=move.reverses,
        )


def lots_of(booked: HeldFunds) -> dict[str, Any]:
    """The held payouts that a booking changed, as a field of its event; empty if there are none."""
    rows = booked.as_rows()
    return {"lots": rows} if rows else {}


def withholds(key: GameKey) -> bool:
    """Whether any payout of a game was ever held."""
    return ever_withheld(key)


def note_withheld(key: GameKey, booked: HeldFunds, *, always: bool = False) -> None:
    """
    Note in `Withheld` whether payouts of a game are held now.

    This runs in the transaction that appends to the game's settlement stream under its version, so
    nobody else notes in between.

    :param always: note the game even if nothing is held: after an adjustment that a player paid,
        their stake may lack coins at the next payment.
    """
    if booked.touched or always:
        Withheld.objects.update_or_create(
            establishment_id=key.establishment,
            game=key.game,
            defaults={"waiting": any(lot.why for lot in booked.lots.values())},
        )


def points_as_json(points: Mapping[str, Fraction]) -> dict[str, int | str]:
    return {player: scoreboard.as_json(won) for player, won in points.items()}


def as_stored(transfer: Mapping[str, Any]) -> Moved:
    return Moved(
        uuid.UUID(transfer["transfer_id"]),
        AccountRef.parse(transfer["debit"]),
        AccountRef.parse(transfer["credit"]),
        transfer["amount"],
    )


def new_event(key: GameKey, event_type: str, data: Mapping[str, Any]) -> journal.NewEvent:
    return journal.NewEvent(
        stream=key.settlement, event_type=event_type, schema_version=1, data=data
    )


def new_entry(
    cause: StoredEvent,
    guards: Mapping[str, int],
    events: Sequence[journal.NewEvent],
    transfers: Sequence[journal.NewTransfer],
    *,
    about: uuid.UUID | None = None,
) -> journal.Entry:
    """
    An entry of settlement, with a command id derived from its cause.

    So an event that is handled twice is booked once.

    :param about: the game, if one event may lead to entries for several games.
    """
    data = cause.provenance
    name = f"{NAME}/{cause.event_id}" if about is None else f"{NAME}/{cause.event_id}/{about}"
    return journal.Entry(
        provenance=journal.Provenance(
            command_id=uuid.uuid5(NAMESPACE, name),
            actor=ACTOR,
            device=ACTOR,
            correlation_id=data.correlation_id,
            causation_id=cause.event_id,
            occurred_at=data.occurred_at,
            recorded_at=timezone.now(),
            gaming_day=data.gaming_day,  # effects belong to their cause's day (B4)
        ),
        request_hash=cause.leaf_hash,
        guards=guards,
        events=tuple(events),
        transfers=tuple(transfers),
    )


# The gaming day of a booking: the day of its cause, as long as that day is not closed (B4).


def on_their_day(handle: Handle) -> Handle:
    """
    Wrap a subscriber's handler, so that its entries get their gaming day and a guard on it.

    An entry that is appended while the day of its cause is being closed still belongs to that day.
    A later entry belongs to the current day, and names its cause.
    """

    def dated(event: StoredEvent, versions: StreamVersions) -> Sequence[Entry]:
        return [_date_entry(entry, versions) for entry in handle(event, versions)]

    return dated


def touching_the_day(
    touches: Callable[[StoredEvent], Iterable[str]],
) -> Callable[[StoredEvent], Iterable[str]]:
    """Add the stream of the gaming day to the streams that are looked up for a batch."""

    def touched(event: StoredEvent) -> Iterable[str]:
        streams = tuple(touches(event))
        return (*streams, gaming_day.STREAM) if streams else ()

    return touched


def _date_entry(entry: Entry, versions: StreamVersions) -> Entry:
    data = entry.provenance
    today = gaming_day.of_effect(
        versions.establishment, data.gaming_day, version=versions[gaming_day.STREAM]
    )
    return replace(
        entry,
        guards={**entry.guards, **today.guards},
        provenance=replace(data, gaming_day=today.day),
    )
