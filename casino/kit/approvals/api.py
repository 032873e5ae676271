"""Requests for approval: what waits, what was decided, and the second person's answer (C1)."""

from __future__ import annotations

from inspect import getdoc
from typing import TYPE_CHECKING, Any, Final

from rest_framework import serializers, status
from rest_framework.response import Response
from rest_framework.views import APIView

from casino.kit.approvals import answers, queries
from casino.kit.approvals.listings import REQUESTS
from casino.kit.approvals.models import RequestRow
from casino.kit.approvals.requests import NoSuchRequest
from casino.kit.web.api import bodies, schema
from casino.kit.web.api import houses as acting
from casino.kit.web.api.answers import Shape
from casino.kit.web.api.houses import own
from casino.kit.web.api.problems import Problem, problem_of
from casino.kit.web.listings.api import list_view, values, viewer

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from uuid import UUID

    from rest_framework.request import Request

    from casino.house.acts import acts
    from casino.house.establishments.models import Establishment

    Answer = Callable[[acts.Act, UUID, Mapping[str, Any]], None]


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
        allow_blank=True, help_text="What was asked for, as it was then, in a sentence."
    )
    details = serializers.DictField(
        allow_null=True,
        help_text=(
            "Of a void that waits, what it takes back (`entries`, with dice, hands and payments;"
            " `asked` of them were there when it was asked for, `since` came later), the `stakes`"
            " that change, now and then, and how play `goes_on`; what a change in place enters"
            " `instead`, or why that is `unfit`."
        ),
    )
    refused = serializers.CharField(
        allow_blank=True, help_text="Why it cannot be carried out now, if that is known."
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


ANSWER: Final = bodies.describe_body({}, reason=bodies.REASON)
APPROVAL: Final = bodies.describe_body({}, reason=bodies.REASON, through=bodies.COINS)
REVIEW: Final = bodies.describe_body({"in_order": bodies.FLAG}, reason=bodies.REASON)


Approvals = list_view(
    REQUESTS,
    RequestShape,
    "What waits for a second person, and what was decided, newest first",
    about="A list made by the worker: it may lag a moment behind the ledger.",
    through_shape=True,
)


class OneApproval(APIView):
    @schema.describe_operation("A request for approval", answers={200: RequestShape}, errors=(404,))
    def get(self, request: Request, establishment: UUID, approval: UUID) -> Response:
        house = own(request, establishment)
        return Response(as_recorded(request, house, approval))


def answer(summary: str, body: bodies.Schema) -> Callable[[Answer], type[APIView]]:
    """The address of an answer to a request: what answers it is decorated, and describes it."""

    def viewed(do: Answer) -> type[APIView]:
        class Answering(APIView):
            @schema.act(summary, answers={200: RequestShape}, request=body, description=getdoc(do))
            def post(self, request: Request, establishment: UUID, approval: UUID) -> Response:
                # Anybody who works at the house may call this; the operation checks what the
                # request needs.
                act, given = acting.begin_act(request, establishment, "look", body)
                do(act, approval, {**given, "reason": given["reason"] or ""})
                return Response(as_recorded(request, act.house, approval))

        return Answering

    return viewed


@answer("Approve a request", APPROVAL)
def approve(act: acts.Act, approval: UUID, given: Mapping[str, Any]) -> None:
    """
    What was asked for happens with it. 422 `own_request`, `beneficiary`, `already_decided`; or
    what the thing itself says where it cannot be done now: then the request stays open. A void
    takes back only what was there when it was asked for; if more was entered since, 422
    `request_grown` until `through` (of its `details`) says that you have seen that.
    """
    through = given.get("through")
    answers.decide(act, approval, approve=True, reason=given["reason"], through=through)


@answer("Reject a request", bodies.WITH_REASON)
def reject(act: acts.Act, approval: UUID, given: Mapping[str, Any]) -> None:
    """Nothing happens, and the reason stands beside it. 422 `reason_missing` without one."""
    answers.decide(act, approval, approve=False, reason=given["reason"])


@answer("Take back one's own request", ANSWER)
def withdraw(act: acts.Act, approval: UUID, given: Mapping[str, Any]) -> None:
    """422 `not_the_asker` for anybody else."""
    answers.withdraw(act, approval, reason=given["reason"])


@answer("Do alone what nobody else at the house could approve", bodies.WITH_REASON)
def alone(act: acts.Act, approval: UUID, given: Mapping[str, Any]) -> None:
    """It is no approval, and waits for a review. 422 `others_could` where somebody could."""
    answers.do_alone(act, approval, reason=given["reason"])


@answer("Review what was done alone", REVIEW)
def review(act: acts.Act, approval: UUID, given: Mapping[str, Any]) -> None:
    """By somebody else, a manager or an auditor; to object takes a reason."""
    answers.review(act, approval, in_order=given["in_order"], note=given["reason"])


def as_recorded(request: Request, house: Establishment, approval: UUID) -> dict[str, Any]:
    """
    As the record has it: whoever has just decided does not see a list that lags.

    :raises NoSuchRequest: if the house has none of that id.
    """
    row = queries.row_now(house, approval)
    if row is None:
        raise NoSuchRequest(f"There is no request {approval} at {house}.")
    [fields] = values(REQUESTS, viewer(request, house), [row])
    described: dict[str, Any] = RequestShape(fields).data
    return described
