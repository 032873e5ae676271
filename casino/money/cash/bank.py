"""
Cash between the cage and the house's bank: capital brought in, cash taken away (A3, C1).

Movements are numbered without gaps, as slips are: the number is the version of the event in the
stream ``cage``. One person asks, another approves, and the money moves with the approval.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from casino.house.acts import accounts, acts, custody
from casino.house.home_throws import house_rules
from casino.kit.approvals import kinds
from casino.kit.approvals import operations as approvals
from casino.money.cash import moving
from casino.money.cash.models import CageSlip
from casino.money.cash.moving import beyond_the_cage, cage_gives, move
from casino.words.languages.amounts import money
from games.payments import COINS_MAX
from games.refusals import Refused
from ledger import journal

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from casino.house.attendants.models import Attendant
    from casino.kit.approvals.requests import Request
    from ledger.wire import StoredEvent

Way = Literal["capital", "to_bank"]

KIND: Final = "cage"
STREAM: Final = "cage"
MOVED: Final = "cage.moved"
TOO_SMALL: Final = "take less to the bank. C1"
"""What to do if the cage holds less than is asked for."""
CAGE: Final = custody.cage()


class NoAmount(Refused):
    code = "no_amount"


class NoSuchWay(Refused):
    code = "no_such_way"


def ask(act: acts.Act, *, way: Way, amount: int, reason: str) -> journal.Receipt:
    """
    Ask for capital to be brought into the cage, or for cash to be taken to the bank.

    :raises NotYours: if the person may not record.
    :raises Refused: `NoAmount`, `NoSuchWay`; `ReasonMissing` by the approvals.
    """
    moving.person(act, "Somebody of the house moves its cash, by name. C1")
    if way not in CageSlip.Way.values:
        raise NoSuchWay(f"{way!r} is no way for cash: capital, or to_bank.")
    if not 0 < amount <= COINS_MAX:
        raise NoAmount(f"{amount} is no amount: one coin or more, {COINS_MAX} at most.")
    house_rules.check_amount(act.house, amount, field="amount")
    return approvals.ask(act, kind=KIND, subject={"way": way}, amount=amount, reason=reason)


def carry_out(request: Request, by: Attendant, now: datetime) -> acts.Done:
    """
    Move the cash of an approved request, under the next number.

    :raises CageTooSmall: if more is to be taken than the cage holds.
    """
    del by, now
    amount, way = request.amount or 0, request.subject["way"]
    held = cage_gives(request.house.pk, amount, otherwise=TOO_SMALL) if way == "to_bank" else {}
    version = journal.versions(establishment=request.house.pk, streams=[STREAM])[STREAM]
    event = journal.NewEvent(
        stream=STREAM,
        event_type=MOVED,
        schema_version=1,
        data={
            "number": version + 1,
            "way": way,
            "amount": amount,
            "reason": request.reason,
            "request": str(request.id),
        },
    )
    ends = (accounts.bank(), custody.cage())
    giver, taker = ends if way == "capital" else reversed(ends)
    return acts.Done(
        guards={STREAM: version},
        events=[event],
        transfers=move(giver, taker, amount, way, 0),
        balances=held,
    )


def tells(request: Request) -> str:
    """The sentence that tells whoever decides what an approval will do."""
    values = {"amount": money(request.amount)}
    if request.subject["way"] == "capital":
        return _("%(amount)s of the house's own money come into the cage.") % values
    return _("%(amount)s leave the cage for the bank.") % values


def _too_large(requests: Sequence[Request]) -> list[str]:
    short = beyond_the_cage(requests, TOO_SMALL)
    taken = [request.subject["way"] == "to_bank" for request in requests]
    return [why if takes else "" for why, takes in zip(short, taken, strict=True)]


REQUESTS: Final = {
    KIND: kinds.Kind(
        title=gettext_lazy("Cage and bank"),
        act="approve",
        carry_out=carry_out,
        tells=kinds.each(tells),
        refusals=_too_large,
    )
}


def handle(event: StoredEvent) -> None:
    """Write a row of the numbered movements from an event."""
    if event.event_type != MOVED:
        return
    data, provenance = event.data, event.provenance
    CageSlip.objects.create(
        establishment_id=event.establishment,
        number=data["number"],
        way=data["way"],
        amount=data["amount"],
        reason=data["reason"],
        asked_by=data["asked_by"],
        approved_by=data["approved_by"] or "",
        at=provenance.recorded_at,
        gaming_day=provenance.gaming_day,
        position=event.position,
    )
