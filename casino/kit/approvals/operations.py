"""
Requesting something, the second person's answer to it, and carrying it out (C1).

    from casino.kit.approvals import operations as approvals
    approvals.ask(act, kind="fill", subject={"table": …}, amount=50, reason="Low on fives.")
    approvals.decide(act, request_id, approve=True)

An approval is an act of the approver's own. What was requested happens with it, in one entry of the
ledger. Every event of that entry names who asked and who approved. The ledger itself refuses an
entry in which they are the same person, or in which the approver is paid.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from django.db import DatabaseError, transaction

from casino.house.acts import acts
from casino.house.attendants import permissions
from casino.house.attendants.pseudonyms import tokens
from casino.kit.approvals import kinds, requests
from casino.kit.approvals.requests import Request, State
from games.refusals import Refused
from ledger import journal

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from datetime import datetime
    from uuid import UUID

    from casino.house.attendants.models import Attendant
    from casino.house.establishments.models import Establishment
    from casino.kit.approvals.kinds import Kind


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
    Make a request for a second person to approve. Its id is `requests.id_of(house, command id)`.

    The caller checks who may ask. The act's `request` is filled in here.

    :param beneficiaries: attendants, by id, whose money or role is concerned.
    :param players: players, by token, who would be paid.
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
        check_reason(reason)
        stream = requests.stream_of(request)
        entry = data | {"reason": tokens.keep(act.house.pk, reason)}
        return acts.Done(
            guards={stream: 0}, events=[requests.new_event(request, requests.REQUESTED, entry)]
        )

    return acts.perform(_identify(act, "ask", request, **data, reason=reason), decide)


def decide(act: acts.Act, request_id: UUID, *, approve: bool, reason: str = "") -> journal.Receipt:
    """
    Answer a request as the second person. If approved, what was requested happens in the same
    entry.

    If that is refused (the cage is empty, a void can no longer be reversed), the request stays
    open, and the refusal is the approver's answer.

    :param reason: needed to reject.
    :raises NoSuchRequest: if the house has no request with that id.
    :raises NotYours: if the person's role does not let them decide requests of this kind.
    :raises OwnRequest: if they made the request themselves.
    :raises Beneficiary: if they would be paid.
    :raises AlreadyDecided: if somebody else was faster.
    """
    person, kind = _decider(act, request_id)
    do = "approve" if approve else "reject"

    def judged() -> acts.Done:
        seen = requests.employment_guard(act.house.pk)
        request = _waiting(act, request_id)
        permissions.require(person, kind.act, act.house)
        payees = _second(request, person)
        if approve:
            signed = {"approved_by": act.actor, "beneficiaries": payees}
            done = carry_out(kind, request, act, person)
            return entry_of_end(request, done, seen, requests.APPROVED, signed, reason)
        check_reason(reason)
        signed = {"rejected_by": act.actor}
        return entry_of_end(request, acts.Done(), seen, requests.REJECTED, signed, reason)

    request_act = _identify(act, do, request_id, reason=reason)
    return perform(request_act, judged, rows=kind.rows and approve)


def withdraw(act: acts.Act, request_id: UUID, *, reason: str = "") -> journal.Receipt:
    """
    Withdraw one's own request while it waits.

    :raises NotTheAsker: if somebody else made the request.
    :raises AlreadyDecided: if it is decided or withdrawn.
    """
    requests.state(act.house, request_id)

    def judged() -> acts.Done:
        request = _waiting(act, request_id)
        if request.asked_by != act.actor:
            raise NotTheAsker("Somebody else asked for this: reject it, with a reason. C1")
        return entry_of_end(request, acts.Done(), {}, requests.WITHDRAWN, {}, reason)

    return acts.perform(_identify(act, "withdraw", request_id, reason=reason), judged)


def do_alone(act: acts.Act, request_id: UUID, *, reason: str) -> journal.Receipt:
    """
    Do alone what one has requested, where nobody else at the house could approve it (D1b).

    This is no approval: the events say `alone`, and the act stays on the list of what somebody else
    has yet to review (`review`).

    :raises OthersCould: if somebody else could approve it.
    :raises NotTheAsker: if somebody else made the request: then it needs a plain approval.
    :raises Beneficiary: if the asker would be paid.
    """
    person, kind = _decider(act, request_id)

    def judged() -> acts.Done:
        seen = requests.employment_guard(act.house.pk)
        request = _waiting(act, request_id)
        permissions.require(person, kind.act, act.house)
        sole(request, person, kind.act, requests.payees(request))
        check_reason(reason)
        signed = {"approved_by": None, "alone": True}
        done = carry_out(kind, request, act, person)
        return entry_of_end(request, done, seen, requests.DONE_ALONE, signed, reason)

    return perform(_identify(act, "alone", request_id, reason=reason), judged, rows=kind.rows)


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

    :param find: reads the request from the ledger, if it has no stream of its own.
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
            check_reason(note)
        data = {
            "kind": request.kind,
            "asked_by": request.asked_by,
            "reviewed_by": act.actor,
            "in_order": in_order,
            "reason": tokens.keep(act.house.pk, note) if note.strip() else "",
        }
        return acts.Done(
            guards={request.stream: request.version},
            events=[requests.new_event(request.id, requests.REVIEWED, data)],
        )

    request_act = _identify(act, "review", request_id, in_order=in_order, reason=note)
    return acts.perform(request_act, judged)


def kind_of(name: str) -> Kind:
    """
    The kind of that name.

    :raises UnknownKind: if no area has registered it.
    """
    known = kinds.kinds_by_name()
    if name not in known or known[name].carry_out is None:
        raise UnknownKind(f"Nothing is asked for here under the name {name}.")
    return known[name]


def _identify(act: acts.Act, do: str, request: UUID, **fields: object) -> acts.Act:
    """The act with the fields by which a repeat is recognised, the same from every surface."""
    return replace(act, request={"do": do, "request": str(request), **fields})


def _person(act: acts.Act) -> Attendant:
    if act.by is None:
        raise permissions.NotYours("A person decides, signed in by name. C1")
    return act.by


def _decider(act: acts.Act, request_id: UUID) -> tuple[Attendant, Kind]:
    """The person who decides, and the request's kind; checked before anything is recorded."""
    person = _person(act)
    kind = kind_of(requests.state(act.house, request_id).kind)
    permissions.require(person, kind.act, act.house)
    return person, kind


