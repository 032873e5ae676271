"""API of the house's accounts: the chart of all accounts, and the statement of each (A3)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from django.http import Http404
from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers
from rest_framework.response import Response
from rest_framework.utils.urls import replace_query_param
from rest_framework.views import APIView

from casino.house.attendants import permissions
from casino.kit.web.api import paging, params
from casino.kit.web.api.answers import Shape
from casino.kit.web.api.houses import own, role_at
from casino.kit.web.api.schema import describe_operation
from casino.kit.web.listings.api import fields, viewer
from casino.money.cash import balance_snapshots
from casino.money.cash.accounts import queries as accounts
from casino.money.cash.accounts import statements
from casino.money.cash.accounts.queries import accounts_of
from casino.money.cash.accounts.statements import At
from casino.money.cash.custody_api import SEALED
from games.refusals import Malformed
from ledger.accounts import AccountRef, Kind

if TYPE_CHECKING:
    from collections.abc import Iterable
    from uuid import UUID

    from rest_framework.request import Request

    from casino.house.establishments.models import Establishment
    from casino.money.cash.accounts.queries import Group
    from casino.money.cash.accounts.statements import Line

NAME: Final = re.compile(r"[ -~]{1,200}")
CURSOR: Final = r"[0-9]{1,15}\.[0-9]{1,9}"
TOGETHER: Final = 100  # accounts of a kind in one answer
NOW: Final = 2**53  # greater than every position
POSITION: Final = {"type": "integer", "minimum": 0, "maximum": params.NUMBER_MAX}


class GroupShape(Shape):
    kind = serializers.CharField(help_text="Such as cage, float, stake, pot, fees.")
    title = serializers.CharField()
    balance = serializers.IntegerField(allow_null=True, help_text=SEALED)


class ChartShape(Shape):
    """Every account group through a position of the ledger."""

    position = serializers.IntegerField(help_text="Through which it is; -1: an empty ledger.")
    head = serializers.IntegerField(help_text="The ledger's last position.")
    cash = GroupShape(many=True, help_text="What the house has in its hands.")
    players = GroupShape(many=True, help_text="What it owes players.")
    house = GroupShape(many=True, help_text="What is its own.")
    cash_total = serializers.IntegerField(allow_null=True, help_text=SEALED)
    players_total = serializers.IntegerField()
    house_total = serializers.IntegerField(allow_null=True, help_text=SEALED)
    covered = serializers.BooleanField(help_text="Cash is at least what is owed to players.")


class AccountShape(Shape):
    account = serializers.CharField(help_text="kind:name, as in the ledger.")
    title = serializers.CharField()
    balance = serializers.IntegerField(allow_null=True, help_text=SEALED)


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
    @describe_operation(
        "Every account group, and whether cash covers what is owed",
        answers={200: ChartShape},
        operation_id="accounts_chart",
        errors=(400, 403, 404),
        parameters=[OpenApiParameter("at", POSITION, description="A position; now if absent.")],
    )
    def get(self, request: Request, establishment: UUID) -> Response:
        house = own(request, establishment, "audit")
        chart = accounts.chart(house, role_at(request, house), _position(request))
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
    @describe_operation(
        "The accounts of a kind that hold something",
        answers={200: AccountsShape},
        operation_id="accounts_of_kind",
        errors=(400, 403, 404),
        parameters=[OpenApiParameter("after", {"type": "string", "pattern": f"^{NAME.pattern}$"})],
    )
    def get(self, request: Request, establishment: UUID, kind: str) -> Response:
        house = own(request, establishment, "audit")
        after = request.query_params.get("after", "")
        if after and NAME.fullmatch(after) is None:
            raise Malformed("after: take it from next of a page before.", field="after")
        known, looks = _kind(kind), viewer(request, house)
        rows = accounts.holding(house, known, looks.role).filter(name__gt=after).order_by("name")
        found = list(rows[: TOGETHER + 1])
        further = found[TOGETHER - 1].name if len(found) > TOGETHER else None
        here = request.build_absolute_uri()
        return Response(
            {
                "next": replace_query_param(here, "after", further) if further else None,
                "results": fields(accounts_of(known), looks, found[:TOGETHER]),
            }
        )


class Statement(APIView):
    @describe_operation(
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
        house = own(request, establishment, "audit")
        if NAME.fullmatch(name) is None:
            raise Http404
        account = AccountRef(_kind(kind), name)
        if account in accounts.hidden(house, role_at(request, house)):
            raise permissions.NotYours("It is being counted: ask when the count is over. B1")
        statement = _page(request, house, account)
        here = request.build_absolute_uri().partition("?")[0]
        return Response(
            {
                "account": str(account),
                "title": accounts.titles(house, [account])[account],
                "balance": balance_snapshots.through(house.pk, account, NOW).of(account.kind),
                "next": replace_query_param(here, "older", statement.older)
                if statement.older
                else None,
                "previous": replace_query_param(here, "newer", statement.newer)
                if statement.newer
                else None,
                "results": _lines(house, statement.lines),
            }
        )


def _position(request: Request) -> int | None:
    if "at" not in request.query_params:
        return None
    return params.number(request, "at", default=0, least=0)


def _groups(groups: Iterable[Group]) -> list[dict[str, Any]]:
    return [{"kind": each.kind, "title": each.title, "balance": each.balance} for each in groups]


def _kind(kind: str) -> Kind:
    try:
        return Kind(kind)
    except ValueError:
        raise Http404 from None


def _page(request: Request, house: Establishment, account: AccountRef) -> statements.Statement:
    limit = params.number(request, "limit", default=statements.PAGE, least=1, most=paging.PAGE_MAX)
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
    listed = list(lines)
    called = accounts.titles(house, [line.other for line in listed])
    return [
        {
            "at": str(line.at),
            "transfer_id": str(line.transfer_id),
            "recorded_at": line.recorded_at,
            "gaming_day": line.gaming_day,
            "reason": line.reason,
            "why": statements.sentence(line.reason, reverses=line.reverses is not None),
            "rules": statements.rules(line.reason),
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
        for line in listed
    ]
