"""What settlement writes of a game in ``settlement/<game>``, and how it reads that again."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from django.utils import timezone

from casino.game_streams.loading import GameKey
from casino.settlement import holding
from casino.settlement.held_funds import HeldFunds
from casino.settlement.holding import Record
from casino.settlement.models import Withheld
from casino.settlement.settled import BOOKED, REVERSED, ever_withheld
from casino.settlement.settled import SETTLEMENT as NAME
from ledger import journal
from ledger.accounts import AccountRef

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from casino.game_streams.loading import Loaded
    from casino.settlement.held_funds import Move
    from ledger.subscriptions import StreamVersions
    from ledger.wire import StoredEvent

ACTOR = "settlement"
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


def game_key(event: StoredEvent) -> GameKey | None:
    """The game that an event belongs to; None for the house's other events."""
    kind, _, game = event.stream.partition("/")
    return GameKey(event.establishment, uuid.UUID(game)) if kind == "game" else None


def record(loaded: Loaded) -> Record:
    return Record(loaded.facts, loaded.opening.data.get(holding.LARGE_PRIZE))


def standing(key: GameKey, versions: StreamVersions) -> list[Booking]:
    """What is booked for a game and not reversed, in order; this batch's bookings included."""
    bookings: dict[int, Booking] = {}
    for event_type, data, transfers in read(key, versions):
        if event_type == BOOKED:
            bookings[data["cause"]] = Booking(
                data["cause"], _exact(data["points"]), tuple(transfers)
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


def held_funds(loaded: Loaded, through: int, versions: StreamVersions) -> HeldFunds:
    """
    What is booked for the players of a game, with the cash of its events up to one of them; this
    batch's bookings included.
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


def lots_of(booked: HeldFunds) -> dict[str, Any]:
    """What a booking did to what is held, to stand in its event; nothing where it did nothing."""
    rows = booked.as_rows()
    return {"lots": rows} if rows else {}


def withholds(key: GameKey) -> bool:
    """Whether payouts of a game were ever held."""
    return ever_withheld(key)


def note_withheld(key: GameKey, booked: HeldFunds, *, always: bool = False) -> None:
    """
    Note what of a game waits now.

    In the transaction that appends to its settlement under its version, so nobody notes in between.

    :param always: also where nothing is held: what a player gave may be missing when they pay next.
    """
    if booked.touched or always:
        Withheld.objects.update_or_create(
            establishment_id=key.establishment,
            game=key.game,
            defaults={"waiting": any(lot.why for lot in booked.lots.values())},
        )


def points_as_json(points: Mapping[str, Fraction]) -> dict[str, int | str]:
    """Whole points as numbers, shared ones as in ``8/3``: JSON has no fractions."""
    return {
        player: won.numerator if won.denominator == 1 else str(won)
        for player, won in points.items()
    }


def _exact(shares: Mapping[str, int | str]) -> dict[str, Fraction]:
    return {player: Fraction(won) for player, won in shares.items()}


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
    Under a command id that follows from the cause: what is handled twice is booked once.

    :param about: the game, where one event may lead to entries for several.
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
