"""API of games: opening, commands, state, events, explanations of rounds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, cast

import django_filters
from django.http import Http404
from django.shortcuts import get_object_or_404
from django.utils import timezone
from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers, status
from rest_framework.generics import ListAPIView
from rest_framework.response import Response
from rest_framework.reverse import reverse
from rest_framework.views import APIView

from casino.engine.databases import compiled
from casino.house.attendants import permissions
from casino.house.attendants.pseudonyms import tokens
from casino.house.establishments.clock import show_times_of
from casino.house.establishments.models import Establishment, Table
from casino.kit.web import etags, limits
from casino.kit.web.api import answers, paging, params, rendering
from casino.kit.web.api.problems import Problem, problem_of
from casino.kit.web.api.schema import (
    COMMANDS,
    DEVICE,
    IF_NONE_MATCH,
    NUMBERED,
    OPENING,
    describe_operation,
)
from casino.play.core import operations, queries
from casino.play.core.models import GameCard
from casino.play.dice.models import DiceSet
from casino.words.languages import reader
from casino.words.languages.messages import translate_round
from casino.words.presenters import registered
from games.refusals import Malformed

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from uuid import UUID

    from django.db.models import QuerySet
    from rest_framework.request import Request

    from casino.house.acts.game_streams.loading import Loaded
    from casino.play.core.core import Answer

PRIVATE: Final = {"Cache-Control": "private, no-store"}  # a program keeps the ETag itself


class CardFilter(django_filters.FilterSet):  # type: ignore[misc]  # published without types
    establishment = django_filters.UUIDFilter()
    table = django_filters.UUIDFilter()
    status = django_filters.ChoiceFilter(choices=GameCard.Status.choices)
    gaming_day = django_filters.DateFilter(input_formats=["%Y-%m-%d"])


class Card(serializers.ModelSerializer[GameCard]):
    id = serializers.UUIDField(source="game")
    game = serializers.CharField(
        source="ruleset", help_text=f"Which game is played: {registered.examples()} …"
    )

    class Meta:
        model = GameCard
        fields = [
            "id", "game", "establishment", "table", "status", "opened_at", "gaming_day",
            "changed_at", "players", "round", "pot", "version",
        ]  # fmt: skip


class Games(ListAPIView[GameCard]):
    serializer_class = Card
    filterset_class = CardFilter
    pagination_class = paging.NewestGamesFirst

    def get_queryset(self) -> QuerySet[GameCard]:
        houses = permissions.houses(params.person(self.request))
        return GameCard.objects.filter(establishment__in=houses)

    @describe_operation(
        "The games of one's houses, newest first",
        answers={200: Card(many=True)},
        errors=(400,),
    )
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """A list made by the worker: it may lag a moment behind the games themselves."""
        for name in CardFilter.base_filters:
            if request.query_params.get(name) == "":  # else it would mean: no filter
                raise Malformed(f"{name} is empty: leave it out or fill it in.", field=name)
        return super().get(request, *args, **kwargs)

    @describe_operation(
        "Open a game",
        answers={201: answers.Opened},
        errors=(400, 404, 409, 413, 415, 422, 429),
        request=OPENING,
        examples=answers.OPENING,
        parameters=[
            DEVICE,
            OpenApiParameter("Location", str, OpenApiParameter.HEADER, response=[201]),
        ],
    )
    def post(self, request: Request) -> Response:
        """The game's id follows from `command_id`: the same command again, the same answer."""
        body = dict(params.fields(request))
        who = params.person(request)
        where = place(body, permissions.houses(who))
        show_times_of(where["table"].establishment)
        limits.admit(where["table"].establishment_id)
        answer = operations.open_game(
            by=who,
            now=timezone.now(),
            device=params.device(request),
            **where,
            raw=command_in(body),
        )
        game = str(answer.key.game)
        return Response(
            {"id": game, **serialise([answer])[0]},
            status=status.HTTP_201_CREATED,
            headers={"Location": reverse("game", [game], request=request)},
        )


class Commands(APIView):
    @describe_operation(
        "Put one command, or a list of them, to a game",
        answers={200: answers.CommandsDone},
        errors=(400, 404, 409, 413, 415, 422, 429),
        request=COMMANDS,
        examples=answers.COMMANDS,
        parameters=[DEVICE],
    )
    def post(self, request: Request, game: UUID) -> Response:
        """
        A list is carried out in order and stops at the first refusal; `done` then says how many
        commands before it were carried out, and `results` what they answered. A command that was
        answered before gets the same answer again, so a list may be sent again as a whole.
        """
        body = request.data
        raws = params.commands(body) if isinstance(body, list) else [body]
        who = params.person(request)
        house = establishment(queries.house_of(permissions.houses(who), game))
        show_times_of(house)
        limits.admit(house.pk, len(raws))
        run = operations.commands(
            by=who,
            house=house,
            game=game,
            raws=raws,
            now=timezone.now(),
            device=params.device(request),
        )
        return Response(whole(run) if isinstance(body, list) else serialise(run.answers)[0])


