"""API of players: the list of players, erasing a name, names on screens, boards' points."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, Final

from django.shortcuts import get_object_or_404
from django.utils import timezone
from drf_spectacular.utils import OpenApiParameter, extend_schema_field
from rest_framework import serializers, status
from rest_framework.response import Response
from rest_framework.views import APIView

from casino.floor.players import cash, player_names, waiting, waiting_pages
from casino.floor.players.listings import CASH_DAYS, CASH_MOVES, PLAYERS, TOKEN
from casino.floor.players.player_names import choose, public_names
from casino.floor.players.scoreboard_pages import SCOREBOARD
from casino.house.acts import acts as acting
from casino.house.attendants.pseudonyms import tokens
from casino.house.attendants.pseudonyms.models import Player
from casino.house.establishments.gaming_day import current
from casino.kit.web.api import bodies, houses, params, schema
from casino.kit.web.api.answers import Shape
from casino.kit.web.api.houses import OVERSEEING, own, with_names
from casino.kit.web.listings.api import ListView, fields, list_view, values, viewer
from casino.money.cash import prizes
from casino.money.cash.custody_api import ApprovalRequested, answer_waiting
from casino.play.exclusions import limits, projections
from casino.play.exclusions import operations as exclusions
from casino.play.exclusions.listings import LIMITS
from casino.words.presenters import TITLES
from games.refusals import Malformed

if TYPE_CHECKING:
    from uuid import UUID

    from rest_framework.request import Request

    from casino.house.establishments.models import Establishment


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


@extend_schema_field({"oneOf": [{"type": "integer"}, {"type": "string"}]})
class Points(serializers.Field[Any, Any, Any, Any]):
    """Exact points: whole ones as a number, others as a fraction: ``8/3``."""

    def to_representation(self, value: Any) -> Any:
        return value


class NextPrizeShape(Shape):
    prize = serializers.CharField()
    amount = serializers.IntegerField(help_text="0: not money.")
    missing = Points(help_text="Points; 0: won with the next one.")


class WonShape(Shape):
    prize = serializers.CharField()
    amount = serializers.IntegerField(help_text="Without odd units, which go by lot at the end.")


class RankRow(Shape):
    place = serializers.IntegerField(help_text="Equal points share one.")
    name = serializers.CharField(help_text="The id again where the name is erased.")
    player = serializers.CharField(help_text="Id in the ledger.")
    public = serializers.CharField(help_text="As public screens name them.")
    points = Points()
    rounds = serializers.IntegerField(
        help_text="In which they threw or scored, and somebody scored."
    )
    today = Points(help_text="Points of this gaming day.")
    trend = serializers.ChoiceField(["up", "down", "same", "new"])
    rise = serializers.IntegerField(
        allow_null=True, help_text="Places that they rose today; null: they had none before."
    )
    next = NextPrizeShape(allow_null=True, help_text="The next threshold (SB3).")
    wins = WonShape(
        many=True, help_text="What the place wins: would win, until the season is closed (SB4)."
    )


Scoreboard = list_view(
    SCOREBOARD, RankRow, "A season of a game's scoreboard: places, points, what is next to win"
)

SHOWN: Final = bodies.describe_body({"shown": {"type": "string", "enum": Player.Shown.values}})


class ShownShape(Shape):
    id = serializers.CharField(help_text="In the ledger.")
    shown = serializers.ChoiceField(Player.Shown.values)
    public = serializers.CharField(help_text="As public screens name them now.")


class OnScreens(APIView):
    @schema.act("Choose how public screens name a player", answers={200: ShownShape}, request=SHOWN)
    def post(self, request: Request, establishment: UUID, player: str) -> Response:
        """Never further than the house's `wall_names`. 422 `no_such_player`, `erased_already`."""
        act, given = houses.begin_act(request, establishment, "record", SHOWN)
        choose(act, player=player, shown=given["shown"])
        public = public_names(act.house, [player])[player]
        return Response({"id": player, "shown": given["shown"], "public": public})


class LimitRow(Shape):
    player = serializers.CharField(help_text="Id in the ledger.")
    name = serializers.CharField(help_text="The id again where the name is erased.")
    span = serializers.CharField(help_text="day, week (from Monday) or month, of gaming days.")
    most = serializers.IntegerField(allow_null=True, help_text="What holds now; null: any amount.")
    then = serializers.IntegerField(allow_null=True, help_text="What holds from `since` on.")
    since = serializers.DateTimeField(allow_null=True, help_text="Null: nothing is to change.")
    by = serializers.CharField(help_text="Attendant, or the player.")
    at = serializers.DateTimeField()
    position = serializers.IntegerField()


class LimitRows(Shape):
    limits = LimitRow(many=True)


LIMIT: Final = bodies.describe_body(
    {"player": bodies.NAME}, day=bodies.COINS, week=bodies.COINS, month=bodies.COINS
)


