"""Requests for approval: what waits, what was decided, and the second person's answer (C1)."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, ClassVar, Final

from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers, status
from rest_framework.generics import ListAPIView
from rest_framework.response import Response
from rest_framework.views import APIView

from casino.api import bodies, paging, reading
from casino.api.answers import Shape
from casino.api.errors import Problem, problem_of
from casino.api.establishments import own
from casino.api.schema import DEVICE, documented
from casino.approvals import answering, queries
from casino.approvals.models import RequestRow
from casino.approvals.requests import NoSuchRequest
from games.refusals import Malformed

if TYPE_CHECKING:
    from collections.abc import Mapping
    from uuid import UUID

    from django.db.models import QuerySet
    from rest_framework.request import Request

    from casino.approvals.queries import Card
    from casino.establishments import acts
    from casino.establishments.models import Establishment

KIND: Final = "[a-z_]{1,60}"
ERRORS: Final = (400, 403, 404, 409, 413, 415, 422)


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
WITH_REASON: Final = bodies.described({"reason": bodies.REASON})
REVIEW: Final = bodies.described({"in_order": bodies.FLAG}, reason=bodies.REASON)


class NewestFirst(paging.SignedCursorPagination):
    ordering = ("-position",)


class Approvals(ListAPIView[RequestRow]):
    queryset = RequestRow.objects.none()
    serializer_class = RequestShape
    pagination_class = NewestFirst

    def get_queryset(self) -> QuerySet[RequestRow]:
        house = own(self.request, self.kwargs["establishment"])
        rows = RequestRow.objects.filter(establishment=house)
        for name in ("state", "kind"):
            if (given := self.request.query_params.get(name)) is not None:
                rows = rows.filter(**{name: _known(name, given)})
        return rows

    @documented(
        "What waits for a second person, and what was decided, newest first",
        answers={200: RequestShape(many=True)},
        errors=(400, 404),
        parameters=[
            OpenApiParameter("state", {"type": "string", "enum": RequestRow.State.values}),
            OpenApiParameter("kind", {"type": "string", "pattern": f"^{KIND}$"}),
        ],
    )
    def get(self, request: Request, establishment: UUID) -> Response:
        """A list made by the worker: it may lag a moment behind the ledger."""
        house = own(request, establishment)
        page = self.paginate_queryset(self.get_queryset()) or []
        shown = queries.cards(house, page, reading.person(request))
        return self.get_paginated_response([told(card) for card in shown])


class OneApproval(APIView):
    @documented("A request for approval", answers={200: RequestShape}, errors=(404,))
    def get(self, request: Request, establishment: UUID, approval: UUID) -> Response:
        house = own(request, establishment)
        return Response(shown(request, house, approval))


class Answering(ABC, APIView):
    """An answer to a request; a subclass says which."""

    body: ClassVar[bodies.Schema] = ANSWER

    def post(self, request: Request, establishment: UUID, approval: UUID) -> Response:
        house = own(request, establishment)
        said = bodies.read(request, self.body)
        act = bodies.act(request, house, said)
        self.answered(act, approval, {**said, "reason": said["reason"] or ""})
        return Response(shown(request, house, approval))

    @abstractmethod
    def answered(self, act: acts.Act, approval: UUID, said: Mapping[str, Any]) -> None:
        """What the subclass does with it."""


class Approve(Answering):
    @documented(
        "Approve a request",
        answers={200: RequestShape},
        errors=ERRORS,
        request=ANSWER,
        parameters=[DEVICE],
    )
    def post(self, request: Request, establishment: UUID, approval: UUID) -> Response:
        """
        What was asked for happens with it. 422 `own_request`, `beneficiary`, `already_decided`; or
        what the thing itself says where it cannot be done now: then the request stays open.
        """
        return super().post(request, establishment, approval)

    def answered(self, act: acts.Act, approval: UUID, said: Mapping[str, Any]) -> None:
        answering.decide(act, approval, approve=True, reason=said["reason"])


class Reject(Answering):
    body = WITH_REASON

    @documented(
        "Reject a request",
        answers={200: RequestShape},
        errors=ERRORS,
        request=WITH_REASON,
        parameters=[DEVICE],
    )
    def post(self, request: Request, establishment: UUID, approval: UUID) -> Response:
        """Nothing happens, and the reason stands beside it. 422 `reason_missing` without one."""
        return super().post(request, establishment, approval)

    def answered(self, act: acts.Act, approval: UUID, said: Mapping[str, Any]) -> None:
        answering.decide(act, approval, approve=False, reason=said["reason"])


class Withdraw(Answering):
    @documented(
        "Take back one's own request",
        answers={200: RequestShape},
        errors=ERRORS,
        request=ANSWER,
        parameters=[DEVICE],
    )
    def post(self, request: Request, establishment: UUID, approval: UUID) -> Response:
        """422 `not_the_asker` for anybody else."""
        return super().post(request, establishment, approval)

    def answered(self, act: acts.Act, approval: UUID, said: Mapping[str, Any]) -> None:
        answering.withdraw(act, approval, reason=said["reason"])


class Alone(Answering):
    body = WITH_REASON

    @documented(
        "Do alone what nobody else at the house could approve",
        answers={200: RequestShape},
        errors=ERRORS,
        request=WITH_REASON,
        parameters=[DEVICE],
    )
    def post(self, request: Request, establishment: UUID, approval: UUID) -> Response:
        """It is no approval, and waits for a review. 422 `others_could` where somebody could."""
        return super().post(request, establishment, approval)

    def answered(self, act: acts.Act, approval: UUID, said: Mapping[str, Any]) -> None:
        answering.do_alone(act, approval, reason=said["reason"])


class Reviewed(Answering):
    body = REVIEW

    @documented(
        "Review what was done alone",
        answers={200: RequestShape},
        errors=ERRORS,
        request=REVIEW,
        parameters=[DEVICE],
    )
    def post(self, request: Request, establishment: UUID, approval: UUID) -> Response:
        """By somebody else, a manager or an auditor; to object takes a reason."""
        return super().post(request, establishment, approval)

    def answered(self, act: acts.Act, approval: UUID, said: Mapping[str, Any]) -> None:
        answering.review(act, approval, in_order=said["in_order"], note=said["reason"])


def shown(request: Request, house: Establishment, approval: UUID) -> dict[str, Any]:
    """:raises NoSuchRequest: if the house has none of that id."""
    row = queries.row(house, approval)
    if row is None:
        raise NoSuchRequest(f"There is no request {approval} at {house}.")
    [card] = queries.cards(house, [row], reading.person(request))
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


def _known(name: str, given: str) -> str:
    """:raises Malformed: if it can be no such thing."""
    sound = given in RequestRow.State.values if name == "state" else re.fullmatch(KIND, given)
    if not sound:
        raise Malformed(f"{name}: there is none such.", field=name)
    return given


ADDRESSES: Final[dict[str, type[APIView]]] = {
    "": OneApproval,
    "approve/": Approve,
    "reject/": Reject,
    "withdraw/": Withdraw,
    "alone/": Alone,
    "review/": Reviewed,
}
"""What stands behind a request's address, and what answers there."""
