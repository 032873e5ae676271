"""Floats, table by table: what was counted, who had them, what became of them (B1, B2, B3)."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING, Any, Final

from django.utils import timezone
from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers

from casino.cash import queries
from casino.cash.custody_api import HIDDEN
from casino.cash.models import CountRow, ShiftRow, TableDay
from casino.establishments.gaming_day import current
from casino.web.api import paging, params
from casino.web.api.answers import Shape, coins
from casino.web.api.houses import HouseList, role_at
from casino.web.api.schema import documented

if TYPE_CHECKING:
    from django.db.models import QuerySet
    from rest_framework.request import Request
    from rest_framework.response import Response

DAY: Final = OpenApiParameter(
    "day", {"type": "string", "format": "date"}, description="Of this gaming day only."
)
TABLE: Final = OpenApiParameter(
    "table", {"type": "string", "format": "uuid"}, description="Of this table only."
)
FIGURES: Final = (
    "fills", "credits", "bought_in", "cashed_out", "boxed", "other", "over_short", "closer",
)  # fmt: skip


def of_day_and_table(request: Request, rows: QuerySet[Any], day: str) -> QuerySet[Any]:
    """
    The rows of the day and of the table that are asked for.

    :param day: the column in which the day stands.
    """
    if (of_day := params.day(request)) is not None:
        rows = rows.filter(**{day: of_day})
    if (table := params.identity(request, "table")) is not None:
        rows = rows.filter(table=table)
    return rows


class Differed(Shape):
    by = serializers.UUIDField()
    sheet = coins()


class CountShape(serializers.ModelSerializer[CountRow]):
    id = serializers.UUIDField(source="count")
    table = serializers.UUIDField(source="table_id")
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

    def to_representation(self, instance: CountRow) -> Any:
        """
        Whoever counts again sees neither sheet of the pair that did not agree; whoever may be the
        second to count a table, nothing that lay there before.
        """
        told = super().to_representation(instance)
        if instance.table_id in self.context["blind"].sealed:
            return {**told, "sheet": {}, "differed": [], "counted": None, "expected": None}
        return {**told, "differed": []} if instance.state == CountRow.State.RUNNING else told


class Floats(HouseList):
    # What tells what lies at a table is null for whoever may have to count it.

    def get_serializer_context(self) -> dict[str, Any]:
        role, today = role_at(self.request, self.house), current(self.house, timezone.now())
        blind = queries.blind(self.house, role, today)
        return {**super().get_serializer_context(), "blind": blind}


class Counts(Floats):
    queryset = CountRow.objects.none()
    serializer_class = CountShape
    pagination_class = paging.NewestFirst

    def get_queryset(self) -> QuerySet[CountRow]:
        return of_day_and_table(self.request, queries.counts(self.house), "gaming_day")

    @documented(
        "Counts of tables, the newest first",
        answers={200: CountShape(many=True)},
        errors=(400, 404),
        parameters=[DAY, TABLE],
    )
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """A running count has neither sheet nor figure, and none is shown of it."""
        return super().get(request, *args, **kwargs)


class InventoryShape(serializers.ModelSerializer[Any]):
    """opener + fills + bought_in - cashed_out - credits - boxed + other + over_short = closer"""

    table = serializers.UUIDField(source="table_id")
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
    id = serializers.UUIDField(source="shift")
    attendant = serializers.UUIDField(source="holder")

    class Meta:
        model = ShiftRow
        fields = [
            "id", "table", "attendant", "opened_at", "opened_day", "closed_at", "closed_day",
            "ended", "opener", *FIGURES,
        ]  # fmt: skip

    def to_representation(self, instance: ShiftRow) -> Any:
        told, blind = super().to_representation(instance), self.context["blind"]
        if instance.table_id in blind.sealed:
            return {**told, **dict.fromkeys(("opener", *FIGURES))}
        return {**told, **dict.fromkeys(FIGURES)} if blind.shift(instance) else told


class DayShape(InventoryShape):
    taken = serializers.IntegerField(help_text="To the cage, by closes.")

    class Meta:
        model = TableDay
        fields = ["table", "gaming_day", "opener", *FIGURES, "taken"]

    def to_representation(self, instance: TableDay) -> Any:
        told = super().to_representation(instance)
        hidden = self.context["blind"].day(instance)
        return {**told, **dict.fromkeys(("opener", *FIGURES))} if hidden else told


class ByOpening(paging.SignedCursorPagination):
    ordering = ("-opened",)


class Shifts(Floats):
    queryset = ShiftRow.objects.none()
    serializer_class = ShiftShape
    pagination_class = ByOpening

    def get_queryset(self) -> QuerySet[ShiftRow]:
        return of_day_and_table(self.request, queries.shifts(self.house), "opened_day")

    @documented(
        "Who had which table, the newest first",
        answers={200: ShiftShape(many=True)},
        errors=(400, 404),
        parameters=[DAY, TABLE],
    )
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """A list of inventories, without what somebody may be about to count."""
        return super().get(request, *args, **kwargs)


class ByDay(paging.SignedCursorPagination):
    ordering = ("-gaming_day", "table_id")


class Inventory(Floats):
    queryset = TableDay.objects.none()
    serializer_class = DayShape
    pagination_class = ByDay

    def get_queryset(self) -> QuerySet[TableDay]:
        since, until = params.day(self.request, "since"), params.day(self.request, "until")
        rows = queries.inventory(self.house, since or date.min, until or date.max)
        return of_day_and_table(self.request, rows, "gaming_day")

    @documented(
        "What each table's float had and what became of it, day by day",
        answers={200: DayShape(many=True)},
        errors=(400, 404),
        parameters=[
            DAY,
            TABLE,
            OpenApiParameter("since", {"type": "string", "format": "date"}),
            OpenApiParameter("until", {"type": "string", "format": "date"}),
        ],
    )
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """A day on which nothing moved at a table has no row."""
        return super().get(request, *args, **kwargs)
