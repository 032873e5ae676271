"""
What is done to a chain itself: it is founded, people are appointed to it, houses join and leave it.

Founding, and which houses belong to it, is for whoever looks after the machine (``chain``, a
command); people are also proposed and approved by the chain's managers
(`casino.chain.proposal_pages`). Each act is an event of the chain's own ledger (`append_event`).
What concerns a house is an event of its ledger, too.
"""

from __future__ import annotations

import hashlib
import uuid
from datetime import UTC
from typing import TYPE_CHECKING, Any, Final

from django.db import IntegrityError, transaction

from casino.chain.models import Chain, ChainHouse, ChainMember, ChainRole, HouseSummary
from casino.house.acts import acts
from casino.house.attendants.models import Attendant
from casino.house.attendants.pseudonyms import tokens
from games.refusals import Refused
from ledger import canonical, journal

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from casino.house.establishments.models import Establishment

STREAM: Final = "chain"
"""The stream of a house's ledger about the chain to which the house belongs."""


class OfAnotherChain(Refused):
    code = "of_another_chain"


class NotOfThisChain(Refused):
    code = "not_of_this_chain"


class LastManager(Refused):
    code = "last_manager"


def create_chain(*, name: str, now: datetime, time_zone: str = "UTC") -> Chain:
    """
    Found a chain.

    :param time_zone: in which its pages tell times.
    :raises ValidationError: by field, if the name will not do or another chain has it.
    """
    with transaction.atomic():
        chain = Chain(name=name, founded_at=now, time_zone=time_zone)
        chain.full_clean()
        chain.save(force_insert=True)
        append_event(chain, "chain.founded", {"name": name}, by=None, now=now)
    return chain


def appoint(  # noqa: PLR0913 - who becomes what, and who says so
    chain: Chain,
    person: Attendant,
    role: str,
    *,
    now: datetime,
    by: Attendant | None = None,
    asked_by: str = "",
) -> ChainMember:
    """
    Give a person a role in the chain, or another role.

    :param asked_by: the id of whoever proposed it, if somebody else approves it.
    :raises OfAnotherChain: if the person works for another chain.
    """
    signed = _signatures(by, asked_by)
    with transaction.atomic():
        current = ChainMember.objects.filter(attendant=person, until__isnull=True).first()
        if current is not None and current.chain_id != chain.pk:
            raise OfAnotherChain(f"{person} works for another chain: a person is of one.")
        if current is not None:
            if current.role == role:
                return current
            _not_the_last(chain, current)
            ChainMember.objects.filter(pk=current.pk).update(until=now)
        made = _member(chain, person, role, now)
        Attendant.objects.filter(pk=person.pk).update(chain=chain.pk)
        data = {"member": str(made.pk), "attendant": str(person.pk), "role": role, **signed}
        append_event(chain, "chain.member_appointed", data, by=by, now=now)
    return made


def _member(chain: Chain, person: Attendant, role: str, now: datetime) -> ChainMember:
    """:raises OfAnotherChain: if somebody has just appointed the person elsewhere."""
    try:
        with transaction.atomic():
            return ChainMember.objects.create(
                chain=chain, attendant=person, role=ChainRole(role), since=now
            )
    except IntegrityError:
        raise OfAnotherChain(f"{person} was appointed a moment ago: look again.") from None


def dismiss(
    chain: Chain,
    person: Attendant,
    *,
    now: datetime,
    by: Attendant | None = None,
    asked_by: str = "",
) -> None:
    """
    End a person's role in the chain, at once.

    :raises NotOfThisChain: if they have none.
    :raises LastManager: if nobody would be left to manage the chain.
    """
    with transaction.atomic():
        current = ChainMember.objects.filter(
            chain=chain, attendant=person, until__isnull=True
        ).first()
        if current is None:
            raise NotOfThisChain(f"{person} has no role in {chain}.")
        _not_the_last(chain, current)
        ChainMember.objects.filter(pk=current.pk).update(until=now)
        Attendant.objects.filter(pk=person.pk, chain=chain.pk).update(chain=None)
        data = {"member": str(current.pk), "attendant": str(person.pk), **_signatures(by, asked_by)}
        append_event(chain, "chain.member_dismissed", data, by=by, now=now)


