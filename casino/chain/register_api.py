"""The chain's register for programs, as JSON, CSV, XLSX and PDF."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils import timezone
from rest_framework.views import APIView

from casino.chain import registers
from casino.chain.api import member
from casino.kit.documents import document, sending
from casino.kit.documents.writers import FORMATS, filename, write
from casino.kit.web.api import params
from casino.kit.web.api.schema import describe_operation
from casino.reports.registers.api import IN_ALL_FORMS, PERIOD, RENDERERS

if TYPE_CHECKING:
    from django.http.response import HttpResponseBase
    from rest_framework.request import Request


class Register(APIView):
    renderer_classes = RENDERERS

    @describe_operation(
        "What closed gaming days came to at the houses of one's chain",
        answers=IN_ALL_FORMS,
        errors=(400, 403, 404),
        parameters=[each for each in PERIOD if each.name != "through"],
    )
    def get(self, request: Request) -> HttpResponseBase:
        """
        By currency and by house. Coins of different currencies are never added; `position` is that
        of the house's own ledger on which its figures rest.
        """
        mine, now = member(request), timezone.now()
        given = request.query_params.dict()
        given.pop("format", None)
        accepted = request.accepted_renderer
        form = params.choice(request, "format", tuple(FORMATS)) or str(accepted.format)
        asked = registers.query(mine.chain.as_house(), given, now)
        with document.in_turn():
            made = document.make_document(
                registers.DAYS, asked, asked_by=str(params.person(request)), generated_at=now
            )
            kind = FORMATS[form]
            file = sending.File(
                name=filename(made, kind), media_type=kind.media_type, content=write(made, kind)
            )
        return sending.send(file, as_attachment=form != "json")
