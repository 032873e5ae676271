"""
Browsers in which somebody has signed in before: tries from them are counted apart from all others.

Whoever guesses elsewhere then locks nobody out who comes from their own desk (decision 0063). The
browser keeps a cookie with a line for each of its people, ``person.number.mark``: a number of
chance, and a mark that nobody makes without the house's key, nor once the person's password is
another one or all their sessions were ended.
"""

from __future__ import annotations

import re
from secrets import token_hex
from typing import TYPE_CHECKING, Final

from django.utils.crypto import constant_time_compare, salted_hmac

if TYPE_CHECKING:
    from collections.abc import Iterator

    from django.http import HttpRequest, HttpResponse

    from casino.attendants.models import Attendant

COOKIE: Final = "known"
KEPT_FOR: Final = 400 * 24 * 60 * 60  # seconds; as long as browsers keep one
MOST: Final = 8
"""People of one browser; who signed in last stays."""
SALT: Final = "casino.attendants.known_browsers"
GIVEN: Final = "casino.known"  # in the request: the cookie that its answer has to bring
LINE: Final = re.compile(r"([0-9a-f]{32})\.([0-9a-f]{16})\.([0-9a-f]{64})")


def number(cookie: str, person: Attendant | None) -> str:
    """What this browser is called among those the person has used; empty: it is not one of them."""
    if person is None:
        return ""
    for who, found, mark in _lines(cookie):
        if who == person.pk.hex and constant_time_compare(mark, _mark(person, found)):
            return found
    return ""


def remember(request: HttpRequest, person: Attendant) -> None:
    """Have the answer tell the browser that this person has signed in here."""
    cookie = request.COOKIES.get(COOKIE, "")
    kept = number(cookie, person) or token_hex(8)
    others = [".".join(line) for line in _lines(cookie) if line[0] != person.pk.hex]
    mine = f"{person.pk.hex}.{kept}.{_mark(person, kept)}"
    request.META[GIVEN] = "_".join([mine, *others][:MOST])


def borne(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    if given := request.META.get(GIVEN):
        keep(request, response, COOKIE, given, KEPT_FOR)
    return response


def keep(request: HttpRequest, response: HttpResponse, name: str, value: str, seconds: int) -> None:
    """A cookie of the house: no script reads it, no other site sends it."""
    response.set_cookie(
        name,
        value,
        max_age=seconds,
        httponly=True,
        samesite="Lax",
        secure=request.is_secure(),
    )


def _lines(cookie: str) -> Iterator[tuple[str, str, str]]:
    for line in cookie.split("_")[:MOST]:
        if (found := LINE.fullmatch(line)) is not None:
            yield found[1], found[2], found[3]


def _mark(person: Attendant, number: str) -> str:
    content = f"{person.pk.hex}/{number}/{person.get_session_auth_hash()}"
    return salted_hmac(SALT, content, algorithm="sha256").hexdigest()
