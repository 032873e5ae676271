"""
A house that counts its floats, and its people counting them, each for themselves.

Builds what does not matter to a test; what matters stands in the test.
"""

from __future__ import annotations

import uuid
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from casino.engine.processes.queues import house_subscriber
from casino.house.acts import acts, custody
from casino.house.acts.accounts import bank as house_bank
from casino.house.acts.accounts import fee_box
from casino.house.establishments.gaming_day import gaming_day
from casino.kit.approvals import operations as approvals
from casino.kit.approvals import requests
from casino.money.cash import counting, slips
from casino.money.cash.models import SlipRow
from ledger import journal, money, subscriptions
from ledger.accounts import AccountRef, Kind
from tests.support import builders
from tests.support.playing import NOW

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from casino.house.acts.custody import Custody, Purpose
    from casino.house.attendants.models import Attendant
    from casino.house.establishments.models import Table
    from tests.support.builders import House

BANK = AccountRef(Kind.BANK, "house")
FIFTY = {"25": 2}


def house(*, cage: int = 1000, **more: Any) -> House:
    """A house that counts its floats, with money in its cage."""
    made = builders.house(counts_floats=True, **more)
    if cage:
        founded(made, cage)
    return made


def founded(at: House, amount: int) -> None:
    """Money in the cage, wherever it came from."""
    stream = f"test/{uuid.uuid4()}"
    brought = journal.NewTransfer(
        debit=custody.cage(), credit=BANK, amount=amount, reason="test", event=0
    )
    entry = journal.Entry(
        provenance=journal.Provenance(
            command_id=uuid.uuid4(),
            actor="test",
            device="test",
            correlation_id=uuid.uuid4(),
            causation_id=None,
            occurred_at=NOW,
            recorded_at=NOW,
            gaming_day=gaming_day(at.establishment, NOW),
        ),
        request_hash=sha256(b"").digest(),
        guards={stream: 0},
        events=(
            journal.NewEvent(stream=stream, event_type="test.funded", schema_version=1, data={}),
        ),
        transfers=(brought,),
    )
    journal.append(establishment=at.id, entries=[entry])


def act(at: House, by: Attendant, *, now: datetime = NOW, **more: Any) -> acts.Act:
    given: dict[str, Any] = {
        "command_id": uuid.uuid4(),
        "device": "tablet-1",
        "request": {},
        **more,
    }
    return acts.Act(house=at.establishment, by=by, now=now, **given)


def counted(  # noqa: PLR0913 - who counts what, where and why
    at: House,
    by: Attendant,
    sheet: Mapping[str, int],
    purpose: Purpose = "check",
    *,
    table: Table | None = None,
    now: datetime = NOW,
) -> journal.Receipt:
    """One person's count, of the house's first table or another."""
    return counting.count(
        act(at, by, now=now), table=table or at.table, purpose=purpose, sheet=sheet
    )


def both_count(
    at: House, sheet: Mapping[str, int], purpose: Purpose = "check", **more: Any
) -> None:
    """The attendant and the supervisor count the same."""
    counted(at, at.attendant, sheet, purpose, **more)
    counted(at, at.supervisor, sheet, purpose, **more)


def opened(at: House, sheet: Mapping[str, int] | None = None, **more: Any) -> None:
    """A shift of the house's attendant, its float counted: 50 coins if nothing is said."""
    both_count(at, FIFTY if sheet is None else sheet, "open", **more)


def handed_over(
    at: House, to: Attendant, *, table: Table | None = None, by: Attendant | None = None
) -> None:
    """Both sign, once the float is counted."""
    place = table or at.table
    seen = counting.at_table(at.establishment, place).version
    counting.sign_over(act(at, by or at.attendant), table=place, seen=seen)
    counting.take_over(act(at, to), table=place, seen=seen)


def asked(
    at: House,
    kind: slips.SlipKind,
    sheet: Mapping[str, int],
    *,
    by: Attendant | None = None,
    table: Table | None = None,
) -> uuid.UUID:
    """The id of a request for a slip."""
    asking = act(at, by or at.attendant)
    slips.ask(asking, kind=kind, table=table or at.table, sheet=sheet, reason="Low on 25s.")
    return requests.id_of(at.id, asking.command_id)


def approved(at: House, request: uuid.UUID, *, by: Attendant | None = None) -> None:
    approvals.decide(act(at, by or at.manager), request, approve=True)


def slipped(
    at: House, kind: slips.SlipKind, sheet: Mapping[str, int], *, table: Table | None = None
) -> int:
    """A slip that was asked for, approved and signed for at the table; its number."""
    approved(at, asked(at, kind, sheet, table=table))
    place = table or at.table
    [*_, slip] = slips.waiting(at.establishment, place)
    slips.receive(act(at, at.attendant), table=place, number=slip.number)
    return slip.number


def state(at: House, table: Table | None = None) -> Custody:
    return custody.read(at.id, (table or at.table).pk)


def cage(at: House) -> int:
    return money.balance(custody.cage(), establishment=at.id)


def float_held(at: House, table: Table | None = None) -> int:
    account = AccountRef(Kind.FLOAT, str((table or at.table).pk))
    return money.balance(account, establishment=at.id)


def over_short(at: House, table: Table | None = None) -> int:
    account = custody.over_short(str((table or at.table).pk))
    return money.balance(account, establishment=at.id)


def shown(at: House) -> None:
    """Let the house's read models catch up, as the worker does."""
    while subscriptions.advance(house_subscriber.HOUSE, establishment=at.id).lag:
        pass


def slip_rows(at: House) -> list[SlipRow]:
    shown(at)
    return list(SlipRow.objects.filter(establishment=at.id).order_by("number"))


CAGE = AccountRef(Kind.CAGE, "main")
FEES = AccountRef(Kind.FEES, "house")
BANK = house_bank()


def box_of(house: House) -> AccountRef:
    return fee_box(str(house.table.pk))


def over_short_of(house: House) -> AccountRef:
    return AccountRef(Kind.OVER_SHORT, str(house.table.pk))
