"""Requests for approval: what waits, what was decided, and the second person's answer (C1)."""

from __future__ import annotations

import re
from inspect import getdoc
from typing import TYPE_CHECKING, Any, Final

from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers, status
from rest_framework.response import Response
from rest_framework.views import APIView

from casino.approvals import answers, queries
from casino.approvals.models import RequestRow
from casino.approvals.requests import NoSuchRequest
from casino.web.api import acts as acting
from casino.web.api import bodies, paging, params, schema
from casino.web.api.answers import Shape
from casino.web.api.houses import HouseList, own
from casino.web.api.problems import Problem, problem_of
from games.refusals import Malformed

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from uuid import UUID

    from django.db.models import QuerySet
    from rest_framework.request import Request

    from casino.approvals.queries import Card
    from casino.establishments.models import Establishment
    from casino.operations import acts

    Answer = Callable[[acts.Act, UUID, Mapping[str, Any]], None]

KIND: Final = "[a-z_]{1,60}"


@problem_of.register
def _no_such_request(failure: NoSuchRequest) -> Problem:
    return Problem(status.HTTP_404_NOT_FOUND, failure.code, str(failure))


class Person(Shape):
    id = serializers.CharField()
    name = serializers.CharField()


class RequestShape(Shape):
    """What somebody asked for, and what became of it."""

    id = serializers.UUIDField()
    kind = serializers.CharField(help_text="Such as void, fill, credit, adjustment.")
    title = serializers.CharField(help_text="The kind in words.")
    subject = serializers.DictField(help_text="What it is about, as its kind has it.")
    amount = serializers.IntegerField(allow_null=True, help_text="Whole coins.")
    reason = serializers.CharField(allow_blank=True)
    tells = serializers.CharField(
        allow_blank=True, help_text="What happens if it is approved, in a sentence."
    )
    url = serializers.CharField(
        allow_blank=True, help_text="The page of the thing itself, or empty."
    )
    state = serializers.ChoiceField(RequestRow.State.choices)
    asked_by = Person()
    asked_at = serializers.DateTimeField()
    position = serializers.IntegerField(help_text="Of the event that asked, in the ledger.")
    decided_by = Person(allow_null=True)
    decided_at = serializers.DateTimeField(allow_null=True)
    decided_position = serializers.IntegerField(allow_null=True)
    decision = serializers.CharField(allow_blank=True, help_text="Why it was decided so.")
    reviewed_by = Person(allow_null=True, help_text="Only of what was done alone.")
    reviewed_at = serializers.DateTimeField(allow_null=True)
    in_order = serializers.BooleanField(allow_null=True, help_text="What the reviewer found.")
    may = serializers.ListField(
        child=serializers.ChoiceField(["approve", "reject", "withdraw", "alone", "review"]),
        help_text="What you may do about it.",
    )


ANSWER: Final = bodies.described({}, reason=bodies.REASON)
REVIEW: Final = bodies.described({"in_order": bodies.FLAG}, reason=bodies.REASON)


class Approvals(HouseList):
    queryset = RequestRow.objects.none()
    serializer_class = RequestShape
    pagination_class = paging.NewestFirst

    def get_queryset(self) -> QuerySet[RequestRow]:
        rows = RequestRow.objects.filter(establishment=self.house)
        if (state := params.choice(self.request, "state", RequestRow.State.values)) is not None:
            rows = rows.filter(state=state)
        if (kind := self.request.query_params.get("kind")) is not None:
            rows = rows.filter(kind=_kind(kind))
        return rows

    @schema.documented(
        "What waits for a second person, and what was decided, newest first",
        answers={200: RequestShape(many=True)},
        errors=(400, 404),
        parameters=[
            OpenApiParameter("state", {"type": "string", "enum": RequestRow.State.values}),
            OpenApiParameter("kind", {"type": "string", "pattern": f"^{KIND}$"}),
        ],
    )
    def get(self, request: Request, *_args: Any, **_named: Any) -> Response:
        """A list made by the worker: it may lag a moment behind the ledger."""
        page = self.paginate_queryset(self.get_queryset()) or []
        shown = queries.cards(self.house, page, params.person(request))
        return self.get_paginated_response([told(card) for card in shown])


