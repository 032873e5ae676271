"""
Carries out what was requested, in the same entry of the ledger as the answer, signed (C1).

Every event of that entry names who asked and who approved, whatever the kind of request wrote
there. Rows that a kind saves change in the same transaction.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from django.db import DatabaseError, transaction

from casino.house.acts import acts
from casino.house.attendants.pseudonyms import tokens
from casino.kit.approvals import requests
from games.refusals import Refused
from ledger import journal

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from datetime import datetime

    from casino.house.attendants.models import Attendant
    from casino.kit.approvals.kinds import Kind
    from casino.kit.approvals.requests import Request


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


def refusal(kind: Kind, request: Request, person: Attendant, now: datetime) -> str:
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
