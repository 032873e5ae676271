"""A chain for programs: houses with their figures and days, people, proposals, and the register."""

from __future__ import annotations

from http import HTTPStatus
from inspect import getdoc
from typing import TYPE_CHECKING, Any
from uuid import UUID  # noqa: TC003 - read from the signature by the schema

from django.core.exceptions import ValidationError
from django.http import Http404
from django.utils import timezone
from rest_framework import serializers
from rest_framework.response import Response
from rest_framework.views import APIView

from casino.chain import listings, proposals, registers, roll_outs
from casino.chain.frame import NOWHERE, member_of, require
from casino.chain.models import ChainHouse, ChainRole, Proposal
from casino.house.establishments.clock import show_times_of
from casino.house.establishments.models import Establishment
from casino.kit.documents import document, writers
from casino.kit.documents.writers import FORMATS, filename, write
from casino.kit.web.api import bodies, params, schema
from casino.kit.web.api.answers import Shape
from casino.kit.web.api.schema import describe_operation
from casino.kit.web.listings.api import ListView, fields, list_view, shape_of
from casino.kit.web.listings.listing import Viewer
from casino.reports.registers.api import IN_ALL_FORMS, PERIOD, RENDERERS
from casino.settings.staff.api import SignInRow
from games.refusals import Malformed

if TYPE_CHECKING:
    from django.http.response import HttpResponseBase
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


# --- Proposals, and what became of them -----------------------------------------------------------


if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from rest_framework.request import Request

    from casino.chain.models import ChainMember

    Answer = Callable[[ChainMember, UUID, Mapping[str, Any]], object]

ANSWER = bodies.describe_body({}, reason=bodies.REASON)
SETTINGS = bodies.describe_body(
    {"values": {"type": "object"}, "reason": bodies.REASON},
    currency={"type": "string", "maxLength": 40},
    name={"type": "string", "maxLength": 80},
)


class ProposalShape(shape_of(listings.PROPOSALS)):  # type: ignore[misc]  # made from the columns
    subject = serializers.DictField(help_text="What is proposed, by its kind.")


class Proposing(OfChain):
    @schema.act(
        "Propose settings for houses of one's chain",
        answers={201: ProposalShape},
        request=SETTINGS,
    )
    def post(self, request: Request) -> Response:
        """
        For all houses of the chain; with `currency` (as in `chain/houses/`) or `name`, for those of
        it that are found so. `values` is by column of a house's settings. Another manager of the
        chain approves it. 422 `several_currencies` for an amount to houses of different currencies.
        """
        mine = member(request)
        require(mine, "configure")
        given = bodies.read(request, SETTINGS)
        rows = ChainHouse.objects.filter(chain=mine.chain)
        if given["currency"]:
            rows = listings.in_currency(rows, given["currency"])
        if given["name"]:
            rows = rows.filter(establishment__name__icontains=given["name"].strip())
        try:
            made = roll_outs.propose(
                mine, values=given["values"], houses=rows.values_list("pk", flat=True),
                reason=given["reason"], command_id=given["command_id"], now=timezone.now(),
            )  # fmt: skip
        except ValidationError as invalid:
            field, sentence = next(iter(invalid.message_dict.items()))
            raise Malformed(f"values: {field}: {' '.join(sentence)}", field="values") from None
        return Response(as_stored(request, mine, made.pk), status=HTTPStatus.CREATED)


Proposals = chain_list(
    listings.PROPOSALS,
    shape_of(listings.PROPOSALS),
    "What managers of one's chain proposed, the latest first",
    takes=Proposing,
)
RolledOut = chain_list(
    listings.ROLLED_OUT,
    shape_of(listings.ROLLED_OUT),
    "What became of settings at each house to which they were rolled out",
    about="A house that refused is named with why; the others have theirs all the same.",
)

DiceTransfers = chain_list(
    listings.TRANSFERS,
    shape_of(listings.TRANSFERS),
    "Dice sets that move from one house of one's chain to another",
)


