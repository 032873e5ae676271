"""
The gate for everything that comes with a request: its size, and the characters of its texts.

Nothing that the house takes is longer than `BODY_MOST`. From somebody who has not signed in nothing
is longer than `STRANGERS_BODY_MOST`, and no form has more fields than `STRANGERS_FIELDS_MOST`:
taking a form apart costs up to half a millisecond for each kB, more in many parts, and anybody can
send many. No text has NUL, another control character, or half of a surrogate pair in it: no
database keeps these, and logs and terminals do more with them than show them. All text is UTF-8,
whatever a request says. What does not pass is refused before anything is looked up, except whose
long body it is. A try to sign in that does not pass is in the sign-in log all the same.
"""

from __future__ import annotations

import json
import re
from contextlib import suppress
from http import HTTPStatus
from http.cookies import CookieError
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from django.conf import settings
from django.contrib.auth import SESSION_KEY
from django.core.files import File
from django.db import DatabaseError
from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.http import urlencode

from casino.config.environment import (
    ESCAPES_MOST,
    HEADER_MOST,
    KIND_MOST,
    STRANGERS_BODY_MOST,
    STRANGERS_FIELDS_MOST,
)
from games.characters import CONTROL

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from django.http import HttpRequest

API: Final = "/api/"
SIGN_INS: Final = ("/sign-in/", "/floor/attendant/", "/api/v1/tokens/")
FORMS: Final = frozenset({"application/x-www-form-urlencoded", "multipart/form-data"})
CLEAN: Final = re.compile(
    rb"""(?:
      [^\\\x7f]++ | \\["\\/nrt]
    | \\u(?!00(?:0[0-8bcef]|1[0-9a-f]|7f)|d[89a-f])[0-9a-f]{4}
    | \\ud[89ab][0-9a-f]{2}\\ud[c-f][0-9a-f]{2}
    )*+""",
    re.IGNORECASE | re.VERBOSE,
)
"""
JSON in UTF-8 that has no such character. It is read as fast as it comes: whoever sends it need not
have signed in.
"""
CHARSETS: Final = frozenset({"utf-8", "utf8", "us-ascii"})
FROM_THEM: Final = ("HTTP_", "QUERY_STRING", "PATH_INFO")
DIGITS_MOST: Final = 18  # of a length; Python does not even read one of 4,301 digits


class Refusal(NamedTuple):
    status: HTTPStatus
    code: str
    sentence: str
    field: str = ""


class Text(NamedTuple):
    where: str
    text: str
    field: str = ""


TOO_LARGE: Final = Refusal(
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
    "too_large",
    "The request is too large: send fewer commands at once.",
)
NO_LENGTH: Final = Refusal(
    HTTPStatus.LENGTH_REQUIRED,
    "length_required",
    "The request does not say how long it is: send Content-Length, not chunks.",
)
LONG_HEADER: Final = Refusal(
    HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE,
    "too_large",
    "The address or a header of the request is too long, or its cookies are.",
)
SIGN_IN_FIRST: Final = Refusal(
    HTTPStatus.UNAUTHORIZED,
    "not_authenticated",
    "The request is too large for somebody who has not signed in: sign in, and send it again.",
)
NO_UTF_8: Final = Refusal(
    HTTPStatus.BAD_REQUEST,
    "malformed",
    "The request says that it is in another encoding than UTF-8: send UTF-8.",
    "Content-Type",
)


class IncomingMiddleware:
    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        refusal = refusal_of(request)
        return self._get_response(request) if refusal is None else response_to(request, refusal)


def refusal_of(request: HttpRequest) -> Refusal | None:
    """Why a request does not pass the gate; None: it passes."""
    length = request.META.get("CONTENT_LENGTH") or ""
    size = size_of(length)
    if has_long_header(request):
        return LONG_HEADER
    if "HTTP_TRANSFER_ENCODING" in request.META and not length:
        return NO_LENGTH
    if not 0 <= size <= settings.DATA_UPLOAD_MAX_MEMORY_SIZE:
        return TOO_LARGE
    charset = (request.content_params or {}).get("charset", "utf-8")
    if charset.lower() not in CHARSETS:
        return NO_UTF_8
    return control_in(texts_of_head(request)) or refusal_of_body(request, size)


def refusal_of_body(request: HttpRequest, size: int) -> Refusal | None:
    if size > STRANGERS_BODY_MOST or has_many_fields(request):
        if not is_somebodys(request):
            return SIGN_IN_FIRST
        if has_many_fields(request, settings.DATA_UPLOAD_MAX_NUMBER_FIELDS):
            return TOO_LARGE
    return control_in(texts_of_body(request))


def has_many_fields(request: HttpRequest, most: int = STRANGERS_FIELDS_MOST) -> bool:
    """
    Whether a form has more fields than that, counted without taking it apart. Django does not count
    parts without a name, and they cost as much.
    """
    if request.content_type not in FORMS or request.path_info.startswith(API):
        return False
    between = "&"
    if request.content_type == "multipart/form-data":
        between = f"--{(request.content_params or {}).get('boundary', '')}"
    return request.body.count(between.encode()) > most


def control_in(texts: Iterable[Text]) -> Refusal | None:
    """The refusal of the first text that has a character in it which none may have."""
    for where, text, name in texts:
        if (found := CONTROL.search(text)) is not None:
            character = f"U+{ord(found[0]):04X}"
            sentence = f"{where} has {character} in it: no text may have such a character."
            return Refusal(HTTPStatus.BAD_REQUEST, "malformed", sentence, name)
    return None


