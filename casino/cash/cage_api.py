"""Cash between a house's cage and its bank (A3), and the answer to whoever asked for money."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rest_framework import serializers, status
from rest_framework.response import Response

from casino.approvals import requests
from casino.cash import bank
from casino.cash.account_models import CageSlip
from casino.web.api import acts, bodies, paging, schema
from casino.web.api.answers import Shape
from casino.web.api.houses import HouseList

if TYPE_CHECKING:
    from uuid import UUID

    from django.db.models import QuerySet
    from rest_framework.request import Request

    from casino.operations.acts import Act
    from ledger.journal import Receipt

CAGE: Final = bodies.described(
    {
        "way": {"type": "string", "enum": CageSlip.Way.values},
        "amount": bodies.COINS,
        "reason": bodies.REASON,
    }
)


class Asked(Shape):
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


class Cage(HouseList):
    queryset = CageSlip.objects.none()
    serializer_class = CageRow
    pagination_class = paging.ByNumber
    sees = ("audit",)
    resolves = ("reason",)

    def get_queryset(self) -> QuerySet[CageSlip]:
        return CageSlip.objects.filter(establishment=self.house)

    @schema.documented(
        "Cash between cage and bank, by number, newest first",
        answers={200: CageRow(many=True)},
        errors=(400, 403, 404),
    )
    def get(self, request: Request, establishment: UUID) -> Response:
        return super().get(request, establishment)

    @schema.act(
        "Ask for capital to come into the cage, or for cash to go to the bank",
        answers={202: Asked},
        request=CAGE,
    )
    def post(self, request: Request, establishment: UUID) -> Response:
        """Nothing moves before another person has approved it."""
        act, said = acts.begun(request, establishment, "record", CAGE)
        receipt = bank.ask(act, way=said["way"], amount=said["amount"], reason=said["reason"])
        return asked(act, receipt)


def asked(act: Act, receipt: Receipt) -> Response:
    """A request that waits for its approval now."""
    request = requests.id_of(act.house.pk, act.command_id)
    told = {"request": str(request), "position": receipt.last_position}
    return Response(told, status=status.HTTP_202_ACCEPTED)
