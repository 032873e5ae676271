"""
Proposals: one manager of a chain proposes, another approves, and then it is done (C1).

    made = proposals.propose(member, kind=Kind.APPOINT, subject={…}, reason="…", command_id=…)
    proposals.decide(other_member, made.pk, approve=True, …)

Each step is an event in the stream ``proposal/<id>`` of the chain's ledger, in one transaction with
its row. That the two are two people the operations say first, then the ledger, then the database.
"""

from __future__ import annotations

import secrets
import uuid
from typing import TYPE_CHECKING, Any, Final

from django.db import transaction
from django.utils.module_loading import import_string

from casino.chain import operations
from casino.chain.frame import require
from casino.chain.models import ChainHouse, Proposal
from casino.house.attendants import selves
from games.refusals import NoGame, Refused

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from datetime import datetime

    from casino.chain.models import Chain, ChainMember

State = Proposal.State
Kind = Proposal.Kind
CARRIED_OUT: Final[Mapping[str, str]] = {
    Kind.SETTINGS: "casino.chain.roll_outs.begin",
    Kind.RULES: "casino.chain.roll_outs.begin",
    Kind.APPOINT: "casino.chain.proposal_pages.appoint_at_house",
    Kind.DISMISS: "casino.chain.proposal_pages.dismiss_at_house",
    Kind.DICE: "casino.chain.dice_pages.begin_departure",
}
"""The function that carries out each kind, in the transaction of its approval; named, not imported:
(proposal, approver, now)."""


class NoSuchProposal(NoGame):
    code = "no_such_proposal"


class ReasonMissing(Refused):
    code = "reason_missing"


class OwnProposal(Refused):
    code = "own_request"


class AlreadyDecided(Refused):
    code = "already_decided"


class NotTheAsker(Refused):
    code = "not_the_asker"


def id_of(chain: Chain, command_id: uuid.UUID) -> uuid.UUID:
    """The id of the proposal that a command makes: the same one however often it arrives."""
    return uuid.uuid5(chain.pk, f"proposal/{command_id}")


def propose(  # noqa: PLR0913 - what is proposed, by whom, and why
    member: ChainMember,
    *,
    kind: str,
    subject: Mapping[str, Any],
    reason: str,
    command_id: uuid.UUID,
    now: datetime,
    also: Callable[[Proposal], None] = lambda _made: None,
) -> Proposal:
    """
    Propose something to the chain's other managers.

    :param subject: names no person but by id.
    :param also: writes what else belongs to it, in the same transaction.
    :raises NotYours: if the person does not manage the chain.
    :raises ReasonMissing: if no reason is given.
    :raises CommandReused: if the command id was used for something else.
    """
    require(member, "configure")
    if not reason.strip():
        raise ReasonMissing("Say why: whoever approves it reads it. C1")
    chain, number = member.chain, id_of(member.chain, command_id)
    with transaction.atomic():
        known = Proposal.objects.filter(pk=number).first()
        salt = known.salt if known else secrets.token_hex(16)
        data = {
            "kind": kind, "subject": dict(subject), "asked_by": str(member.attendant_id),
            "reason": operations.hash_text(salt, reason),
        }  # fmt: skip
        receipt = operations.append_event(
            chain, "proposal.made", data, by=member.attendant, now=now,
            stream=stream_of(number), expected=0, command_id=command_id,
        )  # fmt: skip
        if known is not None or receipt.repeated:
            return known or Proposal.objects.get(pk=number)
        made = Proposal.objects.create(
            id=number, chain=chain, kind=kind, subject=dict(subject), reason=reason, salt=salt,
            asked_by=member.attendant, asked_at=now,
        )  # fmt: skip
        also(made)
    return made


def decide(  # noqa: PLR0913 - who decides what, and how
    member: ChainMember,
    proposal: uuid.UUID,
    *,
    approve: bool,
    now: datetime,
    command_id: uuid.UUID,
    answer: str = "",
) -> Proposal:
    """
    Approve or reject what another manager proposed. An approval carries it out.

    :param answer: why; needed to reject.
    :raises NotYours: if the person does not manage the chain.
    :raises SecondFactorNeeded: if they have not shown their second factor. D2
    :raises NoSuchProposal: if their chain has no such proposal.
    :raises OwnProposal: if they made it.
    :raises AlreadyDecided: if somebody else was faster.
    """
    require(member, "configure")
    with transaction.atomic():
        known = _waiting(member.chain, proposal)
        houses = ChainHouse.objects.filter(chain=member.chain).values("establishment")
        if selves.same_person(houses, known.asked_by_id, member.attendant_id):
            raise OwnProposal("You proposed this yourself: another manager decides it. C1")
        if not approve and not answer.strip():
            raise ReasonMissing("Say why not: whoever proposed it reads it. C1")
        who = "approved_by" if approve else "rejected_by"
        data = {
            "kind": known.kind, "asked_by": str(known.asked_by_id),
            who: str(member.attendant_id), "reason": operations.hash_text(known.salt, answer),
        }  # fmt: skip
        state = State.APPROVED if approve else State.REJECTED
        _end(member, known, state, data, now=now, command_id=command_id, answer=answer)
        if approve:
            import_string(CARRIED_OUT[known.kind])(known, member.attendant, now)
    return known


def withdraw(
    member: ChainMember, proposal: uuid.UUID, *, now: datetime, command_id: uuid.UUID
) -> Proposal:
    """
    Take back one's own proposal while it waits.

    :raises NotTheAsker: if somebody else made it.
    :raises AlreadyDecided: if it is decided.
    """
    require(member, "configure")
    with transaction.atomic():
        known = _waiting(member.chain, proposal)
        if known.asked_by_id != member.attendant_id:
            raise NotTheAsker("Somebody else proposed this: reject it, with a reason. C1")
        data = {"kind": known.kind, "asked_by": str(known.asked_by_id)}
        _end(member, known, State.WITHDRAWN, data, now=now, command_id=command_id)
    return known


def _waiting(chain: Chain, proposal: uuid.UUID) -> Proposal:
    rows = Proposal.objects.select_for_update(of=("self",), no_key=True).filter(
        chain=chain, pk=proposal
    )
    found = rows.first()
    if found is None:
        raise NoSuchProposal("Your chain has no such proposal.")
    if found.state != State.WAITING:
        raise AlreadyDecided(f"This was decided before: it is {found.state}.")
    return found


def _end(  # noqa: PLR0913 - how a proposal ends
    member: ChainMember,
    known: Proposal,
    state: State,
    data: Mapping[str, Any],
    *,
    now: datetime,
    command_id: uuid.UUID,
    answer: str = "",
) -> None:
    known.state, known.decided_by, known.decided_at = state, member.attendant, now
    known.answer = answer
    known.save(update_fields=["state", "decided_by", "decided_at", "answer"])
    operations.append_event(
        member.chain, f"proposal.{state.value}", data, by=member.attendant, now=now,
        stream=stream_of(known.pk), expected=1, command_id=command_id,
    )  # fmt: skip


def stream_of(proposal: uuid.UUID) -> str:
    return f"proposal/{proposal}"


def waiting(chain: uuid.UUID) -> int:
    """How many proposals of a chain wait for a second person."""
    return Proposal.objects.filter(chain=chain, state=State.WAITING).count()
