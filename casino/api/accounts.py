"""The house's accounts: all of them, any one line by line; cage and bank; fee boxes (A3, A5)."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import TYPE_CHECKING, Any, Final

from django.http import Http404
from django.shortcuts import get_object_or_404
from django.utils import timezone
from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers, status
from rest_framework.generics import ListAPIView
from rest_framework.response import Response
from rest_framework.utils.urls import replace_query_param
from rest_framework.views import APIView

from casino.api import bodies, paging, reading
from casino.api.answers import Shape
from casino.api.establishments import own
from casino.api.schema import DEVICE, documented
from casino.approvals import requests
from casino.approvals.queries import names as people_named
from casino.attendants import permissions
from casino.cash import accounts, bank, fees, marks, reasons, statements
from casino.cash.book_models import CageSlip
from casino.cash.sheets import PIECES_MOST
from casino.cash.statements import At
from casino.establishments.days import current
from casino.players import veil
from games.refusals import Malformed
from ledger.accounts import AccountRef, Kind

if TYPE_CHECKING:
    from collections.abc import Iterable
    from uuid import UUID

    from rest_framework.request import Request

    from casino.cash.accounts import Group
    from casino.cash.statements import Line
    from casino.establishments.models import Establishment

NAME: Final = re.compile(r"[ -~]{1,200}")
CURSOR: Final = r"[0-9]{1,15}\.[0-9]{1,9}"
NOW: Final = 2**53  # behind every position
DAYS: Final = 14
POSITION: Final = {"type": "integer", "minimum": 0, "maximum": reading.NUMBER_MAX}
WRITING: Final = (400, 403, 404, 409, 413, 415, 422)
HIDDEN: Final = "Null while it is counted, for whoever may be the second to count it (B1)."


class GroupShape(Shape):
    kind = serializers.CharField(help_text="Such as cage, float, stake, pot, fees.")
    title = serializers.CharField()
    balance = serializers.IntegerField(allow_null=True, help_text=HIDDEN)


class ChartShape(Shape):
    """Every account group through a position of the ledger."""

    position = serializers.IntegerField(help_text="Through which it is; -1: an empty ledger.")
    head = serializers.IntegerField(help_text="The ledger's last position.")
    cash = GroupShape(many=True, help_text="What the house has in its hands.")
    players = GroupShape(many=True, help_text="What it owes players.")
    house = GroupShape(many=True, help_text="What is its own.")
    cash_total = serializers.IntegerField(allow_null=True, help_text=HIDDEN)
    players_total = serializers.IntegerField()
    house_total = serializers.IntegerField(allow_null=True, help_text=HIDDEN)
    covered = serializers.BooleanField(help_text="Cash is at least what is owed to players.")


class AccountShape(Shape):
    account = serializers.CharField(help_text="kind:name, as in the ledger.")
    title = serializers.CharField()
    balance = serializers.IntegerField(allow_null=True, help_text=HIDDEN)


class AccountsShape(Shape):
    next = serializers.CharField(allow_null=True)
    results = AccountShape(many=True)


class LineShape(Shape):
    at = serializers.CharField(help_text="Where it lies: position and seq, as 120.0.")
    transfer_id = serializers.UUIDField()
    recorded_at = serializers.DateTimeField()
    gaming_day = serializers.DateField()
    reason = serializers.CharField()
    why = serializers.CharField(help_text="The reason in a sentence.")
    rules = serializers.ListField(child=serializers.CharField())
    event_type = serializers.CharField(help_text="Of the event that booked it.")
    stream = serializers.CharField()
    actor = serializers.CharField()
    other = serializers.CharField(help_text="The other account, kind:name.")
    other_title = serializers.CharField()
    debit = serializers.IntegerField()
    credit = serializers.IntegerField()
    balance = serializers.IntegerField(help_text="What the account held after it.")
    reverses = serializers.UUIDField(allow_null=True)


class StatementShape(Shape):
    account = serializers.CharField()
    title = serializers.CharField()
    balance = serializers.IntegerField(help_text="Now.")
    next = serializers.CharField(allow_null=True, help_text="Older lines.")
    previous = serializers.CharField(allow_null=True, help_text="Newer lines.")
    results = LineShape(many=True)


class Chart(APIView):
    @documented(
        "Every account group, and whether cash covers what is owed",
        answers={200: ChartShape},
        operation_id="accounts_chart",
        errors=(400, 403, 404),
        parameters=[OpenApiParameter("at", POSITION, description="A position; now if absent.")],
    )
    def get(self, request: Request, establishment: UUID) -> Response:
        house, role = books_of(request, establishment)
        at = _position(request)
        chart = accounts.chart(house, role, at)
        return Response(
            {
                "position": chart.position,
                "head": chart.head,
                "cash": _groups(chart.cash),
                "players": _groups(chart.players),
                "house": _groups(chart.house),
                "cash_total": chart.cash_total,
                "players_total": chart.players_total,
                "house_total": chart.house_total,
                "covered": chart.covered,
            }
        )


class OfKind(APIView):
    @documented(
        "The accounts of a kind that hold something",
        answers={200: AccountsShape},
        operation_id="accounts_of_kind",
        errors=(400, 403, 404),
        parameters=[OpenApiParameter("after", {"type": "string", "pattern": f"^{NAME.pattern}$"})],
    )
    def get(self, request: Request, establishment: UUID, kind: str) -> Response:
        house, role = books_of(request, establishment)
        after = request.query_params.get("after", "")
        if after and NAME.fullmatch(after) is None:
            raise Malformed("after: take it from next of a page before.", field="after")
        rows, further = accounts.of_kind(house, _kind(kind), role, after=after)
        here = request.build_absolute_uri()
        return Response(
            {
                "next": replace_query_param(here, "after", further) if further else None,
                "results": [
                    {
                        "account": str(row.account),
                        "title": row.title,
                        "balance": row.balance,
                    }
                    for row in rows
                ],
            }
        )


class Statement(APIView):
    @documented(
        "An account line by line, the newest first, with its running balance",
        answers={200: StatementShape},
        operation_id="account_statement",
        errors=(400, 403, 404),
        parameters=[
            OpenApiParameter("older", {"type": "string", "pattern": f"^{CURSOR}$"}),
            OpenApiParameter("newer", {"type": "string", "pattern": f"^{CURSOR}$"}),
            OpenApiParameter("at", POSITION, description="Through a position."),
            OpenApiParameter(
                "limit", {"type": "integer", "minimum": 1, "maximum": paging.PAGE_MAX}
            ),
        ],
    )
    def get(self, request: Request, establishment: UUID, kind: str, name: str) -> Response:
        house, role = books_of(request, establishment)
        if NAME.fullmatch(name) is None:
            raise Http404
        account = AccountRef(_kind(kind), name)
        if account in accounts.hidden(house, role):
            raise permissions.NotYours("It is being counted: ask when the count is over. B1")
        shown = _page(request, house, account)
        here = request.build_absolute_uri().partition("?")[0]
        return Response(
            {
                "account": str(account),
                "title": accounts.titles(house, [account])[account],
                "balance": marks.through(house.pk, account, NOW).of(account.kind),
                "next": replace_query_param(here, "older", shown.older) if shown.older else None,
                "previous": replace_query_param(here, "newer", shown.newer)
                if shown.newer
                else None,
                "results": _lines(house, shown.lines),
            }
        )


def books_of(request: Request, establishment: UUID) -> tuple[Establishment, str]:
    """
    The house whose books the person may look into, and their role there.

    :raises NotYours: if their role does not let them.
    """
    house = own(request, establishment)
    person = reading.person(request)
    permissions.require(person, "audit", house)
    return house, permissions.roles(person)[house.pk]


def _position(request: Request) -> int | None:
    if "at" not in request.query_params:
        return None
    return reading.number(request, "at", default=0, least=0)


def _groups(groups: Iterable[Group]) -> list[dict[str, Any]]:
    return [{"kind": each.kind, "title": each.title, "balance": each.balance} for each in groups]


def _kind(kind: str) -> Kind:
    try:
        return Kind(kind)
    except ValueError:
        raise Http404 from None


def _page(request: Request, house: Establishment, account: AccountRef) -> statements.Statement:
    limit = reading.number(request, "limit", default=statements.PAGE, least=1, most=paging.PAGE_MAX)
    older, newer = _cursor(request, "older"), _cursor(request, "newer")
    if (at := _position(request)) is not None and older is None and newer is None:
        older = statements.through_position(at)
    return statements.page(house.pk, account, older_than=older, newer_than=newer, limit=limit)


def _cursor(request: Request, name: str) -> At | None:
    given = request.query_params.get(name)
    if given is None:
        return None
    try:
        if re.fullmatch(CURSOR, given, re.ASCII) is not None:
            return At.parse(given)
    except ValueError:
        pass
    raise Malformed(f"{name}: take it from a page before.", field=name)


def _lines(house: Establishment, lines: Iterable[Line]) -> list[dict[str, Any]]:
    shown = list(lines)
    called = accounts.titles(house, [line.other for line in shown])
    return [
        {
            "at": str(line.at),
            "transfer_id": str(line.transfer_id),
            "recorded_at": line.recorded_at,
            "gaming_day": line.gaming_day,
            "reason": line.reason,
            "why": reasons.sentence(line.reason, reverses=line.reverses is not None),
            "rules": reasons.rules(line.reason),
            "event_type": line.event_type,
            "stream": line.stream,
            "actor": line.actor,
            "other": str(line.other),
            "other_title": called[line.other],
            "debit": line.debit,
            "credit": line.credit,
            "balance": line.balance,
            "reverses": line.reverses,
        }
        for line in shown
    ]


# --- Cage and bank -----------------------------------------------------------------------------

CAGE: Final = bodies.described(
    {
        "way": {"type": "string", "enum": CageSlip.Way.values},
        "amount": bodies.COINS,
        "reason": bodies.REASON,
    }
)


class Asked(Shape):
    """What was asked for: another person approves it under `approvals/`."""

    request = serializers.UUIDField()
    position = serializers.IntegerField(help_text="Of the event that asked.")


class CageRow(serializers.ModelSerializer[CageSlip]):
    reason = serializers.SerializerMethodField()

    class Meta:
        model = CageSlip
        fields = [
            "number", "way", "amount", "reason", "asked_by", "approved_by", "at", "gaming_day",
            "position",
        ]  # fmt: skip

    def get_reason(self, slip: CageSlip) -> str:
        words: dict[str, str] = self.context.get("words", {})
        return words.get(slip.reason, "")


class ByNumber(paging.SignedCursorPagination):
    ordering = ("-number",)


class Cage(ListAPIView[CageSlip]):
    queryset = CageSlip.objects.none()
    serializer_class = CageRow
    pagination_class = ByNumber

    @documented(
        "Cash between cage and bank, by number, newest first",
        answers={200: CageRow(many=True)},
        errors=(400, 403, 404),
    )
    def get(self, request: Request, establishment: UUID) -> Response:
        house, _role = books_of(request, establishment)
        rows = CageSlip.objects.filter(establishment=house)
        page = self.paginate_queryset(rows) or []
        said = veil.unveil(house.pk, [each.reason for each in page])
        words = dict(zip([each.reason for each in page], said, strict=True))
        shown = CageRow(page, many=True, context={"words": words})
        return self.get_paginated_response(shown.data)

    @documented(
        "Ask for capital to come into the cage, or for cash to go to the bank",
        answers={202: Asked},
        errors=WRITING,
        request=CAGE,
        parameters=[DEVICE],
    )
    def post(self, request: Request, establishment: UUID) -> Response:
        """Nothing moves before another person has approved it."""
        house = own(request, establishment)
        told = bodies.read(request, CAGE)
        receipt = bank.ask(
            bodies.act(request, house, told),
            way=told["way"],
            amount=told["amount"],
            reason=told["reason"],
        )
        return asked(house, told["command_id"], receipt.last_position)


def asked(house: Establishment, command_id: UUID, position: int | None) -> Response:
    """A request that waits for its approval now."""
    request = requests.id_of(house.pk, command_id)
    told = {"request": str(request), "position": position}
    return Response(told, status=status.HTTP_202_ACCEPTED)


# --- Fee boxes ---------------------------------------------------------------------------------

COUNT: Final = bodies.described(
    {
        "sheet": {
            "type": "object",
            "description": "Value of a piece to number of pieces, as the house's denominations.",
            "additionalProperties": {"type": "integer", "minimum": 0, "maximum": PIECES_MOST},
        }
    }
)


class BoxShape(Shape):
    table = serializers.UUIDField()
    name = serializers.CharField()
    expected = serializers.IntegerField(allow_null=True, help_text=HIDDEN)
    counted_by = serializers.CharField(
        allow_null=True, help_text="Who is in; their sheet is sealed."
    )


class FeeDayShape(Shape):
    gaming_day = serializers.DateField()
    table = serializers.UUIDField()
    taken = serializers.IntegerField(allow_null=True, help_text=HIDDEN)
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
    came_to = serializers.ChoiceField(["sealed", "differed", "agreed"])


class FeeBoxes(APIView):
    @documented(
        "Fee boxes: which are to be counted, what was taken and found",
        answers={200: FeeBoxesShape},
        errors=(404,),
    )
    def get(self, request: Request, establishment: UUID) -> Response:
        house = own(request, establishment)
        role = permissions.roles(reading.person(request))[house.pk]
        sees = role not in permissions.ALLOWED["record"]
        today = current(house, timezone.now())
        days = fees.days(house, since=today - timedelta(days=DAYS - 1), until=today)
        return Response(
            {
                "waiting": list(_waiting(house, sees=sees)),
                "days": [
                    {
                        "gaming_day": row.gaming_day,
                        "table": str(row.table),
                        "taken": row.taken if sees or each.counted_on else None,
                        "expected": row.expected if row.counts else None,
                        "counted": row.counted if row.counts else None,
                        "over_short": row.over_short if row.counts else None,
                        "counted_on": each.counted_on,
                    }
                    for each in days
                    for row in [each.row]
                ],
            }
        )


def _waiting(house: Establishment, *, sees: bool) -> Iterable[dict[str, Any]]:
    found = [
        (table, held, fees.running(house.pk, table.pk)) for table, held in fees.uncounted(house)
    ]
    people = people_named({now.first.provenance.actor for _t, _h, now in found if now.first})
    for table, held, now in found:
        yield {
            "table": str(table.pk),
            "name": table.name,
            "expected": held if sees else None,
            "counted_by": people[now.first.provenance.actor] if now.first else None,
        }


class FeeCounts(APIView):
    @documented(
        "Enter one's own count of a fee box: the first of two, or the second",
        answers={200: FeeCounted},
        errors=WRITING,
        request=COUNT,
        parameters=[DEVICE],
    )
    def post(self, request: Request, establishment: UUID, table: UUID) -> Response:
        """
        `sealed`: a second person counts now. `differed`: both are on record, both count again.
        `agreed`: the box is in the cage. 422 `same_counter`, `not_a_count`.
        """
        house = own(request, establishment)
        here = get_object_or_404(house.tables, pk=table)
        told = bodies.read(request, COUNT)
        fees.count(bodies.act(request, house, told), table=here, sheet=told["sheet"])
        now = fees.running(house.pk, here.pk)
        came_to = "sealed" if now.first else "differed" if now.attempt > 1 else "agreed"
        return Response({"came_to": came_to})
