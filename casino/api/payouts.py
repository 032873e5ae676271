"""Payouts to players: where each is, what it waits for, how it is set right (A7, C1, C3, E2)."""

from __future__ import annotations

import re
from datetime import date
from typing import TYPE_CHECKING, Any, Final
from uuid import UUID

from django.shortcuts import get_object_or_404
from django.utils import timezone
from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers, status
from rest_framework.generics import ListAPIView
from rest_framework.response import Response
from rest_framework.reverse import reverse
from rest_framework.views import APIView

from casino.api import paging, reading
from casino.api.answers import Shape
from casino.api.errors import Problem, problem_of
from casino.api.establishments import own
from casino.api.schema import DEVICE, documented
from casino.approvals import requests
from casino.dice.models import DiceSet
from casino.establishments import acts
from casino.payouts import adjustments, inspections, queries, resuming
from casino.payouts.adjustments import Adjustment
from casino.play.holding import Payout as Place
from casino.play.models import Payout
from casino.players import veil
from games.payments import HOUSE
from games.refusals import Malformed

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from django.db.models import QuerySet
    from rest_framework.request import Request

    from casino.establishments.models import Establishment

REASON_MAX: Final = 500
PLACE: Final = r"[0-9]{1,9}\.[0-9]{1,4}"
FILTERS: Final = ("state", "day", "table", "player", "game")
ERRORS: Final = (400, 403, 404, 409, 413, 415, 422)


@problem_of.register
def _no_such_dice(failure: inspections.NoSuchDice) -> Problem:
    return Problem(status.HTTP_404_NOT_FOUND, failure.code, str(failure))


class Reason(Shape):
    kind = serializers.ChoiceField(["large_prize", "dispute", "stopped"])
    says = serializers.CharField(help_text="What it waits for.")
    to_do = serializers.CharField(help_text="Who does what, so that it goes on.")
    dispute = serializers.IntegerField(allow_null=True, help_text="The number of the dispute.")


class PayoutRow(Shape):
    """A payment to a player, as settlement booked it."""

    game = serializers.UUIDField()
    payout = serializers.CharField(help_text="Event of the game and place in it: 12.0.")
    position = serializers.IntegerField(help_text="Of the event that booked it, in the ledger.")
    table = serializers.UUIDField()
    round = serializers.IntegerField()
    payer = serializers.CharField(help_text="A player, pot, house or rollover.")
    player = serializers.CharField()
    amount = serializers.IntegerField()
    rules = serializers.ListField(child=serializers.CharField())
    state = serializers.ChoiceField(Payout.State.choices)
    held = serializers.IntegerField(help_text="What of it waits now.")
    waits_for = Reason(many=True)
    gaming_day = serializers.DateField()
    booked_at = serializers.DateTimeField()
    explanation = serializers.CharField(help_text="Where the API says why it was made.")


class StepRow(Shape):
    at = serializers.DateTimeField()
    state = serializers.CharField(help_text="decided, booked, held, released, paid, reversed.")
    said = serializers.CharField()
    position = serializers.IntegerField(help_text="Of the event in the ledger.")
    held = serializers.IntegerField(allow_null=True)


class PayoutInFull(PayoutRow):
    history = StepRow(many=True)


class Requested(Shape):
    approval = serializers.UUIDField(help_text="The request, which a second person approves.")


class NewestFirst(paging.SignedCursorPagination):
    ordering = ("-position", "-seq")


class Payouts(ListAPIView[Payout]):
    queryset = Payout.objects.none()
    serializer_class = PayoutRow
    pagination_class = NewestFirst

    def get_queryset(self) -> QuerySet[Payout]:
        house = own(self.request, self.kwargs["establishment"])
        given = {
            name: value
            for name in FILTERS
            if (value := self.request.query_params.get(name)) is not None
        }
        asked = {name: _wanted(house, name, value) for name, value in given.items()}
        if None in asked.values():
            return Payout.objects.none()
        return queries.listed(house.pk, **asked)

    @documented(
        "What the rules paid to players, newest first",
        answers={200: PayoutRow(many=True)},
        errors=(400, 404),
        parameters=[
            OpenApiParameter("state", {"type": "string", "enum": Payout.State.values}),
            OpenApiParameter("day", {"type": "string", "format": "date"}),
            OpenApiParameter("table", {"type": "string", "format": "uuid"}),
            OpenApiParameter("player", {"type": "string"}, description="By name."),
            OpenApiParameter("game", {"type": "string", "format": "uuid"}),
        ],
    )
    def get(self, request: Request, establishment: UUID) -> Response:
        """
        A list made by the worker: it may lag a moment behind the ledger. What is held comes to its
        player once nothing holds it any more; `waits_for` says what does.
        """
        house = own(request, establishment)
        page = self.paginate_queryset(self.get_queryset()) or []
        return self.get_paginated_response(_named(house, [told(row, request) for row in page]))


