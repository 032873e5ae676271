"""What people do with dice sets outside games. What matters stands in the test."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING, Any

from casino.house.acts import acts
from casino.kit.approvals import operations as approvals
from casino.kit.approvals import requests
from casino.play.dice import life
from casino.play.dice.models import DiceSet
from tests.support.playing import NOW

if TYPE_CHECKING:
    from casino.house.attendants.models import Attendant
    from casino.play.dice.life import Delivery
    from ledger.journal import Receipt
    from tests.support.builders import House


def act(at: House, by: Attendant | None = None, command_id: uuid.UUID | None = None) -> acts.Act:
    return acts.Act(
        house=at.establishment,
        by=by or at.supervisor,
        device="office",
        now=NOW,
        command_id=command_id or uuid.uuid4(),
        request={},
    )


def delivery(number: str = "N-1", **more: Any) -> Delivery:
    fields = {"sides": 8, "count": 3, "supplier": "Elm and Sons", "reference": "D-17", **more}
    return life.Delivery(number=number, **fields)


def received(at: House, number: str = "N-1", **more: Any) -> DiceSet:
    request_act = act(at)
    life.receive(request_act, delivery(number, **more))
    return DiceSet.objects.get(pk=life.new_id(request_act))


def inspected(at: House, dice: DiceSet, *, in_order: bool = True) -> Receipt:
    return life.inspect(act(at), dice.pk, in_order=in_order, finding="Edges 16.00 mm.")


def issued(at: House, dice: DiceSet, table: Any = None) -> Receipt:
    return life.issue(act(at), dice.pk, table=table.pk if table else None)


def in_store(at: House, number: str = "N-1") -> DiceSet:
    dice = received(at, number)
    inspected(at, dice)
    return dice


def withdrawn(at: House, dice: DiceSet) -> Receipt:
    return life.withdraw(act(at), dice.pk, reason="A corner is chipped.")


def request_destruction(at: House, dice: DiceSet) -> uuid.UUID:
    request_act = act(at)
    life.ask_to_destroy(request_act, dice.pk, reason="Chipped.")
    return requests.id_of(at.id, request_act.command_id)


def destroyed(at: House, dice: DiceSet) -> Receipt:
    request = request_destruction(at, dice)
    return approvals.decide(act(at, at.manager), request, approve=True)


def state(dice: DiceSet) -> str:
    found: str = DiceSet.objects.get(pk=dice.pk).state
    return found
