"""API of floats by table: counts, shifts, and the inventory of each day (B1, B2, B3)."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from casino.kit.web.api.answers import Shape, coins
from casino.kit.web.listings.api import list_view
from casino.money.cash.custody_api import HIDDEN
from casino.money.cash.listings.floats import COUNTS, FIGURES, INVENTORY, SHIFTS
from casino.money.cash.models import CountRow, ShiftRow, TableDay


class Differed(Shape):
    by = serializers.UUIDField()
    sheet = coins()


class CountShape(serializers.ModelSerializer[CountRow]):
    id = serializers.UUIDField()
    table = serializers.UUIDField()
    counters = serializers.ListField(child=serializers.UUIDField())
    sheet = coins("That two agreed on.")
    differed = serializers.ListField(
        child=Differed(many=True), help_text="Pairs that did not agree, once the count is over."
    )

    class Meta:
        model = CountRow
        fields = [
            "id", "table", "purpose", "state", "begun_at", "ended_at", "gaming_day", "attempts",
            "counters", "sheet", "counted", "expected", "over_short", "differed", "position",
        ]  # fmt: skip


Counts = list_view(
    COUNTS,
    CountShape,
    "Counts of tables, the newest first",
    about="A running count has neither sheet nor figure, and none is shown of it.",
    through_shape=True,
)


class InventoryShape(serializers.ModelSerializer[Any]):
    """opener + fills + bought_in - cashed_out - credits - boxed + other + over_short = closer"""

    table = serializers.UUIDField()
    opener = serializers.IntegerField(allow_null=True, help_text=HIDDEN)
    fills = serializers.IntegerField(allow_null=True, help_text=HIDDEN)
    credits = serializers.IntegerField(allow_null=True)
    bought_in = serializers.IntegerField(allow_null=True)
    cashed_out = serializers.IntegerField(allow_null=True)
    boxed = serializers.IntegerField(allow_null=True, help_text="Fees put into the fee box.")
    other = serializers.IntegerField(allow_null=True)
    over_short = serializers.IntegerField(allow_null=True)
    closer = serializers.IntegerField(allow_null=True)


class ShiftShape(InventoryShape):
    id = serializers.UUIDField()
    attendant = serializers.UUIDField()

    class Meta:
        model = ShiftRow
        fields = [
            "id", "table", "attendant", "opened_at", "opened_day", "closed_at", "closed_day",
            "ended", "opener", *FIGURES,
        ]  # fmt: skip


class DayShape(InventoryShape):
    taken = serializers.IntegerField(help_text="To the cage, by closes.")

    class Meta:
        model = TableDay
        fields = ["table", "gaming_day", "opener", *FIGURES, "taken"]


Shifts = list_view(
    SHIFTS,
    ShiftShape,
    "Who had which table, the newest first",
    about="A list of inventories, without what somebody may be about to count.",
    through_shape=True,
)
Inventory = list_view(
    INVENTORY,
    DayShape,
    "What each table's float had and what became of it, day by day",
    about="A day on which nothing moved at a table has no row.",
    through_shape=True,
)