def answer(summary: str, body: bodies.Schema = ANSWER) -> Callable[[Answer], type[APIView]]:
    """The address of an answer to a proposal: what answers it is decorated, and describes it."""

    def viewed(do: Answer) -> type[APIView]:
        class Answering(APIView):
            @schema.act(summary, answers={200: ProposalShape}, request=body, description=getdoc(do))
            def post(self, request: Request, proposal: UUID) -> Response:
                mine = member(request)
                require(mine, "configure")
                given = bodies.read(request, body)
                do(mine, proposal, {**given, "reason": given["reason"] or ""})
                return Response(as_stored(request, mine, proposal))

        return Answering

    return viewed


@answer("Approve a proposal of one's chain")
def approve(mine: ChainMember, proposal: UUID, given: Mapping[str, Any]) -> None:
    """
    It is done with it; settings go to their houses by workers, see `roll-outs`. 422 `own_request`
    for whoever proposed it, `already_decided`; or what prevents it: then it stays open.
    """
    proposals.decide(
        mine, proposal, approve=True, now=timezone.now(), command_id=given["command_id"],
        answer=given["reason"],
    )  # fmt: skip


@answer("Reject a proposal of one's chain", bodies.WITH_REASON)
def reject(mine: ChainMember, proposal: UUID, given: Mapping[str, Any]) -> None:
    """Nothing happens, and the reason stands beside it. 422 `reason_missing` without one."""
    proposals.decide(
        mine, proposal, approve=False, now=timezone.now(), command_id=given["command_id"],
        answer=given["reason"],
    )  # fmt: skip


@answer("Take back one's own proposal")
def withdraw(mine: ChainMember, proposal: UUID, given: Mapping[str, Any]) -> None:
    """422 `not_the_asker` for anybody else."""
    proposals.withdraw(mine, proposal, now=timezone.now(), command_id=given["command_id"])


@answer("Try the houses once more that refused the settings of a proposal")
def again(mine: ChainMember, proposal: UUID, _given: Mapping[str, Any]) -> None:
    """Houses that have the settings are left alone, so it may be sent any number of times."""
    roll_outs.again(mine, proposal, now=timezone.now())


def as_stored(request: Request, mine: ChainMember, proposal: UUID) -> dict[str, Any]:
    """:raises NoSuchProposal: if the chain has none of that id."""
    rows = Proposal.objects.filter(chain=mine.chain, pk=proposal)
    row = rows.select_related("asked_by", "decided_by").first()
    if row is None:
        raise proposals.NoSuchProposal("Your chain has no such proposal.")
    [found] = fields(listings.PROPOSALS, OfChain.viewer_of(request, mine), [row])
    return {**found, "subject": row.subject}


# --- The register, as JSON, CSV, XLSX and PDF -----------------------------------------------------


class Register(APIView):
    renderer_classes = RENDERERS

    @describe_operation(
        "What closed gaming days came to at the houses of one's chain",
        answers=IN_ALL_FORMS,
        errors=(400, 403, 404),
        parameters=[each for each in PERIOD if each.name != "through"],
    )
    def get(self, request: Request) -> HttpResponseBase:
        """
        By currency and by house. Coins of different currencies are never added; `position` is that
        of the house's own ledger on which its figures rest.
        """
        mine, now = member(request), timezone.now()
        given = request.query_params.dict()
        given.pop("format", None)
        accepted = request.accepted_renderer
        form = params.choice(request, "format", tuple(FORMATS)) or str(accepted.format)
        asked = registers.query(mine.chain.as_house(), given, now)
        with document.in_turn():
            made = document.make_document(
                registers.DAYS, asked, asked_by=str(params.person(request)), generated_at=now
            )
            kind = FORMATS[form]
            file = writers.File(
                name=filename(made, kind), media_type=kind.media_type, content=write(made, kind)
            )
        return writers.send_file(file, as_attachment=form != "json")
