"""The API of a house's scoreboards: how they are kept, their seasons, and the end of one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from rest_framework import serializers
from rest_framework.response import Response
from rest_framework.views import APIView

from casino.kit.web.api import acts, bodies, schema
from casino.kit.web.api.answers import Shape
from casino.kit.web.api.houses import own
from casino.money.cash.custody_api import ApprovalRequested, answer_waiting
from casino.play.settlement import seasons
from casino.play.settlement.models import Scoreboard, Season
from casino.settings.configuration import scoreboards, season_adjustments
from casino.settings.configuration.forms.scoreboards import POINTS
from casino.words.presenters import TITLES

if TYPE_CHECKING:
    from uuid import UUID

    from rest_framework.request import Request

    from casino.house.establishments.models import Establishment

END: Final = bodies.describe_body({"last_day": bodies.DAY})
ADJUST: Final = bodies.describe_body(
    {
        "season": {"type": "integer", "minimum": 1, "maximum": 2**31 - 1},
        "player": bodies.NAME,
        "points": {"type": "string", "maxLength": 16, "pattern": f"^{POINTS}$"},
        "reason": bodies.REASON,
    }
)
LATEST: Final = 12  # seasons of each board


class SeasonShape(Shape):
    number = serializers.IntegerField()
    state = serializers.ChoiceField(["open", "ended", "closed"])
    first_day = serializers.DateField(
        allow_null=True, help_text="null: it began before there were seasons."
    )
    last_day = serializers.DateField(allow_null=True, help_text="null: until a manager ends it.")


class SeasonAdjustmentShape(Shape):
    season = serializers.IntegerField()
    player = serializers.CharField(help_text="Id in the ledger.")
    points = serializers.CharField(help_text="Added to the final table's: 2, -1, 1/2.")
    position = serializers.IntegerField(help_text="Of the event, which has the reason.")


class BoardShape(Shape):
    game = serializers.CharField()
    id = serializers.UUIDField(
        allow_null=True, help_text="Of its settings, to change them; null: the house set none."
    )
    season = serializers.ChoiceField(Scoreboard.Length.values)
    until = serializers.DateField(allow_null=True)
    place_tie = serializers.ChoiceField(Scoreboard.PlaceTie.values)
    seasons = SeasonShape(many=True, help_text=f"The latest {LATEST}, newest first.")
    adjustments = SeasonAdjustmentShape(
        many=True, help_text="Of closed seasons, beside their final tables; oldest first."
    )


class Boards(Shape):
    results = BoardShape(many=True)


class Scoreboards(APIView):
    @schema.describe_operation(
        "The scoreboards of a house, with their seasons", answers={200: Boards}, errors=(404,)
    )
    def get(self, request: Request, establishment: UUID) -> Response:
        """One for each game. What they are worth is set by `configuration`, as `prize_rule`."""
        house = own(request, establishment)
        return Response({"results": [board(house, game) for game in TITLES]})


class EndSeason(APIView):
    @schema.act(
        "End the running season of a scoreboard with a gaming day",
        answers={200: BoardShape},
        request=END,
    )
    def post(self, request: Request, establishment: UUID, game: str) -> Response:
        """
        It is closed, and its places are decided, when that day is closed. 422 `no_season`,
        `season_ended`, `day_passed`.
        """
        act, given = acts.begin_act(request, establishment, "configure", END)
        scoreboards.end_season(act, ruleset=game, last_day=given["last_day"])
        return Response(board(act.house, game))


class AdjustSeason(APIView):
    @schema.act(
        "Ask for points of a closed season to be adjusted",
        answers={202: ApprovalRequested},
        request=ADJUST,
    )
    def post(self, request: Request, establishment: UUID, game: str) -> Response:
        """
        Another person approves it; the final table stays. 422 `season_not_closed`, `not_in_season`,
        `adjusted_points`.
        """
        act, given = acts.begin_act(request, establishment, "configure", ADJUST)
        del given["command_id"]
        return answer_waiting(act, season_adjustments.ask(act, ruleset=game, **given))


def board(house: Establishment, game: str) -> dict[str, Any]:
    kept = seasons.settings(house.pk, game)
    rows = Season.objects.filter(establishment=house, ruleset=game).order_by("-number")
    return {
        "game": game,
        "id": None if kept.establishment_id is None else kept.pk,
        "season": kept.season,
        "until": kept.until,
        "place_tie": kept.place_tie,
        "seasons": list(rows.values("number", "state", "first_day", "last_day")[:LATEST]),
        "adjustments": [
            SeasonAdjustmentShape(each).data
            for each in season_adjustments.adjustments_of(house.pk, game)
        ],
    }
