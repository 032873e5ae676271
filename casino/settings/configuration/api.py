"""The API of the settings: values, changes and their log; houses, tables, dice; scoreboards."""

from __future__ import annotations

from datetime import date  # noqa: TC003 - read from the signature by the schema
from typing import TYPE_CHECKING, Any, Final
from uuid import UUID  # noqa: TC003 - read from the signature by the schema

from django.utils import timezone
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.generics import ListAPIView
from rest_framework.response import Response
from rest_framework.views import APIView

from casino.house.attendants import permissions
from casino.house.establishments import epochs
from casino.house.establishments.gaming_day import current
from casino.house.establishments.models import Change, Establishment, HouseRules, Table
from casino.house.home_throws import house_rules
from casino.house.home_throws import operations as home_throws
from casino.kit.web.api import answers, bodies, paging, params, schema
from casino.kit.web.api import houses as api_houses
from casino.kit.web.api.answers import Shape
from casino.kit.web.api.houses import own
from casino.kit.web.api.schema import NUMBERED, describe_operation
from casino.kit.web.listings.api import list_view, values, viewer
from casino.money.cash.custody_api import ApprovalRequested, answer_waiting
from casino.play.core import queries
from casino.play.dice.models import DiceSet
from casino.play.settlement import seasons
from casino.play.settlement.models import Scoreboard, Season
from casino.settings.configuration import requests, scoreboards
from casino.settings.configuration.forms.things import POINTS, DiceSetForm
from casino.settings.configuration.listings import API_TABLES, CHANGES, HOUSE_RULES
from casino.words.presenters import TITLES
from ledger import journal

if TYPE_CHECKING:
    from django.db.models import QuerySet
    from rest_framework.request import Request

    from ledger.wire import StoredEvent

CHANGE: Final = bodies.describe_body(
    {"thing": {"type": "string", "enum": list(requests.COLUMNS)}, "values": {"type": "object"}},
    id={**bodies.ID, "description": "Of the thing; without one, a new thing is added."},
    reason=bodies.REASON,
)


class Rules(answers.Row[HouseRules]):
    """One version of how a game is played there."""

    options = serializers.DictField(help_text="Those that are not the rules' usual ones.")
    fee = serializers.JSONField(help_text="As an opening announces it, or null.")
    in_force = serializers.SerializerMethodField(help_text="Whether it holds now.")
    text = serializers.CharField(read_only=True, help_text="What hangs on the wall.")

    class Meta:
        model = HouseRules
        fields = [
            "id", "game", "version", "effective_from", "in_force", "played", "options", "fee",
            "home_throws", "deviations", "text", "set_by",
        ]  # fmt: skip

    def get_in_force(self, rules: dict[str, Any]) -> bool:
        in_force: bool = rules["in_force"]
        return in_force


class Settings(answers.Row[Establishment]):
    """The house's own settings."""

    day_cutoff = serializers.CharField(help_text="When a gaming day ends, by the clock there.")
    denominations = serializers.JSONField(help_text="What is counted: a list of value and name.")

    class Meta:
        model = Establishment
        fields = list(requests.COLUMNS["house"])


class Configured(Shape):
    settings = Settings()
    house_rules = Rules(many=True, help_text="Those in force, one for each game that has any.")


class Changed(Shape):
    became = serializers.ChoiceField(
        ["done", "waiting", "unchanged"],
        help_text="waiting: a second person approves it, see approvals.",
    )
    request = serializers.UUIDField(allow_null=True, help_text="The request that waits.")


class ChangeRow(serializers.ModelSerializer[Change]):
    before = serializers.JSONField(help_text="Column to value, or null.")
    after = serializers.JSONField(help_text="Column to value.")
    reason = serializers.CharField(read_only=True)
    asked_by = serializers.CharField(help_text="Who asked, where a second person approved.")

    class Meta:
        model = Change
        fields = [
            "position", "at", "gaming_day", "kind", "happened", "thing", "before", "after",
            "actor", "asked_by", "alone", "reason",
        ]  # fmt: skip


