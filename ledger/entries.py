"""
What is put to the ledger and what it answers, without a database.

An *entry* is the answer to one command: the events it brings about, the transfers they book, the
versions of the streams it rests on, or its refusal.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from uuid import UUID

from ledger.accounts import AccountRef
from ledger.canonical import INTEGER_MAX, Json, checked_text
from ledger.ids import uuid7

NAME_MAX = 200  # characters of a stream, event type, actor, device, account, reason, code
HASH_BYTES = 32


class Malformed(ValueError):  # noqa: N818  names the fact
    """The entry does not hold together. A mistake of the caller, never of a person."""


class NotWhole(Malformed):
    """An amount is not a whole number of coins from 1 to 2**53 - 1."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Provenance:
    """Who asked for it, where, when, and what made them ask."""

    command_id: UUID
    actor: str
    device: str
    correlation_id: UUID
    causation_id: UUID | None
    occurred_at: datetime
    """At the table, with a time zone."""
    recorded_at: datetime
    """At the house's server, with a time zone. Where it and position disagree, position decides."""
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
    """One debit, one credit, `amount` whole coins: balanced by construction."""

    debit: AccountRef
    credit: AccountRef
    amount: int
    reason: str
    event: int
    """Which event of its entry books it, counted from 0."""
    reverses: UUID | None = None
    transfer_id: UUID = field(default_factory=uuid7)


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusal:
    code: str
    detail: str

    def __post_init__(self) -> None:
        _check_name("code", self.code)
        checked_text(self.detail, "detail")


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """
    The answer to one command.

    `guards` say how many events each stream has now (0: it must not exist). A stream that the
    entry appends to must be among them; a stream without events of this entry is only checked.
    `balances` say what accounts hold before the entry moves money, where it rests on that.
    `request_hash` (32 bytes) tells a repeated request from another one under the same id.
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
    """A subscription's move from one position to another, within the same append."""

    subscription: str
    expected: int
    moved_to: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Receipt:
    """The recorded answer to a command. No positions: it was refused, or nothing came of it."""

    command_id: UUID
    request_hash: bytes
    first_position: int | None
    last_position: int | None
    refusal: Refusal | None
    repeated: bool
    """The command had been answered before; this is that answer."""


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
    checked_text(name, what)
    if not 0 < len(name) <= NAME_MAX:
        raise Malformed(f"{what}: from 1 to {NAME_MAX} characters, not {len(name)}.")
