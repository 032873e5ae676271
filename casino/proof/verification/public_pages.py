"""
Proofs for anybody: the pages of a ledger, its checkpoints and keys, and the receipts of payouts.

An auditor needs no sign-in; a receipt's own page is for staff of the house.
"""

from __future__ import annotations

import hashlib
import re
from http import HTTPStatus
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from casino.house.attendants import permissions
from casino.house.establishments.clock import show_times_of
from casino.house.establishments.gaming_day import current
from casino.house.establishments.models import Establishment
from casino.kit.web.limits import text, visitors_page
from casino.money.payouts import queries as payouts
from casino.money.payouts import receipts
from casino.play.core import queries as play
from casino.play.settlement.settled import BOOKED
from casino.proof.signing import epochs, queries
from casino.proof.signing.keys import every_public_key
from games.refusals import NoGame
from ledger import checkpoints, verify
from ledger.canonical import INTEGER_MAX
from ledger.proofs import NotCovered
from ledger.tiles import Altered

if TYPE_CHECKING:
    from uuid import UUID

    from django.http import HttpRequest

    from casino.money.payouts.receipts import Recorded
    from casino.play.settlement.models import Payout

VERIFIER: Final = Path(verify.__file__)
LEAF: Final = re.compile(r"[0-9a-f]{64}")


@visitors_page
@never_cache
def ledger(request: HttpRequest, establishment: UUID) -> HttpResponse:
    """The page of a house's newest checkpoint and keys, and how to verify them."""
    house = _house(establishment)
    newest = checkpoints.latest(house.pk)
    context = {
        "house": house,
        "signed": queries.item_of(newest, timezone.now()) if newest else None,
        "keys": every_public_key(house.pk),
        "verifier_hash": hashlib.sha256(VERIFIER.read_bytes()).hexdigest(),
    }
    return render(request, "proof/proofs/ledger.html", context)


@visitors_page
@never_cache
def checkpoint(_request: HttpRequest, establishment: UUID) -> HttpResponse:
    """The newest checkpoint as a signed note (C2SP tlog-checkpoint)."""
    newest = checkpoints.latest(_house(establishment).pk)
    if newest is None:
        return text(_("Nothing was signed yet."), status=HTTPStatus.NOT_FOUND)
    return text(newest.note)


@visitors_page
@never_cache
def keys(_request: HttpRequest, establishment: UUID) -> HttpResponse:
    """The public keys that sign, one a line, as `verify.py --key` reads them."""
    found = every_public_key(_house(establishment).pk)
    return text("".join(f"{key}\n" for key in found))


@visitors_page
@never_cache
def link(request: HttpRequest, establishment: UUID, old: int) -> HttpResponse:
    """A proof that a checkpoint (the newest, or that of `to` events) continues an older one."""
    house = _house(establishment)
    newest = checkpoints.latest(house.pk)
    to = queries.size_in(request.GET.get("to")) or (newest.size if newest else 0)
    if not 0 < old <= to:
        raise Http404("No checkpoint reaches as far.")
    try:
        made = receipts.prove_continues(house.pk, old, to)
    except NotCovered as missing:
        raise Http404(str(missing)) from None
    except Altered as altered:
        return text(str(altered), status=HTTPStatus.INTERNAL_SERVER_ERROR)
    return text(str(made.link), filename=queries.filename(house.pk, f"{old}-{to}.tlog-link"))


