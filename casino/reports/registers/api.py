"""Reports as JSON, CSV, XLSX and PDF."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from django.http import Http404
from django.utils import timezone
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers
from rest_framework.renderers import BaseRenderer, JSONRenderer
from rest_framework.response import Response
from rest_framework.views import APIView

from casino.kit.documents import document, sending
from casino.kit.documents.writers import FORMATS, SPREADSHEET
from casino.kit.web.api import params
from casino.kit.web.api.answers import Shape, names
from casino.kit.web.api.houses import from_replica, own
from casino.kit.web.api.schema import describe_operation
from casino.reports.registers import catalogue, preparing
from casino.reports.registers.catalogue import NoReport

if TYPE_CHECKING:
    from uuid import UUID

    from django.http.response import HttpResponseBase
    from rest_framework.request import Request

    from casino.kit.documents.report import Report

JSON: Final = "json"


class _File(BaseRenderer):
    """Serves clients that accept only such a file; errors are in JSON."""

    charset = None

    def render(self, data: Any, *_context: Any, **_more: Any) -> bytes:
        return json.dumps(data).encode()


class Csv(_File):
    media_type = "text/csv"
    format = "csv"


class Xlsx(_File):
    media_type = SPREADSHEET
    format = "xlsx"


class Pdf(_File):
    media_type = "application/pdf"
    format = "pdf"


RENDERERS: Final = [JSONRenderer, Csv, Xlsx, Pdf]
FILES: Final[dict[Any, Any]] = {
    (200, each.media_type): OpenApiTypes.BINARY for each in (Csv, Xlsx, Pdf)
}
"""The answers in other formats than JSON, for the API's description."""


class ReportFilter(Shape):
    name = serializers.CharField(help_text="Of the parameter.")
    title = serializers.CharField()
    choices = serializers.DictField(
        child=serializers.CharField(), allow_null=True, help_text="By value; null: any text."
    )


class ReportShape(Shape):
    name = serializers.CharField(help_text="In addresses.")
    title = serializers.CharField()
    about = serializers.CharField()
    controls = names(help_text="What asks for it, such as A5.")
    long = serializers.BooleanField(help_text="A worker prepares it, on its page.")
    formats = names()
    filters = ReportFilter(many=True)


class ReportsShape(Shape):
    results = ReportShape(many=True)


class ReportColumn(Shape):
    name = serializers.CharField()
    title = serializers.CharField()
    kind = serializers.CharField()


class ReportFigure(Shape):
    name = serializers.CharField()
    title = serializers.CharField()
    kind = serializers.CharField()
    value = serializers.JSONField(help_text="null: there is nothing to say.")
    agrees = serializers.BooleanField(
        allow_null=True, help_text="With the ledger; null: it is nothing to be compared."
    )


class ReportTable(Shape):
    name = serializers.CharField()
    title = serializers.CharField()
    columns = ReportColumn(many=True)
    rows = serializers.ListField(
        child=serializers.DictField(),
        help_text="By the names of columns; position: the ledger event that a row comes from.",
    )
    totals = serializers.DictField(child=serializers.IntegerField())


class WrittenReport(Shape):
    """docs/reference/reports.md says what stands in the header."""

    report = serializers.CharField()
    title = serializers.CharField()
    header = serializers.DictField()
    figures = ReportFigure(many=True)
    tables = ReportTable(many=True)


IN_ALL_FORMS: Final[dict[Any, Any]] = {(200, "application/json"): WrittenReport, **FILES}


class Reports(APIView):
    @describe_operation(
        "The reports there are",
        operation_id="reports_list",
        answers={200: ReportsShape},
        errors=(403, 404),
    )
    def get(self, request: Request, establishment: UUID) -> Response:
        """For managers and auditors."""
        house = own(request, establishment, "audit")
        found = [
            {
                "name": each.name,
                "title": str(each.title),
                "about": str(each.about),
                "controls": list(each.controls),
                "long": each.long,
                "formats": list(FORMATS),
                "filters": [
                    {
                        "name": one.name,
                        "title": str(one.title),
                        "choices": dict(one.choices(house)) if one.choices else None,
                    }
                    for one in each.filters
                ],
            }
            for each in catalogue.REPORTS
        ]
        return Response({"results": ReportShape(found, many=True).data})


A_DAY: Final = {"type": "string", "format": "date"}
PERIOD: Final = [
    OpenApiParameter("day", A_DAY, description="One gaming day. The last closed, if none is said."),
    OpenApiParameter(
        "month",
        {"type": "string", "pattern": "^[0-9]{4}-(0[1-9]|1[0-2])$"},
        description="Instead of day.",
    ),
    OpenApiParameter("from", A_DAY, description="The first gaming day, with to; instead of day."),
    OpenApiParameter("to", A_DAY, description="The last gaming day."),
    OpenApiParameter(
        "through",
        {"type": "string", "pattern": "^(head|[0-9]{1,16})$"},
        description=(
            "The ledger position as of which it is told, or head. If absent: where the last of the"
            " days was closed; of an open day, head."
        ),
    ),
    OpenApiParameter(
        "format", {"type": "string", "enum": ["json", "csv", "xlsx", "pdf"]},
        description="Or by Accept; json if neither says.",
    ),
]  # fmt: skip


class OneReport(APIView):
    renderer_classes = RENDERERS

    @describe_operation(
        "A report, with its provenance",
        operation_id="reports_retrieve",
        answers=IN_ALL_FORMS,
        errors=(400, 403, 404, 422),
        parameters=PERIOD,
        takes_more=True,
    )
    @from_replica
    def get(self, request: Request, establishment: UUID, report: str) -> HttpResponseBase:
        """
        For managers and auditors. A closed day is told as it was frozen, and the same request with
        the same `through` gives the same rows for ever. A report's own filters stand in the list of
        reports. What takes more than 31 days, or is long, is `needs_worker`: have it prepared.
        """
        house = own(request, establishment, "audit")
        wanted = _report(report)
        given = request.query_params.dict()
        given.pop("format", None)
        form = params.choice(request, "format", tuple(FORMATS)) or _format_accepted(request)
        person = str(params.person(request))
        with document.in_turn():
            made = preparing.ready(house, wanted, given, asked_by=person, now=timezone.now())
            found = preparing.file(made, FORMATS[form])
        return sending.send(found, as_attachment=form != JSON)


def _report(name: str) -> Report:
    try:
        return catalogue.report(name)
    except NoReport as unknown:
        raise Http404(str(unknown)) from unknown


def _format_accepted(request: Request) -> str:
    renderer = request.accepted_renderer
    return renderer.format if isinstance(renderer, _File) else JSON
