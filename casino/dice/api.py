"""Dice sets: which there are and where, their lives, and what is done with them (F1)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from django.http import Http404
from rest_framework import serializers, status
from rest_framework.response import Response
from rest_framework.views import APIView

from casino.approvals import requests
from casino.dice import destroying, life, queries
from casino.dice.models import DiceSet, DiceStep
from casino.web.api import acts, bodies, paging
from casino.web.api.answers import Shape
from casino.web.api.houses import OVERSEEING, HouseList, own
from casino.web.api.problems import Problem, problem_of
from casino.web.api.schema import act, documented

if TYPE_CHECKING:
    from uuid import UUID

    from django.db.models import QuerySet
    from rest_framework.request import Request

    from casino.dice.queries import Step, Stock

STEPS: Final = 200  # of one life; the ledger has them all
SUBJECT: Final[bodies.Schema] = {"type": "string", "maxLength": 40}


@problem_of.register
def _no_such_dice(failure: life.NoSuchDice) -> Problem:
    return Problem(status.HTTP_404_NOT_FOUND, failure.code, str(failure))


class StepShape(Shape):
    """One event of a set's life."""

    position = serializers.IntegerField(help_text="Of the event in the house's ledger.")
    what = serializers.CharField(help_text=", ".join(DiceStep.What.values))
    at = serializers.DateTimeField()
    gaming_day = serializers.DateField()
    by = serializers.CharField()
    asked_by = serializers.CharField(
        allow_blank=True, help_text="Where a second person approved; else empty."
    )
    in_order = serializers.BooleanField(allow_null=True, help_text="What an inspection found.")
    table = serializers.UUIDField(allow_null=True, help_text="To which it was issued, if to one.")
    game = serializers.UUIDField(allow_null=True, help_text="In which it won a large prize.")
    supplier = serializers.CharField(allow_blank=True)
    reference = serializers.CharField(allow_blank=True)
    said = serializers.CharField(allow_blank=True, help_text="A reason, a finding or a note.")


class StockShape(Shape):
    """A set as it stands now."""

    id = serializers.UUIDField()
    number = serializers.CharField()
    sides = serializers.IntegerField(allow_null=True, help_text="null: one die of each size.")
    count = serializers.IntegerField()
    colour = serializers.CharField(allow_blank=True)
    state = serializers.CharField(help_text="received, ready, issued, withdrawn or destroyed.")
    stands = serializers.CharField(
        help_text="The same, or what games made of it: on_table, quarantined, failed."
    )
    issued_to = serializers.UUIDField(allow_null=True, help_text="The only table; null: any.")
    game = serializers.UUIDField(allow_null=True, help_text="That has it now.")
    since = serializers.DateTimeField(allow_null=True)
    inspected_at = serializers.DateTimeField(allow_null=True)
    inspected_by = serializers.CharField(allow_null=True)
    possible = serializers.ListField(
        child=serializers.CharField(), help_text="What may be done with it now."
    )


class StockInFull(StockShape):
    life = StepShape(many=True)


class StepDone(Shape):
    approval = serializers.UUIDField(
        allow_null=True, help_text="The request, which a second person approves."
    )


TEXT: Final[bodies.Schema] = {"type": "string", "maxLength": bodies.REASON_MAX}
RECEIVE: Final = bodies.described(
    {
        "number": {"type": "string", "minLength": 1, "maxLength": 24, "pattern": bodies.NOT_BLANK},
        "count": {"type": "integer", "minimum": 1, "maximum": 999},
        "supplier": bodies.NAME,
        "reference": bodies.NAME,
    },
    sides={
        "type": "integer",
        "minimum": 4,
        "maximum": 12,
        "description": "Of each die; absent: one of each size.",
    },
    colour=SUBJECT,
    note=TEXT,
)


def _doing(do: life.Do, fields: dict[str, Any], **optional: Any) -> dict[str, Any]:
    """A body that says which act it is."""
    return bodies.described({"do": {"type": "string", "enum": [str(do)]}, **fields}, **optional)


ACT: Final = bodies.one_of(
    _doing(life.Do.INSPECT, {"in_order": bodies.FLAG, "finding": bodies.REASON}),
    _doing(life.Do.ISSUE, {}, table=bodies.ID, reason=TEXT),
    _doing(life.Do.RETURN, {}, reason=TEXT),
    _doing(life.Do.WITHDRAW, {"reason": bodies.REASON}),
    _doing(life.Do.DESTROY, {"reason": bodies.REASON}),
)


