"""Proposals of a chain for programs: what was proposed, the answer, and what became of it."""

from __future__ import annotations

from http import HTTPStatus
from inspect import getdoc
from typing import TYPE_CHECKING, Any
from uuid import UUID  # noqa: TC003 - read from the signature by the schema

from django.core.exceptions import ValidationError
from django.utils import timezone
from rest_framework import serializers
from rest_framework.response import Response
from rest_framework.views import APIView

from casino.chain import listings, proposals, roll_outs
from casino.chain import listings as of_houses
from casino.chain.api import OfChain, chain_list, member
from casino.chain.frame import require
from casino.chain.models import ChainHouse, Proposal
from casino.kit.web.api import bodies, schema
from casino.kit.web.listings.api import fields, shape_of
from games.refusals import Malformed

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
            rows = of_houses.in_currency(rows, given["currency"])
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