def _not_the_last(chain: Chain, member: ChainMember) -> None:
    """:raises LastManager: if the chain has no other manager."""
    managers = ChainMember.objects.filter(
        chain=chain, role=ChainRole.MANAGER, until__isnull=True
    ).exclude(pk=member.pk)
    if member.role == ChainRole.MANAGER and not managers.exists():
        raise LastManager(f"{member.attendant} is the only manager of {chain}: appoint another.")


def _signatures(by: Attendant | None, asked_by: str) -> dict[str, str]:
    return {"asked_by": asked_by, "approved_by": str(by.pk)} if by and asked_by else {}


def join(chain: Chain, house: Establishment, *, reason: str, now: datetime) -> ChainHouse:
    """
    Let a house belong to the chain: from now on the chain's people see its summary.

    :raises OfAnotherChain: if it belongs to a chain; a house belongs to at most one.
    """
    with transaction.atomic():
        if (found := ChainHouse.objects.filter(establishment=house).first()) is not None:
            raise OfAnotherChain(f"{house} belongs to {found.chain}: a house is of one chain.")
        try:
            with transaction.atomic():
                made = ChainHouse.objects.create(establishment=house, chain=chain, since=now)
        except IntegrityError:
            raise OfAnotherChain(f"{house} joined a chain a moment ago: look again.") from None
        HouseSummary.objects.get_or_create(establishment=house)
        _both(chain, house, "joined", reason, now)
    return made


def leave(chain: Chain, house: Establishment, *, reason: str, now: datetime) -> None:
    """
    Let a house leave the chain: at once nobody of the chain sees anything of it.

    :raises NotOfThisChain: if it does not belong to the chain.
    """
    with transaction.atomic():
        gone, _rows = ChainHouse.objects.filter(establishment=house, chain=chain).delete()
        if not gone:
            raise NotOfThisChain(f"{house} does not belong to {chain}.")
        HouseSummary.objects.filter(establishment=house).delete()
        _both(chain, house, "left", reason, now)


def _both(chain: Chain, house: Establishment, happened: str, reason: str, now: datetime) -> None:
    """Record it in the house's ledger, and in the chain's."""
    in_house(house, f"chain.{happened}", chain, reason=reason, now=now)
    append_event(chain, f"chain.house_{happened}", {"house": str(house.pk)}, by=None, now=now)


def in_house(
    house: Establishment, event_type: str, chain: Chain, *, reason: str, now: datetime
) -> None:
    """Append an event about the chain to a house's ledger."""
    kept = tokens.keep(house.pk, reason) if reason.strip() else ""

    def decide() -> acts.Done:
        guards = journal.versions(establishment=house.pk, streams={STREAM})
        data = {"chain": str(chain.pk), "name": chain.name, "reason": kept}
        event = journal.NewEvent(stream=STREAM, event_type=event_type, schema_version=1, data=data)
        return acts.Done(guards=guards, events=[event])

    act = acts.Act(
        house=house, by=None, device=DEVICE, now=now, command_id=uuid.uuid4(),
        request={"do": event_type, "chain": str(chain.pk)},
    )  # fmt: skip
    acts.perform(act, decide)


# --- The chain's own ledger: events under its id --------------------------------------------------
#
# A ledger knows a house only as a UUID, so a chain has one in the same tables, with the same
# guards: append-only, guarded by versions, signed (`casino.chain.proof`). A reason is kept beside
# it; the event has only its salted hash, as in a house.


CHAIN: Final = "chain"
"""The stream of the chain itself: its founding, its members, its houses."""
SYSTEM: Final = "system"
DEVICE: Final = "chain"


def append_event(  # noqa: PLR0913 - what an event says, and where
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
    version = version_of_stream(chain, stream) if expected is None else expected
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


def version_of_stream(chain: Chain, stream: str) -> int:
    last = journal.last(establishment=chain.pk, stream=stream)
    return last.stream_version if last else 0


def hash_text(salt: str, text: str) -> str:
    """What an event says of a text that is kept beside the ledger, "" for no text."""
    return hashlib.sha256(f"{salt}/{text}".encode()).hexdigest() if text else ""
