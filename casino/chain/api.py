"""A chain for programs: its houses with their figures, their gaming days, and its people."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from uuid import UUID  # noqa: TC003 - read from the signature by the schema

from django.http import Http404
from rest_framework import serializers
from rest_framework.response import Response
from rest_framework.views import APIView

from casino.chain import listings
from casino.chain.frame import NOWHERE, member_of, require
from casino.chain.models import ChainHouse, ChainRole
from casino.house.establishments.clock import show_times_of
from casino.house.establishments.models import Establishment
from casino.kit.web.api import params, schema
from casino.kit.web.api.answers import Shape
from casino.kit.web.listings.api import ListView, list_view, shape_of
from casino.kit.web.listings.listing import Viewer
from casino.settings.staff.api import SignInRow

if TYPE_CHECKING:
    from rest_framework.request import Request
    from rest_framework.serializers import Serializer

    from casino.chain.models import ChainMember
    from casino.kit.web.listings.listing import Listing


def member(request: Request) -> ChainMember:
    """
    The person's role in their chain; 404 if they have none.

    :raises NotYours: if the role does not let them look.
    """
    found = member_of(params.person(request))
    if found is None:
        raise Http404(NOWHERE)
    require(found, "audit")
    show_times_of(found.chain.as_house())
    return found


class OfChain(ListView):
    # A list of a chain. No docstring: it would appear in the description of every list.

    def viewer(self, request: Request) -> Viewer:
        mine = member(request)
        return self.viewer_of(request, mine, self.house_of(mine))

    @staticmethod
    def viewer_of(
        request: Request, mine: ChainMember, house: Establishment | None = None
    ) -> Viewer:
        return Viewer(
            house=house or mine.chain.as_house(),
            person=params.person(request),
            role=mine.role,
            request=request,
            surface="api",
        )

    def house_of(self, mine: ChainMember) -> Establishment:
        return mine.chain.as_house()


class OfItsHouse(OfChain):
    def house_of(self, mine: ChainMember) -> Establishment:
        house: UUID = self.kwargs["house"]
        found = Establishment.objects.filter(pk=house, chain_house__chain=mine.chain).first()
        if found is None:
            raise Http404("There is no such house in your chain.")
        show_times_of(found)
        return found


def chain_list(
    listing: Listing[Any, Any],
    shape: type[Serializer[Any]],
    summary: str,
    *,
    about: str = "",
    takes: type[ListView] = OfChain,
) -> type[ListView]:
    """The view of a list of a chain, for whoever has a role there; see `list_view`."""
    return list_view(
        listing, shape, summary, about=about, sees=("audit",), through_shape=True, takes=takes
    )


class ChainShape(Shape):
    id = serializers.UUIDField(help_text="Also of the chain's own ledger.")
    name = serializers.CharField()
    time_zone = serializers.CharField()
    role = serializers.ChoiceField(ChainRole.values, help_text="What one is there.")
    houses = serializers.IntegerField(help_text="How many belong to it.")


class OneChain(APIView):
    @schema.describe_operation(
        "The chain one works for", answers={200: ChainShape}, errors=(403, 404)
    )
    def get(self, request: Request) -> Response:
        mine = member(request)
        chain = mine.chain
        return Response(
            {
                "id": str(chain.pk),
                "name": chain.name,
                "time_zone": chain.time_zone,
                "role": mine.role,
                "houses": ChainHouse.objects.filter(chain=chain).count(),
            }
        )


HouseShape: type[Shape] = type(
    "ChainHouseRow",
    (shape_of(listings.HOUSES),),
    {name: serializers.BooleanField() for name in ("stopped", "unsound", "old")},
)
Houses = chain_list(
    listings.HOUSES,
    HouseShape,
    "The houses of one's chain, with the figures of each",
    about=(
        "From the summaries that workers keep: `as_of` says of when, `old` whether that is long"
        " ago. Amounts are whole numbers of the smallest coin of the house's own `currency`: never"
        " add those of different currencies."
    ),
)
Days = chain_list(
    listings.DAYS,
    shape_of(listings.DAYS),
    "The gaming days of a house of one's chain",
    takes=OfItsHouse,
)
People = chain_list(
    listings.PEOPLE,
    shape_of(listings.PEOPLE),
    "Who has or had a role in one's chain",
)
SignIns = chain_list(
    listings.SIGN_INS,
    SignInRow,
    "The sign-in log of one's chain",
)
