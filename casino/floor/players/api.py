"""API of players: the list of players, erasing a name, names on screens, boards' points."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, Final

from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.response import Response
from rest_framework.views import APIView

from casino.floor.players import cash, erasure
from casino.floor.players.listings import PLAYERS
from casino.floor.players.public_names import choose, public_names
from casino.floor.players.scoreboard_list import SCOREBOARD
from casino.house.acts import acts as acting
from casino.house.establishments.gaming_day import current
from casino.house.pseudonyms.models import Player
from casino.kit.web.api import acts, bodies, schema
from casino.kit.web.api.answers import Shape
from casino.kit.web.api.houses import OVERSEEING
from casino.kit.web.listings.api import ListView, list_view, values, viewer
from casino.play.exclusions import limits, projections
from casino.play.exclusions import operations as exclusions
from casino.play.exclusions.listings import LIMITS

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
        act, given = acts.begin_act(request, establishment, "record", SHOWN)
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
        act, given = acts.begin_act(request, establishment, "approve", LIMIT)
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
        act, given = acts.begin_act(request, establishment, "configure", bodies.WITH_REASON)
        known = get_object_or_404(Player, establishment=act.house, token=player)
        erasure.erase(act, player=known.token, reason=given["reason"])
        return Response(
            {"id": known.token, "name": None, "excluded": False, "perhaps_excluded": []}
        )


class Readmit(APIView):
    @schema.act("Take an exclusion back", answers={200: PlayerRow}, request=bodies.WITH_REASON)
    def post(self, request: Request, establishment: UUID, player: str) -> Response:
        """The record stays. 422 `not_excluded`."""
        act, given = acts.begin_act(request, establishment, "approve", bodies.WITH_REASON)
        known = get_object_or_404(Player, establishment=act.house, token=player)
        exclusions.readmit(act, player=known.token, reason=given["reason"])
        called = {known.token: known.name} if known.name else {}
        perhaps = exclusions.spellings_of_exclusions(
            act.house.pk, called, current(act.house, act.now)
        ).get(known.token, [])
        return Response(
            {"id": known.token, "name": known.name, "excluded": False, "perhaps_excluded": perhaps}
        )
