"""Who works for a chain, as its managers propose and approve it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from casino.chain import operations, proposals
from casino.chain.models import ChainMember, ChainRole
from casino.chain.proposals import Kind
from casino.house.attendants.models import Attendant
from games.refusals import Refused

if TYPE_CHECKING:
    from datetime import datetime
    from uuid import UUID

    from casino.chain.models import Proposal


class NobodyOfThatName(Refused):
    code = "nobody_of_that_name"


class OwnRole(Refused):
    code = "own_role"


def propose_appointment(  # noqa: PLR0913 - who proposes whom, and why
    member: ChainMember, *, username: str, role: str, reason: str, command_id: UUID, now: datetime
) -> Proposal:
    """
    Propose that somebody gets a role in the chain, or another role.

    :raises NobodyOfThatName: if nobody signs in under that name.
    :raises OwnRole: if they propose a role for themselves. D1
    """
    person = Attendant.objects.filter(
        username=username.strip(), is_active=True, is_superuser=False
    ).first()
    if person is None:
        raise NobodyOfThatName(f"Nobody signs in here as {username}: somebody takes them on first.")
    _another(member, person.pk)
    subject = {"attendant": str(person.pk), "role": ChainRole(role).value}
    return proposals.propose(
        member, kind=Kind.APPOINT, subject=subject, reason=reason, command_id=command_id, now=now
    )


def propose_dismissal(
    member: ChainMember, *, attendant: UUID, reason: str, command_id: UUID, now: datetime
) -> Proposal:
    """
    Propose that somebody's role in the chain ends.

    :raises NotOfThisChain: if they have none.
    :raises OwnRole: if it is their own. D1
    """
    _another(member, attendant)
    rows = ChainMember.objects.filter(chain=member.chain, attendant=attendant, until__isnull=True)
    if not rows.exists():
        raise operations.NotOfThisChain(f"They have no role in {member.chain}.")
    subject = {"attendant": str(attendant)}
    return proposals.propose(
        member, kind=Kind.DISMISS, subject=subject, reason=reason, command_id=command_id, now=now
    )


def _another(member: ChainMember, attendant: UUID) -> None:
    if attendant == member.attendant_id:
        raise OwnRole("Nobody changes their own role: another manager does. D1")


def appoint(proposal: Proposal, by: Attendant, now: datetime) -> None:
    person = _person(proposal, by)
    operations.appoint(
        proposal.chain, person, proposal.subject["role"], now=now, by=by,
        asked_by=str(proposal.asked_by_id),
    )  # fmt: skip


def dismiss(proposal: Proposal, by: Attendant, now: datetime) -> None:
    person = _person(proposal, by)
    operations.dismiss(proposal.chain, person, now=now, by=by, asked_by=str(proposal.asked_by_id))


def _person(proposal: Proposal, by: Attendant) -> Attendant:
    """:raises OwnRole: if the approver's own role is decided. C1"""
    if proposal.subject["attendant"] == str(by.pk):
        raise OwnRole("This is about your own role: another manager decides it. D1")
    return Attendant.objects.get(pk=proposal.subject["attendant"])
