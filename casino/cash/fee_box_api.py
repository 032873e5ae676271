"""Fee boxes (A5): which are to be counted, what was taken and found, and counting one."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any, Final

from django.shortcuts import get_object_or_404
from django.utils import timezone
from rest_framework import serializers
from rest_framework.response import Response
from rest_framework.views import APIView

from casino.approvals.queries import names as people_named
from casino.attendants import permissions
from casino.cash import fees
from casino.cash.custody_api import SEALED
from casino.establishments.gaming_day import current
from casino.operations import acts
from casino.web.api import acts as acting
from casino.web.api import bodies, schema
from casino.web.api.answers import Shape
from casino.web.api.houses import own, role_at

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from uuid import UUID

    from rest_framework.request import Request

    from casino.establishments.models import Establishment

DAYS: Final = 14
COUNT: Final = bodies.described({"sheet": bodies.SHEET})
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
    @schema.documented(
        "Fee boxes: which are to be counted, what was taken and found",
        answers={200: FeeBoxesShape},
        errors=(404,),
    )
    def get(self, request: Request, establishment: UUID) -> Response:
        house = own(request, establishment)
        sees = role_at(request, house) not in permissions.ALLOWED["record"]
        today = current(house, timezone.now())
        days = fees.days(house, since=today - timedelta(days=DAYS - 1), until=today)
        return Response(
            {
                "waiting": list(_waiting(house, sees=sees)),
                "days": [_told(each, sees=sees) for each in days],
            }
        )


def _told(box: fees.BoxDay, *, sees: bool) -> dict[str, Any]:
    row = box.row
    return {
        "gaming_day": row.gaming_day,
        "table": str(row.table),
        "taken": row.taken if sees or box.counted_on else None,
        "expected": row.expected if row.counts else None,
        "counted": row.counted if row.counts else None,
        "over_short": row.over_short if row.counts else None,
        "counted_on": box.counted_on,
    }


def _waiting(house: Establishment, *, sees: bool) -> Iterable[dict[str, Any]]:
    uncounted = fees.uncounted(house)
    counts = fees.all_running(house.pk, [table.pk for table, _held in uncounted])
    found = [(table, held, counts[table.pk]) for table, held in uncounted]
    people = people_named({now.first.provenance.actor for _t, _h, now in found if now.first})
    for table, held, now in found:
        yield {
            "table": str(table.pk),
            "name": table.name,
            "expected": held if sees else None,
            "counted_by": people[now.first.provenance.actor] if now.first else None,
        }


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
        act, said = acting.begun(request, establishment, "record", COUNT)
        here = get_object_or_404(act.house.tables, pk=table)
        receipt = fees.count(act, table=here, sheet=said["sheet"])
        [event] = acts.events_of(act.house.pk, receipt)
        return Response({"came_to": CAME_TO[event.event_type]})