class ByNumber(paging.SignedCursorPagination):
    """A house has no two sets of one number."""

    ordering = ("number",)


class DiceSets(HouseList):
    sees = OVERSEEING
    queryset = DiceSet.objects.none()
    serializer_class = StockShape
    pagination_class = ByNumber

    def get_queryset(self) -> QuerySet[DiceSet]:
        return DiceSet.objects.filter(establishment=self.house)

    @documented(
        "The dice sets of a house", answers={200: StockShape(many=True)}, errors=(400, 403, 404)
    )
    def get(self, request: Request, *_args: Any, **_named: Any) -> Response:
        """By number: as they stand now, and what may be done with each."""
        del request
        page = self.paginate_queryset(self.get_queryset()) or []
        found = queries.inventory(self.house, [each.pk for each in page])
        return self.get_paginated_response([told(each) for each in found])

    @act("Receive a set", answers={201: StockInFull}, request=RECEIVE)
    def post(self, request: Request, establishment: UUID) -> Response:
        """It is inspected and issued before it may be thrown. F1"""
        doing, said = acts.begun(request, establishment, "approve", RECEIVE)
        delivery = life.Delivery(
            number=said["number"],
            sides=said["sides"],
            count=said["count"],
            colour=said["colour"] or "",
            supplier=said["supplier"],
            reference=said["reference"],
            note=said["note"] or "",
        )
        life.receive(doing, delivery)
        return Response(in_full(doing.house, life.new_id(doing)), status=status.HTTP_201_CREATED)


class OneDiceSet(APIView):
    @documented("A dice set and its life", answers={200: StockInFull}, errors=(403, 404))
    def get(self, request: Request, establishment: UUID, dice_set: UUID) -> Response:
        """Its newest 200 events, but for the games that had it."""
        house = own(request, establishment, *OVERSEEING)
        return Response(in_full(house, dice_set))


class DiceActs(APIView):
    @act("Inspect, issue, return, withdraw or destroy a set", answers={200: StepDone}, request=ACT)
    def post(self, request: Request, establishment: UUID, dice_set: UUID) -> Response:
        """
        `do` says which. To destroy a set is asked for here, and approved by a second person;
        `approval` is that request. F1
        """
        doing, said = acts.begun(request, establishment, "approve", ACT)
        approval = None
        match life.Do(said["do"]):
            case life.Do.INSPECT:
                found = {"in_order": said["in_order"], "finding": said["finding"]}
                life.inspect(doing, dice_set, **found)
            case life.Do.ISSUE:
                life.issue(doing, dice_set, table=said["table"], note=said["reason"] or "")
            case life.Do.RETURN:
                life.bring_back(doing, dice_set, note=said["reason"] or "")
            case life.Do.WITHDRAW:
                life.withdraw(doing, dice_set, reason=said["reason"])
            case life.Do.DESTROY:
                destroying.ask(doing, dice_set, reason=said["reason"])
                approval = str(requests.id_of(doing.house.pk, doing.command_id))
        return Response({"approval": approval})


def in_full(house: Any, dice_set: UUID) -> dict[str, Any]:
    """:raises Http404: if the house has no such set."""
    found = queries.inventory(house, [dice_set])
    if not found:
        raise Http404
    steps = queries.steps(house, dice_set, before=None, most=STEPS)
    return {**told(found[0]), "life": [step_told(each) for each in steps]}


def told(stock: Stock) -> dict[str, Any]:
    dice, inspection = stock.dice, stock.inspection
    return {
        "id": str(dice.pk),
        "number": dice.number,
        "sides": dice.sides,
        "count": dice.count,
        "colour": dice.colour,
        "state": dice.state,
        "stands": str(stock.stands),
        "issued_to": str(dice.issued_to_id) if dice.issued_to_id else None,
        "game": str(stock.game) if stock.game else None,
        "since": stock.since.isoformat() if stock.since else None,
        "inspected_at": inspection.row.at.isoformat() if inspection else None,
        "inspected_by": inspection.by if inspection else None,
        "possible": [str(do) for do in stock.possible],
    }


def step_told(step: Step) -> dict[str, Any]:
    row = step.row
    return {
        "position": row.position,
        "what": row.what,
        "at": row.at.isoformat(),
        "gaming_day": row.gaming_day.isoformat(),
        "by": step.by,
        "asked_by": step.asked_by,
        "in_order": row.in_order,
        "table": str(row.table) if row.table else None,
        "game": str(row.game) if row.game else None,
        "supplier": step.supplier,
        "reference": step.reference,
        "said": step.said,
    }