def _waiting(act: acts.Act, request_id: UUID) -> Request:
    """
    The request, if it still waits.

    :raises AlreadyDecided: if it does not.
    """
    request = requests.state(act.house, request_id)
    if request.state != State.WAITING:
        raise AlreadyDecided(f"This request is {request.state} already: nothing is left to do. C1")
    return request


def _second(request: Request, person: Attendant) -> list[str]:
    """
    Check that a second person decides: neither the asker nor anybody who would be paid.

    :returns: the attendants who would be paid.
    :raises OwnRequest: if the person asked.
    :raises Beneficiary: if the person would be paid.
    """
    if request.asked_by == str(person.pk):
        raise OwnRequest("You asked for this yourself; somebody else approves. C1")
    payees = requests.payees(request)
    if str(person.pk) in payees:
        raise Beneficiary("It is your money or your role; somebody else approves. C1")
    return payees


def sole(request: Request, person: Attendant, act: permissions.Act, payees: Iterable[str]) -> None:
    """
    Check that the asker is the only one who could approve, and is not paid.

    :raises Refused: if not.
    """
    if request.asked_by != str(person.pk):
        raise NotTheAsker("Somebody else asked for this: approve or reject it. C1")
    if str(person.pk) in payees:
        raise Beneficiary("It is your money or your role: it takes somebody else, even here. C1")
    if requests.others_able(request.house.pk, act, {str(person.pk), *payees}):
        raise OthersCould("Somebody else at this house could approve it: ask them. C1, D1b")


