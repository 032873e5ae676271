"""The API of regrades of a house: begin one, read its state, and read the differences."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from django.http import Http404
from django.utils import timezone
from django.utils.translation import gettext_lazy
from drf_spectacular.utils import OpenApiParameter, extend_schema_field
from rest_framework import serializers, status
from rest_framework.response import Response
from rest_framework.reverse import reverse
from rest_framework.views import APIView

from casino.house.attendants.pseudonyms import tokens
from casino.kit.web.api import bodies, paging, params
from casino.kit.web.api.answers import Anything, Numbered, Shape
from casino.kit.web.api.houses import own
from casino.kit.web.api.problems import Problem, problem_of
from casino.kit.web.api.schema import NUMBERED, WRITING, describe_operation
from casino.kit.web.jobs import running, tasks
from casino.kit.web.listings.api import ListView, list_view
from casino.kit.web.listings.listing import API, Column, Listing
from casino.proof.disputes.regrade import runs
from casino.proof.disputes.regrade.models import Regrade, RegradeDifference
from casino.proof.disputes.regrade.reading import Period
from casino.words.languages.messages import translate, translate_round
from games.refusals import Refused

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import date
    from uuid import UUID

    from rest_framework.request import Request


@problem_of.register
def _running(failure: running.AlreadyBegun) -> Problem:
    return Problem(status.HTTP_409_CONFLICT, "regrade_running", str(failure))


class EndsBeforeItBegins(Refused):
    code = "ends_before_it_begins"


COUNT_MAX: Final = 2**63 - 1
BODY: Final = {  # a regrade is not an entry of the ledger, so there is no command_id
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


class Count(serializers.IntegerField):
    def __init__(self, **more: Any) -> None:
        super().__init__(required=False, min_value=0, max_value=COUNT_MAX, **more)


class RegradeRow(serializers.ModelSerializer[Regrade]):
    asked_by = serializers.SerializerMethodField(
        help_text="Whose wish it was; null: the house's own, at night."
    )
    state = serializers.ChoiceField(Regrade.State.choices, default=Regrade.State.RUNNING)
    night = serializers.DateField(
        source="day",
        required=False,
        allow_null=True,
        help_text="The gaming day after which it was due.",
    )
    positions = serializers.SerializerMethodField(help_text="How many there are to grade.")
    done = serializers.SerializerMethodField(help_text="How many of them are graded.")
    games = Count()
    events = Count()
    bookings = Count()
    payouts = Count()
    differences = Count()
    waiting = Count(help_text="Games not settled yet.")
    current = serializers.BooleanField(
        required=False, help_text="By today's rules: information, no error."
    )
    waiting_games = Waiting(many=True, help_text="The first of the games not settled yet.")

    class Meta:
        model = Regrade
        fields = [
            "id", "establishment", "state", "asked_at", "asked_by", "night", "since", "until",
            "current", "finished_at", "positions", "done", "games", "events", "bookings", "payouts",
            "differences", "waiting", "waiting_games", "reason",
        ]  # fmt: skip

    def get_positions(self, run: Regrade) -> int:
        return run.whole

    def get_done(self, run: Regrade) -> int:
        return run.done

    def get_asked_by(self, run: Regrade) -> str | None:
        return str(run.asked_by) if run.asked_by else None


@extend_schema_field({"type": "object", "additionalProperties": True})
class Explanation(serializers.JSONField):
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
    because = Explanation(required=False, help_text="How `expected` and `find` explain the round.")


class DifferencePage(Numbered):
    results = DifferenceRow(many=True)


REGRADES: Final = Listing[Regrade, dict[str, Any]](
    name="regrades",
    title=gettext_lazy("Regrades"),
    about=gettext_lazy("The regrades of the house."),
    rows=lambda viewer: Regrade.objects.filter(establishment=viewer.house).select_related(
        "asked_by"
    ),
    items=lambda _viewer, rows: list(RegradeRow(rows, many=True).data),
    order=("-asked_at", "-id"),
    columns=tuple(Column(name=name, on=API) for name in RegradeRow.Meta.fields),
)


class Begin(ListView):
    # The request that begins a regrade. No docstring, because `ListView` has none.

    @describe_operation(
        "Regrade a house",
        answers={201: RegradeRow},
        errors=WRITING,
        request=BODY,
        parameters=[OpenApiParameter("Location", str, OpenApiParameter.HEADER, response=[201])],
    )
    def post(self, request: Request, establishment: UUID) -> Response:
        """
        Every payout of the period is computed once more from its throws; look again until `state`
        is no longer `running`. One at a time: 409 while another is on its way.
        """
        house = own(request, establishment, "audit")
        body = bodies.read(request, BODY)
        run = runs.ask(
            by=params.person(request),
            house=house,
            period=period(body["since"], body["until"]),
            current=bool(body["current"]),
            now=timezone.now(),
        )
        tasks.wake(run)
        address = reverse("regrade", [house.pk, run.id], request=request)
        return Response(
            RegradeRow(run).data, status=status.HTTP_201_CREATED, headers={"Location": address}
        )


Regrades = list_view(
    REGRADES,
    RegradeRow,
    "The regrades of a house, newest first",
    about="For its manager and auditors.",
    sees=("audit",),
    takes=Begin,
)


class OneRegrade(APIView):
    @describe_operation("A regrade", answers={200: RegradeRow}, errors=(403, 404))
    def get(self, request: Request, establishment: UUID, regrade: UUID) -> Response:
        return Response(RegradeRow(find(request, establishment, regrade)).data)


class Differences(APIView):
    @describe_operation(
        "What differs, by a regrade",
        answers={200: DifferencePage},
        errors=(400, 403, 404),
        parameters=NUMBERED,
    )
    def get(self, request: Request, establishment: UUID, regrade: UUID) -> Response:
        """The first thousand of a regrade are kept; `differences` counts all."""
        run = find(request, establishment, regrade)
        kept = RegradeDifference.objects.filter(establishment=establishment, job=run.id)
        return paging.page_of_numbers(
            request,
            start=0,
            number="seq",
            fetch=lambda after, limit: tokens.resolve(
                establishment,
                [
                    {"seq": each.seq + 1, **in_words(each.details)}
                    for each in kept.filter(seq__gte=after)[:limit]
                ],
            ),
        )


def in_words(difference: Mapping[str, Any]) -> dict[str, Any]:
    """A difference whose sentences are in the language that was asked for."""
    said = {"said": translate(difference["said"])} if "said" in difference else {}
    sides = difference.get("because", {})
    because = {side: translate_round(of) if of else of for side, of in sides.items()}
    return {**difference, **said, **({"because": because} if sides else {})}


def period(since: date | None, until: date | None) -> Period:
    """:raises EndsBeforeItBegins: if no day can lie in it."""
    if since and until and since > until:
        raise EndsBeforeItBegins(f"until: {until} is before since, {since}.")
    return Period(since, until)


def find(request: Request, establishment: UUID, regrade: UUID) -> Regrade:
    house = own(request, establishment, "audit")
    rows = Regrade.objects.filter(establishment=house, id=regrade).select_related("asked_by")
    run = rows.first()
    if run is None:
        raise Http404
    return run
