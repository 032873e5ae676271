"""
Something to ask for: `drop`, a box of coins taken from the cage to the bank.

A kind of the tests' own, registered as an area registers one. What matters stands in the test.
"""

from __future__ import annotations

import uuid
from contextlib import contextmanager
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from casino.house.acts import acts
from casino.house.attendants.models import Employment, Role
from casino.kit.approvals import kinds, operations, requests
from casino.kit.approvals.kinds import Kind
from games.refusals import Refused
from ledger import journal
from ledger.accounts import AccountRef
from ledger.accounts import Kind as AccountKind
from tests.support.playing import NOW

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from casino.house.attendants.models import Attendant
    from casino.kit.approvals.requests import Request
    from ledger.wire import StoredEvent
    from tests.support.builders import House

DROP, DROPS = "drop", "drops"
CAGE = AccountRef(AccountKind.CAGE, "main")
BANK = AccountRef(AccountKind.BANK, "house")
HELD = AccountRef(AccountKind.HELD, "box")


class BoxGone(Refused):
    code = "box_gone"


def dropped(request: Request, by: Attendant, now: datetime) -> acts.Done:
    """One event, signed by nobody yet, and the coins; refused once the box is gone."""
    del by, now
    version = journal.versions(establishment=request.house.pk, streams=[DROPS])[DROPS]
    if request.subject.get("boxes", 9) <= version:
        raise BoxGone("The box is gone: there is nothing to take. B2")
    source = HELD if request.subject.get("held") else CAGE
    return acts.Done(
        guards={DROPS: version},
        events=[
            journal.NewEvent(
                stream=DROPS, event_type="test.dropped", schema_version=1, data={"n": version}
            )
        ],
        transfers=[
            journal.NewTransfer(
                debit=source if source == HELD else BANK,
                credit=BANK if source == HELD else source,
                amount=request.amount or 1,
                reason="drop",
                event=0,
            )
        ],
    )


@contextmanager
def registered(name: str = DROP, **more: Any) -> Iterator[Kind]:
    kind = Kind(**{"title": "Drop", "act": "approve", "carry_out": dropped, **more})
    kinds.register(name, kind)
    try:
        yield kind
    finally:
        del kinds._KINDS[name]


def act(at: House, by: Attendant, *, command_id: uuid.UUID | None = None) -> acts.Act:
    return acts.Act(
        house=at.establishment,
        by=by,
        device="office",
        now=NOW + timedelta(minutes=5),
        command_id=command_id or uuid.uuid4(),
        request={},
    )


def asked(at: House, by: Attendant | None = None, **more: Any) -> uuid.UUID:
    """The id of a request that the house's attendant, or somebody else, has made."""
    asking = act(at, by or at.attendant)
    fields = {"kind": DROP, "subject": {}, "reason": "The box is full.", "amount": 30, **more}
    operations.ask(asking, **fields)
    return requests.id_of(at.id, asking.command_id)


def decided(at: House, request: uuid.UUID, by: Attendant, **more: Any) -> list[StoredEvent]:
    """The events of an answer that is taken."""
    receipt = operations.decide(act(at, by), request, **{"approve": True, **more})
    return acts.events_of(at.id, receipt)


def state(at: House, request: uuid.UUID) -> Request:
    return requests.state(at.establishment, request)


def drops(at: House) -> list[StoredEvent]:
    return journal.stream(establishment=at.id, stream=DROPS)


def left_alone(at: House, manager: Attendant | None = None) -> Attendant:
    """The house's only manager, once nobody else there could approve anything."""
    manager = manager or at.manager
    Employment.objects.filter(
        establishment=at.id, role__in=[Role.SUPERVISOR, Role.MANAGER]
    ).exclude(attendant=manager).update(until=NOW)
    return manager