def check_reason(reason: str) -> None:
    if not reason.strip():
        raise ReasonMissing("Give a reason: it stands beside the act for ever. C1")


# Carries out what was requested, in the same entry of the ledger as the answer, signed (C1).
#
# Every event of that entry names who asked and who approved, whatever the kind of request wrote
# there. Rows that a kind saves change in the same transaction.


class CannotBeDone(Refused):
    code = "cannot_be_done"


def carry_out(kind: Kind, request: Request, act: acts.Act, person: Attendant) -> acts.Done:
    """
    Run the kind's `carry_out`, with its rows in a transaction.

    :raises Refused: if it cannot be done now.
    """
    assert kind.carry_out is not None  # noqa: S101 - `kind_of` looked
    if not kind.rows:
        return kind.carry_out(request, person, act.now)
    with transaction.atomic():  # a refusal rolls back rows that were saved before it
        return kind.carry_out(request, person, act.now)


def refusal_of(kind: Kind, request: Request, person: Attendant, now: datetime) -> str:
    """Why a request could not be carried out now, with tokens; "" if it could. Nothing is kept."""
    if kind.carry_out is None:
        return ""
    try:
        with transaction.atomic():
            kind.carry_out(request, person, now)
            transaction.set_rollback(True)
    except Refused as refused:
        return str(refused)
    except DatabaseError:  # a database that cannot be written says so where it is approved
        return ""
    return ""


def entry_of_end(  # noqa: PLR0913, PLR0917 - a request, what comes of it, and how it is signed
    request: Request,
    done: acts.Done,
    seen: Mapping[str, int],
    event_type: str,
    signed: Mapping[str, Any],
    reason: str,
) -> acts.Done:
    """
    The entry of the ledger that ends a request.

    The request's own event comes last, because transfers name their event by its index. Every event
    is signed, whatever the kind wrote there.
    """
    signed = {"asked_by": request.asked_by, **signed}
    data = {
        "kind": request.kind,
        "reason": tokens.keep(request.house.pk, reason) if reason.strip() else "",
        **signed,
    }
    carried = [replace(event, data={**event.data, **signed}) for event in done.events]
    return replace(
        done,
        # `seen` was read first, so it replaces a guard of the same stream that was read later:
        # otherwise nobody would notice who has left in between.
        guards={**done.guards, **seen, request.stream: request.version},
        events=[*carried, requests.new_event(request.id, event_type, data)],
    )


def perform(act: acts.Act, judged: Callable[[], acts.Done], *, rows: bool) -> journal.Receipt:
    """
    Perform an act as `acts.perform` does. If the money is gone, the act is refused and the request
    stays open.

    :raises CannotBeDone: if an account would be overdrawn, or a transfer is reversed already.
    """
    try:
        return _with_rows(act, judged) if rows else acts.perform(act, judged)
    except (journal.Overdrawn, journal.NotReversible) as conflict:
        raise CannotBeDone(f"{conflict} The request stays open. C1") from conflict


def _with_rows(act: acts.Act, judged: Callable[[], acts.Done]) -> journal.Receipt:
    """
    Perform with rows and ledger in one transaction. If a stream has moved, all of it is undone and
    tried again.
    """
    for _ in range(acts.TRIES - 1):
        try:
            return _in_one_transaction(act, judged)
        except journal.StreamMoved:
            continue
    return _in_one_transaction(act, judged)


def _in_one_transaction(act: acts.Act, judged: Callable[[], acts.Done]) -> journal.Receipt:
    decided = False

    def once() -> acts.Done:
        """Decide once: a second decision would see the rows that this transaction has saved."""
        nonlocal decided
        if decided:
            raise journal.StreamMoved("request", expected=0, actual=0)
        decided = True
        return judged()

    refusal: Refused | None = None
    with transaction.atomic():
        try:
            receipt = acts.perform(act, once)
        except Refused as refused:  # the refusal is on record, and must not be rolled back
            refusal = refused
    if refusal is not None:
        raise refusal
    return receipt