@visitors_page
def verifier(_request: HttpRequest) -> HttpResponse:
    """Download the verifier: one file, which needs nothing else of this program."""
    response = HttpResponse(VERIFIER.read_bytes(), content_type="text/x-python; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{VERIFIER.name}"'
    return response


@visitors_page
@never_cache
def check(request: HttpRequest, establishment: UUID, position: int, leaf: str) -> HttpResponse:
    """The page of a receipt's QR code: whether its event is recorded, and what became of it."""
    house = _house(establishment)
    context: dict[str, Any] = {"house": house, "position": position, "leaf": leaf}
    try:
        found = _event_of_leaf(house.pk, position, leaf)
    except Altered:
        return render(
            request, "proof/proofs/altered.html", context, status=HTTPStatus.INTERNAL_SERVER_ERROR
        )
    if found is None:
        context["lost"] = epochs.that_lost(house.pk, position)
        return render(request, "proof/proofs/not_there.html", context, status=HTTPStatus.NOT_FOUND)
    became = receipts.became(house.pk, position)
    context |= {
        "event": found.event,
        "signed": queries.item_of(found.covered, timezone.now()) if found.covered else None,
        "became": became,
        "being_read": found.event.event_type == BOOKED and not became,
        "currency": house.currency_symbol,
    }
    return render(request, "proof/proofs/check.html", context)


def _event_of_leaf(establishment: UUID, position: int, leaf: str) -> Recorded | None:
    if position > INTEGER_MAX or LEAF.fullmatch(leaf) is None:
        return None
    return receipts.event_of_leaf(establishment, position, bytes.fromhex(leaf))


def _house(establishment: UUID) -> Establishment:
    house = get_object_or_404(Establishment, pk=establishment)
    show_times_of(house)
    return house


# The receipt of a payout as a page to print and as a file, for people who work at the house.


ROLL = "80"  # paper 80 mm wide; otherwise A6
SOON = {"Retry-After": "3"}  # seconds; checkpoints are signed as often


@login_required
@require_safe
@never_cache
def receipt(request: HttpRequest, game: UUID, cause: int, seq: int) -> HttpResponse:
    """The receipt to print. While no checkpoint covers it, the page reloads by itself."""
    house, row = _mine(request, game, cause, seq)
    show_times_of(house)
    slip = receipts.of(house, row)
    of_guests = receipts.address_of_code(house, row)
    address = request.build_absolute_uri(of_guests or slip.address)
    context = {
        "house": house,
        "gaming_day": current(house, timezone.now()),
        "slip": slip,
        "address": address,
        "for_guests": bool(of_guests),
        "qr": receipts.qr(address),
        "in_the_way": not slip.covered and bool(queries.in_the_way(house)),
        "currency": house.currency_symbol,
        "paper": ROLL if request.GET.get("paper") == ROLL else "a6",
        "now": timezone.now(),
    }
    return render(request, "money/payouts/receipt.html", context)


@login_required
@require_safe
@never_cache
def receipt_file(request: HttpRequest, game: UUID, cause: int, seq: int) -> HttpResponse:
    """
    The receipt as a file for a verifier (C2SP tlog-proof).

    It proves the event against the newest checkpoint, or against the one of `size` events, for a
    player who has kept that one.
    """
    house, row = _mine(request, game, cause, seq)
    size = queries.size_in(request.GET.get("size"))
    try:
        proof = receipts.proven(house.pk, row.position, size=size)
    except NotCovered as missing:
        if size is not None:
            raise Http404(str(missing)) from None
        sentence = _("No checkpoint covers this payout yet: ask again in some seconds.")
        return text(sentence, status=HTTPStatus.NOT_FOUND, headers=SOON)
    except Altered:
        sentence = _("The book is not what was signed: there is no receipt that holds.")
        return text(sentence, status=HTTPStatus.INTERNAL_SERVER_ERROR)
    return text(str(proof), filename=queries.filename(house.pk, f"{row.position}.tlog-proof"))


def _mine(request: HttpRequest, game: UUID, cause: int, seq: int) -> tuple[Establishment, Payout]:
    """The house and the payout, if the person works at the house."""
    try:
        loaded = play.find(permissions.roles(request.user), game)
    except NoGame as missing:
        raise Http404(str(missing)) from None
    row = payouts.find(loaded.key.establishment, game, cause, seq)
    if row is None:
        raise Http404("There is no such payout at your houses.")
    return Establishment.objects.get(pk=loaded.key.establishment), row
