"""The API of disputes (C3): their list, one dispute in full, and its bundle as a file."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from django.http import Http404, StreamingHttpResponse
from django.utils import timezone
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema_serializer
from rest_framework import serializers
from rest_framework.renderers import BaseRenderer, JSONRenderer
from rest_framework.response import Response
from rest_framework.views import APIView

from casino.kit.web.api import params
from casino.kit.web.api.answers import PAGE, Shape
from casino.kit.web.api.houses import OVERSEEING, own
from casino.kit.web.api.schema import describe_operation
from casino.kit.web.listings.api import list_view, values, viewer
from casino.proof.disputes import bundle, queries
from casino.proof.disputes.listings import DISPUTES
from casino.words.presenters import registered

if TYPE_CHECKING:
    from uuid import UUID

    from rest_framework.request import Request

    from casino.house.establishments.models import Establishment
    from casino.proof.disputes.models import DisputeRow
    from casino.proof.disputes.queries import Whole


class DisputeShape(Shape):
    game = serializers.UUIDField()
    dispute = serializers.IntegerField(help_text="Its number: of the game's event that raised it.")
    position = serializers.IntegerField(help_text="Of that event in the house's ledger.")
    kind = serializers.CharField(help_text=f"Of game: {registered.examples()} …")
    table = serializers.UUIDField()
    round = serializers.IntegerField()
    payout = serializers.CharField(
        allow_null=True, help_text='Event and payment, like "12.0"; null: all that the round pays.'
    )
    reason = serializers.CharField()
    state = serializers.CharField(help_text="open, stands, voided or adjusted.")
    raised_by = serializers.CharField()
    raised_at = serializers.DateTimeField()
    gaming_day = serializers.DateField()
    voided_position = serializers.IntegerField(
        allow_null=True, help_text="Of the void that cancelled what it is about, if one did."
    )
    decided_by = serializers.CharField(allow_null=True)
    decided_at = serializers.DateTimeField(allow_null=True)
    decided_position = serializers.IntegerField(allow_null=True)
    decision = serializers.CharField(allow_null=True, help_text="Why it was decided so.")
    url = serializers.URLField(help_text=PAGE)


class Waits(Shape):
    payout = serializers.CharField()
    player = serializers.CharField()
    left = serializers.IntegerField(help_text="Coins that wait for the dispute to end.")


@extend_schema_serializer(component_name="Said")
class HistoryEntry(Shape):
    number = serializers.IntegerField(help_text="Of the event in the game.")
    position = serializers.IntegerField(help_text="Of the event in the house's ledger.")
    sentence = serializers.CharField()
    by = serializers.CharField()
    at = serializers.DateTimeField()


class DisputeInFull(DisputeShape):
    players = serializers.ListField(child=serializers.CharField())
    recorded_by = serializers.ListField(
        child=serializers.CharField(), help_text="Who recorded the throws of the round."
    )
    held = Waits(many=True)
    history = HistoryEntry(many=True, help_text="What was said and done about it, in order.")
    outcomes = serializers.ListField(
        child=serializers.CharField(), help_text="How it may end now: stands, voided, adjusted."
    )


Disputes = list_view(
    DISPUTES,
    DisputeShape,
    "The disputes of a house, newest first",
    about=(
        "A list made by the worker: it may lag a moment behind the ledger.\n\n"
        "A dispute is raised and decided by the commands `dispute` and `resolve` of its game."
    ),
    through_shape=True,
)


class OneDispute(APIView):
    @describe_operation("A dispute whole", answers={200: DisputeInFull}, errors=(404,))
    def get(self, request: Request, establishment: UUID, game: UUID, dispute: int) -> Response:
        house = own(request, establishment)
        whole = queries.whole(house, _row(house, game, dispute))
        return Response(in_full(request, house, whole))


class Zip(BaseRenderer):
    """So that whoever accepts nothing but an archive is served; what goes wrong is said in JSON."""

    media_type = "application/zip"
    format = "zip"
    charset = None

    def render(self, data: Any, *_context: Any, **_more: Any) -> bytes:
        return json.dumps(data).encode()


ARCHIVE: Final[dict[Any, Any]] = {(200, Zip.media_type): OpenApiTypes.BINARY}


class Bundle(APIView):
    renderer_classes = [JSONRenderer, Zip]

    @describe_operation(
        "Everything about a dispute as one ZIP archive", answers=ARCHIVE, errors=(403, 404)
    )
    def get(
        self, request: Request, establishment: UUID, game: UUID, dispute: int
    ) -> StreamingHttpResponse:
        """
        The game's events with their leaf hashes, what was booked, the explanation, the history, the
        names as far as they are known, and a manifest. For who approves or audits.
        """
        house = own(request, establishment, *OVERSEEING)
        row = _row(house, game, dispute)
        made = bundle.of(house, row, by=params.person(request), at=timezone.now())
        response = StreamingHttpResponse(made.stream(), content_type=Zip.media_type)
        response["Content-Disposition"] = f'attachment; filename="{bundle.filename(row)}"'
        return response


def in_full(request: Request, house: Establishment, whole: Whole) -> dict[str, Any]:
    [fields] = values(DISPUTES, viewer(request, house), [whole.card.row])
    described = {
        **fields,
        "players": list(whole.players),
        "recorded_by": sorted(whole.recorders.values()),
        "held": list(whole.held),
        "history": list(whole.timeline),
        "outcomes": list(whole.outcomes),
    }
    serialized: dict[str, Any] = DisputeInFull(described).data
    return serialized


def _row(house: Establishment, game: UUID, dispute: int) -> DisputeRow:
    row = queries.one(house, game, dispute)
    if row is None:
        raise Http404("There is no such dispute.")
    return row
