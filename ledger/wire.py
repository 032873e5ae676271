"""
Converts events to bodies (canonical JSON) and bodies to events.

The body is the truth. It contains every column except `position` and `leaf_hash`, the event's
`data` and the `transfers` that it books. Columns and transfer rows are copies of it. Bodies are
never migrated: `UPCASTERS` bring old data to the newest schema version when it is read.
"""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from hashlib import sha256
from sys import intern
from typing import Any, NamedTuple
from uuid import UUID

from ledger.accounts import AccountRef
from ledger.canonical import QUOTED, Json, encode, moment, read_moment, spell
from ledger.entries import Cursor, Entry, NewTransfer, Provenance
from ledger.models import CommandReceipt

Upcaster = Callable[[Mapping[str, Any]], Mapping[str, Any]]

UPCASTERS: dict[tuple[str, int], Upcaster] = {}
"""(event type, schema version) -> a function that turns data of that version into the next one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredEvent:
    """An event as it is read, with its data in the newest schema version."""

    establishment: UUID
    position: int
    event_id: UUID
    stream: str
    stream_version: int
    event_type: str
    schema_version: int
    command_seq: int
    provenance: Provenance
    data: Mapping[str, Any]
    transfers: Sequence[Mapping[str, Any]]
    """The transfers as in the body: debit and credit as ``kind:name``, amount, reason, ids."""
    body: bytes
    leaf_hash: bytes


def leaf_hash(body: bytes) -> bytes:
    """The hash of a leaf (RFC 6962, section 2.1). A first byte 0 tells leaves from nodes."""
    return sha256(b"\x00" + body).digest()


class Written(NamedTuple):
    stream_version: int
    body: bytes


class Batch(NamedTuple):
    """Everything that one append records."""

    establishment: UUID
    entries: tuple[tuple[Entry, list[Written]], ...]
    cursor: Cursor | None

    @property
    def transfers(self) -> list[NewTransfer]:
        return [booked for entry, _ in self.entries for booked in entry.transfers]


def write(establishment: UUID, entry: Entry) -> list[Written]:
    """
    The bodies of an entry's events, in order.

    The keys are written here in their sorted order, because `canonical.encode` would have to sort
    them for each body. `Entry` has checked the names already, so only the data has to be checked.

    :raises NotCanonical: if an event's data has no canonical spelling; names the place.
    """
    versions = dict(entry.guards)
    before, between, moments = _provenance(establishment, entry.provenance)
    rows = []
    for seq, event in enumerate(entry.events):
        versions[event.stream] = version = versions[event.stream] + 1
        moved = [_transfer(booked) for booked in entry.transfers if booked.event == seq]
        body = (
            f'{before},"command_seq":{seq:d},{between[0]},"data":{spell(event.data, "$.data")}'
            f',{between[1]},"event_id":"{event.event_id}","event_type":{QUOTED(event.event_type)}'
            f',{moments},"schema_version":{event.schema_version:d}'
            f',"stream":{QUOTED(event.stream)},"stream_version":{version:d}'
            f',"transfers":[{",".join(moved)}]}}'
        )
        rows.append(Written(version, body.encode()))
    return rows


def read_event(establishment: UUID, position: int, body: bytes, leaf: bytes) -> StoredEvent:
    """An event, read from its body alone."""
    fields = json.loads(body)
    data, schema_version = lift(fields["event_type"], fields["schema_version"], fields["data"])
    return StoredEvent(
        establishment=establishment,
        position=position,
        event_id=UUID(fields["event_id"]),
        stream=intern(fields["stream"]),
        stream_version=fields["stream_version"],
        event_type=intern(fields["event_type"]),
        schema_version=schema_version,
        command_seq=fields["command_seq"],
        provenance=provenance_of(fields),
        data=data,
        transfers=fields["transfers"],
        body=body,
        leaf_hash=leaf,
    )


class EventContent(NamedTuple):
    """The type and data of an event, without provenance: for readers of what happened in games."""

    position: int
    event_type: str
    data: Mapping[str, Any]


def read_content(position: int, body: bytes) -> EventContent:
    """
    The content of an event, read from its body in a fifth of the time that `read_event` takes.

    It searches the body for the text of a key. In a canonical body the first match is the key
    itself: quotes within texts are escaped, keys are sorted, and no value that stands before these
    keys, apart from `data`, which is skipped, contains keys of its own.
    """
    text = body.decode()
    data, end = _value(text, text.index(_DATA) + len(_DATA))
    event_type, end = _value(text, text.index(_EVENT_TYPE, end) + len(_EVENT_TYPE))
    version, _end = _value(text, text.index(_SCHEMA_VERSION, end) + len(_SCHEMA_VERSION))
    return EventContent(position, intern(event_type), lift(event_type, version, data)[0])


_DATA, _EVENT_TYPE, _SCHEMA_VERSION = ',"data":', ',"event_type":', ',"schema_version":'
_value = json.JSONDecoder().raw_decode


def read_events(
    establishment: UUID, rows: Iterable[tuple[int, bytes | memoryview, bytes | memoryview]]
) -> list[StoredEvent]:
    """Events from rows of position, body and leaf hash, as either database returns them."""
    return [
        read_event(establishment, position, bytes(body), bytes(leaf))
        for position, body, leaf in rows
    ]


def answer(row: CommandReceipt) -> bytes:
    """
    A command's receipt in canonical JSON, as exports contain it and the chain of receipts hashes
    it.

    Its place in the chain is not part of it: in an export, that is the number of the line.
    """
    fields: dict[str, Json] = {
        "command_id": str(row.command_id),
        "request_hash": bytes(row.request_hash).hex(),
        "first_position": row.first_position,
        "last_position": row.last_position,
        "refusal_code": row.refusal_code,
        "refusal_detail": row.refusal_detail,
        "actor": row.actor,
        "recorded_at": moment(row.recorded_at),
    }
    return encode(fields)


def lift(
    event_type: str, schema_version: int, data: Mapping[str, Any]
) -> tuple[Mapping[str, Any], int]:
    """Data in its newest schema version, and the number of that version (`UPCASTERS`)."""
    while (upcast := UPCASTERS.get((event_type, schema_version))) is not None:
        data, schema_version = upcast(data), schema_version + 1
    return data, schema_version


def read_transfers(event: StoredEvent) -> tuple[NewTransfer, ...]:
    """The transfers that an event books, as `NewTransfer`."""
    return transfers_of_body(event.transfers, event.command_seq)


def transfers_of_body(rows: Sequence[Mapping[str, Any]], seq: int) -> tuple[NewTransfer, ...]:
    """The transfers of a body. :param seq: the number of the event within its command."""
    return tuple(
        NewTransfer(
            debit=AccountRef.parse(row["debit"]),
            credit=AccountRef.parse(row["credit"]),
            amount=row["amount"],
            reason=row["reason"],
            event=seq,
            reverses=_uuid(row["reverses"]),
            transfer_id=UUID(row["transfer_id"]),
        )
        for row in rows
    )


def provenance_of(fields: Mapping[str, Any]) -> Provenance:
    """The provenance of an event, from the fields of its body."""
    return Provenance(
        command_id=UUID(fields["command_id"]),
        actor=intern(fields["actor"]),
        device=intern(fields["device"]),
        correlation_id=UUID(fields["correlation_id"]),
        causation_id=_uuid(fields["causation_id"]),
        occurred_at=read_moment(fields["occurred_at"]),
        recorded_at=read_moment(fields["recorded_at"]),
        gaming_day=date.fromisoformat(fields["gaming_day"]),
    )


def _provenance(establishment: UUID, by: Provenance) -> tuple[str, tuple[str, str], str]:
    """The JSON that all bodies of an entry share, in pieces between which the other keys go."""
    before = (
        f'{{"actor":{QUOTED(by.actor)},"causation_id":{_spell_id(by.causation_id)}'
        f',"command_id":"{by.command_id}"'
    )
    between = (
        f'"correlation_id":"{by.correlation_id}"',
        f'"device":{QUOTED(by.device)},"establishment":"{establishment}"',
    )
    moments = (
        f'"gaming_day":"{by.gaming_day.isoformat()}","occurred_at":"{moment(by.occurred_at)}"'
        f',"recorded_at":"{moment(by.recorded_at)}"'
    )
    return before, between, moments


def _transfer(booked: NewTransfer) -> str:
    return (
        f'{{"amount":{booked.amount:d},"credit":{QUOTED(str(booked.credit))}'
        f',"debit":{QUOTED(str(booked.debit))},"reason":{QUOTED(booked.reason)}'
        f',"reverses":{_spell_id(booked.reverses)},"transfer_id":"{booked.transfer_id}"}}'
    )


def _spell_id(value: UUID | None) -> str:
    return "null" if value is None else f'"{value}"'


def _uuid(text: str | None) -> UUID | None:
    return None if text is None else UUID(text)