class Game(APIView):
    @describe_operation(
        "A game as it stands",
        answers={200: answers.State, 304: None},
        errors=(404,),
        parameters=[
            IF_NONE_MATCH,
            OpenApiParameter("ETag", str, OpenApiParameter.HEADER, response=[200, 304]),
        ],
    )
    def get(self, request: Request, game: UUID) -> Response:
        """What was played, what is booked, and in `offers` what may be done next and by whom."""
        loaded = find_game(request, game)
        seen = queries.look(loaded)
        tag = f'W/"{seen.mark}.{reader.language_and_locale()}"'
        headers = {"ETag": tag, **PRIVATE}
        if etags.holds(request, tag):
            return Response(status=status.HTTP_304_NOT_MODIFIED, headers=headers)
        state = queries.state_with_tokens(loaded, seen)
        first = page(request, game, 0).removesuffix("0/")
        rounds = [
            {**translate_round(each), "url": f"{first}{each['round']}/"} for each in state["rounds"]
        ]
        named = tokens.text_with_names(loaded.key.establishment, {**state, "rounds": rounds})
        return Response(rendering.Written(named), headers=headers)


class Events(APIView):
    @describe_operation(
        "What happened in a game, event by event",
        answers={200: answers.EventPage},
        errors=(400, 404),
        parameters=NUMBERED,
    )
    def get(self, request: Request, game: UUID) -> Response:
        """To follow a game, ask again with `after` set to the last number seen."""
        loaded = find_game(request, game)
        return paging.page_of_numbers(
            request,
            start=0,
            number="number",
            fetch=lambda after, limit: queries.event_rows(
                loaded.key.establishment, loaded.events[after : after + limit]
            ),
        )


class Explanation(APIView):
    @describe_operation(
        "Why a round ended as it did", answers={200: answers.ExplainedRound}, errors=(404,)
    )
    def get(self, request: Request, game: UUID, round_no: int) -> Response:
        """For each payment the throws it rests on, their hands and the rules. 404 until it ends."""
        rows = queries.explanation(find_game(request, game), round_no)
        if not rows:
            raise Http404
        return Response({**translate_round(rows[0]), "url": page(request, game, round_no)})


def establishment(house: UUID) -> Establishment:
    """A house that was found to be there."""
    [(found,)] = compiled.rows(
        (Establishment,), "FROM establishments_establishment WHERE id = %s", house
    )
    return cast("Establishment", found)


def page(request: Request, game: UUID, round_no: int) -> str:
    """Where people read the round, step by step."""
    return reverse("floor-round", [game, round_no], request=request)


def find_game(request: Request, game: UUID) -> Loaded:
    """:raises NoGame: if none of the houses one works for has it."""
    person = params.person(request)
    found = queries.find(permissions.houses(person), game)
    show_times_of(permissions.employments(person)[found.key.establishment].house)
    return found


def place(body: Mapping[str, Any], houses: Sequence[UUID]) -> dict[str, Any]:
    """
    Where a game is to be opened: a table of one's own houses, perhaps a dice set of that house.

    :raises Malformed: if no table is named.
    """
    at, dice = params.reference(body, "table"), params.reference(body, "dice_set")
    if at is None:
        raise Malformed("table is missing: the id of the table to play at.", field="table")
    tables = Table.objects.select_related("establishment")
    table = get_object_or_404(tables, pk=at, establishment__in=houses)
    sets = DiceSet.objects.filter(establishment=table.establishment)
    return {"table": table, "dice_set": get_object_or_404(sets, pk=dice) if dice else None}


def command_in(body: Mapping[str, Any]) -> dict[str, Any]:
    """The command itself, without the place; `do` may be left out."""
    if body.get("do", "open") != "open":
        raise Malformed("do is open here; other commands go to a game.", field="do")
    return {name: value for name, value in body.items() if name not in {"table", "dice_set"}}


def whole(run: operations.Run) -> dict[str, Any]:
    """:raises CommandRefused: if the list stopped; it says how far it got."""
    if run.stopped:
        raise CommandRefused(run.answers[-1], serialise(run.answers[:-1]))
    return {"done": len(run.answers), "results": serialise(run.answers)}


def serialise(given: Sequence[Answer]) -> list[dict[str, Any]]:
    """
    What commands brought about, from the record alone: asked again, it reads the same.

    :raises CommandRefused: if one was refused.
    """
    events = []
    for answer in given:
        if answer.refusal:
            raise CommandRefused(answer)
        events.append(answer.events())
    if not given:
        return []
    rows = iter(
        queries.event_rows(
            given[0].key.establishment, [event for happened in events for event in happened]
        )
    )
    return [
        {
            "command_id": str(answer.receipt.command_id),
            "position": answer.receipt.last_position,
            "version": happened[-1].stream_version if happened else None,
            "events": [next(rows) for _ in happened],
        }
        for answer, happened in zip(given, events, strict=True)
    ]


# A command that the rules refused, as a problem document (RFC 9457).


class CommandRefused(Exception):  # noqa: N818 - an answer of the rules, no error
    """
    The recorded answer to a command is a refusal.

    :param done: for a list of commands, the results of those carried out before it.
    """

    def __init__(self, answer: Answer, done: Sequence[Mapping[str, Any]] | None = None) -> None:
        super().__init__(answer.receipt.command_id)
        self.answer = answer
        self.done = done


@problem_of.register
def _problem_of_refusal(failure: CommandRefused) -> Problem:
    answer, done = failure.answer, failure.done
    code, sentence = (answer.refusal.code, answer.refusal.detail) if answer.refusal else ("", "")
    more: dict[str, Any] = {"command_id": str(answer.receipt.command_id)}
    if done is not None:
        more |= {"done": len(done), "results": done}
    detail = tokens.resolve_text(answer.key.establishment, sentence)
    return Problem(status.HTTP_422_UNPROCESSABLE_ENTITY, code, detail, more)