class OnePayout(APIView):
    @documented("One payout, and what became of it", answers={200: PayoutInFull}, errors=(404,))
    def get(
        self, request: Request, establishment: UUID, game: UUID, cause: int, seq: int
    ) -> Response:
        house = own(request, establishment)
        row = get_object_or_404(
            Payout.objects.select_related("table"),
            establishment=house, game=game, cause=cause, seq=seq,
        )  # fmt: skip
        steps = [
            {
                "at": step.at.isoformat(),
                "state": step.state,
                "said": step.said,
                "position": step.position,
                "held": step.amount,
            }
            for step in queries.history(row)
        ]
        return Response(_named(house, {**told(row, request), "history": steps}))


COMMAND_ID: Final = {"type": "string", "format": "uuid"}
TEXT: Final = {"type": "string", "minLength": 1, "maxLength": REASON_MAX}
WHOLE: Final = {"type": "integer", "minimum": 1}


def body(required: Sequence[str], **more: Any) -> dict[str, Any]:
    """Spelled out, for only so it says that nothing else is taken."""
    return {
        "application/json": {
            "type": "object",
            "additionalProperties": False,
            "required": ["command_id", *required],
            "properties": {"command_id": COMMAND_ID, **more},
        }
    }


class Adjustments(APIView):
    @documented(
        "Ask that what is beyond a void is set right",
        answers={201: Requested},
        errors=ERRORS,
        request=body(
            ["game", "from", "to", "amount", "reason"],
            **{
                "game": COMMAND_ID,
                "from": {"type": "string", "description": "A player of the game, or house."},
                "to": {"type": "string", "description": "A player of the game, or house."},
                "amount": WHOLE,
                "round": WHOLE,
                "payout": {"type": "string", "pattern": f"^{PLACE}$"},
                "dispute": WHOLE,
                "reason": TEXT,
            },
        ),
        parameters=[DEVICE],
    )
    def post(self, request: Request, establishment: UUID) -> Response:
        """
        It is done once a second person approves it. Names the `round` or the `payout` it sets
        right; no void goes back across that any more.
        """
        house = own(request, establishment)
        given = _fields(
            request, texts=("game", "from", "to", "reason"), numbers=("amount",),
            more=("round", "payout", "dispute"),
        )  # fmt: skip
        act = _act(request, house)
        payout = given.get("payout")
        if payout is not None and not (
            isinstance(payout, str) and re.fullmatch(PLACE, payout, re.ASCII)
        ):
            raise Malformed("payout is an event and a place in it, as in 12.0.", field="payout")
        adjustments.ask(
            act,
            Adjustment(
                game=_uuid(given, "game"),
                giver=_party(house, given["from"]),
                taker=_party(house, given["to"]),
                amount=_whole(given, "amount", least=0) or 0,
                round_no=_whole(given, "round"),
                payout=Place.parse(payout) if payout else None,
                dispute=_whole(given, "dispute"),
            ),
            reason=given["reason"],
        )
        return _requested(house, act)


class Resume(APIView):
    @documented(
        "Ask that a house whose payouts were stopped pays again",
        answers={201: Requested},
        errors=ERRORS,
        request=body(["reason"], reason=TEXT),
        parameters=[DEVICE],
    )
    def post(self, request: Request, establishment: UUID) -> Response:
        """A second person approves it; what was held because of the stop is released then."""
        house = own(request, establishment)
        given = _fields(request, texts=("reason",))
        act = _act(request, house)
        resuming.ask(act, reason=given["reason"])
        return _requested(house, act)


