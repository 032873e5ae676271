"""API of payouts and how they are corrected, and of open pots, each with its equation."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final
from uuid import UUID  # noqa: TC003 - read from the signature by the schema

from django.shortcuts import get_object_or_404
from rest_framework import serializers, status
from rest_framework.response import Response
from rest_framework.views import APIView

from casino.house.acts.accounts import PayoutPlace
from casino.house.attendants.pseudonyms import tokens
from casino.kit.approvals import requests
from casino.kit.web.api import bodies, params, schema
from casino.kit.web.api import houses as acting
from casino.kit.web.api.answers import RolledOver, Shape
from casino.kit.web.api.houses import own
from casino.kit.web.api.problems import Problem, problem_of
from casino.kit.web.api.schema import describe_operation
from casino.kit.web.listings.api import fields, list_view, viewer
from casino.money.payouts import adjustments, inspections, queries, resuming
from casino.money.payouts import pot_equation as pots
from casino.money.payouts.adjustments import Adjustment
from casino.money.payouts.listings import PAYOUTS, POTS
from casino.play.core import queries as play
from casino.play.settlement.models import Payout
from casino.words.presenters import registered
from games.payments import HOUSE

if TYPE_CHECKING:
    from rest_framework.request import Request

    from casino.house.acts import acts
    from casino.house.establishments.models import Establishment

PLACE: Final = r"[0-9]{1,9}\.[0-9]{1,4}"


@problem_of.register
def _no_such_dice(failure: inspections.NoSuchDice) -> Problem:
    return Problem(status.HTTP_404_NOT_FOUND, failure.code, str(failure))


class Reason(Shape):
    kind = serializers.ChoiceField(["large_prize", "dispute", "stopped", "void"])
    says = serializers.CharField(help_text="What it waits for.")
    to_do = serializers.CharField(help_text="Who does what, so that it goes on.")
    dispute = serializers.IntegerField(allow_null=True, help_text="The number of the dispute.")
    request = serializers.IntegerField(allow_null=True, help_text="The number of the request.")


class PayoutRow(Shape):
    """A payment to a player, as settlement booked it."""

    game = serializers.UUIDField()
    payout = serializers.CharField(help_text="Event of the game and place in it: 12.0.")
    position = serializers.IntegerField(help_text="Of the event that booked it, in the ledger.")
    table = serializers.UUIDField()
    round = serializers.IntegerField()
    payer = serializers.CharField(help_text="A player, pot, house or rollover.")
    player = serializers.CharField()
    amount = serializers.IntegerField()
    rules = serializers.ListField(child=serializers.CharField())
    state = serializers.ChoiceField(Payout.State.choices)
    held = serializers.IntegerField(help_text="What of it waits now.")
    waits_for = Reason(many=True)
    gaming_day = serializers.DateField()
    booked_at = serializers.DateTimeField()
    explanation = serializers.CharField(help_text="Where the API says why it was made.")


class StepRow(Shape):
    at = serializers.DateTimeField()
    state = serializers.CharField(help_text="decided, booked, held, released, paid, reversed.")
    said = serializers.CharField()
    position = serializers.IntegerField(help_text="Of the event in the ledger.")
    held = serializers.IntegerField(allow_null=True)


class PayoutInFull(PayoutRow):
    history = StepRow(many=True)


class Requested(Shape):
    approval = serializers.UUIDField(help_text="The request, which a second person approves.")


Payouts = list_view(
    PAYOUTS,
    PayoutRow,
    "What the rules paid to players, newest first",
    about=(
        "A list made by the worker: it may lag a moment behind the ledger. What is held comes to"
        " its\nplayer once nothing holds it any more; `waits_for` says what does."
    ),
)


class OnePayout(APIView):
    @schema.describe_operation(
        "One payout, and what became of it", answers={200: PayoutInFull}, errors=(404,)
    )
    def get(
        self, request: Request, establishment: UUID, game: UUID, cause: int, seq: int
    ) -> Response:
        house = own(request, establishment)
        row = get_object_or_404(
            Payout.objects.select_related("table"),
            establishment=house, game=game, cause=cause, seq=seq,
        )  # fmt: skip
        steps = [
            {
                "at": step.at.isoformat(),
                "state": step.state,
                "said": step.sentence,
                "position": step.position,
                "held": step.amount,
            }
            for step in queries.history(row)
        ]
        [payout] = fields(PAYOUTS, viewer(request, house), [row])
        return Response({**payout, "history": tokens.resolve(house.pk, steps)})


NUMBER: Final[bodies.Schema] = {"type": "integer", "minimum": 1, "maximum": params.NUMBER_MAX}
PARTY: Final[bodies.Schema] = {
    **bodies.NAME,
    "description": "A player of the game, or house.",
}
ADJUST: Final = bodies.describe_body(
    {
        "game": bodies.ID,
        "from": PARTY,
        "to": PARTY,
        "amount": {**bodies.COINS, "minimum": 0},
        "reason": bodies.REASON,
    },
    round=NUMBER,
    payout={"type": "string", "pattern": f"^{PLACE}$", "maxLength": 14},
    dispute=NUMBER,
)
INSPECT: Final = bodies.describe_body({"in_order": bodies.FLAG, "finding": bodies.REASON})


class Adjustments(APIView):
    @schema.act(
        "Ask that what is beyond a void is set right",
        answers={201: Requested},
        request=ADJUST,
    )
    def post(self, request: Request, establishment: UUID) -> Response:
        """
        It is done once a second person approves it. Names the `round` or the `payout` it sets
        right; no void goes back across that any more.
        """
        act, body = acting.begin_act(request, establishment, "record", ADJUST)
        adjustments.ask(
            act,
            Adjustment(
                game=body["game"],
                giver=_party(act.house, body["from"]),
                taker=_party(act.house, body["to"]),
                amount=body["amount"],
                round_no=body["round"],
                payout=PayoutPlace.parse(body["payout"]) if body["payout"] else None,
                dispute=body["dispute"],
            ),
            reason=body["reason"],
        )
        return _answer_request(act)


class Resume(APIView):
    @schema.act(
        "Ask that a house whose payouts were stopped pays again",
        answers={201: Requested},
        request=bodies.WITH_REASON,
    )
    def post(self, request: Request, establishment: UUID) -> Response:
        """A second person approves it; what was held because of the stop is released then."""
        act, body = acting.begin_act(request, establishment, "approve", bodies.WITH_REASON)
        resuming.ask(act, reason=body["reason"])
        return _answer_request(act)


class Inspections(APIView):
    @schema.act(
        "Record the inspection of dice that won a large prize",
        answers={204: None},
        request=INSPECT,
    )
    def post(self, request: Request, establishment: UUID, dice_set: UUID) -> Response:
        """In order, they may be thrown again; else a later inspection says so. A7"""
        act, body = acting.begin_act(request, establishment, "approve", INSPECT)
        inspections.inspect(
            act, dice_set=dice_set, in_order=body["in_order"], finding=body["finding"]
        )
        return Response(status=status.HTTP_204_NO_CONTENT)


def _answer_request(act: acts.Act) -> Response:
    approval = requests.id_of(act.house.pk, act.command_id)
    return Response({"approval": str(approval)}, status=status.HTTP_201_CREATED)


def _party(house: Establishment, name: str) -> str:
    """A player's token, or the house; a name that nobody bears is no player of any game."""
    return HOUSE if name == HOUSE else queries.player_called(house.pk, name) or ""


# API of open pots, each with its equation, and of rollovers (A1, A6).


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
                "rollovers": play.waiting_rollovers(house.pk),
                "in_pots": whole.balance,
                "in_rollovers": booked,
                "of_players": whole.balance + booked,
            }
        )
