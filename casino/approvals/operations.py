"""
Asking for something, and the second person's answer to it (C1).

    from casino.approvals import operations as approvals
    approvals.ask(act, kind="fill", subject={"table": …}, amount=50, reason="Low on fives.")
    approvals.decide(act, request_id, approve=True)

Approval is an act of the approver's own. What was asked for happens with it, in one entry of the
ledger; every event of that entry names who asked and who approved, and the ledger itself refuses
one in which they are the same person, or in which the approver is paid.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from casino.approvals import kinds, requests, staff
from casino.approvals.carrying_out import carried_out, closed, performed
from casino.approvals.requests import Request, State
from casino.attendants import permissions
from casino.operations import acts
from casino.pseudonyms import tokens as pseudonyms
from games.refusals import Refused

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from uuid import UUID

    from casino.approvals.kinds import Kind
    from casino.attendants.models import Attendant
    from casino.establishments.models import Establishment
    from ledger import journal


class ReasonMissing(Refused):
    code = "reason_missing"


class UnknownKind(Refused):
    code = "unknown_kind"


class AlreadyDecided(Refused):
    code = "already_decided"


class OwnRequest(Refused):
    code = "own_request"


class Beneficiary(Refused):
    code = "beneficiary"


class NotTheAsker(Refused):
    code = "not_the_asker"


class OthersCould(Refused):
    code = "others_could"


class NothingToReview(Refused):
    code = "nothing_to_review"


def ask(  # noqa: PLR0913 - what is asked for, and who would be paid
    act: acts.Act,
    *,
    kind: str,
    subject: Mapping[str, Any],
    reason: str,
    amount: int | None = None,
    beneficiaries: Iterable[str] = (),
    players: Iterable[str] = (),
) -> journal.Receipt:
    """
    Ask for what a second person is to approve. Its id is `requests.id_of(house, command id)`.

    Who may ask is the caller's to know. What the act says was asked is put together here.

    :param beneficiaries: attendants whose money or role it is, by id.
    :param players: players who would be paid, by token.
    :raises UnknownKind: if no area has registered the kind.
    :raises ReasonMissing: if no reason is given.
    """
    if act.by is None:
        raise permissions.NotYours("Somebody asks by name, or nobody does. C1")
    data = {
        "kind": kind,
        "subject": dict(subject),
        "amount": amount,
        "beneficiaries": sorted(beneficiaries),
        "players": sorted(players),
        "asked_by": act.actor,
    }
    request = requests.id_of(act.house.pk, act.command_id)

    def decide() -> acts.Done:
        kind_of(kind)
        stated(reason)
        stream = requests.stream_of(request)
        told = data | {"reason": pseudonyms.keep(act.house.pk, reason)}
        return acts.Done(
            guards={stream: 0}, events=[requests.told(request, requests.REQUESTED, told)]
        )

    return acts.perform(_asking(act, "ask", request, **data, reason=reason), decide)


def decide(act: acts.Act, request_id: UUID, *, approve: bool, reason: str = "") -> journal.Receipt:
    """
    The second person's answer. Approved, what was asked for happens with it.

    Where that is refused (the cage is empty, a void is beyond reversal by now), the request stays
    open, and the refusal is the approver's answer.

    :param reason: needed to reject.
    :raises NoSuchRequest: if the house has none of that id.
    :raises NotYours: if the person's role does not let them decide requests of this kind.
    :raises OwnRequest: if they asked for it themselves.
    :raises Beneficiary: if they would be paid.
    :raises AlreadyDecided: if somebody came first.
    """
    person, kind = _decider(act, request_id)
    do = "approve" if approve else "reject"

    def judged() -> acts.Done:
        seen = staff.version(act.house.pk)
        request = _waiting(act, request_id)
        permissions.require(person, kind.act, act.house)
        payees = _second(request, person)
        if approve:
            signed = {"approved_by": act.actor, "beneficiaries": payees}
            done = carried_out(kind, request, act, person)
            return closed(request, done, seen, requests.APPROVED, signed, reason)
        stated(reason)
        signed = {"rejected_by": act.actor}
        return closed(request, acts.Done(), seen, requests.REJECTED, signed, reason)

    asking = _asking(act, do, request_id, reason=reason)
    return performed(asking, judged, rows=kind.rows and approve)


def withdraw(act: acts.Act, request_id: UUID, *, reason: str = "") -> journal.Receipt:
    """
    Take back what one asked for oneself, while it waits.

    :raises NotTheAsker: if somebody else asked for it.
    :raises AlreadyDecided: if it is over.
    """
    requests.state(act.house, request_id)

    def judged() -> acts.Done:
        request = _waiting(act, request_id)
        if request.asked_by != act.actor:
            raise NotTheAsker("Somebody else asked for this: reject it, with a reason. C1")
        return closed(request, acts.Done(), {}, requests.WITHDRAWN, {}, reason)

    return acts.perform(_asking(act, "withdraw", request_id, reason=reason), judged)


def do_alone(act: acts.Act, request_id: UUID, *, reason: str) -> journal.Receipt:
    """
    Do what one asked for oneself, where nobody else at the house could approve it (D1b).

    It is no approval: the events say `alone`, and the act stays on the list of what somebody else
    has yet to review (`review`).

    :raises OthersCould: if somebody else could approve it.
    :raises NotTheAsker: if somebody else asked for it: then this is a plain approval.
    :raises Beneficiary: if the asker would be paid.
    """
    person, kind = _decider(act, request_id)

    def judged() -> acts.Done:
        seen = staff.version(act.house.pk)
        request = _waiting(act, request_id)
        permissions.require(person, kind.act, act.house)
        sole(request, person, kind.act, staff.payees(request))
        stated(reason)
        signed = {"approved_by": None, "alone": True}
        done = carried_out(kind, request, act, person)
        return closed(request, done, seen, requests.DONE_ALONE, signed, reason)

    return performed(_asking(act, "alone", request_id, reason=reason), judged, rows=kind.rows)


def review(
    act: acts.Act,
    request_id: UUID,
    *,
    in_order: bool,
    note: str = "",
    find: Callable[[Establishment, UUID], Request] = requests.state,
) -> journal.Receipt:
    """
    Sign off, by name, what somebody did alone; or object, with a note (D1b).

    :param find: reads the request from the ledger, where no stream of its own keeps it.
    :raises NotYours: if the person's role does not let them look into the house's things.
    :raises NothingToReview: if it was not done alone, or is reviewed already.
    :raises OwnRequest: if they did it themselves.
    """
    person = _person(act)
    permissions.require(person, "audit", act.house)
    find(act.house, request_id)

    def judged() -> acts.Done:
        request = find(act.house, request_id)
        if request.state != State.ALONE or request.reviewed_by:
            raise NothingToReview("Nothing of this request waits for a review. D1b")
        if request.asked_by == act.actor:
            raise OwnRequest("You did this yourself: somebody else reviews it. D1b")
        if not in_order:
            stated(note)
        data = {
            "kind": request.kind,
            "asked_by": request.asked_by,
            "reviewed_by": act.actor,
            "in_order": in_order,
            "reason": pseudonyms.keep(act.house.pk, note) if note.strip() else "",
        }
        return acts.Done(
            guards={request.stream: request.version},
            events=[requests.told(request.id, requests.REVIEWED, data)],
        )

    asked = _asking(act, "review", request_id, in_order=in_order, reason=note)
    return acts.perform(asked, judged)


def kind_of(name: str) -> Kind:
    """:raises UnknownKind: if no area has registered it."""
    known = kinds.known()
    if name not in known or known[name].carry_out is None:
        raise UnknownKind(f"Nothing is asked for here under the name {name}.")
    return known[name]


def _asking(act: acts.Act, do: str, request: UUID, **asked: object) -> acts.Act:
    """What tells this act from another under its id, whatever surface it came from."""
    return replace(act, request={"do": do, "request": str(request), **asked})


def _person(act: acts.Act) -> Attendant:
    if act.by is None:
        raise permissions.NotYours("A person decides, signed in by name. C1")
    return act.by


def _decider(act: acts.Act, request_id: UUID) -> tuple[Attendant, Kind]:
    """Who decides, and the kind of what they decide; told before anything is recorded."""
    person = _person(act)
    kind = kind_of(requests.state(act.house, request_id).kind)
    permissions.require(person, kind.act, act.house)
    return person, kind


def _waiting(act: acts.Act, request_id: UUID) -> Request:
    """:raises AlreadyDecided: if it no longer waits."""
    request = requests.state(act.house, request_id)
    if request.state != State.WAITING:
        raise AlreadyDecided(f"This request is {request.state} already: nothing is left to do. C1")
    return request


def _second(request: Request, person: Attendant) -> list[str]:
    """
    Who would be paid, neither of whom decides; nor does the one who asked.

    :raises OwnRequest: if the person asked.
    :raises Beneficiary: if the person would be paid.
    """
    if request.asked_by == str(person.pk):
        raise OwnRequest("You asked for this yourself; somebody else approves. C1")
    payees = staff.payees(request)
    if str(person.pk) in payees:
        raise Beneficiary("It is your money or your role; somebody else approves. C1")
    return payees


def sole(request: Request, person: Attendant, act: permissions.Act, payees: Iterable[str]) -> None:
    """:raises Refused: unless the asker is the only one who could approve, and is not paid."""
    if request.asked_by != str(person.pk):
        raise NotTheAsker("Somebody else asked for this: approve or reject it. C1")
    if str(person.pk) in payees:
        raise Beneficiary("It is your money or your role: it takes somebody else, even here. C1")
    if staff.others(request.house.pk, act, {str(person.pk), *payees}):
        raise OthersCould("Somebody else at this house could approve it: ask them. C1, D1b")


def stated(reason: str) -> None:
    if not reason.strip():
        raise ReasonMissing("Give a reason: it stands beside the act for ever. C1")
