"""API of surveillance: streams of throws, alarms, and their acknowledgement (F2)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from uuid import UUID  # noqa: TC003 - read from the signature by the schema

from django.http import Http404
from rest_framework import serializers, status
from rest_framework.response import Response
from rest_framework.views import APIView

from casino.kit.web.api import bodies, houses, schema
from casino.kit.web.api.answers import PAGE, Shape
from casino.kit.web.api.houses import OVERSEEING, from_replica, own
from casino.kit.web.listings.api import fields, list_view, viewer
from casino.play.dice.surveillance import alarms, queries
from casino.play.dice.surveillance.listings import ALARMS, STREAMS

if TYPE_CHECKING:
    from rest_framework.request import Request

    from casino.play.dice.surveillance.models import CurvePoint


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
    by = serializers.CharField(help_text=f"{alarms.names_text()}.")
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


Streams = list_view(
    STREAMS,
    StreamShape,
    "All throws of a house by whose they are, the most suspicious first",
    about=(
        "For supervisors, managers and auditors. Counted by the worker a moment after each throw."
        "\n\n`log10_e` may be looked at after every throw: with fair dice it passes log10(1/a) with"
        " a\nchance of a at most."
    ),
    sees=OVERSEEING,
)
Alarms = list_view(
    ALARMS,
    AlarmShape,
    "Alarms about dice, newest first",
    about=("For supervisors, managers and auditors. Each stays open until it is acknowledged."),
    sees=OVERSEEING,
    through_shape=True,
)


class OneStream(APIView):
    @schema.describe_operation(
        "A stream of throws and its curve", answers={200: StreamInFull}, errors=(403, 404)
    )
    @from_replica
    def get(
        self, request: Request, establishment: UUID, kind: str, name: str, sides: int
    ) -> Response:
        """`name` is `all` for the house."""
        house = own(request, establishment, *OVERSEEING)
        named = queries.name_from_address(kind, name)
        rows = [row for row in queries.streams_of(house.pk, kind, named) if row.sides == sides]
        if not rows:
            raise Http404
        [stream] = fields(STREAMS, viewer(request, house), rows)
        points = queries.points_of(house.pk, kind, named).get(sides, [])
        return Response({**stream, "curve": [point_fields(each) for each in points]})


class Acknowledge(APIView):
    @schema.act(
        "Acknowledge an alarm, by name and with what was found",
        answers={204: None},
        request=bodies.WITH_REASON,
    )
    def post(self, request: Request, establishment: UUID, alarm: UUID) -> Response:
        """The stream's count begins anew; its throws so far stay on record."""
        act, body = houses.begin_act(request, establishment, alarms.ACKNOWLEDGE, bodies.WITH_REASON)
        alarms.acknowledge(act, alarm=alarm, reason=body["reason"])
        return Response(status=status.HTTP_204_NO_CONTENT)


def point_fields(point: CurvePoint) -> dict[str, Any]:
    return {
        "throws": point.throws,
        "position": point.position,
        "log10_e": point.log10,
        "change": point.change,
    }
