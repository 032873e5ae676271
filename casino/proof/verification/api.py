"""
The API of checkpoints, inclusion proofs and consistency proofs of a house's ledger.

Answers are JSON, or with ``Accept: text/plain`` exactly the files that ``verify.py`` reads
(docs/reference/proofs.md).
"""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Any, Final

from django.http import Http404
from django.shortcuts import get_object_or_404
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiExample, OpenApiParameter
from rest_framework import serializers, status
from rest_framework.renderers import BaseRenderer, JSONRenderer
from rest_framework.response import Response
from rest_framework.views import APIView

from casino.kit.web import etags
from casino.kit.web.api import params
from casino.kit.web.api.answers import Shape
from casino.kit.web.api.houses import own
from casino.kit.web.api.problems import MEDIA_TYPE, Problem, problem_of
from casino.kit.web.api.schema import IF_NONE_MATCH, describe_operation
from casino.money.payouts import receipts
from casino.money.payouts.receipts import address
from casino.play.settlement.models import Payout
from casino.proof.signing import keys, queries
from casino.words.languages.spreadsheets import in_base64
from games.refusals import Malformed
from ledger import checkpoints, journal, proofs
from ledger.tiles import Altered  # noqa: TC001 - singledispatch reads it from the signature
from ledger.verify import leaf_hash

if TYPE_CHECKING:
    from collections.abc import Mapping
    from uuid import UUID

    from rest_framework.request import Request

    from casino.house.establishments.models import Establishment
    from ledger.models import Checkpoint
    from ledger.verify import Receipt


# Example answers for the API's description, with valid proofs of a ledger of three events.


ORIGIN: Final = "home-throw.local/3f0d8a52-8a0e-4a57-9d0b-6f7d0f2b1c11"
VKEY: Final = f"{ORIGIN}+8450ad88+AQOhB7/zzhC+HXDdGOdLwJln5NYwm6UNXx3chmQSVTG4"
ROOT: Final = "LP73YnWX4AtWSXV3Stco7yEHBnWfym1kE4xt/By/LNo="
ROOT_OF_TWO: Final = "O63IBTfwKeG7dygNyFIDzy7ZdI3I9XEjD8ulwybJEGg="
FIRST: Final = "+UBwq/0toL9ykC6xOoCOeU+VTZ4nRcaCoVj27Q1KwDY="
THIRD: Final = "PR3ndt8IbBrp9wSdK7DAR1rRQYX5h+Bk6NENyy20oyI="
CHAIN: Final = "lhr2ctMgv7gOSC7fngkpMLErbxDyisSRPR1kxJIZ2mg="
SIGNATURE: Final = (
    "hFCtiBDm4cNYV3EyRWPAhyqf1snrUNrqi7u1iWemlGK3chLkQdnLvVmt9WgBUdyq3ySx6QuFwPlc9JMZVMM0KrjLYgE="
)
NOTE: Final = f"{ORIGIN}\n3\n{ROOT}\nreceipts 1 {CHAIN}\n\n\N{EM DASH} {ORIGIN} {SIGNATURE}\n"
RECEIPT: Final = f"c2sp.org/tlog-proof@v1\nextra eyJuIjoxfQ==\nindex 1\n{FIRST}\n{THIRD}\n\n{NOTE}"
LINK: Final = f"old 2\n{THIRD}\n\n{NOTE}"
LEAF: Final = "fb5d93e6cf90bc9470cd9ea9d9e12348993db3e854ab2b7660e3594767045f6c"


def pair(name: str, answer: dict[str, Any], file: str) -> list[OpenApiExample]:
    """An answer as JSON and as a file, and what is said where nothing covers it yet."""
    problem = {
        "type": "urn:home-throw:problem:not_covered",
        "title": "Not covered",
        "status": 404,
        "detail": "No checkpoint covers position 3 yet: ask again in some seconds.",
        "code": "not_covered",
    }
    return [
        OpenApiExample(name, answer, response_only=True, status_codes=["200"]),
        OpenApiExample(
            f"{name}, as a file",
            file,
            response_only=True,
            status_codes=["200"],
            media_type="text/plain",
        ),
        OpenApiExample(
            "not_covered",
            problem,
            response_only=True,
            status_codes=["404"],
            media_type=MEDIA_TYPE,
        ),
    ]


