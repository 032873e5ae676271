"""Payouts to players: where each is, what it waits for, how it is set right (A7, C1, C3, E2)."""

from __future__ import annotations

import re
from datetime import date
from typing import TYPE_CHECKING, Any, Final
from uuid import UUID

from django.shortcuts import get_object_or_404
from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers, status
from rest_framework.generics import ListAPIView
from rest_framework.response import Response
from rest_framework.reverse import reverse
from rest_framework.views import APIView

from casino.api import bodies, paging, reading
from casino.api.answers import Shape
from casino.api.errors import Problem, problem_of
from casino.api.establishments import own
from casino.api.schema import DEVICE, documented
from casino.approvals import requests
from casino.dice.models import DiceSet
from casino.payouts import adjustments, inspections, queries, resuming
from casino.payouts.adjustments import Adjustment
from casino.play.holding import Payout as Place
from casino.play.models import Payout
from casino.players import veil
from games.payments import HOUSE
from games.refusals import Malformed

if TYPE_CHECKING:
    from django.db.models import QuerySet
    from rest_framework.request import Request

    from casino.establishments import acts
    from casino.establishments.models import Establishment

PLACE: Final = r"[0-9]{1,9}\.[0-9]{1,4}"
FILTERS: Final = ("state", "day", "table", "player", "game")
ERRORS: Final = (400, 403, 404, 409, 413, 415, 422)


@problem_of.register
def _no_such_dice(failure: inspections.NoSuchDice) -> Problem:
    return Problem(status.HTTP_404_NOT_FOUND, failure.code, str(failure))


class Reason(Shape):
    kind = serializers.ChoiceField(["large_prize", "dispute", "stopped"])
    says = serializers.CharField(help_text="What it waits for.")
    to_do = serializers.CharField(help_text="Who does what, so that it goes on.")
    dispute = serializers.IntegerField(allow_null=True, help_text="The number of the dispute.")


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


class NewestFirst(paging.SignedCursorPagination):
    ordering = ("-position", "-seq")


class Payouts(ListAPIView[Payout]):
    queryset = Payout.objects.none()
    serializer_class = PayoutRow
    pagination_class = NewestFirst

    def get_queryset(self) -> QuerySet[Payout]:
        house = own(self.request, self.kwargs["establishment"])
        given = {
            name: value
            for name in FILTERS
            if (value := self.request.query_params.get(name)) is not None
        }
        asked = {name: _wanted(house, name, value) for name, value in given.items()}
        if None in asked.values():
            return Payout.objects.none()
        return queries.listed(house.pk, **asked)

    @documented(
        "What the rules paid to players, newest first",
        answers={200: PayoutRow(many=True)},
        errors=(400, 404),
        parameters=[
            OpenApiParameter("state", {"type": "string", "enum": Payout.State.values}),
            OpenApiParameter("day", {"type": "string", "format": "date"}),
            OpenApiParameter("table", {"type": "string", "format": "uuid"}),
            OpenApiParameter("player", {"type": "string"}, description="By name."),
            OpenApiParameter("game", {"type": "string", "format": "uuid"}),
        ],
    )
    def get(self, request: Request, establishment: UUID) -> Response:
        """
        A list made by the worker: it may lag a moment behind the ledger. What is held comes to its
        player once nothing holds it any more; `waits_for` says what does.
        """
        house = own(request, establishment)
        page = self.paginate_queryset(self.get_queryset()) or []
        return self.get_paginated_response(_named(house, [told(row, request) for row in page]))


class OnePayout(APIView):
    @documented("One payout, and what became of it", answers={200: PayoutInFull}, errors=(404,))
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
                "said": step.said,
                "position": step.position,
                "held": step.amount,
            }
            for step in queries.history(row)
        ]
        return Response(_named(house, {**told(row, request), "history": steps}))