class _Limit(ListView):
    @schema.act("Limit what a player pays in", answers={200: LimitRows}, request=LIMIT)
    def post(self, request: Request, establishment: UUID) -> Response:
        """
        A span that is left out has no limit. A smaller one holds at once, a greater one, and none
        at all, 24 hours later. From then on money is refused with `amount_not_taken`.
        """
        act, given = houses.begin_act(request, establishment, "approve", LIMIT)
        known = get_object_or_404(Player, establishment=act.house, token=given["player"])
        wanted = {span: given[span] for span in limits.SPANS}
        paid = partial(cash.payments_since, act.house, known.token)
        receipt = limits.limit(act, player=known.token, wanted=wanted, paid=paid)
        rows = projections.limits_of(acting.events_of(act.house.pk, receipt)[0])
        shown = values(LIMITS, viewer(request, act.house), rows)
        return Response(LimitRows({"limits": shown}).data)


PlayerLimits = list_view(
    LIMITS,
    LimitRow,
    "How much players may pay in",
    sees=OVERSEEING,
    through_shape=True,
    takes=_Limit,
)


class Erase(APIView):
    @schema.act(
        "Erase a player's name, and every text in which it stands",
        answers={200: PlayerRow},
        request=bodies.WITH_REASON,
    )
    def post(self, request: Request, establishment: UUID, player: str) -> Response:
        """A manager's. 422 `still_seated`, `still_excluded`, `money_owed`, `erased_already`."""
        act, given = houses.begin_act(request, establishment, "configure", bodies.WITH_REASON)
        known = get_object_or_404(Player, establishment=act.house, token=player)
        player_names.erase_name(act, player=known.token, reason=given["reason"])
        return Response(
            {"id": known.token, "name": None, "excluded": False, "perhaps_excluded": []}
        )


class Readmit(APIView):
    @schema.act("Take an exclusion back", answers={200: PlayerRow}, request=bodies.WITH_REASON)
    def post(self, request: Request, establishment: UUID, player: str) -> Response:
        """The record stays. 422 `not_excluded`."""
        act, given = houses.begin_act(request, establishment, "approve", bodies.WITH_REASON)
        known = get_object_or_404(Player, establishment=act.house, token=player)
        exclusions.readmit(act, player=known.token, reason=given["reason"])
        called = {known.token: known.name} if known.name else {}
        perhaps = exclusions.spellings_of_exclusions(
            act.house.pk, called, current(act.house, act.now)
        ).get(known.token, [])
        return Response(
            {"id": known.token, "name": known.name, "excluded": False, "perhaps_excluded": perhaps}
        )


# API of players' money: cash of a gaming day (P2), unclaimed money, handing it out (P3).


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
        act, given = houses.begin_act(request, establishment, "record", LATE)
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
        act, _given = houses.begin_act(request, establishment, "record", bodies.NOTHING)
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
        act, given = houses.begin_act(request, establishment, "record", bodies.WITH_REASON)
        return answer_waiting(act, prizes.ask_prize(act, position=position, reason=given["reason"]))


def token_of(house: Establishment, name: str) -> str:
    """The token of a name or id; what nobody bears stands for itself, and is refused."""
    return tokens.player_tokens(house.pk, [name], new=False).get(name, name)


# API of the waiting list: who waits for which game, entering, calling, skipping, taking off.


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
        lines = waiting_pages.lines(house, timezone.now())
        return Response(WaitingListShape({"games": [_line(each) for each in lines]}).data)

    @schema.act("Put somebody on the waiting list", answers={201: WaitingEntryShape}, request=ENTER)
    def post(self, request: Request, establishment: UUID) -> Response:
        """422 `excluded`, `waits_already`, `plays_already`, `game_not_offered`."""
        act, given = houses.begin_act(request, establishment, "record", ENTER)
        entry = waiting.enter(
            act,
            name=given["name"],
            game=given["game"],
            stake=given["stake"],
            shown=given["shown"] or "",
        )
        return Response(WaitingEntryShape(entry).data, status=status.HTTP_201_CREATED)


def _line(line: waiting_pages.Line) -> dict[str, Any]:
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
        act, given = houses.begin_act(request, establishment, "record", CALLING)
        table = _table(act.house, given["table"])
        return Response(WaitingEntryShape(waiting.call(act, entry=entry, table=table)).data)


def _table(house: Establishment, table: UUID | None) -> Any:
    return get_object_or_404(house.tables, pk=table) if table else None


class Skip(APIView):
    @schema.act("Let the next go first", answers={200: WaitingEntryShape}, request=bodies.NOTHING)
    def post(self, request: Request, establishment: UUID, entry: UUID) -> Response:
        """422 `waits_no_longer`."""
        act, _given = houses.begin_act(request, establishment, "record", bodies.NOTHING)
        return Response(WaitingEntryShape(waiting.skip(act, entry=entry)).data)


class TakeOff(APIView):
    @schema.act(
        "Take who waits off the list", answers={200: WaitingEntryShape}, request=bodies.NOTHING
    )
    def post(self, request: Request, establishment: UUID, entry: UUID) -> Response:
        """422 `waits_no_longer`."""
        act, _given = houses.begin_act(request, establishment, "record", bodies.NOTHING)
        return Response(WaitingEntryShape(waiting.take_off(act, entry=entry)).data)