CHECKPOINT: Final = pair(
    "Three events",
    {
        "origin": ORIGIN, "epoch": 1, "size": 3, "root": ROOT, "receipts": 1, "note": NOTE,
        "signed_at": "2026-01-31T20:05:03Z", "keys": [VKEY],
    },
    NOTE,
)  # fmt: skip
PROVEN: Final[dict[str, Any]] = {
    "index": 1, "size": 3, "leaf_hash": LEAF, "root": ROOT, "hashes": [FIRST, THIRD],
    "checkpoint": NOTE, "receipt": RECEIPT,
}  # fmt: skip
PROOF: Final = pair("The second of three events", PROVEN, RECEIPT)
PAYOUT: Final = pair(
    "The booking of a payout",
    {**PROVEN, "check": f"https://house.example/ledger/{ORIGIN.partition('/')[2]}/1/{LEAF}/"},
    RECEIPT,
)
CONSISTENCY: Final = pair(
    "Three events continue two",
    {
        "from": 2, "to": 3, "hashes": [THIRD],
        "roots": [{"size": 2, "root": ROOT_OF_TWO}, {"size": 3, "root": ROOT}], "link": LINK,
    },
    LINK,
)  # fmt: skip

AGAIN: Final = 3  # seconds for Retry-After: trees grow at this interval
ANEW: Final = "private, no-store"  # a program keeps the ETag itself
FIXED: Final = "private, max-age=86400, immutable"
"""Cache-Control of a checkpoint of a given size; rarely, another epoch signs that size again."""


class NotCoveredYet(Exception):  # noqa: N818 - names the fact
    """The event is in the book, and the next checkpoint will cover it."""


@problem_of.register
def _not_covered(failure: proofs.NotCovered) -> Problem:
    return Problem(status.HTTP_404_NOT_FOUND, "not_covered", str(failure))


@problem_of.register
def _not_covered_yet(failure: NotCoveredYet) -> Problem:
    again = {"Retry-After": str(AGAIN)}
    return Problem(status.HTTP_404_NOT_FOUND, "not_covered", str(failure), headers=again)


@problem_of.register
def _problem_of_alteration(failure: Altered) -> Problem:
    """No proof is handed out that does not hold; the house's own checks stop its payouts (E2)."""
    more = {"from": failure.first, "to": failure.last}
    return Problem(status.HTTP_500_INTERNAL_SERVER_ERROR, "records_altered", str(failure), more)


class Plain(BaseRenderer):
    """The files themselves; what goes wrong is said in JSON."""

    media_type = "text/plain"
    format = "txt"
    charset = "utf-8"

    def render(self, data: Any, *_context: Any, **_more: Any) -> bytes:
        if data is None:
            return b""
        return (data if isinstance(data, str) else json.dumps(data)).encode()


class CheckpointShape(Shape):
    """A signed head of the house's tree (C2SP tlog-checkpoint)."""

    origin = serializers.CharField(help_text="Which ledger, in which epoch: the note's first line.")
    epoch = serializers.IntegerField(help_text="From 1.")
    size = serializers.IntegerField(help_text="It covers the positions 0 to size - 1.")
    root = serializers.CharField(  # type: ignore[assignment]  # ours, where the class has its own
        help_text="Base64, of 32 bytes. RFC 6962, 2.1."
    )
    receipts = serializers.IntegerField(help_text="Answers to commands that it covers.")
    note = serializers.CharField(help_text="The signed note itself.")
    signed_at = serializers.DateTimeField()
    keys = serializers.ListField(
        child=serializers.CharField(), help_text="The house's public keys in force, as vkeys."
    )


class ProofShape(Shape):
    """That an event is in the tree of a checkpoint."""

    index = serializers.IntegerField(help_text="The event's position.")
    size = serializers.IntegerField(help_text="Of the checkpoint.")
    leaf_hash = serializers.CharField(help_text="In hex: SHA-256 of a zero byte and the body.")
    root = serializers.CharField(  # type: ignore[assignment]  # ours, where the class has its own
        help_text="Of the checkpoint; base64."
    )
    hashes = serializers.ListField(
        child=serializers.CharField(), help_text="Base64, leaf to root. RFC 6962, 2.1.1."
    )
    checkpoint = serializers.CharField(help_text="Its signed note.")
    receipt = serializers.CharField(help_text="All of it as one file (C2SP tlog-proof).")