NUMBER: Final[bodies.Schema] = {"type": "integer", "minimum": 1, "maximum": reading.NUMBER_MAX}
PARTY: Final[bodies.Schema] = {
    **bodies.NAME,
    "description": "A player of the game, or house.",
}
ADJUST: Final = bodies.described(
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
RESUME: Final = bodies.described({"reason": bodies.REASON})
INSPECT: Final = bodies.described({"in_order": bodies.FLAG, "finding": bodies.REASON})


class Adjustments(APIView):
    @documented(
        "Ask that what is beyond a void is set right",
        answers={201: Requested},
        errors=ERRORS,
        request=ADJUST,
        parameters=[DEVICE],
    )
    def post(self, request: Request, establishment: UUID) -> Response:
        """
        It is done once a second person approves it. Names the `round` or the `payout` it sets
        right; no void goes back across that any more.
        """
        house = own(request, establishment)
        said = bodies.read(request, ADJUST)
        act = bodies.act(request, house, said)
        adjustments.ask(
            act,
            Adjustment(
                game=said["game"],
                giver=_party(house, said["from"]),
                taker=_party(house, said["to"]),
                amount=said["amount"],
                round_no=said["round"],
                payout=Place.parse(said["payout"]) if said["payout"] else None,
                dispute=said["dispute"],
            ),
            reason=said["reason"],
        )
        return _requested(house, act)


class Resume(APIView):
    @documented(
        "Ask that a house whose payouts were stopped pays again",
        answers={201: Requested},
        errors=ERRORS,
        request=RESUME,
        parameters=[DEVICE],
    )
    def post(self, request: Request, establishment: UUID) -> Response:
        """A second person approves it; what was held because of the stop is released then."""
        house = own(request, establishment)
        said = bodies.read(request, RESUME)
        act = bodies.act(request, house, said)
        resuming.ask(act, reason=said["reason"])
        return _requested(house, act)


class Inspections(APIView):
    @documented(
        "Record the inspection of dice that won a large prize",
        answers={204: None},
        errors=ERRORS,
        request=INSPECT,
        parameters=[DEVICE],
    )
    def post(self, request: Request, establishment: UUID, dice_set: UUID) -> Response:
        """In order, they may be thrown again; else a later inspection says so. A7"""
        house = own(request, establishment)
        said = bodies.read(request, INSPECT)
        get_object_or_404(DiceSet, pk=dice_set, establishment=house)
        inspections.inspect(
            bodies.act(request, house, said),
            dice_set=dice_set,
            in_order=said["in_order"],
            finding=said["finding"],
        )
        return Response(status=status.HTTP_204_NO_CONTENT)


def told(row: Payout, request: Request) -> dict[str, Any]:
    """A row with players' tokens."""
    where = reverse("game", args=[row.game], request=request)
    return {
        "game": str(row.game),
        "payout": f"{row.cause}.{row.seq}",
        "position": row.position,
        "table": str(row.table_id),
        "round": row.round,
        "payer": row.payer,
        "player": row.payee,
        "amount": row.amount,
        "rules": row.rules.split(),
        "state": row.state,
        "held": row.held,
        "waits_for": queries.reasons(row),
        "gaming_day": row.gaming_day.isoformat(),
        "booked_at": row.booked_at.isoformat(),
        "explanation": f"{where}explain/{row.round}/",
    }


def _named(house: Establishment, value: Any) -> Any:
    return veil.unveil(house.pk, value)


def _wanted(house: Establishment, name: str, given: str) -> Any:
    """
    What a filter looks for; None: nothing can be like that.

    :raises Malformed: if it is no such thing at all.
    """
    match name:
        case "state" if given in Payout.State.values:
            return given
        case "player" if given:
            return queries.player_called(house.pk, given)
        case "day" if re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", given, re.ASCII):
            try:
                return date.fromisoformat(given)
            except ValueError:
                pass
        case "table" | "game":
            try:
                return UUID(given)
            except ValueError:
                pass
    raise Malformed(f"{name}: leave it out or fill it in as described.", field=name)


def _requested(house: Establishment, act: acts.Act) -> Response:
    approval = requests.id_of(house.pk, act.command_id)
    return Response({"approval": str(approval)}, status=status.HTTP_201_CREATED)


def _party(house: Establishment, name: str) -> str:
    """A player's token, or the house; a name that nobody bears is no player of any game."""
    return HOUSE if name == HOUSE else queries.player_called(house.pk, name) or ""