class OneApproval(APIView):
    @schema.documented("A request for approval", answers={200: RequestShape}, errors=(404,))
    def get(self, request: Request, establishment: UUID, approval: UUID) -> Response:
        house = own(request, establishment)
        return Response(shown(request, house, approval))


def answer(summary: str, body: bodies.Schema) -> Callable[[Answer], type[APIView]]:
    """The address of an answer to a request: what answers it is decorated, and describes it."""

    def viewed(do: Answer) -> type[APIView]:
        class Answering(APIView):
            @schema.act(summary, answers={200: RequestShape}, request=body, description=getdoc(do))
            def post(self, request: Request, establishment: UUID, approval: UUID) -> Response:
                # Whoever works there may answer; the operation knows what the request takes.
                act, said = acting.begun(request, establishment, "look", body)
                do(act, approval, {**said, "reason": said["reason"] or ""})
                return Response(shown(request, act.house, approval))

        return Answering

    return viewed


@answer("Approve a request", ANSWER)
def approve(act: acts.Act, approval: UUID, said: Mapping[str, Any]) -> None:
    """
    What was asked for happens with it. 422 `own_request`, `beneficiary`, `already_decided`; or
    what the thing itself says where it cannot be done now: then the request stays open.
    """
    answers.decide(act, approval, approve=True, reason=said["reason"])


@answer("Reject a request", bodies.WITH_REASON)
def reject(act: acts.Act, approval: UUID, said: Mapping[str, Any]) -> None:
    """Nothing happens, and the reason stands beside it. 422 `reason_missing` without one."""
    answers.decide(act, approval, approve=False, reason=said["reason"])


@answer("Take back one's own request", ANSWER)
def withdraw(act: acts.Act, approval: UUID, said: Mapping[str, Any]) -> None:
    """422 `not_the_asker` for anybody else."""
    answers.withdraw(act, approval, reason=said["reason"])


@answer("Do alone what nobody else at the house could approve", bodies.WITH_REASON)
def alone(act: acts.Act, approval: UUID, said: Mapping[str, Any]) -> None:
    """It is no approval, and waits for a review. 422 `others_could` where somebody could."""
    answers.do_alone(act, approval, reason=said["reason"])


@answer("Review what was done alone", REVIEW)
def review(act: acts.Act, approval: UUID, said: Mapping[str, Any]) -> None:
    """By somebody else, a manager or an auditor; to object takes a reason."""
    answers.review(act, approval, in_order=said["in_order"], note=said["reason"])


def shown(request: Request, house: Establishment, approval: UUID) -> dict[str, Any]:
    """
    As the record has it: whoever has just decided is not told of a list that lags.

    :raises NoSuchRequest: if the house has none of that id.
    """
    row = queries.recorded(house, approval)
    if row is None:
        raise NoSuchRequest(f"There is no request {approval} at {house}.")
    [card] = queries.cards(house, [row], params.person(request))
    return told(card)


def told(card: Card) -> dict[str, Any]:
    row = card.row
    return {
        "id": str(row.id),
        "kind": row.kind,
        "title": card.title,
        "subject": row.subject,
        "amount": row.amount,
        "reason": card.reason,
        "tells": card.tells,
        "url": card.address,
        "state": row.state,
        "asked_by": {"id": row.asked_by, "name": card.asked_by},
        "asked_at": row.asked_at,
        "position": row.position,
        "decided_by": _person(row.decided_by, card.decided_by),
        "decided_at": row.decided_at,
        "decided_position": row.decided_position,
        "decision": card.decision,
        "reviewed_by": _person(row.reviewed_by, card.reviewed_by),
        "reviewed_at": row.reviewed_at,
        "in_order": row.in_order,
        "may": sorted(card.may),
    }


def _person(known: str, name: str) -> dict[str, str] | None:
    return {"id": known, "name": name} if known else None


def _kind(given: str) -> str:
    """:raises Malformed: if it can be no kind of request."""
    if re.fullmatch(KIND, given) is None:
        raise Malformed(f"kind is a word that matches {KIND}.", field="kind")
    return given
