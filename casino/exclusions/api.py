"""Who is refused a seat, who tried to take one, and taking an exclusion back (P1)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from django.db.models import F, Q
from rest_framework import serializers, status
from rest_framework.response import Response

from casino.exclusions import operations as exclusions
from casino.exclusions.models import Exclusion, SeatRefused
from casino.operations import acts
from casino.pseudonyms import tokens as pseudonyms
from casino.web.api import acts as acting
from casino.web.api import bodies, paging, schema
from casino.web.api.answers import Shape
from casino.web.api.houses import OVERSEEING, HouseList, resolved

if TYPE_CHECKING:
    from uuid import UUID

    from django.db.models import QuerySet
    from rest_framework.request import Request

    from casino.establishments.models import Establishment
    from ledger.wire import StoredEvent

EXCLUDE: Final = bodies.described(
    {"name": bodies.NAME, "since": bodies.DAY, "reason": bodies.REASON}, until=bodies.DAY
)


class ExclusionShape(Shape):
    player = serializers.CharField(help_text="Id in the ledger.")
    name = serializers.CharField(
        source="player", help_text="The id again where the name is erased."
    )
    since = serializers.DateField(help_text="First gaming day.")
    until = serializers.DateField(allow_null=True, help_text="Last gaming day.")
    reason = serializers.CharField()
    by = serializers.CharField(help_text="Attendant.")
    at = serializers.DateTimeField()
    lifted_at = serializers.DateTimeField(allow_null=True)
    position = serializers.IntegerField()


class Exclusions(HouseList):
    queryset = Exclusion.objects.none()
    serializer_class = ExclusionShape
    pagination_class = paging.NewestFirst
    sees = OVERSEEING
    resolves = ("name", "reason")

    def get_queryset(self) -> QuerySet[Exclusion]:
        return Exclusion.objects.filter(establishment=self.house)

    @schema.documented(
        "Who is or was refused a seat, newest first",
        answers={200: ExclusionShape(many=True)},
        errors=(400, 403, 404),
    )
    def get(self, request: Request, establishment: UUID) -> Response:
        return super().get(request, establishment)

    @schema.act(
        "Refuse somebody a seat, by name or id",
        answers={201: ExclusionShape},
        request=EXCLUDE,
    )
    def post(self, request: Request, establishment: UUID) -> Response:
        """From then on `open` and `join` are refused `excluded`. 422 `already_excluded`."""
        act, said = acting.begun(request, establishment, "approve", EXCLUDE)
        receipt = exclusions.exclude(
            act,
            player=named(act.house, said["name"]),
            since=said["since"],
            until=said["until"],
            reason=said["reason"],
        )
        [event] = acts.events_of(act.house.pk, receipt)
        [told] = resolved(act.house, [ExclusionShape(_told(event)).data], *self.resolves)
        return Response(told, status=status.HTTP_201_CREATED)


def named(house: Establishment, name: str) -> str:
    """The token of a name or id; a name not heard of before gets one."""
    return pseudonyms.player_tokens(house.pk, [name], new=True)[name]


def _told(event: StoredEvent) -> dict[str, Any]:
    """From the ledger: the list that has it, too, is written by the worker, and may lag."""
    return {
        **event.data,
        "by": event.provenance.actor,
        "at": event.provenance.recorded_at,
        "lifted_at": None,
        "position": event.position,
    }


class TriedShape(Shape):
    player = serializers.CharField()
    name = serializers.CharField(source="player", help_text="Of the excluded player.")
    named = serializers.CharField(help_text="The name that was given.")
    reads_alike = serializers.BooleanField(help_text="Another name that reads like theirs.")
    game = serializers.UUIDField(allow_null=True)
    table = serializers.CharField(help_text="Empty where a running game was to be joined.")
    by = serializers.CharField()
    at = serializers.DateTimeField()
    gaming_day = serializers.DateField()
    position = serializers.IntegerField()


class Tried(HouseList):
    queryset = SeatRefused.objects.none()
    serializer_class = TriedShape
    pagination_class = paging.NewestFirst
    resolves = ("name", "named")

    def get_queryset(self) -> QuerySet[SeatRefused]:
        rows = SeatRefused.objects.filter(establishment=self.house)
        return rows.annotate(reads_alike=~Q(named=F("player")))

    @schema.documented(
        "Who was turned away from a table, newest first",
        answers={200: TriedShape(many=True)},
        errors=(400, 404),
    )
    def get(self, request: Request, establishment: UUID) -> Response:
        return super().get(request, establishment)