class Inspections(APIView):
    @documented(
        "Record the inspection of dice that won a large prize",
        answers={204: None},
        errors=ERRORS,
        request=body(["in_order", "finding"], in_order={"type": "boolean"}, finding=TEXT),
        parameters=[DEVICE],
    )
    def post(self, request: Request, establishment: UUID, dice_set: UUID) -> Response:
        """In order, they may be thrown again; else a later inspection says so. A7"""
        house = own(request, establishment)
        given = _fields(request, texts=("finding",), more=("in_order",))
        if not isinstance(given.get("in_order"), bool):
            raise Malformed("in_order is true or false.", field="in_order")
        get_object_or_404(DiceSet, pk=dice_set, establishment=house)
        inspections.inspect(
            _act(request, house),
            dice_set=dice_set,
            in_order=given["in_order"],
            finding=given["finding"],
        )
        return Response(status=status.HTTP_204_NO_CONTENT)


def told(row: Payout, request: Request) -> dict[str, Any]:
    """A row with players' tokens."""
    where = reverse("game", args=[row.game], request=request)
    return {
        "game": str(row.game),
        "payout": f"{row.cause}.{row.seq}",
        "position": row.position,
        "table": str(row.table_id),
        "round": row.round,
        "payer": row.payer,
        "player": row.payee,
        "amount": row.amount,
        "rules": row.rules.split(),
        "state": row.state,
        "held": row.held,
        "waits_for": queries.reasons(row),
        "gaming_day": row.gaming_day.isoformat(),
        "booked_at": row.booked_at.isoformat(),
        "explanation": f"{where}explain/{row.round}/",
    }


def _named(house: Establishment, value: Any) -> Any:
    return veil.unveil(house.pk, value)


def _wanted(house: Establishment, name: str, given: str) -> Any:
    """
    What a filter looks for; None: nothing can be like that.

    :raises Malformed: if it is no such thing at all.
    """
    match name:
        case "state" if given in Payout.State.values:
            return given
        case "player" if given:
            return queries.player_called(house.pk, given)
        case "day" if re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", given, re.ASCII):
            try:
                return date.fromisoformat(given)
            except ValueError:
                pass
        case "table" | "game":
            try:
                return UUID(given)
            except ValueError:
                pass
    raise Malformed(f"{name}: leave it out or fill it in as described.", field=name)


def _act(request: Request, house: Establishment) -> acts.Act:
    return acts.Act(
        house=house,
        by=reading.person(request),
        device=reading.device(request),
        now=timezone.now(),
        command_id=_uuid(reading.fields(request), "command_id"),
        asked={},
    )


def _requested(house: Establishment, act: acts.Act) -> Response:
    approval = requests.id_of(house.pk, act.command_id)
    return Response({"approval": str(approval)}, status=status.HTTP_201_CREATED)


def _fields(
    request: Request,
    *,
    texts: Sequence[str],
    numbers: Sequence[str] = (),
    more: Sequence[str] = (),
) -> Mapping[str, Any]:
    """
    The body, strictly: what is needed is there, and what is not known is no slip to be passed over.

    :raises Malformed: naming the field.
    """
    given = reading.fields(request)
    for name in given:
        if name not in {"command_id", *texts, *numbers, *more}:
            raise Malformed(f"{name}: there is no such field.", field=name)
    for name in texts:
        if not isinstance(given.get(name), str) or len(given[name]) > REASON_MAX:
            raise Malformed(f"{name} is a text of up to {REASON_MAX} letters.", field=name)
    for name in numbers:
        if _whole(given, name, least=0) is None:
            raise Malformed(f"{name} is missing: a whole number.", field=name)
    return given


def _whole(given: Mapping[str, Any], name: str, *, least: int = 1) -> int | None:
    """JSON has one kind of number: 3.0 is a whole one, too."""
    value = given.get(name)
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if value is not None and (type(value) is not int or value < least):
        raise Malformed(f"{name} is a whole number from {least}.", field=name)
    return value


def _uuid(given: Mapping[str, Any], name: str) -> UUID:
    found = reading.reference(given, name)
    if found is None:
        raise Malformed(f"{name} is missing: a UUID.", field=name)
    return found


def _party(house: Establishment, name: str) -> str:
    """A player's token, or the house; a name that nobody bears is no player of any game."""
    return HOUSE if name == HOUSE else queries.player_called(house.pk, name) or ""
