"""Players: who is excluded, cash of a day, what nobody has come for, names erased (P1 to P3)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from django.shortcuts import get_object_or_404
from django.utils import timezone
from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers
from rest_framework.generics import ListAPIView
from rest_framework.response import Response
from rest_framework.views import APIView

from casino.api import bodies, paging, reading
from casino.api.accounts import WRITING, Asked, asked
from casino.api.answers import Shape
from casino.api.establishments import own
from casino.api.schema import DEVICE, documented
from casino.attendants import permissions
from casino.cash import prizes
from casino.establishments.days import current
from casino.players import cash, erasure, exclusions, veil
from casino.players.models import Exclusion, Player, SeatRefused
from games.refusals import Malformed

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import date
    from uuid import UUID

    from django.db.models import QuerySet
    from rest_framework.request import Request

    from casino.establishments.models import Establishment

REASON: Final = bodies.described({"reason": bodies.REASON})
EXCLUDE: Final = bodies.described(
    {"name": bodies.NAME, "since": bodies.DAY, "reason": bodies.REASON}, until=bodies.DAY
)
NOTHING: Final = bodies.described({})
LATE: Final = bodies.described(
    {"game": bodies.ID, "player": bodies.NAME, "amount": bodies.COINS, "reason": bodies.REASON}
)
PRIZES_MOST: Final = 500
PLAYER: Final = re.compile(r"p-[a-z2-9]{12}")


class PlayerRow(serializers.ModelSerializer[Player]):
    id = serializers.CharField(source="token", help_text="In the ledger.")
    excluded = serializers.SerializerMethodField(help_text="On the gaming day it is.")

    class Meta:
        model = Player
        fields = ["id", "name", "excluded"]

    def get_excluded(self, player: Player) -> bool:
        return player.token in self.context.get("bars", {})


class ByPlayerName(paging.SignedCursorPagination):
    ordering = ("name", "token")


class Players(ListAPIView[Player]):
    queryset = Player.objects.none()
    serializer_class = PlayerRow
    pagination_class = ByPlayerName

    def get_queryset(self) -> QuerySet[Player]:
        house = own(self.request, self.kwargs["establishment"])
        return Player.objects.filter(establishment=house, name__isnull=False)

    def get_serializer_context(self) -> dict[str, Any]:
        context = dict(super().get_serializer_context())
        if "establishment" not in self.kwargs:  # the description asks, too
            return context
        house = own(self.request, self.kwargs["establishment"])
        day = current(house, timezone.now())
        return {**context, "bars": exclusions.standing(house.pk).on(day)}

    @documented(
        "Everybody who has a name at the house, in order",
        answers={200: PlayerRow(many=True)},
        errors=(400, 404),
    )
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        return super().get(request, *args, **kwargs)


class Erase(APIView):
    @documented(
        "Erase a player's name, and every text in which it stands",
        answers={200: PlayerRow},
        errors=WRITING,
        request=REASON,
        parameters=[DEVICE],
    )
    def post(self, request: Request, establishment: UUID, player: str) -> Response:
        """A manager's. 422 `still_seated`, `still_excluded`, `money_owed`, `erased_already`."""
        house = own(request, establishment)
        known = get_object_or_404(Player, establishment=house, token=player)
        told = bodies.read(request, REASON)
        erasure.erase(bodies.act(request, house, told), player=known.token, reason=told["reason"])
        return Response({"id": known.token, "name": None, "excluded": False})


class ExclusionShape(Shape):
    player = serializers.CharField(help_text="Id in the ledger.")
    name = serializers.CharField(help_text="The id again where the name is erased.")
    since = serializers.DateField(help_text="First gaming day.")
    until = serializers.DateField(allow_null=True, help_text="Last gaming day.")
    reason = serializers.CharField()
    by = serializers.CharField(help_text="Attendant.")
    at = serializers.DateTimeField()
    lifted_at = serializers.DateTimeField(allow_null=True)
    position = serializers.IntegerField()


class NewestFirst(paging.SignedCursorPagination):
    ordering = ("-position",)


class Exclusions(ListAPIView[Exclusion]):
    queryset = Exclusion.objects.none()
    serializer_class = ExclusionShape
    pagination_class = NewestFirst

    @documented(
        "Who is or was refused a seat, newest first",
        answers={200: ExclusionShape(many=True)},
        errors=(400, 403, 404),
    )
    def get(self, request: Request, establishment: UUID) -> Response:
        house = insider(request, establishment)
        page = self.paginate_queryset(Exclusion.objects.filter(establishment=house)) or []
        return self.get_paginated_response(_exclusions(house, page))

    @documented(
        "Refuse somebody a seat, by name or id",
        answers={201: ExclusionShape},
        errors=WRITING,
        request=EXCLUDE,
        parameters=[DEVICE],
    )
    def post(self, request: Request, establishment: UUID) -> Response:
        """From then on `open` and `join` are refused `excluded`. 422 `already_excluded`."""
        house = own(request, establishment)
        permissions.require(reading.person(request), "approve", house)
        told = bodies.read(request, EXCLUDE)
        token = named(house, told["name"])
        receipt = exclusions.exclude(
            bodies.act(request, house, told),
            player=token,
            since=told["since"],
            until=told["until"],
            reason=told["reason"],
        )
        rows = Exclusion.objects.filter(establishment=house, position=receipt.last_position or 0)
        return Response(_exclusions(house, rows)[0], status=201)


