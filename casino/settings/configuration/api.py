"""
The configuration of a house for programs: present values, the change log, and changes as on its
pages.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final
from uuid import UUID  # noqa: TC003 - read from the signature by the schema

from django.utils import timezone
from rest_framework import serializers
from rest_framework.response import Response
from rest_framework.views import APIView

from casino.house.establishments.models import Change, Establishment, HouseRules
from casino.house.home_throws import house_rules
from casino.kit.web.api import acts, answers, bodies, schema
from casino.kit.web.api.answers import Shape
from casino.kit.web.api.houses import own
from casino.kit.web.listings.api import list_view, values, viewer
from casino.settings.configuration import requests
from casino.settings.configuration.listings import CHANGES, HOUSE_RULES

if TYPE_CHECKING:
    from rest_framework.request import Request

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
        act, given = acts.begin_act(request, establishment, "configure", CHANGE)
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
