"""API of the tables' current cash: blind counts, handovers, signing for slips (B1, B2, B3)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, get_args

from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema_serializer
from rest_framework import serializers, status
from rest_framework.response import Response
from rest_framework.views import APIView

from casino.house.acts import acts
from casino.house.acts.custody import Purpose
from casino.kit.approvals import requests
from casino.kit.web.api import bodies, params, schema
from casino.kit.web.api import houses as acting
from casino.kit.web.api.answers import Shape, coins
from casino.kit.web.api.houses import own, role_at
from casino.kit.web.listings.api import ListView, fields, list_view, values, viewer
from casino.money.cash import bank, counting, fees, queries, slips
from casino.money.cash.listings.fee_boxes import FEE_BOXES, FEE_DAYS, boxes_to_count, fee_days
from casino.money.cash.listings.floats import COUNTS, FIGURES, INVENTORY, SHIFTS
from casino.money.cash.listings.slips import CAGE, SLIPS
from casino.money.cash.models import CageSlip, CountRow, ShiftRow, SlipRow, TableDay
from games.payments import COINS_MAX

if TYPE_CHECKING:
    from collections.abc import Mapping
    from uuid import UUID

    from rest_framework.request import Request

    from casino.house.acts.acts import Act
    from casino.house.attendants.models import Attendant
    from casino.house.establishments.models import Establishment, Table
    from casino.money.cash.queries import TableCash
    from ledger.journal import Receipt

Body = dict[str, Any]

HIDDEN: Final = "Null while it is hidden from whoever may count it (B1)."
SEALED: Final = "Null while it is counted, for whoever may be the second to count it (B1)."

# --- What is sent ------------------------------------------------------------------------------

SEEN: Final[Body] = {
    "type": "integer",
    "minimum": 0,
    "maximum": COINS_MAX,
    "description": "Version of the running game as the signer saw it; 0 where none runs.",
}
NUMBER: Final[Body] = {"type": "integer", "minimum": 1, "maximum": COINS_MAX}
PURPOSE: Final[Body] = {"type": "string", "enum": list(get_args(Purpose))}


def _doing(do: str, **fields: Body) -> Body:
    return bodies.describe_body({"do": {"type": "string", "enum": [do]}, **fields})


ACTING: Final = bodies.one_of(
    "Custody",
    _doing("count", purpose=PURPOSE, sheet=bodies.SHEET),
    _doing("call_off", reason=bodies.REASON),
    _doing("sign_over", seen=SEEN),
    _doing("take_over", seen=SEEN),
    _doing("receive", slip=NUMBER),
)

# --- What is answered --------------------------------------------------------------------------


class ShiftNow(Shape):
    id = serializers.UUIDField()
    attendant = serializers.UUIDField()
    name = serializers.CharField(help_text="Of the attendant.")
    since = serializers.DateTimeField()
    opener = serializers.IntegerField(allow_null=True, help_text=SEALED)
    opener_sheet = coins("By denomination. " + SEALED, allow_null=True)
    fills = serializers.IntegerField(allow_null=True, help_text=SEALED)
    credits = serializers.IntegerField(allow_null=True, help_text=SEALED)


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


def custody_body(cash: TableCash, person: Attendant) -> Body:
    now = cash.custody
    return {
        "table": cash.table.pk,
        "name": cash.table.name,
        "stands": now.stands,
        "shift": _shift(cash),
        "expected": cash.expected,
        "count": _count(cash, person),
        "closer": cash.closer,
        "signed": _signature(cash),
        "slips": [
            {"number": each.number, "kind": each.kind, "amount": each.amount}
            for each in cash.on_the_way
        ],
        "version": now.version,
    }


def _shift(cash: TableCash) -> Body | None:
    shift = cash.custody.shift
    if shift is None:
        return None
    return {
        "id": shift.id,
        "attendant": shift.holder,
        "name": cash.holder,
        "since": shift.since,
        "opener": cash.opener,
        "opener_sheet": None if cash.sealed else shift.opener,
        "fills": None if cash.sealed else shift.fills,
        "credits": None if cash.sealed else shift.credits,
    }


def _count(cash: TableCash, person: Attendant) -> Body | None:
    count = cash.custody.count
    if count is None:
        return None
    return {
        "id": count.id,
        "purpose": count.purpose,
        "attempt": count.attempt,
        "counted_by": cash.waits_for or None,
        "counted_by_you": cash.has_counted(person),
    }


def _signature(cash: TableCash) -> Body | None:
    signed = cash.custody.signed
    if signed is None:
        return None
    return {
        "by": cash.signed,
        "at": signed.at,
        "game": signed.game,
        "version": signed.version,
        "round": signed.round,
    }


class CustodyOfTables(APIView):
    @schema.describe_operation("The money of every table", answers={200: CustodyAll}, errors=(404,))
    def get(self, request: Request, establishment: UUID) -> Response:
        house = own(request, establishment)
        found = queries.tables_cash(house, house.tables.all(), role_at(request, house))
        person = params.person(request)
        return Response({"results": [custody_body(each, person) for each in found]})


class CustodyOfTable(APIView):
    @schema.describe_operation("The money of a table", answers={200: CustodyShape}, errors=(404,))
    def get(self, request: Request, establishment: UUID, table: UUID) -> Response:
        house = own(request, establishment)
        return self._answer(request, house, get_object_or_404(house.tables, pk=table))

    @schema.act(
        "Count a table, hand it over, sign for a slip",
        answers={200: CustodyShape},
        request=ACTING,
    )
    def post(self, request: Request, establishment: UUID, table: UUID) -> Response:
        """
        `count`: the first of two counts, or the second; they are blind. Two that agree open a
        shift (`open`), book what is over or short (`check`), and close the table (`close`), or
        make it ready to be handed over (`change`): then `sign_over` by who has it and `take_over`
        by who comes, both with the version of the running game they saw. `call_off` ends a count
        or a handover. `receive`: a slip's coins are there, or have left.
        """
        act, body = acting.begin_act(request, establishment, "record", ACTING)
        here = get_object_or_404(act.house.tables, pk=table)
        _record(act, here, body)
        return self._answer(request, act.house, here)

    @staticmethod
    def _answer(request: Request, house: Establishment, here: Table) -> Response:
        cash = queries.table_cash(house, here, role_at(request, house))
        return Response(custody_body(cash, params.person(request)))


def _record(act: Act, table: Table, body: Body) -> None:
    match body["do"]:
        case "count":
            counting.count(act, table=table, purpose=body["purpose"], sheet=body["sheet"])
        case "call_off":
            counting.call_off(act, table=table, reason=body["reason"])
        case "sign_over":
            counting.sign_over(act, table=table, seen=body["seen"])
        case "take_over":
            counting.take_over(act, table=table, seen=body["seen"])
        case _:
            slips.receive(act, table=table, number=body["slip"])


# API of fills and credits: the numbered slips of a house, and asking for one (B2).


KIND: Final[bodies.Schema] = {"type": "string", "enum": list(get_args(slips.SlipKind))}
ASKING: Final = bodies.describe_body(
    {"kind": KIND, "table": bodies.ID, "sheet": bodies.SHEET, "reason": bodies.REASON}
)


class SlipShape(serializers.ModelSerializer[SlipRow]):
    table = serializers.UUIDField()
    sheet = coins("Value of a piece to number of pieces.")

    class Meta:
        model = SlipRow
        fields = [
            "number", "kind", "table", "amount", "sheet", "reason", "request", "asked_by",
            "asked_at", "approved_by", "issued_at", "gaming_day", "received_by", "received_at",
            "position",
        ]  # fmt: skip


@extend_schema_serializer(component_name="SlipAsked")
class SlipRequested(Shape):
    request = serializers.UUIDField(help_text="Among the approvals: somebody else decides it.")


class Asking(ListView):
    @schema.act("Ask for a fill or a credit", answers={201: SlipRequested}, request=ASKING)
    def post(self, request: Request, establishment: UUID) -> Response:
        """A second person approves it; with that it gets its number and the money moves."""
        act, body = acting.begin_act(request, establishment, "record", ASKING)
        table = get_object_or_404(act.house.tables, pk=body["table"])
        slips.ask(act, kind=body["kind"], table=table, sheet=body["sheet"], reason=body["reason"])
        answer = {"request": requests.id_of(act.house.pk, act.command_id)}
        return Response(answer, status=status.HTTP_201_CREATED)


Slips = list_view(
    SLIPS,
    SlipShape,
    "Fills and credits, the newest number first",
    about="Numbered without a gap: what was asked for and not approved has no number.",
    through_shape=True,
    takes=Asking,
)


class OneSlip(APIView):
    @schema.describe_operation("A slip", answers={200: SlipShape}, errors=(404,))
    def get(self, request: Request, establishment: UUID, number: int) -> Response:
        house = own(request, establishment)
        row = get_object_or_404(queries.slips(house), number=min(number, COINS_MAX))
        found: Any = values(SLIPS, viewer(request, house), [row])[0]
        return Response(SlipShape(found).data)


# API of floats by table: counts, shifts, and the inventory of each day (B1, B2, B3).


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


# API of cash between a house's cage and its bank (A3), and the answer to a request for money.


MOVING: Final = bodies.describe_body(
    {
        "way": {"type": "string", "enum": CageSlip.Way.values},
        "amount": bodies.COINS,
        "reason": bodies.REASON,
    }
)


@extend_schema_serializer(component_name="Asked")
class ApprovalRequested(Shape):
    """What was asked for: another person approves it under `approvals/`."""

    request = serializers.UUIDField()
    position = serializers.IntegerField(help_text="Of the event that asked.")


class CageRow(serializers.ModelSerializer[CageSlip]):
    reason = serializers.CharField(read_only=True)

    class Meta:
        model = CageSlip
        fields = [
            "number", "way", "amount", "reason", "asked_by", "approved_by", "at", "gaming_day",
            "position",
        ]  # fmt: skip


class Moving(ListView):
    @schema.act(
        "Ask for capital to come into the cage, or for cash to go to the bank",
        answers={202: ApprovalRequested},
        request=MOVING,
    )
    def post(self, request: Request, establishment: UUID) -> Response:
        """Nothing moves before another person has approved it."""
        act, body = acting.begin_act(request, establishment, "record", MOVING)
        receipt = bank.ask(act, way=body["way"], amount=body["amount"], reason=body["reason"])
        return answer_waiting(act, receipt)


Cage = list_view(
    CAGE,
    CageRow,
    "Cash between cage and bank, by number, newest first",
    sees=("audit",),
    through_shape=True,
    takes=Moving,
)


def answer_waiting(act: Act, receipt: Receipt) -> Response:
    """A request that waits for its approval now."""
    request = requests.id_of(act.house.pk, act.command_id)
    answer = {"request": str(request), "position": receipt.last_position}
    return Response(answer, status=status.HTTP_202_ACCEPTED)


# API of fee boxes (A5): which are to be counted, what was taken and found, and counting one.


COUNT: Final = bodies.describe_body({"sheet": bodies.SHEET})
CAME_TO: Final[Mapping[str, str]] = {
    fees.ENTERED: "sealed",
    fees.DIFFERED: "differed",
    fees.COUNTED: "agreed",
}


class BoxShape(Shape):
    table = serializers.UUIDField()
    name = serializers.CharField()
    expected = serializers.IntegerField(allow_null=True, help_text=SEALED)
    counted_by = serializers.CharField(
        allow_null=True, help_text="Who is in; their sheet is sealed."
    )


class FeeDayShape(Shape):
    gaming_day = serializers.DateField()
    table = serializers.UUIDField()
    taken = serializers.IntegerField(allow_null=True, help_text=SEALED)
    expected = serializers.IntegerField(allow_null=True, help_text="When it was counted.")
    counted = serializers.IntegerField(allow_null=True)
    over_short = serializers.IntegerField(allow_null=True)
    counted_on = serializers.DateField(
        allow_null=True, help_text="A count covers all that lay in the box. Null: nobody has yet."
    )


class FeeBoxesShape(Shape):
    waiting = BoxShape(many=True, help_text="Boxes with fees in them that nobody has counted.")
    days = FeeDayShape(many=True, help_text="The last fourteen gaming days.")


class FeeCounted(Shape):
    came_to = serializers.ChoiceField(list(CAME_TO.values()))


class FeeBoxes(APIView):
    @schema.describe_operation(
        "Fee boxes: which are to be counted, what was taken and found",
        answers={200: FeeBoxesShape},
        errors=(404,),
    )
    def get(self, request: Request, establishment: UUID) -> Response:
        house = own(request, establishment)
        looks = viewer(request, house)
        return Response(
            {
                "waiting": fields(FEE_BOXES, looks, boxes_to_count(looks)),
                "days": fields(FEE_DAYS, looks, fee_days(looks)),
            }
        )


class FeeCounts(APIView):
    @schema.act(
        "Enter one's own count of a fee box: the first of two, or the second",
        answers={200: FeeCounted},
        request=COUNT,
    )
    def post(self, request: Request, establishment: UUID, table: UUID) -> Response:
        """
        `sealed`: a second person counts now. `differed`: both are on record, both count again.
        `agreed`: the box is in the cage. 422 `same_counter`, `not_a_count`; `being_booked` while
        a fee taken at the table is still to be booked: count again in a moment.
        """
        act, body = acting.begin_act(request, establishment, "record", COUNT)
        here = get_object_or_404(act.house.tables, pk=table)
        receipt = fees.count(act, table=here, sheet=body["sheet"])
        [event] = acts.events_of(act.house.pk, receipt)
        return Response({"came_to": CAME_TO[event.event_type]})
