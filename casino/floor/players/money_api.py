"""API of players' money: cash of a gaming day (P2), unclaimed money, handing it out (P3)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.utils import timezone
from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers
from rest_framework.response import Response
from rest_framework.views import APIView

from casino.floor.players import cash
from casino.floor.players.listings import CASH_DAYS, CASH_MOVES, TOKEN
from casino.house.establishments.gaming_day import current
from casino.house.pseudonyms import tokens
from casino.kit.web.api import acts, bodies, params, schema
from casino.kit.web.api.answers import Shape
from casino.kit.web.api.houses import OVERSEEING, own, with_names
from casino.kit.web.listings.api import fields, values, viewer
from casino.money.cash import prizes
from casino.money.cash.cage_api import ApprovalRequested, answer_waiting
from games.refusals import Malformed

if TYPE_CHECKING:
    from uuid import UUID

    from rest_framework.request import Request

    from casino.house.establishments.models import Establishment

LATE: Final = bodies.describe_body(
    {"game": bodies.ID, "player": bodies.NAME, "amount": bodies.COINS, "reason": bodies.REASON}
)
PRIZES_MOST: Final = 500


class CashDayShape(Shape):
    player = serializers.CharField()
    name = serializers.CharField()
    cash_in = serializers.IntegerField()
    cash_out = serializers.IntegerField()
    moves = serializers.IntegerField()
    flagged = serializers.BooleanField(help_text="In or out above the house's threshold.")


class CashMoveShape(Shape):
    position = serializers.IntegerField()
    seq = serializers.IntegerField()
    player = serializers.CharField()
    at = serializers.DateTimeField()
    cash_in = serializers.IntegerField(help_text="Below zero: handed back by a void.")
    cash_out = serializers.IntegerField()
    reason = serializers.CharField()
    where = serializers.CharField(help_text="The cash account, kind:name.")
    game = serializers.UUIDField(allow_null=True)
    by = serializers.CharField()


class CashLogShape(Shape):
    gaming_day = serializers.DateField()
    threshold = serializers.IntegerField(allow_null=True)
    players = CashDayShape(many=True, help_text="The greatest sums first.")
    moves = CashMoveShape(many=True, help_text="Each transaction, in order.")


class CashLog(APIView):
    @schema.describe_operation(
        "Cash in and out by player, and each transaction, of a gaming day",
        answers={200: CashLogShape},
        errors=(400, 403, 404),
        parameters=[
            OpenApiParameter("day", {"type": "string", "format": "date"}, description="Today's."),
            OpenApiParameter(
                "player",
                {"type": "string", "pattern": f"^{TOKEN.pattern}$"},
                description="Of one player only, by id.",
            ),
        ],
    )
    def get(self, request: Request, establishment: UUID) -> Response:
        house = own(request, establishment, *OVERSEEING)
        on = params.day(request) or current(house, timezone.now())
        player = request.query_params.get("player")
        if player is not None and not TOKEN.fullmatch(player):
            raise Malformed("player: an id as p-…, from this log.", field="player")
        looks = viewer(request, house)
        days = [row for row in cash.day(house, on) if player in {None, row.player}]
        moves = values(CASH_MOVES, looks, list(cash.moves(house, on=on, player=player)))
        return Response(
            {
                "gaming_day": on,
                "threshold": house.cash_threshold,
                "players": fields(CASH_DAYS, looks, days),
                "moves": CashMoveShape(moves, many=True).data,
            }
        )


class LeftShape(Shape):
    player = serializers.CharField()
    name = serializers.CharField()
    game = serializers.UUIDField()
    amount = serializers.IntegerField()
    since = serializers.DateField(help_text="Gaming day on which money moved there last.")


class OwedPrizeShape(Shape):
    position = serializers.IntegerField(help_text="Of the event that issued it: it is named so.")
    player = serializers.CharField()
    name = serializers.CharField()
    prize = serializers.CharField()
    amount = serializers.IntegerField(help_text="0 where it is not money.")
    since = serializers.DateField()
    takes_two = serializers.BooleanField(help_text="Above the house's large prize (A7).")


class BesideShape(Shape):
    player = serializers.CharField()
    name = serializers.CharField()
    amount = serializers.IntegerField()
    since = serializers.DateField()


class UnclaimedShape(Shape):
    stakes = LeftShape(many=True)
    beside = BesideShape(many=True, help_text="What adjustments left for players at the cage.")
    prizes = OwedPrizeShape(many=True)


class Unclaimed(APIView):
    @schema.describe_operation(
        "What the house owes and nobody has come for",
        answers={200: UnclaimedShape},
        errors=(403, 404),
    )
    def get(self, request: Request, establishment: UUID) -> Response:
        """The oldest first."""
        house = own(request, establishment, *OVERSEEING)
        stakes = [
            {
                "player": each.player,
                "name": each.player,
                "game": each.game,
                "amount": each.amount,
                "since": each.gaming_day,
            }
            for each in cash.stakes_left_behind(house)
        ]
        adjusted = [
            {"player": row.player, "name": row.player, "amount": coins, "since": row.gaming_day}
            for row, coins in cash.money_from_adjustments(house)
        ]
        waiting = [
            {
                "position": each.position,
                "player": each.player,
                "name": each.player,
                "prize": each.prize,
                "amount": each.amount,
                "since": each.gaming_day,
                "takes_two": each.amount > house.large_prize,
            }
            for each in cash.prizes_owed(house)[:PRIZES_MOST]
        ]
        return Response(
            {
                "stakes": with_names(house, stakes, "name"),
                "beside": with_names(house, adjusted, "name"),
                "prizes": with_names(house, waiting, "name"),
            }
        )


class LateCashOut(APIView):
    @schema.act(
        "Ask for a stake that was left behind to be paid at the cage",
        answers={202: ApprovalRequested},
        request=LATE,
    )
    def post(self, request: Request, establishment: UUID) -> Response:
        """Another person approves it. 422 `still_playing`, `more_than_stake`, `cage_too_small`."""
        act, given = acts.begin_act(request, establishment, "record", LATE)
        receipt = prizes.ask_late(
            act,
            game=given["game"],
            player=token_of(act.house, given["player"]),
            amount=given["amount"],
            reason=given["reason"],
        )
        return answer_waiting(act, receipt)


class HandedOut(Shape):
    position = serializers.IntegerField(help_text="Of the event that says so.")


class HandOut(APIView):
    @schema.act("Hand a prize out", answers={200: HandedOut}, request=bodies.NOTHING)
    def post(self, request: Request, establishment: UUID, position: int) -> Response:
        """422 `takes_two`: ask for it. 422 `handed_out_already`, `no_such_prize`, `own_prize`."""
        act, _given = acts.begin_act(request, establishment, "record", bodies.NOTHING)
        receipt = prizes.hand_out(act, position=position)
        return Response({"position": receipt.last_position})


class AskPrize(APIView):
    @schema.act(
        "Ask for a large prize to be handed out before two people",
        answers={202: ApprovalRequested},
        request=bodies.WITH_REASON,
    )
    def post(self, request: Request, establishment: UUID, position: int) -> Response:
        """Another person approves it (A7)."""
        act, given = acts.begin_act(request, establishment, "record", bodies.WITH_REASON)
        return answer_waiting(act, prizes.ask_prize(act, position=position, reason=given["reason"]))


def token_of(house: Establishment, name: str) -> str:
    """The token of a name or id; what nobody bears stands for itself, and is refused."""
    return tokens.player_tokens(house.pk, [name], new=False).get(name, name)
