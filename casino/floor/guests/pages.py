"""
The guests' pages, for players, without signing in, if a manager has switched them on.

What is everybody's may be kept by any cache on the way: these answers depend on the address and the
language alone. They read no cookie and set none. What is somebody's is kept by nobody.
"""

from __future__ import annotations

import hashlib
from functools import partial
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

from django.http import Http404, HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.translation import gettext as _

from casino.floor.guests import content, slips
from casino.floor.tables.home_screen import manifest_of
from casino.floor.wall.pages import hide_from_search
from casino.house.establishments.clock import show_times_of
from casino.house.establishments.gaming_day import current
from casino.house.establishments.models import Establishment
from casino.kit.web import etags
from casino.kit.web.visitors import text, visitors_page
from casino.money.payouts import receipts, slip_codes
from casino.proof.integrity import published
from casino.words.languages import reader
from casino.words.text import spelled
from ledger.proofs import NotCovered
from ledger.tiles import Altered

if TYPE_CHECKING:
    from collections.abc import Mapping

    from django.http import HttpRequest

    from casino.play.settlement.models import Payout

NOW, SELDOM = 15, 300
"""Seconds that a cache keeps a page: with pots on it, and with rules."""

guests = partial(visitors_page, scope="guests")


@guests
def index(request: HttpRequest, house: str) -> HttpResponse:
    """What is played here, pots and rollovers as they stand, and where rules and odds are."""
    at = house_of(house)
    context = {"sections": content.sections(at, timezone.now())}
    return _public(request, at, "guests/index.html", context, NOW)


@guests
def game(request: HttpRequest, house: str, ruleset: str) -> HttpResponse:
    """The numbered rules of a game with the options in force here."""
    at = house_of(house)
    context = _or_404(content.rules_of(at, ruleset, timezone.now()))
    return _public(request, at, "guests/game.html", context, SELDOM)


@guests
def odds(request: HttpRequest, house: str, ruleset: str) -> HttpResponse:
    """The odds of a game as it is played here."""
    at = house_of(house)
    context = _or_404(content.odds_of(at, ruleset, timezone.now()))
    return _public(request, at, "guests/odds.html", context, SELDOM)


@guests
def manifest(_request: HttpRequest, house: str) -> HttpResponse:
    """The page on a phone's home screen, under the house's name."""
    at = house_of(house)
    start = reverse("guests", args=[house])
    answer = JsonResponse(
        manifest_of(start, name=at.name, scope=start), content_type="application/manifest+json"
    )
    answer.headers["Cache-Control"] = f"public, max-age={SELDOM}"
    return answer


@guests
def slip(request: HttpRequest, house: str, slip: str) -> HttpResponse:
    """
    The payout of a slip with its reason and proof, and its player's evening.

    After some days, or with the page switched off, the code leads to the receipt's check alone.
    """
    at, row = _of_slip(house, slip)
    check = slips.check_address(at, row)
    if not _tells(at, row):
        return redirect(check)
    [mine] = slips.tell_payouts(at, [row], whole=True)
    context = {
        "mine": mine,
        "evening": slips.evening(at, row),
        "check": check,
        "signed": slips.is_signed(row),
        "until": row.gaming_day + slip_codes.LASTS,
    }
    return hide_from_search(HttpResponse(page_of(request, at, "guests/slip.html", context)))


@guests
def proof(_request: HttpRequest, house: str, slip: str) -> HttpResponse:
    """The receipt of a slip's payout as a file for a verifier (C2SP tlog-proof); see `slip`."""
    at, row = _of_slip(house, slip)
    if not _tells(at, row):
        return redirect(slips.check_address(at, row))
    try:
        made = receipts.proven(at.pk, row.position)
    except NotCovered:
        raise Http404("No checkpoint covers this payout yet.") from None
    except Altered:
        sentence = _("The book is not what was signed: there is no receipt that holds.")
        return text(sentence, status=HTTPStatus.INTERNAL_SERVER_ERROR)
    name = published.filename(at.pk, f"{row.position}.tlog-proof")
    return hide_from_search(text(str(made), filename=name))


def _of_slip(key: str, code: str) -> tuple[Establishment, Payout]:
    """:raises Http404: if this house gave out no such code."""
    at = spelled.read(key)
    house = at and Establishment.objects.filter(pk=at).first()
    row = slip_codes.row_of(house, code) if house else None
    if not house or row is None:
        raise Http404("This house gave out no such code.")
    show_times_of(house)
    return house, row


def _tells(house: Establishment, row: Payout) -> bool:
    return house.guests and slip_codes.tells(row, current(house, timezone.now()))


def house_of(key: str) -> Establishment:
    """:raises Http404: if there is no such house, or its guests' page is switched off."""
    at = spelled.read(key)
    house = at and Establishment.objects.filter(pk=at, guests=True).first()
    if not house:
        raise Http404("There is no guests' page at this address, or it is switched off.")
    show_times_of(house)
    return house


def _or_404(found: dict[str, Any] | None) -> dict[str, Any]:
    if found is None:
        raise Http404("This game is not played here.")
    return found


def page_of(
    request: HttpRequest, house: Establishment, template: str, context: Mapping[str, Any]
) -> str:
    """A page, drawn without the request: nothing on it depends on who asks."""
    asked = reader.language_asked_for(request)
    key = spelled.compact(house.pk)
    common = {
        "house": house,
        "key": key,
        "keeps": f"?{reader.LANGUAGE_FIELD}={asked}" if asked else "",
        "languages": reader.languages_of_house(),
        "path": request.path,
        "currency": house.currency_symbol,
    }
    return render_to_string(template, {**common, **context})


def _public(
    request: HttpRequest,
    house: Establishment,
    template: str,
    context: Mapping[str, Any],
    seconds: int,
) -> HttpResponse:
    """A page that any cache may keep for so many seconds; 304 to whoever has it."""
    page = page_of(request, house, template, context)
    digest = hashlib.sha256(page.encode()).hexdigest()[:32]
    etag = f'"{translation.get_language()}-{digest}"'
    answer = etags.not_modified(request, etag) or HttpResponse(page, headers={"ETag": etag})
    answer.headers["Cache-Control"] = f"public, max-age={seconds}"
    return hide_from_search(answer)
