"""Players: everybody who has a name at a house, and a name erased."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.shortcuts import get_object_or_404
from django.utils import timezone
from rest_framework import serializers
from rest_framework.response import Response
from rest_framework.views import APIView

from casino.establishments.gaming_day import current
from casino.exclusions import operations as exclusions
from casino.players import erasure
from casino.pseudonyms.models import Player
from casino.web.api import acts, bodies, paging, schema
from casino.web.api.houses import HouseList

if TYPE_CHECKING:
    from uuid import UUID

    from django.db.models import QuerySet
    from rest_framework.request import Request


class PlayerRow(serializers.ModelSerializer[Player]):
    id = serializers.CharField(source="token", help_text="In the ledger.")
    excluded = serializers.SerializerMethodField(help_text="On the gaming day it is.")

    class Meta:
        model = Player
        fields = ["id", "name", "excluded"]

    def get_excluded(self, player: Player) -> bool:
        return player.token in self.context["bars"]


class ByPlayerName(paging.SignedCursorPagination):
    ordering = ("name", "token")


class Players(HouseList):
    queryset = Player.objects.none()
    serializer_class = PlayerRow
    pagination_class = ByPlayerName

    def get_queryset(self) -> QuerySet[Player]:
        return Player.objects.filter(establishment=self.house, name__isnull=False)

    def get_serializer_context(self) -> dict[str, Any]:
        day = current(self.house, timezone.now())
        bars = exclusions.standing(self.house.pk).on(day)
        return {**super().get_serializer_context(), "bars": bars}

    @schema.documented(
        "Everybody who has a name at the house, in order",
        answers={200: PlayerRow(many=True)},
        errors=(400, 404),
    )
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        return super().get(request, *args, **kwargs)


class Erase(APIView):
    @schema.act(
        "Erase a player's name, and every text in which it stands",
        answers={200: PlayerRow},
        request=bodies.WITH_REASON,
    )
    def post(self, request: Request, establishment: UUID, player: str) -> Response:
        """A manager's. 422 `still_seated`, `still_excluded`, `money_owed`, `erased_already`."""
        act, said = acts.begun(request, establishment, "configure", bodies.WITH_REASON)
        known = get_object_or_404(Player, establishment=act.house, token=player)
        erasure.erase(act, player=known.token, reason=said["reason"])
        return Response({"id": known.token, "name": None, "excluded": False})


class Readmit(APIView):
    @schema.act("Take an exclusion back", answers={200: PlayerRow}, request=bodies.WITH_REASON)
    def post(self, request: Request, establishment: UUID, player: str) -> Response:
        """The record stays. 422 `not_excluded`."""
        act, said = acts.begun(request, establishment, "approve", bodies.WITH_REASON)
        known = get_object_or_404(Player, establishment=act.house, token=player)
        exclusions.readmit(act, player=known.token, reason=said["reason"])
        return Response({"id": known.token, "name": known.name, "excluded": False})
