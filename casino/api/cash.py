"""The cash of tables: custody, counts, handovers, slips, inventory (B1, B2, B3)."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING, Any, Final, get_args

from django.shortcuts import get_object_or_404
from django.utils import timezone
from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers, status
from rest_framework.generics import ListAPIView
from rest_framework.response import Response
from rest_framework.views import APIView

from casino.api import bodies, paging, reading
from casino.api.answers import Shape, coins
from casino.api.establishments import own
from casino.api.schema import DEVICE, documented
from casino.approvals import requests
from casino.attendants import permissions
from casino.cash import counting, handover, queries, slips
from casino.cash.custody import Purpose
from casino.cash.models import CountRow, ShiftRow, SlipRow, TableDay
from casino.cash.sheets import PIECES_MOST
from casino.establishments.days import current
from casino.players import veil
from games.payments import COINS_MAX
from games.refusals import Malformed

if TYPE_CHECKING:
    from collections.abc import Mapping
    from uuid import UUID

    from django.db.models import QuerySet
    from rest_framework.request import Request

    from casino.cash.queries import TableCash
    from casino.establishments.acts import Act
    from casino.establishments.models import Establishment, Table

Body = dict[str, Any]

WRITING: Final = (400, 403, 404, 409, 413, 415, 422)
HIDDEN: Final = "Null while it is hidden from whoever may count it (B1)."

# --- What is sent ------------------------------------------------------------------------------

SHEET: Final[Body] = {
    "type": "object",
    "description": "Value of a piece to number of pieces, by the house's denominations.",
    "additionalProperties": {"type": "integer", "minimum": 0, "maximum": PIECES_MOST},
}
SEEN: Final[Body] = {
    "type": "integer",
    "minimum": 0,
    "maximum": COINS_MAX,
    "description": "Version of the running game as the signer saw it; 0 where none runs.",
}
NUMBER: Final[Body] = {"type": "integer", "minimum": 1, "maximum": COINS_MAX}
PURPOSE: Final[Body] = {"type": "string", "enum": list(get_args(Purpose))}
KIND: Final[Body] = {"type": "string", "enum": list(get_args(slips.SlipKind))}


def _doing(do: str, **fields: Body) -> Body:
    return bodies.described({"do": {"type": "string", "enum": [do]}, **fields})


ACTS: Final[Mapping[str, Body]] = {
    "count": _doing("count", purpose=PURPOSE, sheet=SHEET),
    "call_off": _doing("call_off", reason=bodies.REASON),
    "sign_over": _doing("sign_over", seen=SEEN),
    "take_over": _doing("take_over", seen=SEEN),
    "receive": _doing("receive", slip=NUMBER),
}
"""What `do` names, and the body that goes with it."""
ACTING: Final = {
    "application/json": {"oneOf": [each["application/json"] for each in ACTS.values()]}
}
ASKING: Final = bodies.described(
    {"kind": KIND, "table": bodies.ID, "sheet": SHEET, "reason": bodies.REASON}
)

# --- What is answered --------------------------------------------------------------------------


class ShiftNow(Shape):
    id = serializers.UUIDField()
    attendant = serializers.UUIDField()
    name = serializers.CharField(help_text="Of the attendant.")
    since = serializers.DateTimeField()
    opener = serializers.IntegerField()
    opener_sheet = coins("By denomination.")
    fills = serializers.IntegerField()
    credits = serializers.IntegerField()


class CountNow(Shape):
    id = serializers.UUIDField()
    purpose = serializers.ChoiceField(list(get_args(Purpose)))
    attempt = serializers.IntegerField(help_text="From 1; one more after two that differed.")
    counted_by = serializers.CharField(
        allow_null=True, help_text="Who is in; their sheet is sealed. Null: nobody yet."
    )
    counted_by_you = serializers.BooleanField()


class SlipNow(Shape):
    number = serializers.IntegerField()
    kind = serializers.ChoiceField(list(get_args(slips.SlipKind)))
    amount = serializers.IntegerField()


class SignedNow(Shape):
    by = serializers.CharField()
    at = serializers.DateTimeField()
    game = serializers.UUIDField(allow_null=True)
    version = serializers.IntegerField(help_text="Of the game, as it was acknowledged.")
    round = serializers.IntegerField(allow_null=True)


class CustodyShape(Shape):
    """A table's money as it stands, straight from the ledger."""

    table = serializers.UUIDField()
    name = serializers.CharField()
    stands = serializers.ChoiceField(["closed", "open", "counting", "handing_over"])
    shift = ShiftNow(allow_null=True)
    expected = serializers.IntegerField(allow_null=True, help_text=HIDDEN)
    count = CountNow(allow_null=True)
    closer = serializers.IntegerField(
        allow_null=True, help_text="What two counted, while a table is handed over."
    )
    signed = SignedNow(allow_null=True)
    slips = SlipNow(many=True, help_text="On their way, to be signed for here.")
    version = serializers.IntegerField(help_text="Events of the table's custody.")


