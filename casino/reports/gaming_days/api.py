"""API of gaming days: their states and summaries, closing, signing, late entries (B4, E3, E5)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from django.http import Http404
from django.utils import timezone
from drf_spectacular.utils import OpenApiParameter, extend_schema_field
from rest_framework import serializers
from rest_framework.response import Response
from rest_framework.views import APIView

from casino.kit.web.api import bodies, houses, params, schema
from casino.kit.web.api.houses import own
from casino.kit.web.listings.api import list_view
from casino.reports.gaming_days import closing, queries, tasks
from casino.reports.gaming_days.listings import DAYS, LATE
from casino.reports.gaming_days.models import GamingDay, LateEntry

if TYPE_CHECKING:
    from uuid import UUID

    from rest_framework.request import Request

    from casino.house.establishments.models import Establishment

DAY: Final = OpenApiParameter(
    "day", {"type": "string", "format": "date"}, OpenApiParameter.PATH, description="A gaming day."
)


class DayRow(serializers.ModelSerializer[GamingDay]):
    by = serializers.CharField(
        allow_blank=True,
        help_text="Who closed it, by id; system: it closed itself. Empty while it is open.",
    )
    signed_by = serializers.CharField(
        allow_blank=True, help_text="The second name under it, by id, or empty."
    )

    class Meta:
        model = GamingDay
        fields = [
            "day", "state", "opened_at", "closing_at", "closing_position", "by", "closed_at",
            "closed_position", "signed_by", "signed_at", "rounds", "staked", "paid", "fees",
            "over_short",
        ]  # fmt: skip


@extend_schema_field({"type": "object", "additionalProperties": True, "nullable": True})
class Summary(serializers.JSONField):
    pass


class DayInFull(DayRow):
    behind = serializers.IntegerField(
        help_text="While it is being closed: events that settlement has still to deal with."
    )
    summary = Summary(
        allow_null=True,
        help_text="What it came to, as its last event says; null until it is closed.",
    )

    class Meta(DayRow.Meta):
        fields = [*DayRow.Meta.fields, "behind", "summary"]


class Late(serializers.ModelSerializer[LateEntry]):
    class Meta:
        model = LateEntry
        fields = [
            "position", "kind", "gaming_day", "meant_for", "occurred_at", "recorded_at", "seconds",
            "stream", "event_type", "actor", "device",
        ]  # fmt: skip


Days = list_view(
    DAYS,
    DayRow,
    "The gaming days of a house, newest first",
    about="A list made by the worker: it may lag a moment behind the ledger.",
    through_shape=True,
)


class OneDay(APIView):
    @schema.describe_operation(
        "A gaming day, and what it came to",
        answers={200: DayInFull},
        errors=(403, 404),
        parameters=[DAY],
    )
    def get(self, request: Request, establishment: UUID, day: str) -> Response:
        """For the house's manager and auditors: the summary says what floats hold. B1"""
        house = own(request, establishment, "audit")
        return Response(in_full(house, find(house, day)))


class CloseDay(APIView):
    @schema.act(
        "Close a gaming day",
        answers={200: DayRow},
        request=bodies.NOTHING,
        parameters=[DAY],
    )
    def post(self, request: Request, establishment: UUID, day: str) -> Response:
        """
        The next day begins at once. Settlement books what belongs to this one, then it is frozen:
        look again until `state` is `closed`. 422 `older_day_open`, `day_still_closing`,
        `day_closed_already`, `day_not_begun`.
        """
        act, _given = houses.begin_act(request, establishment, "configure", bodies.NOTHING)
        closing.close(act, find(act.house, day).day)
        tasks.wake(establishment=act.house.pk)
        return Response(DayRow(find(act.house, day)).data)


class SignDay(APIView):
    @schema.act(
        "Put a second name under a closed day",
        answers={200: DayRow},
        request=bodies.NOTHING,
        parameters=[DAY],
    )
    def post(self, request: Request, establishment: UUID, day: str) -> Response:
        """Not by who closed it. 422 `own_closing`, `day_not_closed`, `day_signed_already`."""
        act, _given = houses.begin_act(request, establishment, "approve", bodies.NOTHING)
        closing.sign(act, find(act.house, day).day)
        return Response(DayRow(find(act.house, day)).data)


LateEntries = list_view(
    LATE,
    Late,
    "Late entries and clocks that differ, newest first",
    about=(
        "`late`: it happened on an earlier gaming day than it is on record for; `booked`:"
        " settlement\nbooked it after its day was closed; `skew`: the two clocks are more than 5"
        " seconds apart."
    ),
    sees=("audit",),
    through_shape=True,
)


def find(house: Establishment, day: str) -> GamingDay:
    """:raises Http404: if the house has no such day."""
    wanted = params.day_in(day)
    row = queries.rows(house).filter(day=wanted).first() if wanted else None
    if row is None:
        raise Http404
    return row


def in_full(house: Establishment, row: GamingDay) -> dict[str, Any]:
    event = queries.event_of_close(house, row)
    draining = row.state == GamingDay.State.CLOSING
    summary = dict(event.data) if event else {}
    summary.pop("standing", None)
    return {
        **DayRow(row).data,
        "behind": queries.state(house, timezone.now()).behind if draining else 0,
        "summary": summary or None,
    }
