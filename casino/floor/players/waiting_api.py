"""API of the waiting list: who waits for which game, entering, calling, skipping, taking off."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from django.shortcuts import get_object_or_404
from django.utils import timezone
from rest_framework import serializers, status
from rest_framework.response import Response
from rest_framework.views import APIView

from casino.floor.players import waiting, waiting_shown
from casino.house.pseudonyms.models import Player
from casino.kit.web.api import acts, bodies, schema
from casino.kit.web.api.answers import Shape
from casino.kit.web.api.houses import own
from casino.words.presenters import TITLES

if TYPE_CHECKING:
    from uuid import UUID

    from rest_framework.request import Request

    from casino.house.establishments.models import Establishment

ENTER: Final = bodies.describe_body(
    {"name": bodies.NAME, "game": {"type": "string", "enum": sorted(TITLES)}},
    stake=bodies.COINS,
    shown={"type": "string", "enum": Player.Shown.values},
)
CALLING: Final = bodies.describe_body({}, table=bodies.ID)


class WaitingEntryShape(Shape):
    entry = serializers.UUIDField(help_text="The command that made it.")
    player = serializers.CharField(help_text="Id in the ledger.")
    game = serializers.CharField()
    number = serializers.IntegerField(help_text="What screens call them without their name.")
    stake = serializers.IntegerField(allow_null=True)
    shown = serializers.CharField(allow_blank=True, help_text="What they asked for when they came.")
    since = serializers.DateTimeField()
    ahead = serializers.IntegerField(help_text="How many waited for the game before them.")
    called_at = serializers.DateTimeField(allow_null=True)
    until = serializers.DateTimeField(allow_null=True, help_text="Gone then, unless seated.")
    table = serializers.UUIDField(allow_null=True)


class WaitingPlaceShape(WaitingEntryShape):
    name = serializers.CharField(help_text="The id again where the name is erased.")
    public = serializers.CharField(help_text="As public screens name them.")


class WaitingEstimateShape(Shape):
    minutes = serializers.IntegerField(help_text="About so long waits who comes now.")
    within = serializers.IntegerField(help_text="So many of `of` waited from `least` to `most`.")
    of = serializers.IntegerField()
    least = serializers.IntegerField(help_text="Minutes.")
    most = serializers.IntegerField(help_text="Minutes.")


class WaitingLineShape(Shape):
    game = serializers.CharField()
    offered = serializers.BooleanField(help_text="Whether the house offers the game now.")
    estimate = WaitingEstimateShape(
        allow_null=True, help_text="Null: too few waits to compare with."
    )
    places = WaitingPlaceShape(many=True, help_text="In order.")


class WaitingListShape(Shape):
    games = WaitingLineShape(many=True)


class WaitingList(APIView):
    @schema.describe_operation(
        "Who waits for a seat, by game", answers={200: WaitingListShape}, errors=(403, 404)
    )
    def get(self, request: Request, establishment: UUID) -> Response:
        house = own(request, establishment)
        lines = waiting_shown.lines(house, timezone.now())
        return Response(WaitingListShape({"games": [_line(each) for each in lines]}).data)

    @schema.act("Put somebody on the waiting list", answers={201: WaitingEntryShape}, request=ENTER)
    def post(self, request: Request, establishment: UUID) -> Response:
        """422 `excluded`, `waits_already`, `plays_already`, `game_not_offered`."""
        act, given = acts.begin_act(request, establishment, "record", ENTER)
        entry = waiting.enter(
            act,
            name=given["name"],
            game=given["game"],
            stake=given["stake"],
            shown=given["shown"] or "",
        )
        return Response(WaitingEntryShape(entry).data, status=status.HTTP_201_CREATED)


def _line(line: waiting_shown.Line) -> dict[str, Any]:
    places = [
        {**WaitingEntryShape(each.entry).data, "name": each.name, "public": each.public}
        for each in line.places
    ]
    return {
        "game": line.game, "offered": line.offered, "estimate": line.estimate, "places": places,
    }  # fmt: skip


class Call(APIView):
    @schema.act("Call who waits", answers={200: WaitingEntryShape}, request=CALLING)
    def post(self, request: Request, establishment: UUID, entry: UUID) -> Response:
        """To a table, or to the desk. 422 `called_already`, `waits_no_longer`, `excluded`."""
        act, given = acts.begin_act(request, establishment, "record", CALLING)
        table = _table(act.house, given["table"])
        return Response(WaitingEntryShape(waiting.call(act, entry=entry, table=table)).data)


def _table(house: Establishment, table: UUID | None) -> Any:
    return get_object_or_404(house.tables, pk=table) if table else None


class Skip(APIView):
    @schema.act("Let the next go first", answers={200: WaitingEntryShape}, request=bodies.NOTHING)
    def post(self, request: Request, establishment: UUID, entry: UUID) -> Response:
        """422 `waits_no_longer`."""
        act, _given = acts.begin_act(request, establishment, "record", bodies.NOTHING)
        return Response(WaitingEntryShape(waiting.skip(act, entry=entry)).data)


class TakeOff(APIView):
    @schema.act(
        "Take who waits off the list", answers={200: WaitingEntryShape}, request=bodies.NOTHING
    )
    def post(self, request: Request, establishment: UUID, entry: UUID) -> Response:
        """422 `waits_no_longer`."""
        act, _given = acts.begin_act(request, establishment, "record", bodies.NOTHING)
        return Response(WaitingEntryShape(waiting.take_off(act, entry=entry)).data)