class CustodyAll(Shape):
    results = CustodyShape(many=True)


def shown(cash: TableCash, person: Any) -> Body:
    now = cash.custody
    shift, count, signed = now.shift, now.count, now.signed
    return {
        "table": cash.table.pk,
        "name": cash.table.name,
        "stands": now.stands,
        "shift": {
            "id": shift.id,
            "attendant": shift.holder,
            "name": cash.holder,
            "since": shift.since,
            "opener": cash.opener,
            "opener_sheet": shift.opener,
            "fills": shift.fills,
            "credits": shift.credits,
        }
        if shift
        else None,
        "expected": cash.expected,
        "count": {
            "id": count.id,
            "purpose": count.purpose,
            "attempt": count.attempt,
            "counted_by": cash.waits_for or None,
            "counted_by_you": cash.has_counted(person),
        }
        if count
        else None,
        "closer": cash.closer,
        "signed": {
            "by": cash.signed,
            "at": signed.at,
            "game": signed.game,
            "version": signed.version,
            "round": signed.round,
        }
        if signed
        else None,
        "slips": [
            {"number": each.number, "kind": each.kind, "amount": each.amount}
            for each in cash.on_the_way
        ],
        "version": now.version,
    }


class CustodyOfTables(APIView):
    @documented("The money of every table", answers={200: CustodyAll}, errors=(404,))
    def get(self, request: Request, establishment: UUID) -> Response:
        house = own(request, establishment)
        found = queries.tables_cash(house, house.tables.all(), _role(request, house))
        person = reading.person(request)
        return Response({"results": [shown(each, person) for each in found]})


class CustodyOfTable(APIView):
    @documented("The money of a table", answers={200: CustodyShape}, errors=(404,))
    def get(self, request: Request, establishment: UUID, table: UUID) -> Response:
        house = own(request, establishment)
        return self._answer(request, house, get_object_or_404(house.tables, pk=table))

    @documented(
        "Count a table, hand it over, sign for a slip",
        answers={200: CustodyShape},
        errors=WRITING,
        request=ACTING,
        parameters=[DEVICE],
    )
    def post(self, request: Request, establishment: UUID, table: UUID) -> Response:
        """
        `count`: the first of two counts, or the second; they are blind. Two that agree open a
        shift (`open`), book what is over or short (`check`), and close the table (`close`), or
        make it ready to be handed over (`change`): then `sign_over` by who has it and `take_over`
        by who comes, both with the version of the running game they saw. `call_off` ends a count
        or a handover. `receive`: a slip's coins are there, or have left.
        """
        house = own(request, establishment)
        here = get_object_or_404(house.tables, pk=table)
        do = reading.fields(request).get("do")
        if not isinstance(do, str) or do not in ACTS:
            raise Malformed(f"do is one of {', '.join(ACTS)}.", field="do")
        said = bodies.read(request, ACTS[do])
        _act(bodies.act(request, house, said), here, do, said)
        return self._answer(request, house, here)

    @staticmethod
    def _answer(request: Request, house: Establishment, here: Table) -> Response:
        cash = queries.table_cash(house, here, _role(request, house))
        return Response(shown(cash, reading.person(request)))


