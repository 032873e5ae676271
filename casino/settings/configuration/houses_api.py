"""The houses where a person works, their tables and dice, and their ledger as it is stored."""

from __future__ import annotations

from datetime import date  # noqa: TC003 - read from the signature by the schema
from typing import TYPE_CHECKING, Any
from uuid import UUID  # noqa: TC003 - read from the signature by the schema

from django.utils import timezone
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.generics import ListAPIView
from rest_framework.response import Response
from rest_framework.views import APIView

from casino.house.attendants import permissions
from casino.house.establishments import epochs
from casino.house.establishments.gaming_day import current
from casino.house.establishments.models import Establishment, Table
from casino.house.home_throws import operations as home_throws
from casino.kit.web.api import answers, paging, params
from casino.kit.web.api.houses import own
from casino.kit.web.api.schema import NUMBERED, describe_operation
from casino.kit.web.listings.api import list_view
from casino.play.core import queries
from casino.play.dice.models import DiceSet
from casino.settings.configuration.forms.things import DiceSetForm
from casino.settings.configuration.listings import API_TABLES
from ledger import journal

if TYPE_CHECKING:
    from django.db.models import QuerySet
    from rest_framework.request import Request

    from ledger.wire import StoredEvent


class House(answers.Row[Establishment]):
    role = serializers.SerializerMethodField(help_text="What one is there.")
    # Not a TimeField: OpenAPI's times have an offset, and the clock on the wall has none.
    day_cutoff = serializers.CharField(help_text="When a gaming day ends, by the clock there.")

    class Meta:
        model = Establishment
        fields = [
            "id", "name", "role", "currency_code", "currency", "currency_symbol", "coin_digits",
            "time_zone", "day_cutoff",
        ]  # fmt: skip

    def get_role(self, house: Establishment) -> str:
        role: str = self.context["roles"][house.pk]
        return role


class TableRow(answers.Row[Table]):
    game = serializers.SerializerMethodField(help_text="The id of the game that runs there.")

    class Meta:
        model = Table
        fields = API_TABLES.in_api

    def get_game(self, table: Table) -> UUID | None:
        """A query a table, each one step down an index, whatever the length of the ledger."""
        return queries.running_game(table)


class DiceRow(answers.Row[DiceSet]):
    class Meta:
        model = DiceSet
        fields = ["id", *DiceSetForm.Meta.fields]


class Epoch(serializers.Serializer[epochs.Restored]):
    """Sent to devices so that they send again what the book may have lost."""

    epoch = serializers.IntegerField(help_text="From 2: after each restore that lost something.")
    since = serializers.DateTimeField(help_text="When it was opened.")
    copied = serializers.DateTimeField(
        allow_null=True,
        help_text=(
            "When the last event that surely survived was recorded; null: unknown. Commands that"
            " were sent after it are to be sent again, under their ids: each counts once."
        ),
    )


class HouseInFull(House):
    gaming_day = serializers.SerializerMethodField(help_text="The day it is there now.")
    restored = serializers.SerializerMethodField(
        help_text="The epoch of the house's ledger and what to send again; null in the first."
    )
    tables = TableRow(many=True)
    dice_sets = DiceRow(many=True)
    home_throw = serializers.SerializerMethodField(
        help_text="The one in force for games without one of their own, sorted, or null."
    )
    home_throws = serializers.SerializerMethodField(help_text="The one in force for each game.")

    class Meta(House.Meta):
        fields = [
            *House.Meta.fields,
            "gaming_day",
            "restored",
            "tables",
            "dice_sets",
            "home_throw",
            "home_throws",
        ]

    def get_gaming_day(self, house: Establishment) -> date:
        return current(house, self.context["now"])

    @extend_schema_field(Epoch(allow_null=True))
    def get_restored(self, house: Establishment) -> dict[str, Any] | None:
        restored = epochs.restoration(house, self.context["now"])
        return None if restored is None else dict(Epoch(restored).data)

    def get_home_throw(self, house: Establishment) -> tuple[int, ...] | None:
        throw = home_throws.in_force(establishment=house, at=self.context["now"])
        return throw.faces if throw else None

    def get_home_throws(self, house: Establishment) -> dict[str, tuple[int, ...]]:
        found = home_throws.of_each_game(house, self.context["now"])
        return {game: throw.faces for game, throw in found.items() if throw}


class Houses(ListAPIView[Establishment]):
    serializer_class = House
    pagination_class = paging.ByName

    def get_queryset(self) -> QuerySet[Establishment]:
        houses = permissions.houses(params.person(self.request))
        return Establishment.objects.filter(pk__in=houses)

    def get_serializer_context(self) -> dict[str, Any]:
        roles = permissions.roles(params.person(self.request))
        return {**super().get_serializer_context(), "roles": roles}

    @describe_operation(
        "The houses one works for",
        answers={200: House(many=True)},
        errors=(400,),
    )
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        return super().get(request, *args, **kwargs)


class OneHouse(APIView):
    @describe_operation(
        "A house: tables, dice, home throw", answers={200: HouseInFull}, errors=(404,)
    )
    def get(self, request: Request, establishment: UUID) -> Response:
        house = own(request, establishment)
        context = {
            "roles": permissions.roles(params.person(request)),
            "now": timezone.now(),
        }
        return Response(HouseInFull(house, context=context).data)


Tables = list_view(API_TABLES, TableRow, "The tables of a house, each with its running game")


class Rollovers(APIView):
    @describe_operation(
        "What pots left for the next game of their kind",
        answers={200: answers.RolledOverAll},
        errors=(404,),
    )
    def get(self, request: Request, establishment: UUID) -> Response:
        """A game that opens takes all lots of its kind; those not booked yet arrive later."""
        house = own(request, establishment)
        return Response({"results": queries.waiting_rollovers(house.pk)})


class Ledger(APIView):
    @describe_operation(
        "The ledger of a house as it lies in the database",
        answers={200: answers.LedgerPage},
        errors=(400, 404),
        parameters=NUMBERED,
    )
    def get(self, request: Request, establishment: UUID) -> Response:
        """
        `body` is canonical JSON, to be hashed as it stands: `leaf_hash` is SHA-256 of a zero byte
        and the body's UTF-8 bytes. Names are not in it.
        """
        house = own(request, establishment)
        return paging.page_of_numbers(
            request,
            start=-1,
            number="position",
            fetch=lambda after, limit: [
                leaf(event)
                for event in journal.read(establishment=house.pk, after=after, limit=limit)
            ],
        )


def leaf(event: StoredEvent) -> dict[str, Any]:
    return {
        "position": event.position,
        "body": event.body.decode(),
        "leaf_hash": event.leaf_hash.hex(),
    }
