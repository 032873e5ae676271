"""API of fills and credits: the numbered slips of a house, and asking for one (B2)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, get_args

from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema_serializer
from rest_framework import serializers, status
from rest_framework.response import Response
from rest_framework.views import APIView

from casino.kit.approvals import requests
from casino.kit.web.api import acts, bodies, schema
from casino.kit.web.api.answers import Shape, coins
from casino.kit.web.api.houses import own
from casino.kit.web.listings.api import ListView, list_view, values, viewer
from casino.money.cash import queries, slips
from casino.money.cash.listings.slips import SLIPS
from casino.money.cash.models import SlipRow
from games.payments import COINS_MAX

if TYPE_CHECKING:
    from uuid import UUID

    from rest_framework.request import Request

KIND: Final[bodies.Schema] = {"type": "string", "enum": list(get_args(slips.SlipKind))}
ASKING: Final = bodies.describe_body(
    {"kind": KIND, "table": bodies.ID, "sheet": bodies.SHEET, "reason": bodies.REASON}
)


class SlipShape(serializers.ModelSerializer[SlipRow]):
    table = serializers.UUIDField()
    sheet = coins("Value of a piece to number of pieces.")

    class Meta:
        model = SlipRow
        fields = [
            "number", "kind", "table", "amount", "sheet", "reason", "request", "asked_by",
            "asked_at", "approved_by", "issued_at", "gaming_day", "received_by", "received_at",
            "position",
        ]  # fmt: skip


@extend_schema_serializer(component_name="SlipAsked")
class SlipRequested(Shape):
    request = serializers.UUIDField(help_text="Among the approvals: somebody else decides it.")


class Asking(ListView):
    @schema.act("Ask for a fill or a credit", answers={201: SlipRequested}, request=ASKING)
    def post(self, request: Request, establishment: UUID) -> Response:
        """A second person approves it; with that it gets its number and the money moves."""
        act, body = acts.begin_act(request, establishment, "record", ASKING)
        table = get_object_or_404(act.house.tables, pk=body["table"])
        slips.ask(act, kind=body["kind"], table=table, sheet=body["sheet"], reason=body["reason"])
        answer = {"request": requests.id_of(act.house.pk, act.command_id)}
        return Response(answer, status=status.HTTP_201_CREATED)


Slips = list_view(
    SLIPS,
    SlipShape,
    "Fills and credits, the newest number first",
    about="Numbered without a gap: what was asked for and not approved has no number.",
    through_shape=True,
    takes=Asking,
)


class OneSlip(APIView):
    @schema.describe_operation("A slip", answers={200: SlipShape}, errors=(404,))
    def get(self, request: Request, establishment: UUID, number: int) -> Response:
        house = own(request, establishment)
        row = get_object_or_404(queries.slips(house), number=min(number, COINS_MAX))
        found: Any = values(SLIPS, viewer(request, house), [row])[0]
        return Response(SlipShape(found).data)
