"""API of cash between a house's cage and its bank (A3), and the answer to a request for money."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from drf_spectacular.utils import extend_schema_serializer
from rest_framework import serializers, status
from rest_framework.response import Response

from casino.kit.approvals import requests
from casino.kit.web.api import acts, bodies, schema
from casino.kit.web.api.answers import Shape
from casino.kit.web.listings.api import ListView, list_view
from casino.money.cash import bank
from casino.money.cash.account_models import CageSlip
from casino.money.cash.listings.bank import CAGE

if TYPE_CHECKING:
    from uuid import UUID

    from rest_framework.request import Request

    from casino.house.acts.acts import Act
    from ledger.journal import Receipt

MOVING: Final = bodies.describe_body(
    {
        "way": {"type": "string", "enum": CageSlip.Way.values},
        "amount": bodies.COINS,
        "reason": bodies.REASON,
    }
)


@extend_schema_serializer(component_name="Asked")
class ApprovalRequested(Shape):
    """What was asked for: another person approves it under `approvals/`."""

    request = serializers.UUIDField()
    position = serializers.IntegerField(help_text="Of the event that asked.")


class CageRow(serializers.ModelSerializer[CageSlip]):
    reason = serializers.CharField(read_only=True)

    class Meta:
        model = CageSlip
        fields = [
            "number", "way", "amount", "reason", "asked_by", "approved_by", "at", "gaming_day",
            "position",
        ]  # fmt: skip


class Moving(ListView):
    @schema.act(
        "Ask for capital to come into the cage, or for cash to go to the bank",
        answers={202: ApprovalRequested},
        request=MOVING,
    )
    def post(self, request: Request, establishment: UUID) -> Response:
        """Nothing moves before another person has approved it."""
        act, body = acts.begin_act(request, establishment, "record", MOVING)
        receipt = bank.ask(act, way=body["way"], amount=body["amount"], reason=body["reason"])
        return answer_waiting(act, receipt)


Cage = list_view(
    CAGE,
    CageRow,
    "Cash between cage and bank, by number, newest first",
    sees=("audit",),
    through_shape=True,
    takes=Moving,
)


def answer_waiting(act: Act, receipt: Receipt) -> Response:
    """A request that waits for its approval now."""
    request = requests.id_of(act.house.pk, act.command_id)
    answer = {"request": str(request), "position": receipt.last_position}
    return Response(answer, status=status.HTTP_202_ACCEPTED)
