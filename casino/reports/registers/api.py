"""Reports as JSON, CSV, XLSX and PDF: read at once, or prepared by a worker."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from django.http import Http404
from django.utils import timezone
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers, status
from rest_framework.renderers import BaseRenderer, JSONRenderer
from rest_framework.response import Response
from rest_framework.reverse import reverse
from rest_framework.views import APIView

from casino.kit.documents import document, writers
from casino.kit.documents.writers import FORMATS, SPREADSHEET
from casino.kit.web.api import bodies, houses, params
from casino.kit.web.api.answers import Shape, names
from casino.kit.web.api.houses import from_replica, own
from casino.kit.web.api.schema import act, describe_operation
from casino.kit.web.jobs import tasks
from casino.kit.web.jobs.models import State
from casino.reports.registers import catalogue, preparing
from casino.reports.registers.catalogue import NoReport
from casino.reports.registers.models import Preparation
from casino.reports.registers.params import TEXT_MAX
from casino.settings.configuration.requests import DoesNotFit
from games.refusals import Malformed

if TYPE_CHECKING:
    from uuid import UUID

    from django.http import HttpResponse
    from django.http.response import HttpResponseBase
    from rest_framework.request import Request

    from casino.house.establishments.models import Establishment
    from casino.kit.documents.report import Report
    from casino.reports.registers.models import PreparedFile

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
        return writers.send_file(found, as_attachment=form != JSON)


def _report(name: str) -> Report:
    try:
        return catalogue.report(name)
    except NoReport as unknown:
        raise Http404(str(unknown)) from unknown


def _format_accepted(request: Request) -> str:
    renderer = request.accepted_renderer
    return renderer.format if isinstance(renderer, _File) else JSON


# The API of reports prepared by a worker: begin, list and stop preparations, get their files.


NEWEST: Final = 100  # prepared reports that are listed

REQUEST: Final = bodies.describe_body(
    {"report": {"type": "string", "enum": list(catalogue.BY_NAME)}},
    asked={
        "type": "object",
        "description": (
            "What stands in the address of the report: day, month, or from and to; through; and the"
            " report's own filters. If absent, the last day that was closed."
        ),
        "additionalProperties": {"type": "string", "maxLength": TEXT_MAX},
    },
)


class KeptFile(Shape):
    format = serializers.CharField()
    name = serializers.CharField()
    sha256 = serializers.CharField()
    size = serializers.IntegerField(help_text="Bytes.")
    made_at = serializers.DateTimeField()
    url = serializers.CharField()


class KeptReport(Shape):
    id = serializers.UUIDField()
    report = serializers.CharField()
    occasion = serializers.CharField(help_text="day: its day was closed; asked.")
    since = serializers.DateField()
    until = serializers.DateField()
    through = serializers.IntegerField(help_text="The ledger position as of which it is told.")
    state = serializers.ChoiceField(["running", "done", "stopped", "failed"])
    asked_by = serializers.CharField(allow_blank=True)
    asked_at = serializers.DateTimeField()
    finished_at = serializers.DateTimeField(allow_null=True)
    files_made = serializers.IntegerField(help_text="Forms that are done, of `files_wanted`.")
    files_wanted = serializers.IntegerField()
    lines = serializers.IntegerField(
        allow_null=True, help_text="About how many a file will have; null: nobody can say."
    )
    written = serializers.IntegerField(help_text="Lines of the file that is made now.")
    reason = serializers.CharField(allow_blank=True, help_text="Why it was not done.")
    files = KeptFile(many=True)


class KeptReports(Shape):
    results = KeptReport(many=True)


class Prepared(APIView):
    @describe_operation(
        "What was prepared and kept, newest first",
        operation_id="reports_prepared_list",
        answers={200: KeptReports},
        errors=(403, 404),
    )
    def get(self, request: Request, establishment: UUID) -> Response:
        """The newest hundred. For managers and auditors."""
        house = own(request, establishment, "audit")
        runs = preparing.newest(house, most=NEWEST)
        files = preparing.files(house, [run.id for run in runs])
        found = [_fields(request, run, files.get(run.id, [])) for run in runs]
        return Response({"results": KeptReport(found, many=True).data})

    @act(
        "Have a report prepared",
        answers={201: KeptReport},
        request=REQUEST,
        parameters=[OpenApiParameter("Location", str, OpenApiParameter.HEADER, response=[201])],
    )
    def post(self, request: Request, establishment: UUID) -> Response:
        """
        A worker makes it in every form, and it is kept; look at its `Location` until `state` is no
        longer `running`. For managers and auditors. Sent again with the same `command_id` it is the
        same preparation. 422 `does_not_fit` names what the report cannot be asked,
        `too_many_preparations` while three are on their way.
        """
        begun, body = houses.begin_act(request, establishment, "audit", REQUEST)
        try:
            run = preparing.begin_by_command(
                by=params.person(request),
                house=begun.house,
                report=catalogue.report(body["report"]),
                given=body["asked"] or {},
                command_id=begun.command_id,
                now=begun.now,
            )
        except Malformed as wrong:  # the schema does not have the filters of each report
            raise DoesNotFit(f"asked.{wrong}") from None
        if run.running:
            tasks.wake(run)
        address = reverse("report-preparation", [begun.house.pk, run.id], request=request)
        return Response(
            _serialise(request, run), status=status.HTTP_201_CREATED, headers={"Location": address}
        )


def _fields(request: Request, run: Preparation, files: list[PreparedFile]) -> dict[str, Any]:
    here = f"/api/v1/establishments/{run.establishment_id}/reports/prepared/{run.id}/"
    return {
        "id": run.id,
        "report": run.report,
        "occasion": run.occasion,
        "since": run.since,
        "until": run.until,
        "through": run.through,
        "state": run.state,
        "asked_by": str(run.asked_by) if run.asked_by else "",
        "asked_at": run.asked_at,
        "finished_at": run.finished_at,
        "files_made": run.reached,
        "files_wanted": len(preparing.STEPS),
        "lines": run.lines,
        "written": run.written,
        "reason": run.reason,
        "files": [
            {
                "format": file.format,
                "name": file.name,
                "sha256": file.sha256,
                "size": file.size,
                "made_at": file.made_at,
                "url": request.build_absolute_uri(f"{here}{file.format}/"),
            }
            for file in files
            if file.sha256 and file.dropped_at is None
        ],
    }


class OnePreparation(APIView):
    @describe_operation(
        "A prepared report, and how far it is", answers={200: KeptReport}, errors=(403, 404)
    )
    def get(self, request: Request, establishment: UUID, preparation: UUID) -> Response:
        """For managers and auditors."""
        house = own(request, establishment, "audit")
        return Response(_serialise(request, _find(house, preparation)))


class StopPreparation(APIView):
    @act("Stop a report that is being prepared", answers={200: KeptReport}, request=bodies.NOTHING)
    def post(self, request: Request, establishment: UUID, preparation: UUID) -> Response:
        """
        The files that are made by then are kept. One that is stopped already stays so; 422
        `not_so_now` for one that is done, or that the house itself has begun.
        """
        begun, _body = houses.begin_act(request, establishment, "audit", bodies.NOTHING)
        run = _find(begun.house, preparation)
        if run.state != State.STOPPED:
            preparing.stop(
                by=params.person(request), house=begun.house, preparation=run.id, now=begun.now
            )
        return Response(_serialise(request, _find(begun.house, preparation)))


def _find(house: Establishment, preparation: UUID) -> Preparation:
    rows = Preparation.objects.filter(establishment=house, id=preparation)
    run = rows.select_related("asked_by").first()
    if run is None:
        raise Http404("This house has prepared no such report.")
    return run


def _serialise(request: Request, run: Preparation) -> dict[str, Any]:
    made = preparing.files(run.establishment, [run.id]).get(run.id, [])
    serialized: dict[str, Any] = KeptReport(_fields(request, run, made)).data
    return serialized


class OnePrepared(APIView):
    renderer_classes = RENDERERS

    @describe_operation(
        "A prepared file, as it was kept",
        answers=IN_ALL_FORMS,
        operation_id="reports_prepared_file",
        errors=(403, 404),
    )
    @from_replica
    def get(
        self, request: Request, establishment: UUID, preparation: UUID, form: str
    ) -> HttpResponse:
        """The bytes whose SHA-256 the list has. For managers and auditors."""
        house = own(request, establishment, "audit")
        kept = preparing.file_with_bytes(house, preparation, form)
        if kept is None:
            raise Http404("There is no such file.")
        return writers.send_bytes(
            bytes(kept.content), kept.name, FORMATS[form].media_type, as_attachment=form != JSON
        )