def _act(act: Act, table: Table, do: str, said: Body) -> None:
    match do:
        case "count":
            counting.count(act, table=table, purpose=said["purpose"], sheet=said["sheet"])
        case "call_off":
            counting.call_off(act, table=table, reason=said["reason"])
        case "sign_over":
            handover.sign_over(act, table=table, seen=said["seen"])
        case "take_over":
            handover.take_over(act, table=table, seen=said["seen"])
        case _:
            slips.receive(act, table=table, number=said["slip"])


def _role(request: Request, house: Establishment) -> str:
    return permissions.roles(reading.person(request))[house.pk]


# --- Lists -------------------------------------------------------------------------------------

DAY: Final = OpenApiParameter(
    "day", {"type": "string", "format": "date"}, description="Of this gaming day only."
)
TABLE: Final = OpenApiParameter(
    "table", {"type": "string", "format": "uuid"}, description="Of this table only."
)


def _day(request: Request, name: str = "day") -> date | None:
    """
    A gaming day of the query string, None where it is absent.

    :raises Malformed: if it is none.
    """
    given = request.query_params.get(name)
    if given is None:
        return None
    found = bodies.day(given)
    if found is None:
        raise Malformed(f"{name} is a date, as 2026-11-21.", field=name)
    return found


def _only(request: Request, rows: QuerySet[Any], day: str) -> QuerySet[Any]:
    """The rows of the day and of the table that are asked for. `day`: the column it stands in."""
    if (of_day := _day(request)) is not None:
        rows = rows.filter(**{day: of_day})
    if (table := reading.reference(request.query_params.dict(), "table")) is not None:
        rows = rows.filter(table=table)
    return rows


class SlipShape(serializers.ModelSerializer[SlipRow]):
    table = serializers.UUIDField(source="table_id")
    sheet = coins("Value of a piece to number of pieces.")

    class Meta:
        model = SlipRow
        fields = [
            "number", "kind", "table", "amount", "sheet", "reason", "request", "asked_by",
            "asked_at", "approved_by", "issued_at", "gaming_day", "received_by", "received_at",
            "position",
        ]  # fmt: skip


class SlipAsked(Shape):
    request = serializers.UUIDField(help_text="Among the approvals: somebody else decides it.")


class ByNumber(paging.SignedCursorPagination):
    ordering = ("-number",)


class Slips(ListAPIView[SlipRow]):
    queryset = SlipRow.objects.none()
    serializer_class = SlipShape
    pagination_class = ByNumber

    def get_queryset(self) -> QuerySet[SlipRow]:
        house = own(self.request, self.kwargs["establishment"])
        return _only(self.request, queries.slips(house), "gaming_day")

    @documented(
        "Fills and credits, the newest number first",
        answers={200: SlipShape(many=True)},
        errors=(400, 404),
        parameters=[DAY, TABLE],
    )
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """Numbered without a gap: what was asked for and not approved has no number."""
        answer = super().get(request, *args, **kwargs)
        return Response(veil.unveil(kwargs["establishment"], answer.data))

    @documented(
        "Ask for a fill or a credit",
        answers={201: SlipAsked},
        errors=WRITING,
        request=ASKING,
        parameters=[DEVICE],
    )
    def post(self, request: Request, establishment: UUID) -> Response:
        """A second person approves it; with that it gets its number and the money moves."""
        house = own(request, establishment)
        said = bodies.read(request, ASKING)
        table = get_object_or_404(house.tables, pk=said["table"])
        act = bodies.act(request, house, said)
        slips.ask(act, kind=said["kind"], table=table, sheet=said["sheet"], reason=said["reason"])
        answer = {"request": requests.id_of(house.pk, act.command_id)}
        return Response(answer, status=status.HTTP_201_CREATED)


class OneSlip(APIView):
    @documented("A slip", answers={200: SlipShape}, errors=(404,))
    def get(self, request: Request, establishment: UUID, number: int) -> Response:
        house = own(request, establishment)
        row = get_object_or_404(queries.slips(house), number=min(number, COINS_MAX))
        return Response(veil.unveil(house.pk, SlipShape(row).data))


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
        """Whoever counts again sees neither sheet of the pair that did not agree."""
        told = super().to_representation(instance)
        return {**told, "differed": []} if instance.state == CountRow.State.RUNNING else told


class ByPosition(paging.SignedCursorPagination):
    ordering = ("-position",)


