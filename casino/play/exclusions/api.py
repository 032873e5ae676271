"""The API of exclusions: who is refused a seat, who tried to take one, readmission (P1)."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING, Final

from rest_framework import serializers, status
from rest_framework.response import Response

from casino.house.acts import acts
from casino.house.attendants.pseudonyms import tokens
from casino.kit.web.api import bodies, schema
from casino.kit.web.api import houses as acting
from casino.kit.web.api.answers import Shape
from casino.kit.web.api.houses import OVERSEEING
from casino.kit.web.listings.api import ListView, list_view, values, viewer
from casino.play.exclusions import operations as exclusions
from casino.play.exclusions.listings import EXCLUSIONS, SEATS_REFUSED
from casino.play.exclusions.models import Exclusion

if TYPE_CHECKING:
    from uuid import UUID

    from rest_framework.request import Request

    from casino.house.establishments.models import Establishment
    from ledger.wire import StoredEvent

EXCLUDE: Final = bodies.describe_body(
    {"name": bodies.NAME, "since": bodies.DAY, "reason": bodies.REASON}, until=bodies.DAY
)


class ExclusionShape(Shape):
    player = serializers.CharField(help_text="Id in the ledger.")
    name = serializers.CharField(help_text="The id again where the name is erased.")
    perhaps = serializers.ListField(
        child=serializers.CharField(),
        help_text="Names of other players who may be the same person: nobody is refused for it.",
    )
    since = serializers.DateField(help_text="First gaming day.")
    until = serializers.DateField(allow_null=True, help_text="Last gaming day.")
    reason = serializers.CharField()
    by = serializers.CharField(help_text="Attendant.")
    at = serializers.DateTimeField()
    lifted_at = serializers.DateTimeField(allow_null=True)
    position = serializers.IntegerField()


class _Exclude(ListView):
    @schema.act(
        "Refuse somebody a seat, by name or id",
        answers={201: ExclusionShape},
        request=EXCLUDE,
    )
    def post(self, request: Request, establishment: UUID) -> Response:
        """From then on `open` and `join` are refused `excluded`. 422 `already_excluded`."""
        act, given = acting.begin_act(request, establishment, "approve", EXCLUDE)
        receipt = exclusions.exclude(
            act,
            player=token_of(act.house, given["name"]),
            since=given["since"],
            until=given["until"],
            reason=given["reason"],
        )
        [event] = acts.events_of(act.house.pk, receipt)
        [row] = values(EXCLUSIONS, viewer(request, act.house), [_exclusion_of(act.house, event)])
        return Response(ExclusionShape(row).data, status=status.HTTP_201_CREATED)


Exclusions = list_view(
    EXCLUSIONS,
    ExclusionShape,
    "Who is or was refused a seat, newest first",
    sees=OVERSEEING,
    through_shape=True,
    takes=_Exclude,
)


def token_of(house: Establishment, name: str) -> str:
    """The token of a name or id; a name not heard of before gets one."""
    return tokens.player_tokens(house.pk, [name], new=True)[name]


def _exclusion_of(house: Establishment, event: StoredEvent) -> Exclusion:
    """From the ledger: the list that has it, too, is written by the worker, and may lag."""
    data = event.data
    return Exclusion(
        establishment=house,
        position=event.position,
        player=data["player"],
        since=date.fromisoformat(data["since"]),
        until=date.fromisoformat(data["until"]) if data["until"] else None,
        reason=data["reason"],
        by=event.provenance.actor,
        at=event.provenance.recorded_at,
    )


class TriedShape(Shape):
    player = serializers.CharField()
    name = serializers.CharField(help_text="Of the excluded player.")
    named = serializers.CharField(help_text="The name that was given.")
    reads_alike = serializers.BooleanField(help_text="Another name that reads like theirs.")
    game = serializers.UUIDField(allow_null=True)
    table = serializers.CharField(help_text="Empty where a running game was to be joined.")
    by = serializers.CharField()
    at = serializers.DateTimeField()
    gaming_day = serializers.DateField()
    position = serializers.IntegerField()


Tried = list_view(
    SEATS_REFUSED,
    TriedShape,
    "Who was turned away from a table, newest first",
    through_shape=True,
)
