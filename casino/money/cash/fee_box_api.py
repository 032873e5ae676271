"""API of fee boxes (A5): which are to be counted, what was taken and found, and counting one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.shortcuts import get_object_or_404
from rest_framework import serializers
from rest_framework.response import Response
from rest_framework.views import APIView

from casino.house.acts import acts
from casino.kit.web.api import acts as acting
from casino.kit.web.api import bodies, schema
from casino.kit.web.api.answers import Shape
from casino.kit.web.api.houses import own
from casino.kit.web.listings.api import fields, viewer
from casino.money.cash import fees
from casino.money.cash.custody_api import SEALED
from casino.money.cash.listings.fee_boxes import FEE_BOXES, FEE_DAYS, boxes_to_count, fee_days

if TYPE_CHECKING:
    from collections.abc import Mapping
    from uuid import UUID

    from rest_framework.request import Request

COUNT: Final = bodies.describe_body({"sheet": bodies.SHEET})
CAME_TO: Final[Mapping[str, str]] = {
    fees.ENTERED: "sealed",
    fees.DIFFERED: "differed",
    fees.COUNTED: "agreed",
}


class BoxShape(Shape):
    table = serializers.UUIDField()
    name = serializers.CharField()
    expected = serializers.IntegerField(allow_null=True, help_text=SEALED)
    counted_by = serializers.CharField(
        allow_null=True, help_text="Who is in; their sheet is sealed."
    )


class FeeDayShape(Shape):
    gaming_day = serializers.DateField()
    table = serializers.UUIDField()
    taken = serializers.IntegerField(allow_null=True, help_text=SEALED)
    expected = serializers.IntegerField(allow_null=True, help_text="When it was counted.")
    counted = serializers.IntegerField(allow_null=True)
    over_short = serializers.IntegerField(allow_null=True)
    counted_on = serializers.DateField(
        allow_null=True, help_text="A count covers all that lay in the box. Null: nobody has yet."
    )


class FeeBoxesShape(Shape):
    waiting = BoxShape(many=True, help_text="Boxes with fees in them that nobody has counted.")
    days = FeeDayShape(many=True, help_text="The last fourteen gaming days.")


class FeeCounted(Shape):
    came_to = serializers.ChoiceField(list(CAME_TO.values()))


class FeeBoxes(APIView):
    @schema.describe_operation(
        "Fee boxes: which are to be counted, what was taken and found",
        answers={200: FeeBoxesShape},
        errors=(404,),
    )
    def get(self, request: Request, establishment: UUID) -> Response:
        house = own(request, establishment)
        looks = viewer(request, house)
        return Response(
            {
                "waiting": fields(FEE_BOXES, looks, boxes_to_count(looks)),
                "days": fields(FEE_DAYS, looks, fee_days(looks)),
            }
        )


class FeeCounts(APIView):
    @schema.act(
        "Enter one's own count of a fee box: the first of two, or the second",
        answers={200: FeeCounted},
        request=COUNT,
    )
    def post(self, request: Request, establishment: UUID, table: UUID) -> Response:
        """
        `sealed`: a second person counts now. `differed`: both are on record, both count again.
        `agreed`: the box is in the cage. 422 `same_counter`, `not_a_count`; `being_booked` while
        a fee taken at the table is still to be booked: count again in a moment.
        """
        act, body = acting.begin_act(request, establishment, "record", COUNT)
        here = get_object_or_404(act.house.tables, pk=table)
        receipt = fees.count(act, table=here, sheet=body["sheet"])
        [event] = acts.events_of(act.house.pk, receipt)
        return Response({"came_to": CAME_TO[event.event_type]})
