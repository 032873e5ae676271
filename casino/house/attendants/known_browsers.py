"""
Known browsers: tries from a browser in which a person has signed in before are counted separately.

So somebody who guesses elsewhere does not lock a person out at their own desk (decision 0020). The
browser keeps a cookie with a line for each of its people, ``person.number.mark``: a random number,
and a mark made with the house's key. The mark becomes invalid when the person's password changes or
all their sessions are ended.
"""

from __future__ import annotations

import re
from secrets import token_hex
from typing import TYPE_CHECKING, Final

from django.utils.crypto import constant_time_compare, salted_hmac

if TYPE_CHECKING:
    from collections.abc import Iterator

    from django.http import HttpRequest, HttpResponse

    from casino.house.attendants.models import Attendant

COOKIE: Final = "known"
KEPT_FOR: Final = 400 * 24 * 60 * 60  # seconds; as long as browsers keep one
MOST: Final = 8
"""The most people of one browser; those who signed in last stay."""
SALT: Final = "casino.house.attendants.known_browsers"
GIVEN: Final = "casino.known"  # key in the request's META: the cookie that its answer sets
LINE: Final = re.compile(r"([0-9a-f]{32})\.([0-9a-f]{16})\.([0-9a-f]{64})")


def number(cookie: str, person: Attendant | None) -> str:
    """The browser's number among those that a person has used; empty if they never used it."""
    if person is None:
        return ""
    for who, found, mark in _lines(cookie):
        if who == person.pk.hex and constant_time_compare(mark, _mark(person, found)):
            return found
    return ""


def remember(request: HttpRequest, person: Attendant) -> None:
    """Have the answer set the cookie that says that this person has signed in in this browser."""
    cookie = request.COOKIES.get(COOKIE, "")
    kept = number(cookie, person) or token_hex(8)
    others = [".".join(line) for line in _lines(cookie) if line[0] != person.pk.hex]
    mine = f"{person.pk.hex}.{kept}.{_mark(person, kept)}"
    request.META[GIVEN] = "_".join([mine, *others][:MOST])


def set_browser_cookie(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    if given := request.META.get(GIVEN):
        keep(request, response, COOKIE, given, KEPT_FOR)
    return response


def keep(request: HttpRequest, response: HttpResponse, name: str, value: str, seconds: int) -> None:
    """Set a cookie that no script can read and no other site sends."""
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
