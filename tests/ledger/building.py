"""Builds what does not matter to a test; what matters stands in the test."""

from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime
from hashlib import sha256
from uuid import UUID, uuid4

from ledger.accounts import AccountRef, Kind
from ledger.journal import Entry, Json, NewEvent, NewTransfer, Provenance, Receipt, Refusal, append

HOUSE = UUID(int=1)
OTHER_HOUSE = UUID(int=2)
AT_THE_TABLE = datetime(2026, 11, 21, 0, 55, 50, tzinfo=UTC)
RECORDED = datetime(2026, 11, 21, 0, 55, 51, 7, tzinfo=UTC)

CAGE = AccountRef(Kind.CAGE, "main")
BANK = AccountRef(Kind.BANK, "house")
ANNA = AccountRef(Kind.STAKE, "anna")
BERT = AccountRef(Kind.STAKE, "bert")
POT = AccountRef(Kind.POT, "game-1")


def provenance(command_id: UUID | None = None) -> Provenance:
    return Provenance(
        command_id=command_id or uuid4(),
        actor="attendant:1",
        device="tablet:1",
        correlation_id=uuid4(),
        causation_id=None,
        occurred_at=AT_THE_TABLE,
        recorded_at=RECORDED,
        gaming_day=date(2026, 11, 20),
    )


def event(stream: str = "game/1", number: int = 0, **data: Json) -> NewEvent:
    return NewEvent(
        stream=stream, event_type="test.happened", schema_version=1, data=data or {"n": number}
    )


def transfer(
    debit: AccountRef, credit: AccountRef, amount: int, *, at: int = 0, reverses: UUID | None = None
) -> NewTransfer:
    return NewTransfer(
        debit=debit, credit=credit, amount=amount, reason="test", event=at, reverses=reverses
    )


def entry(  # noqa: PLR0913  what a test leaves out does not matter to it
    guards: Mapping[str, int] | None = None,
    events: Sequence[NewEvent] = (),
    transfers: Sequence[NewTransfer] = (),
    *,
    command_id: UUID | None = None,
    request: str = "request",
    refusal: Refusal | None = None,
    balances: Mapping[AccountRef, int] | None = None,
) -> Entry:
    return Entry(
        provenance=provenance(command_id),
        request_hash=sha256(request.encode()).digest(),
        guards=guards or {},
        events=tuple(events),
        transfers=tuple(transfers),
        refusal=refusal,
        balances=balances or {},
    )


def appended(
    stream: str = "game/1",
    *transfers: NewTransfer,
    version: int = 0,
    events: int = 1,
    establishment: UUID = HOUSE,
) -> Receipt:
    """Append one entry of `events` events to a stream at `version`."""
    happened = [event(stream, version + number) for number in range(events)]
    [receipt] = append(
        establishment=establishment, entries=[entry({stream: version}, happened, transfers)]
    )
    return receipt
