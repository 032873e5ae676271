"""API of open pots, each with its equation, and of rollovers (A1, A6)."""

from __future__ import annotations

from typing import TYPE_CHECKING
from uuid import UUID  # noqa: TC003 - read from the signature by the schema

from rest_framework import serializers
from rest_framework.response import Response
from rest_framework.views import APIView

from casino.kit.web.api.answers import RolledOver, Shape
from casino.kit.web.api.houses import own
from casino.kit.web.api.schema import describe_operation
from casino.kit.web.listings.api import fields, viewer
from casino.money.payouts.pots import queries as pots
from casino.money.payouts.pots.listings import POTS
from casino.play.core import queries
from casino.words.presenters import registered

if TYPE_CHECKING:
    from rest_framework.request import Request


class EquationShape(Shape):
    """base + contributions + rolled_in - won - rolled_out - fees + adjustments = balance."""

    base = serializers.IntegerField(help_text="What the house put in by an announced act.")
    contributions = serializers.IntegerField(help_text="What players put in; voided counts back.")
    rolled_in = serializers.IntegerField(help_text="From the rollover of this kind of game.")
    won = serializers.IntegerField(help_text="To players, what is held for them included.")
    rolled_out = serializers.IntegerField(help_text="To the next game of its kind.")
    fees = serializers.IntegerField(help_text="The announced rake.")
    adjustments = serializers.IntegerField(help_text="Whatever else moved; less by what left.")
    balance = serializers.IntegerField(help_text="What the pot's account holds.")


class PotRow(EquationShape):
    game = serializers.UUIDField()
    ruleset = serializers.CharField(help_text=f"Which kind of game: {registered.examples(2)} …")
    table = serializers.UUIDField()
    round = serializers.IntegerField()
    since = serializers.DateTimeField(help_text="When the game opened.")
    running = serializers.BooleanField()
    account = serializers.CharField(help_text="The pot's account: pot:<game>.")
    adds_up = serializers.BooleanField(help_text="Whether the equation holds.")


class OpenPots(Shape):
    """Players' money, never the house's."""

    pots = PotRow(many=True)
    whole = EquationShape(help_text="All these pots together.")
    rollovers = RolledOver(many=True)
    in_pots = serializers.IntegerField()
    in_rollovers = serializers.IntegerField(help_text="As booked.")
    of_players = serializers.IntegerField(help_text="Both together.")


class Pots(APIView):
    @describe_operation(
        "Every open pot: what came in, what left, what lies there",
        answers={200: OpenPots},
        errors=(404,),
    )
    def get(self, request: Request, establishment: UUID) -> Response:
        """
        As booked, of one moment. Open are the pots of running games, and any other that holds
        something still.
        """
        house = own(request, establishment)
        found = pots.open_pots(house.pk)
        whole = pots.together(pot.equation for pot in found)
        booked = pots.in_rollovers(house.pk)
        return Response(
            {
                "pots": fields(POTS, viewer(request, house), found),
                "whole": whole.terms(),
                "rollovers": queries.waiting_rollovers(house.pk),
                "in_pots": whole.balance,
                "in_rollovers": booked,
                "of_players": whole.balance + booked,
            }
        )
