"""
Fills and credits: numbered slips, asked for by one person, approved by another (B2).

    slips.ask(act, kind="fill", table=table, sheet={"25": 4}, reason="Low on 25s.")

With its approval a slip gets the next number of the house. The slip is the next event of the stream
``slips``, so the numbers have no gaps and none is used twice. The money moves with the approval;
somebody at the table signs once the coins have arrived, or have left.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final, Literal

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from casino.house.acts import accounts, acts, custody
from casino.house.acts.custody import SENTENCES, FloatTooSmall, NoFloat, Writing
from casino.house.establishments import table_names
from casino.kit.approvals import kinds
from casino.kit.approvals import operations as approvals
from casino.money.cash import moving
from casino.money.cash.counting import NoShift, TableNotInUse
from casino.money.cash.moving import beyond_the_cage, cage_gives, move
from casino.words.languages import amounts
from games.refusals import Refused
from ledger import journal, money

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from casino.house.attendants.models import Attendant
    from casino.house.establishments.models import Establishment, Table
    from casino.kit.approvals.requests import Request

SlipKind = Literal["fill", "credit"]

STREAM: Final = "slips"
TOO_SMALL: Final = "bring money into it first. B2"
"""What to do if the cage holds less than is asked for."""
FILLED, CREDITED = "slip.filled", "slip.credited"


class NothingOnIt(Refused):
    code = "nothing_on_it"


class NoSuchSlip(Refused):
    code = "no_such_slip"


class OwnApproval(Refused):
    code = "own_approval"


def ask(
    act: acts.Act, *, kind: SlipKind, table: Table, sheet: Mapping[str, int], reason: str
) -> journal.Receipt:
    """
    Ask for a fill of a table's float from the cage, or a credit from it to the cage.

    :raises NotYours: if the person may not record.
    :raises Refused: `NotACount`, `NothingOnIt`, `NoShift`, `TableNotInUse`; `ReasonMissing` by the
        approvals.
    """
    moving.person(act, "Somebody of the house asks for a slip, by name. B2", table=table)
    tidy = custody.normalise_sheet(act.house, sheet)
    if not tidy:
        raise NothingOnIt("A slip is for some coins: say how many of each. B2")
    if custody.read(act.house.pk, table.pk).shift is None:
        raise NoShift(f"{table} has no counted float: open a shift first. B1")
    if kind == "fill" and not table.in_use:
        raise TableNotInUse(f"{table} is not in use: its coins go back, and none come.")
    return approvals.ask(
        act,
        kind=kind,
        subject={"table": str(table.pk), "sheet": tidy},
        amount=custody.total_of_sheet(tidy),
        reason=reason,
    )


def fill(request: Request, by: Attendant, now: datetime) -> acts.Done:
    """
    Carry out an approved fill: coins from the cage to the table.

    :raises Refused: if the table has no open shift, is being counted, or the cage is too small.
    """
    del by, now
    held = cage_gives(request.house.pk, request.amount or 0, otherwise=TOO_SMALL)
    table = _table(request)
    place = accounts.table_float(str(table.pk))
    return _issue(request, table, FILLED, (custody.cage(), place), held)


def credit(request: Request, by: Attendant, now: datetime) -> acts.Done:
    """
    Carry out an approved credit: coins from the table to the cage.

    :raises Refused: if the table has no open shift, is being counted, or its float is too small.
    """
    del by, now
    table = _table(request)
    place, held = _float_gives(request, table)
    return _issue(request, table, CREDITED, (place, custody.cage()), {place: held})


def _float_gives(request: Request, table: Table) -> tuple[journal.AccountRef, int]:
    """:raises FloatTooSmall: if the table's float does not hold the amount of a credit."""
    place = accounts.table_float(str(table.pk))
    held = money.balance(place, establishment=request.house.pk)
    if held < (request.amount or 0):
        raise FloatTooSmall(f"The float of {table} does not hold {request.amount}. B2")
    return place, held