class Readmit(APIView):
    @documented(
        "Take an exclusion back",
        answers={200: PlayerRow},
        errors=WRITING,
        request=REASON,
        parameters=[DEVICE],
    )
    def post(self, request: Request, establishment: UUID, player: str) -> Response:
        """The record stays. 422 `not_excluded`."""
        house = own(request, establishment)
        known = get_object_or_404(Player, establishment=house, token=player)
        told = bodies.read(request, REASON)
        exclusions.readmit(
            bodies.act(request, house, told), player=known.token, reason=told["reason"]
        )
        return Response({"id": known.token, "name": known.name, "excluded": False})


class TriedShape(Shape):
    player = serializers.CharField()
    name = serializers.CharField(help_text="Of the excluded player.")
    named = serializers.CharField(help_text="The name that was given.")
    reads_alike = serializers.BooleanField(help_text="Another name that reads like theirs.")
    game = serializers.UUIDField(allow_null=True)
    table = serializers.CharField(help_text="Empty where a running game was to be joined.")
    by = serializers.CharField()
    at = serializers.DateTimeField()
    gaming_day = serializers.DateField()
    position = serializers.IntegerField()


class Tried(ListAPIView[SeatRefused]):
    queryset = SeatRefused.objects.none()
    serializer_class = TriedShape
    pagination_class = NewestFirst

    @documented(
        "Who was turned away from a table, newest first",
        answers={200: TriedShape(many=True)},
        errors=(400, 404),
    )
    def get(self, request: Request, establishment: UUID) -> Response:
        house = own(request, establishment)
        page = self.paginate_queryset(SeatRefused.objects.filter(establishment=house)) or []
        rows = [
            {
                "player": each.player,
                "name": each.player,
                "named": each.named,
                "reads_alike": each.named != each.player,
                "game": each.game,
                "table": each.table,
                "by": each.by,
                "at": each.at,
                "gaming_day": each.gaming_day,
                "position": each.position,
            }
            for each in page
        ]
        return self.get_paginated_response(_unveiled(house, rows, "name", "named"))


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
    @documented(
        "Cash in and out by player, and each transaction, of a gaming day",
        answers={200: CashLogShape},
        errors=(400, 403, 404),
        parameters=[
            OpenApiParameter("day", {"type": "string", "format": "date"}, description="Today's."),
            OpenApiParameter(
                "player",
                {"type": "string", "pattern": f"^{PLAYER.pattern}$"},
                description="Of one player only, by id.",
            ),
        ],
    )
    def get(self, request: Request, establishment: UUID) -> Response:
        house = insider(request, establishment)
        on, player = _day(request, house), request.query_params.get("player")
        if player is not None and not PLAYER.fullmatch(player):
            raise Malformed("player: an id as p-…, from this log.", field="player")
        rows = [row for row in cash.day(house, on) if player in {None, row.player}]
        names = veil.unveil(house.pk, [row.player for row in rows])
        return Response(
            {
                "gaming_day": on,
                "threshold": house.cash_threshold,
                "players": [
                    {
                        "player": row.player,
                        "name": name,
                        "cash_in": row.cash_in,
                        "cash_out": row.cash_out,
                        "moves": row.moves,
                        "flagged": cash.is_flagged(house, row),
                    }
                    for row, name in zip(rows, names, strict=True)
                ],
                "moves": [
                    {
                        name: getattr(each, name)
                        for name in (
                            "position", "seq", "player", "at", "cash_in", "cash_out", "reason",
                            "where", "game", "by",
                        )
                    }
                    for each in cash.moves(house, on=on, player=player)
                ],
            }
        )  # fmt: skip


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
    @documented(
        "What the house owes and nobody has come for",
        answers={200: UnclaimedShape},
        errors=(403, 404),
    )
    def get(self, request: Request, establishment: UUID) -> Response:
        """The oldest first."""
        house = insider(request, establishment)
        left = cash.left_behind(house)
        owed = list(cash.prizes_owed(house)[:PRIZES_MOST])
        names = iter(
            veil.unveil(
                house.pk, [*(each.player for each in left), *(each.player for each in owed)]
            )
        )
        stakes = [
            {
                "player": each.player,
                "name": next(names),
                "game": each.game,
                "amount": each.amount,
                "since": each.gaming_day,
            }
            for each in left
        ]
        waiting = [
            {
                "position": each.position,
                "player": each.player,
                "name": next(names),
                "prize": each.prize,
                "amount": each.amount,
                "since": each.gaming_day,
                "takes_two": each.amount > house.large_prize,
            }
            for each in owed
        ]
        rest = cash.owed_beside(house)
        called = veil.unveil(house.pk, [row.player for row, _coins in rest])
        beside = [
            {
                "player": row.player,
                "name": name,
                "amount": coins,
                "since": row.gaming_day,
            }
            for (row, coins), name in zip(rest, called, strict=True)
        ]
        return Response({"stakes": stakes, "beside": beside, "prizes": waiting})


