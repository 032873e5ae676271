"""What throws say about dice: streams, alarms, and who has seen them (F2)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final
from uuid import UUID  # noqa: TC003 - read from the signature by the schema

from django.http import Http404
from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers, status
from rest_framework.response import Response
from rest_framework.views import APIView

from casino.surveillance import operations, queries
from casino.surveillance.models import Alarm, DiceStream, Kind
from casino.surveillance.throws import SIZES
from casino.web.api import acts, bodies, paging, params, schema
from casino.web.api.answers import PAGE, Shape
from casino.web.api.houses import OVERSEEING, HouseList, own

if TYPE_CHECKING:
    from django.db.models import QuerySet
    from rest_framework.request import Request

    from casino.surveillance.models import CurvePoint

STATES: Final = ("open", "acknowledged")
KIND: Final = OpenApiParameter("kind", {"type": "string", "enum": list(Kind.values)})
SIDES: Final = OpenApiParameter("sides", {"type": "integer", "enum": list(SIZES)})


class StreamShape(Shape):
    """The throws of dice of one size. A throw is one die that came to rest on a face."""

    kind = serializers.CharField(help_text="Whose: house, set, table, player or attendant.")
    name = serializers.CharField(help_text="Its id or token; all: of the house.")
    title = serializers.CharField(help_text="What people call it.")
    sides = serializers.IntegerField()
    throws = serializers.IntegerField()
    missing = serializers.IntegerField(help_text="Thrown, with no face on record.")
    counts = serializers.ListField(
        child=serializers.IntegerField(), help_text="By face, 1 first, of all throws."
    )
    counted = serializers.IntegerField(
        help_text="Throws since the last acknowledged alarm: what the evidence rests on."
    )
    log10_e = serializers.FloatField(help_text="log10 of the evidence against fair dice.")
    highest_log10_e = serializers.FloatField(help_text="The greatest it has been.")
    passed_20 = serializers.IntegerField(allow_null=True, help_text="At which throw, first.")
    passed_100 = serializers.IntegerField(allow_null=True)
    passed_1000 = serializers.IntegerField(allow_null=True)
    change = serializers.FloatField(help_text="The detector of changes.")
    smallest_tilt = serializers.FloatField(
        allow_null=True,
        help_text="So many times too frequent a face must be to show in so many throws, more often"
        " than not; null: no loading would.",
    )
    alarm = serializers.BooleanField(help_text="Whether an alarm of it is open.")
    url = serializers.URLField(help_text=PAGE)


class PointShape(Shape):
    throws = serializers.IntegerField()
    position = serializers.IntegerField(help_text="Of the event in the house's ledger.")
    log10_e = serializers.FloatField()
    change = serializers.FloatField()


class StreamInFull(StreamShape):
    curve = PointShape(many=True, help_text="At most some 64 points, in the order of throws.")


class AlarmShape(Shape):
    alarm = serializers.UUIDField()
    position = serializers.IntegerField(help_text="Of the event that raised it.")
    kind = serializers.CharField()
    name = serializers.CharField()
    title = serializers.CharField()
    sides = serializers.IntegerField()
    by = serializers.CharField(help_text="evidence, or change.")
    throws = serializers.IntegerField()
    counts = serializers.ListField(child=serializers.IntegerField())
    log10_e = serializers.FloatField()
    change = serializers.FloatField()
    alpha = serializers.FloatField(
        help_text="The false share among alarms by evidence that the house allowed then."
    )
    streams = serializers.IntegerField(help_text="How many streams of the house it stood among.")
    cause = serializers.IntegerField(help_text="Position of the throw.")
    raised_at = serializers.DateTimeField()
    gaming_day = serializers.DateField()
    open = serializers.BooleanField()
    acknowledged_by = serializers.CharField(allow_null=True)
    acknowledged_at = serializers.DateTimeField(allow_null=True)
    reason = serializers.CharField(allow_null=True, help_text="What was found.")
    url = serializers.URLField(help_text=PAGE)


class MostSuspiciousFirst(paging.SignedCursorPagination):
    ordering = ("-log10", "kind", "name", "sides")


class Streams(HouseList):
    queryset = DiceStream.objects.none()
    serializer_class = StreamShape
    pagination_class = MostSuspiciousFirst
    sees = OVERSEEING

    def get_queryset(self) -> QuerySet[DiceStream]:
        kind = params.choice(self.request, "kind", Kind.values)
        sides = params.choice(self.request, "sides", [str(each) for each in SIZES])
        return queries.streams(self.house.pk, kind=kind or "", sides=int(sides) if sides else None)

    @schema.documented(
        "All throws of a house by whose they are, the most suspicious first",
        answers={200: StreamShape(many=True)},
        errors=(400, 403, 404),
        parameters=[KIND, SIDES],
    )
    def get(self, request: Request, *_args: Any, **_named: Any) -> Response:
        """
        For supervisors, managers and auditors. Counted by the worker a moment after each throw.

        `log10_e` may be looked at after every throw: with fair dice it passes log10(1/a) with a
        chance of a at most.
        """
        page = self.paginate_queryset(self.get_queryset()) or []
        lines = queries.lines(self.house, page)
        return self.get_paginated_response([told(request, each) for each in lines])


class OneStream(APIView):
    @schema.documented(
        "A stream of throws and its curve", answers={200: StreamInFull}, errors=(403, 404)
    )
    def get(
        self, request: Request, establishment: UUID, kind: str, name: str, sides: int
    ) -> Response:
        """`name` is `all` for the house."""
        house = own(request, establishment, *OVERSEEING)
        named = queries.name_in(kind, name)
        rows = [row for row in queries.streams_of(house.pk, kind, named) if row.sides == sides]
        if not rows:
            raise Http404
        [line] = queries.lines(house, rows)
        points = queries.points_of(house.pk, kind, named).get(sides, [])
        return Response({**told(request, line), "curve": [plotted(each) for each in points]})


class Alarms(HouseList):
    queryset = Alarm.objects.none()
    serializer_class = AlarmShape
    pagination_class = paging.NewestFirst
    sees = OVERSEEING

    def get_queryset(self) -> QuerySet[Alarm]:
        state = params.choice(self.request, "state", STATES)
        return queries.alarms(self.house.pk, is_open=None if state is None else state == "open")

    @schema.documented(
        "Alarms about dice, newest first",
        answers={200: AlarmShape(many=True)},
        errors=(400, 403, 404),
        parameters=[OpenApiParameter("state", {"type": "string", "enum": list(STATES)})],
    )
    def get(self, request: Request, *_args: Any, **_named: Any) -> Response:
        """For supervisors, managers and auditors. Each stays open until it is acknowledged."""
        page = self.paginate_queryset(self.get_queryset()) or []
        cards = queries.cards(self.house, page)
        return self.get_paginated_response([alarmed(request, each) for each in cards])


class Acknowledge(APIView):
    @schema.act(
        "Acknowledge an alarm, by name and with what was found",
        answers={204: None},
        request=bodies.WITH_REASON,
    )
    def post(self, request: Request, establishment: UUID, alarm: UUID) -> Response:
        """The stream's count begins anew; its throws so far stay on record."""
        act, said = acts.begun(request, establishment, "approve", bodies.WITH_REASON)
        operations.acknowledge(act, alarm=alarm, reason=said["reason"])
        return Response(status=status.HTTP_204_NO_CONTENT)


