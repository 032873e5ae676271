"""How a house is configured: what holds, what changed, and changing it, as its pages do."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final
from uuid import UUID  # noqa: TC003 - read from the signature by the schema

from django.utils import timezone
from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers
from rest_framework.response import Response
from rest_framework.views import APIView

from casino.configuration import requests
from casino.establishments.models import Change, Establishment, HouseRules
from casino.house_rules import operations as house_rules
from casino.presenters.opening import OPENINGS
from casino.web.api import acts, bodies, paging, params, schema
from casino.web.api.answers import Shape
from casino.web.api.houses import HouseList, own, resolved

if TYPE_CHECKING:
    from django.db.models import QuerySet
    from rest_framework.request import Request

HOUSE: Final = (
    "name", "currency", "currency_symbol", "coin_digits", "time_zone", "language", "locale",
    "day_cutoff", "closing_grace", "large_prize", "cash_threshold", "tips_allowed", "counts_floats",
    "publishes_rules", "two_configure", "pin_approves_voids", "denominations", "idle_after",
    "alarms_one_in", "wall", "wall_names", "wall_stakes",
)  # fmt: skip
CHANGE: Final = bodies.described(
    {"thing": {"type": "string", "enum": list(requests.COLUMNS)}, "values": {"type": "object"}},
    id={**bodies.ID, "description": "Of the thing; without one, a new thing is added."},
    reason=bodies.REASON,
)


class Rules(serializers.ModelSerializer[HouseRules]):
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

    def get_in_force(self, rules: HouseRules) -> bool:
        return rules.pk in self.context["in_force"]


class Settings(serializers.ModelSerializer[Establishment]):
    """The house's own settings."""

    day_cutoff = serializers.CharField(help_text="When a gaming day ends, by the clock there.")
    denominations = serializers.JSONField(help_text="What is counted: a list of value and name.")

    class Meta:
        model = Establishment
        fields = list(HOUSE)


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


class NewestRules(paging.SignedCursorPagination):
    ordering = ("-effective_from", "game", "-version")


class Configuration(APIView):
    @schema.documented(
        "How a house is configured now", answers={200: Configured}, errors=(403, 404)
    )
    def get(self, request: Request, establishment: UUID) -> Response:
        house = own(request, establishment, "audit")
        current = house_rules.all_in_force(house, timezone.now())
        context = {"in_force": {rules.pk for rules in current.values()}}
        rules = Rules(list(current.values()), many=True, context=context).data
        return Response(
            {
                "settings": Settings(house).data,
                "house_rules": resolved(house, rules, *HouseRulesOf.resolves),
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
        act, said = acts.begun(request, establishment, "configure", CHANGE)
        outcome = requests.put(act, said)
        return Response({"became": outcome.became, "request": outcome.request})


class HouseRulesOf(HouseList):
    queryset = HouseRules.objects.none()
    serializer_class = Rules
    pagination_class = NewestRules
    resolves = ("text",)

    def get_queryset(self) -> QuerySet[HouseRules]:
        rows = HouseRules.objects.filter(establishment=self.house)
        game = params.choice(self.request, "game", OPENINGS)
        return rows if game is None else rows.filter(game=game)

    def get_serializer_context(self) -> dict[str, Any]:
        current = house_rules.all_in_force(self.house, timezone.now())
        in_force = {rules.pk for rules in current.values()}
        return {**super().get_serializer_context(), "in_force": in_force}

    @schema.documented(
        "How a house plays its games: every version, the latest to begin first",
        answers={200: Rules(many=True)},
        errors=(400, 404),
        parameters=[OpenApiParameter("game", {"type": "string", "enum": list(OPENINGS)})],
    )
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """An opening that names no options takes those in force, and the fee always."""
        return super().get(request, *args, **kwargs)


class Changes(HouseList):
    queryset = Change.objects.none()
    serializer_class = ChangeRow
    pagination_class = paging.NewestFirst
    sees = ("audit",)
    resolves = ("reason",)

    def get_queryset(self) -> QuerySet[Change]:
        return Change.objects.filter(establishment=self.house)

    @schema.documented(
        "What changed in a house's configuration and staff, newest first",
        answers={200: ChangeRow(many=True)},
        errors=(400, 403, 404),
    )
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """From what to what, by whom, and why (C2). It may lag a moment behind the ledger."""
        return super().get(request, *args, **kwargs)
