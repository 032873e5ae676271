"""
The proof of a chain's own ledger: it is signed like a house's, and checked with the same checks.

The rows of members and houses are compared with the events that wrote them: who puts somebody into
a chain in any other way than by its acts is found.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import structlog
from django.conf import settings
from django.utils import timezone

from casino.chain import operations
from casino.chain.models import Chain, ChainHouse, ChainMember, Proposal
from casino.chain.proposals import stream_of
from casino.proof.signing import keys
from casino.proof.verification import verifying
from ledger import checkpoints, journal
from ledger.checking.stages import STAGES
from ledger.checkpoints import BehindPublished
from ledger.tiles import Altered

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime
    from uuid import UUID

    from ledger.models import Checkpoint
    from ledger.notes import SigningKey

log = structlog.get_logger(__name__)

ENDED: Final = {
    "proposal.made": Proposal.State.WAITING,
    **{f"proposal.{state.value}": state for state in Proposal.State},
}
"""The state of a proposal after each kind of event."""
SAID: Final[set[UUID]] = set()
"""The chains of which this process has said that nothing is signed: once, not every few seconds."""


def sign(establishment: UUID, now: datetime) -> Checkpoint | None:
    """Sign a chain's ledger, if the id is a chain's; what prevents it is logged, once."""
    chain = Chain.objects.filter(pk=establishment).first()
    if chain is None or journal.head(establishment=establishment) < 0:
        return None
    try:
        own = keys.signing_keys(chain.pk)
        _announce(chain, own, now)
        signed = checkpoints.grow(
            establishment=chain.pk, keys=own, name=settings.LEDGER_ORIGIN, now=now
        )
    except (keys.NoKey, Altered, BehindPublished) as why:
        if chain.pk not in SAID:
            # NoKey's own sentence names the command of a house.
            says = "no key: chain key makes one" if isinstance(why, keys.NoKey) else str(why)
            log.error("chain_not_signed", chain=str(chain.pk), why=says)  # noqa: TRY400 - a state, not a fault of this code
        SAID.add(chain.pk)
        return None
    SAID.discard(chain.pk)
    return signed


def make_key(chain: Chain, now: datetime) -> str:
    """
    Make the chain's first key and put it on record; if it has one, that one. Returns its vkey.

    :raises NoKey: if no key can be made here.
    """
    held = keys.secret_keys(chain.pk) or (keys.make_file(chain.pk, keys.origin(chain.pk)),)
    _announce(chain, held[:1], now)
    return str(held[0].public)


def _announce(chain: Chain, own: tuple[SigningKey, ...], now: datetime) -> None:
    """Put keys on record in the chain's ledger before the first checkpoint that they sign."""
    for key in own:
        known = keys.record_of(chain.pk)
        if known.holds(key.public.public):
            continue
        after = known.announced(key.public)
        data = {
            "vkey": str(key.public),
            "in_force": [str(each) for each in after.in_force],
            "retired": [str(each) for each in after.retired],
        }
        operations.append_event(
            chain, keys.ANNOUNCED, data, by=None, now=now,
            stream=keys.STREAM, expected=known.version,
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Verified:
    """:param signed: how many events the newest checkpoint covers."""

    findings: list[str]
    events: int
    signed: int


def verify(chain: Chain) -> Verified:
    """Check a chain's ledger as a house's is checked, and its rows against its events."""
    book = verifying.open_book(chain.pk, now=timezone.now())
    found = [
        each.says for check in STAGES.values() for step in check(book, {}) for each in step.findings
    ]
    signed = checkpoints.latest(chain.pk)
    return Verified(
        findings=[*found, *_rows(chain)],
        events=book.stop,
        signed=signed.size if signed else 0,
    )


def _rows(chain: Chain) -> Iterator[str]:
    """Differences between rows of a chain and what its events say."""
    members: dict[str, dict[str, Any]] = {}
    houses: set[str] = set()
    for event in journal.stream(establishment=chain.pk, stream=operations.CHAIN):
        data = event.data
        match event.event_type:
            case "chain.member_appointed":
                for known in members.values():  # another role ends the one before
                    known["now"] &= known["attendant"] != data["attendant"]
                members[data["member"]] = {
                    "attendant": data["attendant"], "role": data["role"], "now": True,
                }  # fmt: skip
            case "chain.member_dismissed":
                members[data["member"]]["now"] = False
            case "chain.house_joined":
                houses.add(data["house"])
            case "chain.house_left":
                houses.discard(data["house"])
    there = {
        str(row.pk): {
            "attendant": str(row.attendant_id), "role": row.role, "now": row.until is None,
        }
        for row in ChainMember.objects.filter(chain=chain)
    }  # fmt: skip
    for key in sorted(members.keys() | there.keys()):
        if members.get(key) != there.get(key):
            yield f"The row of member {key} is not as the chain's ledger has it."
    yield from _proposals(chain)
    rows = ChainHouse.objects.filter(chain=chain).values_list("establishment_id", flat=True)
    for house in sorted(houses ^ set(map(str, rows))):
        yield f"Whether the house {house} belongs to the chain is not as its ledger has it."


def _proposals(chain: Chain) -> Iterator[str]:
    """Proposals that are not as their events have them: what, why, by whom, and how they ended."""
    for row in Proposal.objects.filter(chain=chain).order_by("asked_at"):
        events = journal.stream(establishment=chain.pk, stream=stream_of(row.pk))
        made, ended = (events[0].data, events[-1]) if events else ({}, None)
        decided = {**(ended.data if ended else {})}
        second = decided.get("approved_by") or decided.get("rejected_by")
        said = {
            "kind": made.get("kind"),
            "subject": made.get("subject"),
            "asked_by": made.get("asked_by"),
            "reason": made.get("reason"),
            "state": ENDED.get(ended.event_type) if ended else None,
            "second": second,
        }
        by_two = row.state in {Proposal.State.APPROVED, Proposal.State.REJECTED}
        there = {
            "kind": row.kind,
            "subject": row.subject,
            "asked_by": str(row.asked_by_id),
            "reason": operations.hash_text(row.salt, row.reason),
            "state": row.state,
            "second": str(row.decided_by_id) if by_two else None,
        }
        if said != there:
            yield f"The proposal {row.pk} is not as the chain's ledger has it."
