"""API of players: the list of players, erasing a name, taking an exclusion back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.shortcuts import get_object_or_404
from rest_framework import serializers
from rest_framework.response import Response
from rest_framework.views import APIView

from casino.establishments.gaming_day import current
from casino.exclusions import operations as exclusions
from casino.players import erasure
from casino.players.listings import PLAYERS
from casino.pseudonyms.models import Player
from casino.web.api import acts, bodies, schema
from casino.web.api.answers import Shape
from casino.web.listings.api import list_view

if TYPE_CHECKING:
    from uuid import UUID

    from rest_framework.request import Request


class PlayerRow(Shape):
    id = serializers.CharField(help_text="In the ledger.")
    name = serializers.CharField(allow_null=True, max_length=240, required=False)
    excluded = serializers.BooleanField(read_only=True, help_text="On the gaming day it is.")
    perhaps_excluded = serializers.ListField(
        child=serializers.CharField(),
        read_only=True,
        help_text="Names of excluded players who may be the same person: a seat is not refused.",
    )


Players = list_view(PLAYERS, PlayerRow, "Everybody who has a name at the house, in order")


class Erase(APIView):
    @schema.act(
        "Erase a player's name, and every text in which it stands",
        answers={200: PlayerRow},
        request=bodies.WITH_REASON,
    )
    def post(self, request: Request, establishment: UUID, player: str) -> Response:
        """A manager's. 422 `still_seated`, `still_excluded`, `money_owed`, `erased_already`."""
        act, given = acts.begun(request, establishment, "configure", bodies.WITH_REASON)
        known = get_object_or_404(Player, establishment=act.house, token=player)
        erasure.erase(act, player=known.token, reason=given["reason"])
        return Response(
            {"id": known.token, "name": None, "excluded": False, "perhaps_excluded": []}
        )


class Readmit(APIView):
    @schema.act("Take an exclusion back", answers={200: PlayerRow}, request=bodies.WITH_REASON)
    def post(self, request: Request, establishment: UUID, player: str) -> Response:
        """The record stays. 422 `not_excluded`."""
        act, given = acts.begun(request, establishment, "approve", bodies.WITH_REASON)
        known = get_object_or_404(Player, establishment=act.house, token=player)
        exclusions.readmit(act, player=known.token, reason=given["reason"])
        called = {known.token: known.name} if known.name else {}
        perhaps = exclusions.excluded_spellings(
            act.house.pk, called, current(act.house, act.now)
        ).get(known.token, [])
        return Response(
            {"id": known.token, "name": known.name, "excluded": False, "perhaps_excluded": perhaps}
        )