def _issue(
    request: Request,
    table: Table,
    event_type: str,
    ends: tuple[journal.AccountRef, journal.AccountRef],
    balances: Mapping[journal.AccountRef, int],
) -> acts.Done:
    """
    Issue a slip: one event in the stream of slips, one in the custody of the table.

    The approvals add to the events who asked and who approved.
    """
    now = custody.read(request.house.pk, table.pk)
    if now.stands != "open":
        raise NoFloat(SENTENCES[now.stands].format(table=table))
    number = journal.versions(establishment=request.house.pk, streams=[STREAM])[STREAM] + 1
    amount = request.amount or 0
    slip = journal.NewEvent(
        stream=STREAM,
        event_type=event_type,
        schema_version=1,
        data={
            "number": number,
            "kind": request.kind,
            "table": str(table.pk),
            "sheet": dict(request.subject["sheet"]),
            "amount": amount,
            "reason": request.reason,
            "request": str(request.id),
            "asked_at": request.asked_at.isoformat(),
        },
    )
    writing = Writing(table.pk, now)
    data = {"number": number, "kind": request.kind, "amount": amount}
    writing.add(custody.SLIP_ISSUED, "open", data)
    return acts.Done(
        guards={STREAM: number - 1, **writing.guards},
        events=[slip, *writing.events],
        transfers=move(*ends, amount, request.kind, 0),
        balances=balances,
    )


def receive(act: acts.Act, *, table: Table, number: int) -> journal.Receipt:
    """
    Sign at the table that the coins of a slip have arrived, or have left.

    :raises NotYours: if the person may not record.
    :raises NoSuchSlip: if no slip of that number is on its way to the table.
    :raises OwnApproval: if the signer approved the slip.
    """
    moving.person(act, "Somebody of the house signs for a slip, by name. B2", table=table)
    request = {"do": "receive", "table": str(table.pk), "number": number}

    def decide() -> acts.Done:
        now = custody.read(act.house.pk, table.pk)
        waiting = now.shift.on_the_way if now.shift else ()
        slip = next((each for each in waiting if each.number == number), None)
        if slip is None:
            raise NoSuchSlip(f"No slip {number} is on its way to {table}. B2")
        if slip.approved_by == act.actor:
            raise OwnApproval("You approved this slip: somebody else signs at the table. B2")
        writing = Writing(table.pk, now)
        writing.add(custody.SLIP_RECEIVED, now.stands, {"number": number})
        return acts.Done(guards=writing.guards, events=writing.events)

    return acts.perform(replace(act, request=request), decide)


def _table(request: Request) -> Table:
    return request.house.tables.get(pk=request.subject["table"])


def tells(requests: Sequence[Request]) -> list[str]:
    """The sentences that tell whoever decides what each request will do."""
    places = [(request.subject["table"], request.position) for request in requests]
    tables = table_names.names_at(requests[0].house, places)
    return [
        _sentence(request, tables[place]) for request, place in zip(requests, places, strict=True)
    ]


def _sentence(request: Request, table: str) -> str:
    values: dict[str, Any] = {
        "amount": amounts.money(request.amount),
        "table": table,
    }
    if request.kind == "fill":
        return _("%(amount)s go from the cage to %(table)s.") % values
    return _("%(amount)s go from %(table)s to the cage.") % values


def address(request: Request) -> str:
    """The address of the page of the table's cash."""
    return reverse("cash-table", args=[request.subject["table"]])


def _too_large(requests: Sequence[Request]) -> list[str]:
    return beyond_the_cage(requests, TOO_SMALL)


_credit_refusals = kinds.each_refusal(lambda request: _float_gives(request, _table(request)))


REQUESTS: Final = {
    name: kinds.Kind(
        title=title,
        act="approve",
        carry_out=act,
        tells=tells,
        address=address,
        refusals=refusals,
    )
    for name, title, act, refusals in (
        ("fill", gettext_lazy("Fill"), fill, _too_large),
        ("credit", gettext_lazy("Credit"), credit, _credit_refusals),
    )
}


def waiting(house: Establishment, table: Table) -> tuple[custody.Slip, ...]:
    """The approved slips that nobody at the table has signed for yet."""
    now = custody.read(house.pk, table.pk)
    return now.shift.on_the_way if now.shift else ()
