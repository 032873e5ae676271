"""The API of late entries and gaps, which a supervisor deals with (E5)."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from django.http import Http404
from rest_framework import serializers, status
from rest_framework.response import Response
from rest_framework.views import APIView

from casino.house.acts.acts import WasRefused
from casino.house.attendants.pseudonyms import tokens
from casino.kit.approvals.api import Person
from casino.kit.web.api import bodies, houses, params, schema
from casino.kit.web.api.answers import Shape
from casino.kit.web.api.houses import OVERSEEING, own
from casino.kit.web.listings.api import list_view, values, viewer
from casino.play.core.queries import find
from casino.play.devices import late, queries
from casino.play.devices.listings import ALL_GAPS, ALL_LATE_ENTRIES
from casino.play.devices.models import LateRow

if TYPE_CHECKING:
    from collections.abc import Mapping
    from uuid import UUID

    from rest_framework.request import Request

    from casino.house.acts.acts import Act

NUMBER: Final = "Of the event that listed it, in the game's log of devices."


class LateEntryShape(Shape):
    """What a device sent too late, or gave up, and what became of it."""

    game = serializers.UUIDField()
    number = serializers.IntegerField(help_text=NUMBER)
    position = serializers.IntegerField(help_text="Of that event, in the house's ledger.")
    table = serializers.UUIDField()
    device = serializers.CharField()
    seq = serializers.IntegerField(help_text="The number that the device gave it, from 1.")
    term = serializers.IntegerField(
        allow_null=True, help_text="Of the recording lease under which it was made."
    )
    why = serializers.ChoiceField(
        ["", *LateRow.Why.values],
        help_text="lapsed: another device had taken the table over; handed: the attendant handed it"
        " on; taken: a supervisor took it over from the device; empty: dropped.",
    )
    entry = serializers.CharField(help_text="What was entered, in words.")
    command = serializers.DictField(
        allow_null=True,
        help_text="What was entered, as a command; null: it could not be read, and can only be"
        " dismissed.",
    )
    made_by = Person(allow_null=True)
    made_at = serializers.DateTimeField(help_text="By the device's clock.")
    taken_over_by = Person(allow_null=True, help_text="Who sent it, where whoever made it did not.")
    taken_over_why = serializers.CharField(allow_blank=True, help_text="That person's reason.")
    listed_at = serializers.DateTimeField()
    gaming_day = serializers.DateField()
    state = serializers.ChoiceField(LateRow.State.choices)
    tries = serializers.IntegerField(help_text="How often the rules refused it.")
    refused = serializers.CharField(allow_blank=True, help_text="Why, the last time.")
    decided_by = Person(allow_null=True)
    decided_at = serializers.DateTimeField(allow_null=True)
    decided_position = serializers.IntegerField(allow_null=True)
    reason = serializers.CharField(allow_blank=True, help_text="Why it was dismissed.")


class GapShape(Shape):
    """Numbers that a device skipped in a game."""

    game = serializers.UUIDField()
    number = serializers.IntegerField(help_text=NUMBER)
    position = serializers.IntegerField(help_text="Of that event, in the house's ledger.")
    table = serializers.UUIDField()
    device = serializers.CharField()
    first = serializers.IntegerField(help_text="The first number that was skipped.")
    last = serializers.IntegerField(help_text="The last one.")
    missing = serializers.IntegerField(help_text="How many of them have not arrived since.")
    held_by = Person(allow_null=True, help_text="Whose entry made it seen.")
    found_at = serializers.DateTimeField()
    gaming_day = serializers.DateField()
    open = serializers.BooleanField()
    closed_by = Person(allow_null=True, help_text="Null: it is open, or everything arrived.")
    closed_at = serializers.DateTimeField(allow_null=True)
    reason = serializers.CharField(allow_blank=True)


LateEntries = list_view(
    ALL_LATE_ENTRIES,
    LateEntryShape,
    "What devices sent too late or gave up, and what became of it, newest first",
    about=(
        "For supervisors, managers and auditors. What waits has `state` `waiting`: put it to its"
        " game or\ndismiss it, each game's entries in the order of `made_at`."
    ),
    sees=OVERSEEING,
    through_shape=True,
)
Gaps = list_view(
    ALL_GAPS,
    GapShape,
    "Numbers that devices skipped, newest first",
    about="For supervisors, managers and auditors. A gap closes by itself once all has arrived.",
    sees=OVERSEEING,
    through_shape=True,
)


class OneLateEntry(APIView):
    @schema.describe_operation("A late entry", answers={200: LateEntryShape}, errors=(403, 404))
    def get(self, request: Request, establishment: UUID, game: UUID, number: int) -> Response:
        house = own(request, establishment, *OVERSEEING)
        row = queries.late_entries(house.pk).filter(game=game, number=number).first()
        if row is None:
            raise Http404
        [described] = values(ALL_LATE_ENTRIES, viewer(request, house), [row])
        return Response(LateEntryShape(described).data)


class PutLateEntry(APIView):
    @schema.act("Put a late entry to its game", answers={204: None}, request=bodies.NOTHING)
    def post(self, request: Request, establishment: UUID, game: UUID, number: int) -> Response:
        """
        As the game stands now, with the time of the tap. 422 with the rules' own code where they
        refuse it: it stays listed, and may be put again under another `command_id`. 422
        `not_waiting`, `unreadable`.
        """
        act, _given = begin_act(request, establishment, game, bodies.NOTHING)
        refusal = late.put(
            by=params.person(request),
            house=act.house,
            game=game,
            entry=number,
            now=act.now,
            device=act.device,
            request=act.command_id,
        )
        if refusal is not None:
            detail = tokens.resolve(act.house.pk, refusal.detail)
            raise WasRefused(refusal.code, detail)
        return answer_empty()


class StoppedShape(Shape):
    """The entry at which the putting of a game's late entries ended."""

    number = serializers.IntegerField(help_text=NUMBER)
    code = serializers.CharField(help_text="The rules' own.")
    detail = serializers.CharField()