class Configuration(APIView):
    @schema.describe_operation(
        "How a house is configured now", answers={200: Configured}, errors=(403, 404)
    )
    def get(self, request: Request, establishment: UUID) -> Response:
        house = own(request, establishment, "audit")
        current = house_rules.all_in_force(house, timezone.now())
        rules: Any = values(HOUSE_RULES, viewer(request, house), list(current.values()))
        return Response(
            {
                "settings": Settings(house).data,
                "house_rules": Rules(rules, many=True).data,
            }
        )

    @schema.act(
        "Change how a house is configured",
        answers={200: Changed},
        request=CHANGE,
    )
    def post(self, request: Request, establishment: UUID) -> Response:
        """
        `values` holds what is to change, by column: of `house` (no `id`) its settings, of `table`,
        `dice_set` and `prize_rule` their columns, of `home_throw` `faces`, `game`, `story`,
        `override_reason`, of `house_rules` `game`, `options`, `fee`, `home_throws`, `deviations`,
        `text`, `played`. The last two are only ever added, in force `effective_from` a moment or
        now. Games that are open keep what they were opened with.

        422 `does_not_fit` names the value that does not; `reason_missing` where a second person
        approves changes and no reason was given.
        """
        act, given = api_houses.begin_act(request, establishment, "configure", CHANGE)
        outcome = requests.put(act, given)
        return Response({"became": outcome.became, "request": outcome.request})


HouseRulesOf = list_view(
    HOUSE_RULES,
    Rules,
    "How a house plays its games: every version, the latest to begin first",
    about="An opening that names no options takes those in force, and the fee always.",
    through_shape=True,
)
Changes = list_view(
    CHANGES,
    ChangeRow,
    "What changed in a house's configuration and staff, newest first",
    about="From what to what, by whom, and why (C2). It may lag a moment behind the ledger.",
    sees=("audit",),
    through_shape=True,
)


# The houses where a person works, their tables and dice, and their ledger as it is stored.


class House(answers.Row[Establishment]):
    role = serializers.SerializerMethodField(help_text="What one is there.")
    # Not a TimeField: OpenAPI's times have an offset, and the clock on the wall has none.
    day_cutoff = serializers.CharField(help_text="When a gaming day ends, by the clock there.")

    class Meta:
        model = Establishment
        fields = [
            "id", "name", "role", "currency_code", "currency", "currency_symbol", "coin_digits",
            "time_zone", "day_cutoff",
        ]  # fmt: skip

    def get_role(self, house: Establishment) -> str:
        role: str = self.context["roles"][house.pk]
        return role


class TableRow(answers.Row[Table]):
    game = serializers.SerializerMethodField(help_text="The id of the game that runs there.")

    class Meta:
        model = Table
        fields = API_TABLES.in_api

    def get_game(self, table: Table) -> UUID | None:
        """A query a table, each one step down an index, whatever the length of the ledger."""
        return queries.running_game(table)


class DiceRow(answers.Row[DiceSet]):
    class Meta:
        model = DiceSet
        fields = ["id", *DiceSetForm.Meta.fields]


class Epoch(serializers.Serializer[epochs.Restored]):
    """Sent to devices so that they send again what the book may have lost."""

    epoch = serializers.IntegerField(help_text="From 2: after each restore that lost something.")
    since = serializers.DateTimeField(help_text="When it was opened.")
    copied = serializers.DateTimeField(
        allow_null=True,
        help_text=(
            "When the last event that surely survived was recorded; null: unknown. Commands that"
            " were sent after it are to be sent again, under their ids: each counts once."
        ),
    )


