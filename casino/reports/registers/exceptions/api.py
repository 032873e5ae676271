"""The API of the exception report (C2)."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING, Any, Final

from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers
from rest_framework.response import Response
from rest_framework.utils.urls import replace_query_param
from rest_framework.views import APIView

from casino.house.attendants import permissions
from casino.kit.web.api import paging, params
from casino.kit.web.api.answers import Shape
from casino.kit.web.api.houses import OVERSEEING, from_replica, own, role_at
from casino.kit.web.api.schema import describe_operation
from casino.reports.registers.exceptions import queries as exceptions
from casino.reports.registers.exceptions.queries import KINDS, Criteria

if TYPE_CHECKING:
    from uuid import UUID

    from rest_framework.request import Request

    from casino.house.establishments.models import Establishment
    from casino.reports.registers.exceptions.queries import Line

NAMES: Final = [str(name) for name in KINDS]


class ExceptionPerson(Shape):
    id = serializers.CharField(help_text="An attendant's id, or the program's part that did it.")
    name = serializers.CharField()


class ExceptionShape(Shape):
    """One entry of the ledger that is out of the ordinary."""

    position = serializers.IntegerField(help_text="In the house's ledger.")
    gaming_day = serializers.DateField()
    recorded_at = serializers.DateTimeField()
    occurred_at = serializers.DateTimeField()
    kind = serializers.CharField(help_text="One of those that the filter knows.")
    title = serializers.CharField(help_text="The kind in words.")
    control = serializers.CharField(help_text="Which control asks for it, such as C1.")
    late = serializers.CharField(
        allow_blank=True,
        help_text="Where its times lie apart, whatever else it is: late, booked or skew.",
    )
    seconds = serializers.IntegerField(help_text="How much later it was recorded, if late.")
    what = serializers.CharField()
    where = serializers.CharField(allow_blank=True, help_text="Game and table, or table.")
    amount = serializers.IntegerField(
        allow_null=True, help_text="Whole coins; of a count: over, or below 0 short."
    )
    asked_by = ExceptionPerson(help_text="Or who did it, where nobody had to be asked.")
    decided_by = ExceptionPerson(allow_null=True, help_text="The second person, if there was one.")
    alone = serializers.BooleanField(help_text="Without the second person that it takes (D1b).")
    reviewed_by = ExceptionPerson(allow_null=True, help_text="Only of what was done alone.")
    in_order = serializers.BooleanField(allow_null=True, help_text="What the reviewer found.")
    reason = serializers.CharField(allow_blank=True, help_text="Of who asked.")
    decision = serializers.CharField(allow_blank=True, help_text="Of who decided.")
    url = serializers.CharField(allow_blank=True, help_text="The page of the thing itself.")
    event_type = serializers.CharField()
    stream = serializers.CharField()


class ExceptionsShape(Shape):
    next = serializers.CharField(allow_null=True, help_text="Older ones.")
    results = ExceptionShape(many=True)


class Exceptions(APIView):
    @describe_operation(
        "What is out of the ordinary, newest first",
        answers={200: ExceptionsShape},
        errors=(400, 403, 404),
        parameters=[
            OpenApiParameter(
                "from", {"type": "string", "format": "date"}, description="The first gaming day."
            ),
            OpenApiParameter(
                "to", {"type": "string", "format": "date"}, description="The last gaming day."
            ),
            OpenApiParameter("kind", {"type": "string", "enum": NAMES}),
            OpenApiParameter(
                "person",
                {"type": "string", "format": "uuid"},
                description="Who asked, did or decided it.",
            ),
            OpenApiParameter(
                "before", {"type": "integer", "minimum": 0}, description="Only older positions."
            ),
            OpenApiParameter(
                "limit",
                {"type": "integer", "minimum": 1, "maximum": paging.PAGE_MAX},
                description=f"{paging.PAGE} if absent.",
            ),
        ],
    )
    @from_replica
    def get(self, request: Request, establishment: UUID) -> Response:
        """
        For supervisors, managers and auditors. Each entry of the ledger stands here once; a void
        that came late is a `void` with `late`, and `kind=late` finds it too.
        """
        house = own(request, establishment, *OVERSEEING)
        before = params.number(request, "before", default=-1, least=0)
        lines, older = exceptions.page(
            house,
            _criteria(request),
            most=params.number(
                request, "limit", default=paging.PAGE, least=1, most=paging.PAGE_MAX
            ),
            before=None if before < 0 else before,
        )
        here = request.build_absolute_uri()
        return Response(
            {
                "next": None if older is None else replace_query_param(here, "before", older),
                "results": _fields(request, house, lines),
            }
        )


def _criteria(request: Request) -> Criteria:
    """:raises Malformed: if a filter can be nothing."""
    person = params.identity(request, "person")
    return Criteria(
        since=params.day(request, "from"),
        until=params.day(request, "to"),
        kind=params.choice(request, "kind", NAMES) or "",
        person=str(person) if person else "",
    )


def _fields(request: Request, house: Establishment, lines: list[Line]) -> list[dict[str, Any]]:
    audits = role_at(request, house) in permissions.ALLOWED["audit"]
    rows = [
        {
            **{each.name: getattr(line, each.name) for each in fields(line)},
            "url": exceptions.address(line, audits=audits),
        }
        for line in lines
    ]
    return list(ExceptionShape(rows, many=True).data)