class LateCashOut(APIView):
    @documented(
        "Ask for a stake that was left behind to be paid at the cage",
        answers={202: Asked},
        errors=WRITING,
        request=LATE,
        parameters=[DEVICE],
    )
    def post(self, request: Request, establishment: UUID) -> Response:
        """Another person approves it. 422 `still_playing`, `more_than_stake`, `cage_too_small`."""
        house = own(request, establishment)
        told = bodies.read(request, LATE)
        receipt = prizes.ask_late(
            bodies.act(request, house, told),
            game=told["game"],
            player=known(house, told["player"]),
            amount=told["amount"],
            reason=told["reason"],
        )
        return asked(house, told["command_id"], receipt.last_position)


class HandedOut(Shape):
    position = serializers.IntegerField(help_text="Of the event that says so.")


class HandOut(APIView):
    @documented(
        "Hand a prize out",
        answers={200: HandedOut},
        errors=WRITING,
        request=NOTHING,
        parameters=[DEVICE],
    )
    def post(self, request: Request, establishment: UUID, position: int) -> Response:
        """422 `takes_two`: ask for it. 422 `handed_out_already`, `no_such_prize`."""
        house = own(request, establishment)
        told = bodies.read(request, NOTHING)
        receipt = prizes.hand_out(bodies.act(request, house, told), position=position)
        return Response({"position": receipt.last_position})


class AskPrize(APIView):
    @documented(
        "Ask for a large prize to be handed out before two people",
        answers={202: Asked},
        errors=WRITING,
        request=REASON,
        parameters=[DEVICE],
    )
    def post(self, request: Request, establishment: UUID, position: int) -> Response:
        """Another person approves it (A7)."""
        house = own(request, establishment)
        told = bodies.read(request, REASON)
        receipt = prizes.ask_prize(
            bodies.act(request, house, told), position=position, reason=told["reason"]
        )
        return asked(house, told["command_id"], receipt.last_position)


def insider(request: Request, establishment: UUID) -> Establishment:
    """
    The house, for whoever approves or audits there.

    :raises NotYours: if the person's role does neither.
    """
    house = own(request, establishment)
    role = permissions.roles(reading.person(request))[house.pk]
    if role not in permissions.ALLOWED["approve"] | permissions.ALLOWED["audit"]:
        raise permissions.NotYours(f"Your role at {house} does not let you see this. D1")
    return house


def named(house: Establishment, name: str) -> str:
    """The token of a name or id; a name not heard of before gets one."""
    return veil.player_tokens(house.pk, [name], new=True)[name]


def known(house: Establishment, name: str) -> str:
    """The token of a name or id; what nobody bears stands for itself, and is refused."""
    return veil.player_tokens(house.pk, [name], new=False).get(name, name)


def _exclusions(house: Establishment, rows: Iterable[Exclusion]) -> list[dict[str, Any]]:
    found = list(rows)
    said = veil.unveil(house.pk, [[each.player, each.reason] for each in found])
    return [
        {
            "player": each.player,
            "name": name,
            "since": each.since,
            "until": each.until,
            "reason": reason,
            "by": each.by,
            "at": each.at,
            "lifted_at": each.lifted_at,
            "position": each.position,
        }
        for each, (name, reason) in zip(found, said, strict=True)
    ]


def _unveiled(
    house: Establishment, rows: list[dict[str, Any]], *fields: str
) -> list[dict[str, Any]]:
    """The same rows with names for the tokens in these fields."""
    said = veil.unveil(house.pk, [[row[field] for field in fields] for row in rows])
    return [
        {**row, **dict(zip(fields, words, strict=True))}
        for row, words in zip(rows, said, strict=True)
    ]


def _day(request: Request, house: Establishment) -> date:
    given = request.query_params.get("day")
    if given is None:
        return current(house, timezone.now())
    day = bodies.day(given)
    if day is None:
        raise Malformed("day: a date as 2026-11-20.", field="day")
    return day