class HouseInFull(House):
    gaming_day = serializers.SerializerMethodField(help_text="The day it is there now.")
    restored = serializers.SerializerMethodField(
        help_text="The epoch of the house's ledger and what to send again; null in the first."
    )
    tables = TableRow(many=True)
    dice_sets = DiceRow(many=True)
    home_throw = serializers.SerializerMethodField(
        help_text="The one in force for games without one of their own, sorted, or null."
    )
    home_throws = serializers.SerializerMethodField(help_text="The one in force for each game.")

    class Meta(House.Meta):
        fields = [
            *House.Meta.fields,
            "gaming_day",
            "restored",
            "tables",
            "dice_sets",
            "home_throw",
            "home_throws",
        ]

    def get_gaming_day(self, house: Establishment) -> date:
        return current(house, self.context["now"])

    @extend_schema_field(Epoch(allow_null=True))
    def get_restored(self, house: Establishment) -> dict[str, Any] | None:
        restored = epochs.restoration(house, self.context["now"])
        return None if restored is None else dict(Epoch(restored).data)

    def get_home_throw(self, house: Establishment) -> tuple[int, ...] | None:
        throw = home_throws.in_force(establishment=house, at=self.context["now"])
        return throw.faces if throw else None

    def get_home_throws(self, house: Establishment) -> dict[str, tuple[int, ...]]:
        found = home_throws.of_each_game(house, self.context["now"])
        return {game: throw.faces for game, throw in found.items() if throw}


class Houses(ListAPIView[Establishment]):
    serializer_class = House
    pagination_class = paging.ByName

    def get_queryset(self) -> QuerySet[Establishment]:
        houses = permissions.houses(params.person(self.request))
        return Establishment.objects.filter(pk__in=houses)

    def get_serializer_context(self) -> dict[str, Any]:
        roles = permissions.roles(params.person(self.request))
        return {**super().get_serializer_context(), "roles": roles}

    @describe_operation(
        "The houses one works for",
        answers={200: House(many=True)},
        errors=(400,),
    )
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        return super().get(request, *args, **kwargs)


class OneHouse(APIView):
    @describe_operation(
        "A house: tables, dice, home throw", answers={200: HouseInFull}, errors=(404,)
    )
    def get(self, request: Request, establishment: UUID) -> Response:
        house = own(request, establishment)
        context = {
            "roles": permissions.roles(params.person(request)),
            "now": timezone.now(),
        }
        return Response(HouseInFull(house, context=context).data)


Tables = list_view(API_TABLES, TableRow, "The tables of a house, each with its running game")


class Rollovers(APIView):
    @describe_operation(
        "What pots left for the next game of their kind",
        answers={200: answers.RolledOverAll},
        errors=(404,),
    )
    def get(self, request: Request, establishment: UUID) -> Response:
        """A game that opens takes all lots of its kind; those not booked yet arrive later."""
        house = own(request, establishment)
        return Response({"results": queries.waiting_rollovers(house.pk)})


class Ledger(APIView):
    @describe_operation(
        "The ledger of a house as it lies in the database",
        answers={200: answers.LedgerPage},
        errors=(400, 404),
        parameters=NUMBERED,
    )
    def get(self, request: Request, establishment: UUID) -> Response:
        """
        `body` is canonical JSON, to be hashed as it stands: `leaf_hash` is SHA-256 of a zero byte
        and the body's UTF-8 bytes. Names are not in it.
        """
        house = own(request, establishment)
        return paging.page_of_numbers(
            request,
            start=-1,
            number="position",
            fetch=lambda after, limit: [
                leaf(event)
                for event in journal.read(establishment=house.pk, after=after, limit=limit)
            ],
        )


def leaf(event: StoredEvent) -> dict[str, Any]:
    return {
        "position": event.position,
        "body": event.body.decode(),
        "leaf_hash": event.leaf_hash.hex(),
    }


# The API of a house's scoreboards: how they are kept, their seasons, and the end of one.


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
        act, given = api_houses.begin_act(request, establishment, "configure", END)
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
        act, given = api_houses.begin_act(request, establishment, "configure", ADJUST)
        del given["command_id"]
        return answer_waiting(act, scoreboards.ask_adjustment(act, ruleset=game, **given))


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
            SeasonAdjustmentShape(each).data for each in scoreboards.adjustments_of(house.pk, game)
        ],
    }