def told(request: Request, line: queries.Line) -> dict[str, Any]:
    row = line.row
    return {
        "kind": row.kind,
        "name": row.name or queries.ALL,
        "title": line.title,
        "sides": row.sides,
        "throws": row.throws,
        "missing": row.missing,
        "counts": row.total,
        "counted": row.counted,
        "log10_e": row.log10,
        "highest_log10_e": row.highest,
        "passed_20": row.passed_20,
        "passed_100": row.passed_100,
        "passed_1000": row.passed_1000,
        "change": row.change,
        "smallest_tilt": line.smallest,
        "alarm": row.alarm is not None,
        "url": request.build_absolute_uri(line.address),
    }


def plotted(point: CurvePoint) -> dict[str, Any]:
    return {
        "throws": point.throws,
        "position": point.position,
        "log10_e": point.log10,
        "change": point.change,
    }


def alarmed(request: Request, card: queries.AlarmCard) -> dict[str, Any]:
    row = card.row
    return {
        "alarm": row.id,
        "position": row.position,
        "kind": row.kind,
        "name": row.name or queries.ALL,
        "title": card.title,
        "sides": row.sides,
        "by": row.by,
        "throws": row.throws,
        "counts": row.counts,
        "log10_e": row.log10,
        "change": row.change,
        "alpha": row.alpha,
        "streams": row.streams,
        "cause": row.cause,
        "raised_at": row.raised_at,
        "gaming_day": row.gaming_day,
        "open": row.open,
        "acknowledged_by": card.acknowledged_by or None,
        "acknowledged_at": row.acknowledged_at,
        "reason": card.reason or None,
        "url": request.build_absolute_uri(card.address),
    }
