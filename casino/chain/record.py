"""
The chain's own ledger: who joined it, what was proposed and approved, as events under its id.

A ledger knows a house only as a UUID, so a chain has one in the same tables, with the same guards:
append-only, guarded by versions, signed (`casino.chain.proof`). A reason is kept beside it; the
event has only its salted hash, as in a house.
"""

from __future__ import annotations

import hashlib
import uuid
from datetime import UTC
from typing import TYPE_CHECKING, Any, Final

from ledger import canonical, journal

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from casino.chain.models import Chain
    from casino.house.attendants.models import Attendant

CHAIN: Final = "chain"
"""The stream of the chain itself: its founding, its members, its houses."""
SYSTEM: Final = "system"
DEVICE: Final = "chain"


def append(  # noqa: PLR0913 - what an event says, and where
    chain: Chain,
    event_type: str,
    data: Mapping[str, Any],
    *,
    by: Attendant | None,
    now: datetime,
    stream: str = CHAIN,
    expected: int | None = None,
    command_id: uuid.UUID | None = None,
) -> journal.Receipt:
    """
    Append one event to the chain's ledger.

    :param by: None if somebody at the machine does it, by command.
    :param expected: the version of the stream that was read; None: the present one.
    :raises StreamMoved: if the stream has another version.
    :raises FourEyes: if `approved_by` is not another person than `asked_by`.
    """
    version = version_of(chain, stream) if expected is None else expected
    command = command_id or uuid.uuid4()
    event = journal.NewEvent(
        stream=stream, event_type=event_type, schema_version=1, data=dict(data)
    )
    provenance = journal.Provenance(
        command_id=command,
        actor=str(by.pk) if by else SYSTEM,
        device=DEVICE,
        correlation_id=command,
        causation_id=None,
        occurred_at=now,
        recorded_at=now,
        gaming_day=now.astimezone(UTC).date(),  # a chain has no cut-off: its houses have
    )
    entry = journal.Entry(
        provenance=provenance,
        request_hash=hashlib.sha256(canonical.encode(dict(data))).digest(),
        guards={stream: version},
        events=(event,),
    )
    (receipt,) = journal.append(establishment=chain.pk, entries=[entry])
    return receipt


def version_of(chain: Chain, stream: str) -> int:
    last = journal.last(establishment=chain.pk, stream=stream)
    return last.stream_version if last else 0


def hash_text(salt: str, text: str) -> str:
    """What an event says of a text that is kept beside the ledger, "" for no text."""
    return hashlib.sha256(f"{salt}/{text}".encode()).hexdigest() if text else ""