class PayoutReceipt(ProofShape):
    check = serializers.URLField(
        help_text="Where whoever has it is told what became of it: printed as a QR code."
    )


class RootShape(Shape):
    size = serializers.IntegerField()
    root = serializers.CharField(  # type: ignore[assignment]  # ours, where the class has its own
        help_text="Base64."
    )


class ConsistencyShape(Shape):
    """That a checkpoint continues the first events of the ledger."""

    hashes = serializers.ListField(
        child=serializers.CharField(), help_text="Base64. RFC 6962, 2.1.2."
    )
    roots = RootShape(many=True, help_text="Of the older tree and of the newer one.")
    link = serializers.CharField(help_text="All of it as one file, for verify.py --link.")

    def get_fields(self) -> dict[str, Any]:
        numbers = {name: serializers.IntegerField() for name in ("from", "to")}
        return {**numbers, **super().get_fields()}


def query(name: str, description: str, **more: Any) -> OpenApiParameter:
    whole = {"type": "integer", "minimum": 1, "maximum": params.NUMBER_MAX}
    return OpenApiParameter(name, whole, description=description, **more)


def file_of(shape: type[Shape]) -> dict[Any, Any]:
    return {
        (200, "application/json"): shape,
        (200, Plain.media_type): OpenApiTypes.STR,
        304: None,
    }


SIZE: Final = query("size", "Of the checkpoint: one that was signed. The newest if absent.")
CACHED: Final = [
    IF_NONE_MATCH,
    OpenApiParameter("ETag", str, OpenApiParameter.HEADER, response=[200, 304]),
    OpenApiParameter("Cache-Control", str, OpenApiParameter.HEADER, response=[200, 304]),
]


class Checkpoints(APIView):
    renderer_classes = [JSONRenderer, Plain]

    @describe_operation(
        "The newest checkpoint of a house's ledger, or one of a size",
        answers=file_of(CheckpointShape),
        errors=(400, 404, 500),
        parameters=[SIZE, *CACHED],
        examples=CHECKPOINT,
    )
    def get(self, request: Request, establishment: UUID) -> Response:
        """
        Signed every few seconds while something happens. With `Accept: text/plain` the note
        itself, to be kept. 404 with the code `not_covered` where none was signed.
        """
        house = own(request, establishment)
        size = size_asked_for(request)
        row = checkpoints.latest(house.pk) if size is None else proofs.of_size(house.pk, size)
        if row is None:
            raise NotCoveredYet("Nothing was signed yet: ask again in some seconds.")
        name = queries.filename(house.pk, f"{row.size}.checkpoint")
        return answer(request, _checkpoint(house, row), row.note, name)


class EventProof(APIView):
    renderer_classes = [JSONRenderer, Plain]

    @describe_operation(
        "That an event is in the ledger",
        answers=file_of(ProofShape),
        errors=(400, 404, 500),
        parameters=[SIZE, *CACHED],
        examples=PROOF,
    )
    def get(self, request: Request, establishment: UUID, position: int) -> Response:
        """
        An inclusion proof against the newest checkpoint, or the one of `size` events. With
        `Accept: text/plain` the file that `verify.py receipt` reads; the event is in it. 404 with
        the code `not_covered` and `Retry-After` while the checkpoint that covers it is to come.
        """
        house = own(request, establishment)
        return _proof(request, house, position)


class Consistency(APIView):
    renderer_classes = [JSONRenderer, Plain]

    @describe_operation(
        "That a checkpoint continues an older one",
        answers=file_of(ConsistencyShape),
        errors=(400, 404, 500),
        parameters=[
            query("from", "Events of the older one, which somebody has kept.", required=True),
            query("to", "Events of the newer one: one that was signed. The newest if absent."),
            *CACHED,
        ],
        examples=CONSISTENCY,
    )
    def get(self, request: Request, establishment: UUID) -> Response:
        """With `Accept: text/plain` the file for `verify.py --link`."""
        house = own(request, establishment)
        old, new = _range(request, house)
        made = receipts.prove_continues(house.pk, old, new)
        roots = [(old, made.old_root), (new, made.link.checkpoint.root)]
        link_fields = {
            "from": old,
            "to": new,
            "hashes": [in_base64(each) for each in made.link.proof],
            "roots": [{"size": size, "root": in_base64(root)} for size, root in roots],
            "link": str(made.link),
        }
        name = queries.filename(house.pk, f"{old}-{new}.tlog-link")
        return answer(request, link_fields, str(made.link), name, parameter="to")


