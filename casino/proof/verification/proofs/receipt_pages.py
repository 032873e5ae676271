"""The receipt of a payout as a page to print and as a file, for people who work at the house."""

from __future__ import annotations

from http import HTTPStatus
from typing import TYPE_CHECKING

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from casino.house.attendants import permissions
from casino.house.establishments.clock import show_times_of
from casino.house.establishments.gaming_day import current
from casino.house.establishments.models import Establishment
from casino.kit.web.visitors import text
from casino.money.payouts import queries, receipts
from casino.play.core import queries as play
from casino.proof.signing import queries as integrity
from casino.proof.signing import queries as integrity_queries
from games.refusals import NoGame
from ledger.proofs import NotCovered
from ledger.tiles import Altered

if TYPE_CHECKING:
    from uuid import UUID

    from django.http import HttpRequest

    from casino.play.settlement.models import Payout

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
        "in_the_way": not slip.covered and bool(integrity.in_the_way(house)),
        "currency": house.currency_symbol,
        "paper": ROLL if request.GET.get("paper") == ROLL else "a6",
        "now": timezone.now(),
    }
    return render(request, "money/payouts/receipt.html", context)


@login_required
@require_safe
@never_cache
def file(request: HttpRequest, game: UUID, cause: int, seq: int) -> HttpResponse:
    """
    The receipt as a file for a verifier (C2SP tlog-proof).

    It proves the event against the newest checkpoint, or against the one of `size` events, for a
    player who has kept that one.
    """
    house, row = _mine(request, game, cause, seq)
    size = integrity_queries.size_in(request.GET.get("size"))
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
    return text(
        str(proof), filename=integrity_queries.filename(house.pk, f"{row.position}.tlog-proof")
    )


def _mine(request: HttpRequest, game: UUID, cause: int, seq: int) -> tuple[Establishment, Payout]:
    """The house and the payout, if the person works at the house."""
    try:
        loaded = play.find(permissions.roles(request.user), game)
    except NoGame as missing:
        raise Http404(str(missing)) from None
    row = queries.find(loaded.key.establishment, game, cause, seq)
    if row is None:
        raise Http404("There is no such payout at your houses.")
    return Establishment.objects.get(pk=loaded.key.establishment), row
