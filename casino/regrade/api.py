"""Regrades of a house: begun, looked at, and what differs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from django.http import Http404
from django.utils import timezone
from drf_spectacular.utils import OpenApiParameter, extend_schema_field
from rest_framework import serializers, status
from rest_framework.response import Response
from rest_framework.reverse import reverse
from rest_framework.views import APIView

from casino.pseudonyms import tokens as pseudonyms
from casino.regrade import runs, tasks
from casino.regrade.models import Regrade, RegradeDifference
from casino.regrade.reading import Period
from casino.web.api import bodies, paging, params
from casino.web.api.answers import Anything, Numbered, Shape
from casino.web.api.houses import HouseList, own
from casino.web.api.problems import Problem, problem_of
from casino.web.api.schema import NUMBERED, WRITING, documented
from games.refusals import Refused

if TYPE_CHECKING:
    from datetime import date
    from uuid import UUID

    from django.db.models import QuerySet
    from rest_framework.request import Request


@problem_of.register
def _running(failure: runs.AlreadyRunning) -> Problem:
    return Problem(status.HTTP_409_CONFLICT, "regrade_running", str(failure))


class EndsBeforeItBegins(Refused):
    code = "ends_before_it_begins"


WANTED: Final = {  # no act of the ledger: it has no command_id
    "application/json": {
        "type": "object",
        "additionalProperties": False,
        "properties": {
            "since": {
                **bodies.DAY,
                "description": "First gaming day; the first there is if absent.",
            },
            "until": {**bodies.DAY, "description": "Last gaming day; up to now if absent."},
            "current": {
                "type": "boolean",
                "default": False,
                "description": "By today's rules: what they would have paid. Information.",
            },
        },
    }
}


class Waiting(Shape):
    game = serializers.UUIDField()
    why = serializers.ChoiceField(["not_settled", "parked", "not_installed"])
    position = serializers.IntegerField(help_text="Of the first event that waits.")
    day = serializers.DateField(help_text="Its gaming day.")


class RegradeRow(serializers.ModelSerializer[Regrade]):
    asked_by = serializers.SerializerMethodField(
        help_text="Whose wish it was; null: the house's own, at night."
    )
    positions = serializers.SerializerMethodField(help_text="How many there are to grade.")
    done = serializers.SerializerMethodField(help_text="How many of them are graded.")
    waiting_games = Waiting(many=True, help_text="The first of the games not settled yet.")

    class Meta:
        model = Regrade
        fields = [
            "id", "establishment", "state", "asked_at", "asked_by", "night", "since", "until",
            "current", "finished_at", "positions", "done", "games", "events", "bookings", "payouts",
            "differences", "waiting", "waiting_games", "reason",
        ]  # fmt: skip

    def get_asked_by(self, run: Regrade) -> str | None:
        return str(run.asked_by) if run.asked_by else None

    def get_positions(self, run: Regrade) -> int:
        return run.stop - run.start

    def get_done(self, run: Regrade) -> int:
        return run.reached - run.start


@extend_schema_field({"type": "object", "additionalProperties": True})
class Told(serializers.JSONField):
    pass


class DifferenceRow(Shape):
    """One thing that is not as the rules have it. Fields that do not apply are left out."""

    seq = serializers.IntegerField(help_text="From 1.")
    kind = serializers.ChoiceField(
        ["event", "booking", "transfer", "payout", "prize", "points"], help_text="What differs."
    )
    what = serializers.ChoiceField(
        ["altered", "missing", "unexpected", "twice", "refused", "unreadable"]
    )
    game = serializers.CharField(required=False)
    ruleset = serializers.CharField(required=False)
    round = serializers.IntegerField(required=False)
    event = serializers.IntegerField(required=False, help_text="Its number in the game.")
    position = serializers.IntegerField(required=False, help_text="In the house's ledger.")
    expected = Anything(required=False, help_text="What the rules lead to.")
    found = Anything(required=False, help_text="What is recorded.")
    said = serializers.CharField(required=False, help_text="Why it is refused, or unreadable.")
    because = Told(required=False, help_text="How `expected` and `found` explain the round.")


class DifferencePage(Numbered):
    results = DifferenceRow(many=True)


class NewestFirst(paging.SignedCursorPagination):
    ordering = ("-asked_at", "-id")


class Regrades(HouseList):
    queryset = Regrade.objects.none()
    serializer_class = RegradeRow
    pagination_class = NewestFirst
    sees = ("audit",)

    def get_queryset(self) -> QuerySet[Regrade]:
        return Regrade.objects.filter(establishment=self.house).select_related("asked_by")

    @documented(
        "The regrades of a house, newest first",
        answers={200: RegradeRow(many=True)},
        errors=(400, 403, 404),
    )
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """For its manager and auditors."""
        return super().get(request, *args, **kwargs)

    @documented(
        "Regrade a house",
        answers={201: RegradeRow},
        errors=WRITING,
        request=WANTED,
        parameters=[OpenApiParameter("Location", str, OpenApiParameter.HEADER, response=[201])],
    )
    def post(self, request: Request, establishment: UUID) -> Response:
        """
        Every payout of the period is computed once more from its throws; look again until `state`
        is no longer `running`. One at a time: 409 while another is on its way.
        """
        house = own(request, establishment, "audit")
        wanted = bodies.read(request, WANTED)
        run = runs.ask(
            by=params.person(request),
            house=house,
            period=period(wanted["since"], wanted["until"]),
            current=bool(wanted["current"]),
            now=timezone.now(),
        )
        tasks.wake(run)
        address = reverse("regrade", [house.pk, run.id], request=request)
        return Response(
            RegradeRow(run).data, status=status.HTTP_201_CREATED, headers={"Location": address}
        )


class OneRegrade(APIView):
    @documented("A regrade", answers={200: RegradeRow}, errors=(403, 404))
    def get(self, request: Request, establishment: UUID, regrade: UUID) -> Response:
        return Response(RegradeRow(found(request, establishment, regrade)).data)


class Differences(APIView):
    @documented(
        "What differs, by a regrade",
        answers={200: DifferencePage},
        errors=(400, 403, 404),
        parameters=NUMBERED,
    )
    def get(self, request: Request, establishment: UUID, regrade: UUID) -> Response:
        """The first thousand of a regrade are kept; `differences` counts all."""
        run = found(request, establishment, regrade)
        kept = RegradeDifference.objects.filter(establishment=establishment, regrade=run.id)
        return paging.numbered(
            request,
            start=0,
            number="seq",
            fetch=lambda after, limit: pseudonyms.resolve(
                establishment,
                [
                    {"seq": each.seq + 1, **each.told}
                    for each in kept.filter(seq__gte=after)[:limit]
                ],
            ),
        )


def period(since: date | None, until: date | None) -> Period:
    """:raises EndsBeforeItBegins: if no day can lie in it."""
    if since and until and since > until:
        raise EndsBeforeItBegins(f"until: {until} is before since, {since}.")
    return Period(since, until)


def found(request: Request, establishment: UUID, regrade: UUID) -> Regrade:
    house = own(request, establishment, "audit")
    kept = Regrade.objects.filter(establishment=house, id=regrade).select_related("asked_by")
    run = kept.first()
    if run is None:
        raise Http404
    return run
