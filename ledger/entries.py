"""
Entries: what is appended to the ledger, and the receipts it returns, without a database.

An *entry* is the answer to one command: either the events that it causes, the transfers that they
book and the stream versions that it relies on, or its refusal.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from uuid import UUID

from ledger.accounts import AccountRef
from ledger.canonical import INTEGER_MAX, Json, check_text
from ledger.ids import uuid7

NAME_MAX = 200  # characters of a stream, event type, actor, device, account, reason, code
HASH_BYTES = 32


class Malformed(ValueError):  # noqa: N818  names the fact
    """The entry contradicts itself: a programming error of the caller, not a mistake of a user."""


class NotWhole(Malformed):
    """The amount is not a whole number of coins from 1 to 2**53 - 1."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Provenance:
    """Where an event comes from: who asked for it, on which device, when, and its cause."""

    command_id: UUID
    actor: str
    device: str
    correlation_id: UUID
    causation_id: UUID | None
    occurred_at: datetime
    """By the clock at the table, with a time zone."""
    recorded_at: datetime
    """
    By the clock of the house's server, with a time zone. If it contradicts the order of positions,
    the position decides.
    """
    gaming_day: date


@dataclass(frozen=True, slots=True, kw_only=True)
class NewEvent:
    stream: str
    event_type: str
    schema_version: int
    data: Mapping[str, Json]
    event_id: UUID = field(default_factory=uuid7)


@dataclass(frozen=True, slots=True, kw_only=True)
class NewTransfer:
    """A transfer to be booked: one debit, one credit, `amount` whole coins. Always balanced."""

    debit: AccountRef
    credit: AccountRef
    amount: int
    reason: str
    event: int
    """The event of the entry that books this transfer, counted from 0."""
    reverses: UUID | None = None
    transfer_id: UUID = field(default_factory=uuid7)


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusal:
    code: str
    detail: str

    def __post_init__(self) -> None:
        _check_name("code", self.code)
        check_text(self.detail, "detail")


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """
    The answer to one command.

    `guards`: how many events each stream must have now (0: it must not exist). Every stream that
    the entry appends to must be named here; other streams named here are only checked.
    `balances`: what accounts must hold before the entry moves money, if it relies on that.
    `request_hash`: 32 bytes that tell a repeated request from another request with the same id.
    """

    provenance: Provenance
    request_hash: bytes
    guards: Mapping[str, int] = field(default_factory=dict)
    events: tuple[NewEvent, ...] = ()
    transfers: tuple[NewTransfer, ...] = ()
    refusal: Refusal | None = None
    balances: Mapping[AccountRef, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if len(self.request_hash) != HASH_BYTES:
            raise Malformed(f"A request hash has {HASH_BYTES} bytes, not {len(self.request_hash)}.")
        if self.refusal and (self.events or self.transfers):
            raise Malformed("A refused command leaves neither events nor transfers.")
        _check_name("actor", self.provenance.actor)
        _check_name("device", self.provenance.device)
        for event in self.events:
            _check_event(event, self.guards)
        for transfer in self.transfers:
            _check_transfer(transfer, len(self.events))


@dataclass(frozen=True, slots=True, kw_only=True)
class Cursor:
    """The move of a subscription's cursor to another position, within the same append."""

    subscription: str
    expected: int
    moved_to: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Receipt:
    """The recorded answer to a command. No positions: the command was refused or had no events."""

    command_id: UUID
    request_hash: bytes
    first_position: int | None
    last_position: int | None
    refusal: Refusal | None
    repeated: bool
    """Whether the command had been answered before; then this is the earlier answer."""


def _check_event(event: NewEvent, guards: Mapping[str, int]) -> None:
    _check_name("stream", event.stream)
    _check_name("event_type", event.event_type)
    if event.stream not in guards:
        raise Malformed(f"The stream {event.stream} is appended to without a guard.")
    if guards[event.stream] < 0 or event.schema_version < 1:
        raise Malformed(f"{event.stream}: versions count from 1, guards from 0.")


def _check_transfer(transfer: NewTransfer, events: int) -> None:
    if type(transfer.amount) is not int or not 0 < transfer.amount <= INTEGER_MAX:
        raise NotWhole(f"{transfer.amount!r} is not a whole number of coins above 0.")
    if transfer.debit == transfer.credit:
        raise Malformed(f"{transfer.debit} is debited and credited at once.")
    if not 0 <= transfer.event < events:
        raise Malformed(f"The entry has no event {transfer.event}.")
    for account in (transfer.debit, transfer.credit):
        _check_name("account", account.name)
    _check_name("reason", transfer.reason)


def _check_name(what: str, name: str) -> None:
    check_text(name, what)
    if not 0 < len(name) <= NAME_MAX:
        raise Malformed(f"{what}: from 1 to {NAME_MAX} characters, not {len(name)}.")
