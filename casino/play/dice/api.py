"""The API about dice sets: which there are, where they are, their lives, and acts on them (F1)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from django.shortcuts import get_object_or_404
from rest_framework import serializers, status
from rest_framework.response import Response
from rest_framework.views import APIView

from casino.kit.approvals import requests
from casino.kit.web.api import bodies, houses
from casino.kit.web.api.answers import Shape
from casino.kit.web.api.houses import OVERSEEING, own
from casino.kit.web.api.problems import Problem, problem_of
from casino.kit.web.api.schema import act, describe_operation
from casino.kit.web.listings.api import ListView, fields, list_view, viewer
from casino.play.dice import life
from casino.play.dice import life as dice_life
from casino.play.dice.listings import DICE_SETS, DICE_STEPS
from casino.play.dice.models import DiceSet, DiceStep

if TYPE_CHECKING:
    from uuid import UUID

    from django.db.models import Field
    from rest_framework.request import Request

    from casino.kit.web.listings.listing import Viewer

STEPS: Final = 200  # the most steps of a set in an answer; the ledger has them all
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

    def get_fields(self) -> dict[str, Any]:
        model = serializers.ModelSerializer[Any]()
        further = {
            each.attname: model.build_standard_field(each.attname, each)
            for each in DiceSet.further_traits()
        }
        return {
            **super().get_fields(),
            **{name: kind(**options) for name, (kind, options) in further.items()},
        }


class StockInFull(StockShape):
    life = StepShape(many=True)


class StepDone(Shape):
    approval = serializers.UUIDField(
        allow_null=True, help_text="The request, which a second person approves."
    )


TEXT: Final[bodies.Schema] = {"type": "string", "maxLength": bodies.REASON_MAX}


def _trait(field: Field[Any, Any]) -> bodies.Schema:
    """What a program may send for a column about the dice."""
    kind = field.get_internal_type()
    if kind == "BooleanField":
        return bodies.FLAG
    return {"type": "integer"} if kind.endswith("IntegerField") else SUBJECT


RECEIVE: Final = bodies.describe_body(
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
    **{each.attname: _trait(each) for each in DiceSet.further_traits()},
)


def _doing(do: life.Do, fields: dict[str, Any], **optional: Any) -> dict[str, Any]:
    """A body that says which act it is."""
    return bodies.describe_body({"do": {"type": "string", "enum": [str(do)]}, **fields}, **optional)


ACT: Final = bodies.one_of(
    "DiceSet",
    _doing(life.Do.INSPECT, {"in_order": bodies.FLAG, "finding": bodies.REASON}),
    _doing(life.Do.ISSUE, {}, table=bodies.ID, reason=TEXT),
    _doing(life.Do.RETURN, {}, reason=TEXT),
    _doing(life.Do.WITHDRAW, {"reason": bodies.REASON}),
    _doing(life.Do.DESTROY, {"reason": bodies.REASON}),
)


class _Receive(ListView):
    @act("Receive a set", answers={201: StockInFull}, request=RECEIVE)
    def post(self, request: Request, establishment: UUID) -> Response:
        """It is inspected and issued before it may be thrown. F1"""
        doing, given = houses.begin_act(request, establishment, "approve", RECEIVE)
        delivery = life.Delivery(
            number=given["number"],
            sides=given["sides"],
            count=given["count"],
            colour=given["colour"] or "",
            supplier=given["supplier"],
            reference=given["reference"],
            note=given["note"] or "",
            further={
                each.attname: given[each.attname]
                for each in DiceSet.further_traits()
                if given[each.attname] is not None
            },
        )
        life.receive(doing, delivery)
        whole = in_full(viewer(request, doing.house), life.new_id(doing))
        return Response(whole, status=status.HTTP_201_CREATED)


DiceSets = list_view(
    DICE_SETS,
    StockShape,
    "The dice sets of a house",
    about="By number: as they stand now, and what may be done with each.",
    sees=OVERSEEING,
    takes=_Receive,
)


class OneDiceSet(APIView):
    @describe_operation("A dice set and its life", answers={200: StockInFull}, errors=(403, 404))
    def get(self, request: Request, establishment: UUID, dice_set: UUID) -> Response:
        """Its newest 200 events, but for the games that had it."""
        house = own(request, establishment, *OVERSEEING)
        return Response(in_full(viewer(request, house), dice_set))


class DiceActs(APIView):
    @act("Inspect, issue, return, withdraw or destroy a set", answers={200: StepDone}, request=ACT)
    def post(self, request: Request, establishment: UUID, dice_set: UUID) -> Response:
        """
        `do` says which. To destroy a set is asked for here, and approved by a second person;
        `approval` is that request. F1
        """
        doing, given = houses.begin_act(request, establishment, "approve", ACT)
        approval = None
        match life.Do(given["do"]):
            case life.Do.INSPECT:
                found = {"in_order": given["in_order"], "finding": given["finding"]}
                life.inspect(doing, dice_set, **found)
            case life.Do.ISSUE:
                life.issue(doing, dice_set, table=given["table"], note=given["reason"] or "")
            case life.Do.RETURN:
                life.bring_back(doing, dice_set, note=given["reason"] or "")
            case life.Do.WITHDRAW:
                life.withdraw(doing, dice_set, reason=given["reason"])
            case life.Do.DESTROY:
                dice_life.ask_to_destroy(doing, dice_set, reason=given["reason"])
                approval = str(requests.id_of(doing.house.pk, doing.command_id))
        return Response({"approval": approval})


def in_full(viewer: Viewer, dice_set: UUID) -> dict[str, Any]:
    """:raises Http404: if the house has no such set."""
    row = get_object_or_404(DiceSet, establishment=viewer.house, pk=dice_set)
    [stock] = fields(DICE_SETS, viewer, [row])
    steps = DiceStep.objects.filter(establishment=viewer.house, dice_set=dice_set)
    newest = list(steps.order_by("-position")[:STEPS])
    return {**stock, "life": fields(DICE_STEPS, viewer, newest)}