def has_long_header(request: HttpRequest) -> bool:
    """
    Whether the address or a header is longer than any is. Python up to 3.11.9 reads the backslashes
    of a cookie, and Django the parameters of a Content-Type, in a time that grows with the square
    of their number.
    """
    head = request.META
    return (
        len(head.get("CONTENT_TYPE", "")) > KIND_MOST
        or head.get("HTTP_COOKIE", "").count("\\") > ESCAPES_MOST
        or any(len(text) > HEADER_MOST for name, text in head.items() if name.startswith(FROM_THEM))
    )


def size_of(length: str) -> int:
    """Bytes of the body, as Django reads its header; -1: that is too long to be read."""
    if length.isdecimal() and len(length) > DIGITS_MOST:
        return -1
    try:
        return int(length)
    except ValueError:
        return 0


def is_somebodys(request: HttpRequest) -> bool:
    """
    Whether the session or the token of a request is one that the house has given to somebody; what
    they may do is asked later. If the database cannot be asked, whoever needs it says so.
    """
    try:
        if "HTTP_AUTHORIZATION" in request.META and has_token(request):
            return True
        key = request.COOKIES.get(settings.SESSION_COOKIE_NAME)
        sessions = import_module(settings.SESSION_ENGINE)
        return bool(key) and SESSION_KEY in sessions.SessionStore(key)
    except DatabaseError:
        return True


def has_token(request: Any) -> bool:
    from rest_framework.exceptions import AuthenticationFailed  # noqa: PLC0415 - for long bodies

    from casino.kit.web.api.authentication import TokenAuthentication  # noqa: PLC0415 - as above

    try:
        return TokenAuthentication().authenticate(request) is not None
    except AuthenticationFailed:
        return False


def texts_of_head(request: HttpRequest) -> Iterator[Text]:
    """Every text before the body that comes from outside, and where it stands."""
    yield Text("The address", request.path_info)
    for name, value in request.META.items():
        if name.startswith("HTTP_") and name != "HTTP_COOKIE":
            yield Text("A header", value)
    yield from texts_of_pairs("A cookie", request.COOKIES.items())
    yield from texts_of_pairs("The query", request.GET.lists())


def texts_of_body(request: HttpRequest) -> Iterator[Text]:
    """Every text of the body that may have such a character."""
    if request.content_type in FORMS:
        if not request.path_info.startswith(API):  # there, forms are refused unread
            yield from texts_of_pairs("The form", request.POST.lists())
            yield from texts_of_pairs("A file", request.FILES.lists())
    elif not CLEAN.fullmatch(request.body):
        body = json_of(request.body)
        fields = body if isinstance(body, dict) else {"": body}
        for name, value in fields.items():
            for text in filter(CONTROL.search, (name, *texts_of(value))):
                field = name.encode(errors="backslashreplace").decode()
                yield Text(field or "The body", text, field)


def texts_of_pairs(where: str, named: Iterable[tuple[str, Any]]) -> Iterator[Text]:
    for text in texts_of([[name, value] for name, value in named]):
        yield Text(where, text)


def json_of(body: bytes) -> Any:
    """The value of JSON in UTF-8; None if it is none, which whoever reads it says better."""
    try:
        return json.loads(body.decode())
    except (ValueError, RecursionError):
        return None


def texts_of(value: Any) -> Iterator[str]:
    """All texts in a value, names of fields and of files included."""
    left = [value]
    while left:
        match left.pop():
            case str(text):
                yield text
            case dict() as fields:
                left += (*fields, *fields.values())
            case list() as items:
                left += items
            case File(name=str(text)):
                yield text
            case _:
                pass


def response_to(request: HttpRequest, refusal: Refusal) -> HttpResponse:
    """The answer; cookies that do not pass are taken away, as nobody could take them off else."""
    tries = request.method == "POST" and request.path_info.startswith(SIGN_INS)
    if tries and refusal.status == HTTPStatus.BAD_REQUEST:
        from casino.house.attendants import signins  # noqa: PLC0415 - a house that answers needs it seldom

        place = signins.where(request)
        signins.note(signins.What.WRONG_PASSWORD, at=timezone.now(), place=place, way="refused")
    of_api = request.path_info.startswith(API)
    if refusal is SIGN_IN_FIRST and request.content_type in FORMS and not of_api:
        from casino.settings.staff.sign_in.middleware import back_to  # noqa: PLC0415 - for long bodies

        to = urlencode({"next": back_to(request)})
        answer: HttpResponse = redirect(f"{reverse('sign-in')}?{to}")
    else:
        answer = _document(request, refusal)
    for name, value in () if refusal is LONG_HEADER else request.COOKIES.items():
        if CONTROL.search(value):
            with suppress(CookieError):  # of a name that no answer can have
                answer.delete_cookie(name)
    return answer


def _document(request: HttpRequest, refusal: Refusal) -> HttpResponse:
    if request.path_info.startswith(API):
        from casino.kit.web.api import authentication, problems  # noqa: PLC0415 - with the API's framework

        more = {"field": refusal.field} if refusal.field else {}
        asks = {"WWW-Authenticate": authentication.CHALLENGE}
        headers = asks if refusal is SIGN_IN_FIRST else {}
        said = problems.Problem(refusal.status, refusal.code, refusal.sentence, more, headers)
        return said.outside()
    return HttpResponse(refusal.sentence, status=refusal.status, content_type="text/plain")