class Counts(ListAPIView[CountRow]):
    queryset = CountRow.objects.none()
    serializer_class = CountShape
    pagination_class = ByPosition

    def get_queryset(self) -> QuerySet[CountRow]:
        house = own(self.request, self.kwargs["establishment"])
        return _only(self.request, queries.counts(house), "gaming_day")

    @documented(
        "Counts of tables, the newest first",
        answers={200: CountShape(many=True)},
        errors=(400, 404),
        parameters=[DAY, TABLE],
    )
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """A running count has neither sheet nor figure, and none is shown of it."""
        return super().get(request, *args, **kwargs)


FIGURES: Final = (
    "fills", "credits", "bought_in", "cashed_out", "boxed", "other", "over_short", "closer",
)  # fmt: skip


class InventoryShape(serializers.ModelSerializer[Any]):
    """opener + fills + bought_in - cashed_out - credits - boxed + other + over_short = closer"""

    table = serializers.UUIDField(source="table_id")
    fills = serializers.IntegerField(allow_null=True, help_text=HIDDEN)
    credits = serializers.IntegerField(allow_null=True)
    bought_in = serializers.IntegerField(allow_null=True)
    cashed_out = serializers.IntegerField(allow_null=True)
    boxed = serializers.IntegerField(allow_null=True, help_text="Fees put into the fee box.")
    other = serializers.IntegerField(allow_null=True)
    over_short = serializers.IntegerField(allow_null=True)
    closer = serializers.IntegerField(allow_null=True)

    def to_representation(self, instance: Any) -> Any:
        told = super().to_representation(instance)
        if instance.table_id in self.context.get("hidden", ()) and self.running(instance):
            return {**told, **dict.fromkeys(FIGURES)}
        return told

    def running(self, instance: Any) -> bool:
        """Whether it goes on, so that its figures tell what should lie there now."""
        raise NotImplementedError


class ShiftShape(InventoryShape):
    id = serializers.UUIDField(source="shift")
    attendant = serializers.UUIDField(source="holder")

    class Meta:
        model = ShiftRow
        fields = [
            "id", "table", "attendant", "opened_at", "opened_day", "closed_at", "closed_day",
            "ended", "opener", *FIGURES,
        ]  # fmt: skip

    def running(self, instance: ShiftRow) -> bool:
        return not instance.ended


class DayShape(InventoryShape):
    taken = serializers.IntegerField(help_text="To the cage, by closes.")

    class Meta:
        model = TableDay
        fields = ["table", "gaming_day", "opener", *FIGURES, "taken"]

    def running(self, instance: TableDay) -> bool:
        return bool(instance.gaming_day >= self.context["today"])


class Hiding(ListAPIView[Any]):
    """A list of inventories, without what somebody may be about to count."""

    def get_serializer_context(self) -> Body:
        house = own(self.request, self.kwargs["establishment"])
        return {
            **super().get_serializer_context(),
            "hidden": queries.hidden(house, _role(self.request, house)),
            "today": current(house, timezone.now()),
        }


class ByOpening(paging.SignedCursorPagination):
    ordering = ("-opened",)


class Shifts(Hiding):
    queryset = ShiftRow.objects.none()
    serializer_class = ShiftShape
    pagination_class = ByOpening

    def get_queryset(self) -> QuerySet[ShiftRow]:
        house = own(self.request, self.kwargs["establishment"])
        return _only(self.request, queries.shifts(house), "opened_day")

    @documented(
        "Who had which table, the newest first",
        answers={200: ShiftShape(many=True)},
        errors=(400, 404),
        parameters=[DAY, TABLE],
    )
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        return super().get(request, *args, **kwargs)


class ByDay(paging.SignedCursorPagination):
    ordering = ("-gaming_day", "table_id")


class Inventory(Hiding):
    queryset = TableDay.objects.none()
    serializer_class = DayShape
    pagination_class = ByDay

    def get_queryset(self) -> QuerySet[TableDay]:
        house = own(self.request, self.kwargs["establishment"])
        since, until = _day(self.request, "since"), _day(self.request, "until")
        return _only(
            self.request,
            queries.inventory(house, since or date.min, until or date.max),
            "gaming_day",
        )

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