class ReceiptOfPayout(APIView):
    renderer_classes = [JSONRenderer, Plain]

    @describe_operation(
        "A payout's receipt",
        answers=file_of(PayoutReceipt),
        errors=(400, 404, 500),
        parameters=[SIZE, *CACHED],
        examples=PAYOUT,
    )
    def get(
        self, request: Request, establishment: UUID, game: UUID, cause: int, seq: int
    ) -> Response:
        """
        Proof of the event that booked it, as of any event; and the address at which its player is
        told what became of it, without signing in.
        """
        house = own(request, establishment)
        rows = Payout.objects.filter(establishment=house)
        row = get_object_or_404(rows, game=game, cause=cause, seq=seq)
        return _proof(request, house, row.position, checked=True)


def answer(
    request: Request, fields: Mapping[str, Any], file: str, name: str, *, parameter: str = "size"
) -> Response:
    """
    As JSON or as the file, with what tells whether it has changed.

    :param parameter: the one that names a checkpoint; given, the answer stays what it is.
    """
    plain = request.accepted_renderer.format == Plain.format
    whole = json.dumps([plain, fields], sort_keys=True, default=str)
    tag = f'"{hashlib.sha256(whole.encode()).hexdigest()[:32]}"'
    headers = {"ETag": tag, "Cache-Control": FIXED if parameter in request.query_params else ANEW}
    if etags.holds(request, tag):
        return Response(status=status.HTTP_304_NOT_MODIFIED, headers=headers)
    if plain:
        headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return Response(file if plain else fields, headers=headers)


def size_asked_for(request: Request) -> int | None:
    """The checkpoint that is asked for, by its size; None: the newest."""
    return params.number(request, "size", default=0, least=1) or None


def _checkpoint(house: Establishment, row: Checkpoint) -> dict[str, Any]:
    return {
        "origin": row.origin,
        "epoch": row.epoch,
        "size": row.size,
        "root": in_base64(bytes(row.root)),
        "receipts": row.receipts,
        "note": row.note,
        "signed_at": row.signed_at.isoformat(),
        "keys": [str(key) for key in keys.public_keys(house.pk)],
    }


def _proof(
    request: Request, house: Establishment, position: int, *, checked: bool = False
) -> Response:
    receipt = _proven(request, house, position)
    leaf, fields = leaf_hash(receipt.body).hex(), _receipt_fields(receipt)
    if checked:
        fields["check"] = request.build_absolute_uri(address(house.pk, position, leaf))
    name = queries.filename(house.pk, f"{position}.tlog-proof")
    return answer(request, fields, fields["receipt"], name)


def _proven(request: Request, house: Establishment, position: int) -> Receipt:
    size = size_asked_for(request)
    if position > journal.head(establishment=house.pk):
        raise Http404
    try:
        return receipts.proven(house.pk, position, size=size)
    except proofs.NotCovered as missing:
        if size is None:
            raise NotCoveredYet(str(missing)) from None
        raise


def _receipt_fields(receipt: Receipt) -> dict[str, Any]:
    return {
        "index": receipt.index,
        "size": receipt.checkpoint.size,
        "leaf_hash": leaf_hash(receipt.body).hex(),
        "root": in_base64(receipt.checkpoint.root),
        "hashes": [in_base64(each) for each in receipt.proof],
        "checkpoint": receipt.checkpoint.note,
        "receipt": str(receipt),
    }


def _range(request: Request, house: Establishment) -> tuple[int, int]:
    """
    From how many events to how many.

    :raises Malformed: if they are no numbers, or the second is smaller.
    :raises NotCoveredYet: if nothing was signed yet.
    """
    if "from" not in request.query_params:
        raise Malformed("from is missing: the size of the older checkpoint.", field="from")
    old = params.number(request, "from", default=0, least=1)
    new = params.number(request, "to", default=0, least=1)
    if not new:
        newest = checkpoints.latest(house.pk)
        if newest is None:
            raise NotCoveredYet("Nothing was signed yet: ask again in some seconds.")
        new = newest.size
    if old > new:
        raise Malformed(f"from is {old}, and to is {new}: no tree shrinks.", field="from")
    return old, new