class PutAllShape(Shape):
    recorded = serializers.ListField(
        child=serializers.IntegerField(), help_text="The entries that are recorded, by number."
    )
    stopped = StoppedShape(allow_null=True)


class PutLateEntries(APIView):
    @schema.act(
        "Put all late entries of a game to it",
        answers={200: PutAllShape},
        request=bodies.NOTHING,
        operation_id="establishments_late_entries_put_all",
    )
    def post(self, request: Request, establishment: UUID, game: UUID) -> Response:
        """
        In the order in which they were made, until one is refused: that one and the later ones
        stay listed. The same `command_id` sent again goes on where it was cut off.
        """
        act, _given = begin_act(request, establishment, game, bodies.NOTHING)
        done = late.put_all(
            by=params.person(request),
            house=act.house,
            game=game,
            now=act.now,
            device=act.device,
            request=act.command_id,
        )
        stopped = None
        if done.stopped is not None:
            number, refusal = done.stopped
            detail = tokens.resolve(act.house.pk, refusal.detail)
            stopped = {"number": number, "code": refusal.code, "detail": detail}
        return Response(PutAllShape({"recorded": done.recorded, "stopped": stopped}).data)


class DismissLateEntry(APIView):
    @schema.act(
        "Take a late entry off the list, for a reason",
        answers={204: None},
        request=bodies.WITH_REASON,
    )
    def post(self, request: Request, establishment: UUID, game: UUID, number: int) -> Response:
        """It is never put to its game. 422 `reason_needed` without one, `not_waiting`."""
        act, reason = for_a_reason(request, establishment, game, do="dismiss", entry=number)
        late.dismiss(act, game=game, entry=number, reason=reason)
        return answer_empty()


class CloseGap(APIView):
    @schema.act("Close a gap, for a reason", answers={204: None}, request=bodies.WITH_REASON)
    def post(self, request: Request, establishment: UUID, game: UUID, number: int) -> Response:
        """Its numbers and the reason stay on record. 422 `reason_needed`, `not_waiting`."""
        act, reason = for_a_reason(request, establishment, game, do="close_gap", gap=number)
        late.close_gap(act, game=game, gap=number, reason=reason)
        return answer_empty()


def begin_act(
    request: Request, establishment: UUID, game: UUID, description: Mapping[str, Any]
) -> tuple[Act, dict[str, Any]]:
    """
    The act of a supervisor about a game of the house, and the fields of its body.

    :raises NoGame: if the house has no such game.
    """
    act, given = houses.begin_act(request, establishment, "approve", description)
    find([act.house.pk], game)
    return act, given


def for_a_reason(
    request: Request, establishment: UUID, game: UUID, **fields: object
) -> tuple[Act, str]:
    """
    The act, with these fields as what was asked; and its reason.

    :raises NoGame: if the house has no such game.
    """
    act, given = begin_act(request, establishment, game, bodies.WITH_REASON)
    reason: str = given["reason"]
    return replace(act, request={"game": str(game), **fields, "reason": reason}), reason


def answer_empty() -> Response:
    return Response(status=status.HTTP_204_NO_CONTENT)
