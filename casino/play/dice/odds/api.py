"""The API of exact odds of every game with its house options; one address for each game."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from drf_spectacular.utils import OpenApiParameter, extend_schema_serializer
from rest_framework import serializers
from rest_framework.response import Response
from rest_framework.reverse import reverse
from rest_framework.views import APIView

from casino.kit.web.api.answers import Anything
from casino.kit.web.api.schema import describe_operation
from casino.play.dice.odds.queries import GAMES, answer
from casino.words.presenters.odds_tables import as_json

if TYPE_CHECKING:
    from collections.abc import Callable

    from rest_framework.request import Request

    from casino.words.presenters.odds_tables import Field

Shape = serializers.Serializer[Any]


class FieldRow(Shape):
    name = serializers.CharField(help_text="As it stands in the query string.")
    told = serializers.CharField()
    option = serializers.BooleanField(help_text="Whether it is a house option of the game.")
    matters = serializers.BooleanField(help_text="False: it is taken and changes nothing.")
    takes = serializers.CharField()


class GameOdds(Shape):
    game = serializers.CharField()
    title = serializers.CharField()
    url = serializers.CharField()

    def get_fields(self) -> dict[str, Any]:
        """What may be asked is called `fields`, which a serializer has itself."""
        return {**super().get_fields(), "fields": FieldRow(many=True)}


class Unmoved(Shape):
    option = serializers.CharField()
    because = serializers.CharField()


class ColumnRow(Shape):
    name = serializers.CharField()
    title = serializers.CharField()
    kind = serializers.ChoiceField(["word", "whole", "chance", "figure", "mean", "dice"])
    money = serializers.BooleanField(help_text="Whether its numbers are coins.")


@extend_schema_serializer(component_name="OddsTable")
class TableShape(Shape):
    name = serializers.CharField()
    title = serializers.CharField()
    told = serializers.CharField(help_text="Of what these are the chances, and by which rules.")
    columns = ColumnRow(many=True)
    rows = serializers.ListField(
        child=serializers.DictField(child=Anything()),
        help_text='By column; a chance or a mean is {"exact": "21/512", "decimal": "0.041015…"}.',
    )
    marked = serializers.ListField(
        child=serializers.IntegerField(), help_text="Rows, from 0, that are the best choices."
    )


class OddsAnswer(Shape):
    game = serializers.CharField()
    options = serializers.DictField(child=Anything(), help_text="All of them, as they were used.")
    asked = serializers.DictField(child=Anything())
    unmoved = Unmoved(many=True, help_text="Options that do not change these odds, and why.")
    notes = serializers.ListField(child=serializers.CharField())
    tables = TableShape(many=True)


class AllOdds(APIView):
    @describe_operation("The games whose odds are known", answers={200: GameOdds(many=True)})
    def get(self, request: Request) -> Response:
        """And what may be asked about each."""
        rows = [
            {
                "game": subject.game,
                "title": subject.title,
                "url": reverse(f"odds-of-{subject.game}", request=request),
                "fields": [row(field) for field in subject.fields],
            }
            for subject in GAMES.values()
        ]
        return Response(rows)


def row(field: Field) -> dict[str, Any]:
    return {
        "name": field.name,
        "told": field.description,
        "option": field.is_option,
        "matters": not field.unmoved,
        "takes": field.kind.metavar,
    }


def of_game(game: str) -> Callable[..., Any]:
    """The view of one game's odds, described with what this game is asked for."""
    subject = GAMES[game]

    class OddsOfGame(APIView):
        @describe_operation(
            f"The exact odds of {subject.title}",
            answers={200: OddsAnswer},
            errors=(400, 422),
            parameters=[parameter(field) for field in subject.fields],
        )
        def get(self, request: Request) -> Response:
            """They follow from what is asked alone: the same at every house, for everybody."""
            query = {name: request.query_params.getlist(name) for name in request.query_params}
            return Response(as_json(answer(subject.game, query)))

    return OddsOfGame.as_view()


def parameter(field: Field) -> OpenApiParameter:
    description = f"Changes nothing here: {field.unmoved}" if field.unmoved else field.description
    kind = field.kind.schema()
    if field.several:
        kind = {"type": "array", "items": kind}
    return OpenApiParameter(
        field.name, kind, description=description, explode=field.several or None
    )
