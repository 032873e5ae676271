"""API of the tables' current cash: blind counts, handovers, signing for slips (B1, B2, B3)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, get_args

from django.shortcuts import get_object_or_404
from rest_framework import serializers
from rest_framework.response import Response
from rest_framework.views import APIView

from casino.house.custody.stream import Purpose
from casino.kit.web.api import acts, bodies, params, schema
from casino.kit.web.api.answers import Shape, coins
from casino.kit.web.api.houses import own, role_at
from casino.money.cash import counting, handover, queries, slips
from games.payments import COINS_MAX

if TYPE_CHECKING:
    from uuid import UUID

    from rest_framework.request import Request

    from casino.house.acts.acts import Act
    from casino.house.attendants.models import Attendant
    from casino.house.establishments.models import Establishment, Table
    from casino.money.cash.queries import TableCash

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
        act, body = acts.begin_act(request, establishment, "record", ACTING)
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
            handover.sign_over(act, table=table, seen=body["seen"])
        case "take_over":
            handover.take_over(act, table=table, seen=body["seen"])
        case _:
            slips.receive(act, table=table, number=body["slip"])
