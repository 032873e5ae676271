"""The API about the people of a house, who had which role when, and the sign-in log (D1, D2)."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any, Final
from uuid import UUID  # noqa: TC003 - read from the signature by the schema

from django.utils import timezone
from drf_spectacular.utils import OpenApiParameter, extend_schema_field
from rest_framework import serializers
from rest_framework.response import Response
from rest_framework.views import APIView

from casino.house.attendants.models import Factor, Role, SignIn
from casino.house.attendants.pseudonyms import tokens
from casino.kit.web.api import params
from casino.kit.web.api.houses import own
from casino.kit.web.api.schema import describe_operation
from casino.kit.web.listings.api import list_view
from casino.settings.staff import listings
from casino.settings.staff.listings import SIGN_INS
from games.refusals import Malformed

if TYPE_CHECKING:
    from rest_framework.request import Request

FACTOR: Final = {"type": "array", "items": {"type": "string", "enum": list(Factor.Kind.values)}}
AS_OF: Final = OpenApiParameter(
    "as_of", datetime, description="A moment with its offset; now, if absent."
)


class Spell(serializers.Serializer[Any]):
    role = serializers.ChoiceField(Role.choices)
    since = serializers.DateTimeField()
    until = serializers.DateTimeField(allow_null=True)


class AccessRow(serializers.Serializer[Any]):
    """One employment as it was then."""

    id = serializers.UUIDField(source="employment.pk", help_text="Of the employment.")
    attendant = serializers.UUIDField(source="person.pk")
    username = serializers.CharField(source="person.username")
    name = serializers.CharField(source="person")
    role = serializers.CharField(help_text="Empty where they had left.")
    spells = Spell(many=True, help_text="Which role from when until when, in order.")
    second_factor = serializers.SerializerMethodField(help_text="The kinds they had.")
    last_sign_in = serializers.DateTimeField(allow_null=True)

    @extend_schema_field(FACTOR)
    def get_second_factor(self, row: listings.Access) -> list[str]:
        return list(row.factors)


class PersonRow(AccessRow):
    """Somebody who works there now."""

    pin = serializers.SerializerMethodField(help_text="Whether they have set one.")
    player = serializers.SerializerMethodField(help_text="The name they play under, or null.")

    def get_pin(self, row: listings.Access) -> bool:
        return bool(row.person.pin)

    def get_player(self, row: listings.Access) -> str | None:
        players: dict[str, str] = self.context["players"]
        return players.get(row.employment.player)


class Listing(serializers.Serializer[Any]):
    as_of = serializers.DateTimeField()
    results = AccessRow(many=True)


class People(serializers.Serializer[Any]):
    results = PersonRow(many=True)


class SignInRow(serializers.ModelSerializer[SignIn]):
    name = serializers.SerializerMethodField(help_text="Of the person, or null.")
    unknown = serializers.CharField(
        help_text="A keyed hash of a name that nobody has; the same name gives the same."
    )

    class Meta:
        model = SignIn
        fields = ["at", "what", "attendant", "name", "unknown", "way", "address", "device", "by"]

    def get_name(self, row: dict[str, Any]) -> str | None:
        name: str | None = row["name"]
        return name


class HousePeople(APIView):
    @describe_operation("Who works at a house", answers={200: People}, errors=(403, 404))
    def get(self, request: Request, establishment: UUID) -> Response:
        """For its managers and auditors."""
        house = own(request, establishment, "audit")
        rows = [row for row in listings.access_listing(house, timezone.now()) if row.role]
        players = [row.employment.player for row in rows if row.employment.player]
        names = dict(zip(players, tokens.resolve(house.pk, players), strict=True))
        people = PersonRow(rows, many=True, context={"players": names})
        return Response({"results": people.data})


class AccessListing(APIView):
    @describe_operation(
        "Who had which role at a house when",
        answers={200: Listing},
        errors=(400, 403, 404),
        parameters=[AS_OF],
    )
    def get(self, request: Request, establishment: UUID) -> Response:
        """Also those who had left by then: their `role` is empty, their `spells` say why."""
        house = own(request, establishment, "audit")
        at = min(as_of(request), timezone.now())
        rows = AccessRow(listings.access_listing(house, at), many=True)
        return Response({"as_of": at, "results": rows.data})


def as_of(request: Request) -> datetime:
    """:raises Malformed: if it is no moment with an offset."""
    given = request.query_params.get("as_of")
    if given is None:
        return timezone.now()
    at = params.moment_in(given)
    if at is None:
        raise Malformed("as_of: a moment with its offset, 2026-03-31T23:59:59Z.", field="as_of")
    return at


SignIns = list_view(
    SIGN_INS,
    SignInRow,
    "The sign-in log of a house, newest first",
    about=(
        "Good and bad: sign-ins and sign-outs, second factors, PINs, lock-outs. For managers and"
        "\nauditors."
    ),
    sees=("audit",),
    through_shape=True,
)
