"""
Maps exceptions to RFC 9457 problem documents, once for all views.

``code`` is stable and for programs, ``detail`` is a sentence for people. Failures may add further
members: ``field``, ``command_id``, ``done``, ``results``.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import singledispatch
from typing import TYPE_CHECKING, Any, Final, NoReturn

from django.core.exceptions import PermissionDenied
from django.db import DatabaseError, InterfaceError
from django.http import Http404, HttpResponse, JsonResponse
from drf_spectacular.utils import extend_schema
from rest_framework import exceptions, status
from rest_framework.exceptions import NotFound
from rest_framework.permissions import AllowAny
from rest_framework.response import Response
from rest_framework.views import APIView, set_rollback

from casino.engine.databases.storage_failure import trouble_of
from casino.house.acts.game_streams.catalogue import GameNotInstalled
from casino.words.languages.messages import translate
from games.refusals import Malformed, NoGame, Refused
from ledger.conflicts import CommandReused, Conflict

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rest_framework.request import Request

    from casino.engine.databases.storage_failure import Trouble

MEDIA_TYPE: Final = "application/problem+json"
NOWHERE: Final = "There is nothing at this address, or not at a house you work for."


@dataclass(frozen=True, slots=True)
class Problem:
    status: int
    code: str
    detail: str
    more: Mapping[str, Any] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)

    def document(self) -> dict[str, Any]:
        return {
            "type": f"urn:home-throw:problem:{self.code}",
            "title": self.code.replace("_", " ").capitalize(),
            "status": self.status,
            "detail": as_utf8(translate(self.detail)),
            "code": self.code,
            **self.more,
        }

    def response(self) -> Response:
        return Response(
            self.document(),
            status=self.status,
            content_type=MEDIA_TYPE,
            headers=dict(self.headers),
        )

    def outside(self) -> HttpResponse:
        """The problem as Django's response, for requests that reached no view of the API."""
        return JsonResponse(
            self.document(),
            status=self.status,
            content_type=MEDIA_TYPE,
            headers=dict(self.headers),
        )


def answer_exception(failure: Exception, _context: Mapping[str, Any]) -> Response | None:
    """The exception handler of Django REST framework; None for a fault in the program."""
    problem = problem_of(failure)
    if problem is None:
        return None
    set_rollback()
    return problem.response()


@singledispatch
def problem_of(failure: Exception) -> Problem | None:
    del failure
    return None


@problem_of.register(DatabaseError)
@problem_of.register(InterfaceError)
def _storage(failure: Exception) -> Problem | None:
    trouble = trouble_of(failure)
    return None if trouble is None else of_storage(trouble)


def of_storage(trouble: Trouble) -> Problem:
    """The problem if the database fails: clients send the same again later, under the same id."""
    unavailable = status.HTTP_503_SERVICE_UNAVAILABLE
    return Problem(unavailable, trouble.code, trouble.detail, headers=trouble.headers)


@problem_of.register
def _malformed_problem(failure: Malformed) -> Problem:
    more = {"field": as_utf8(failure.field)} if failure.field else {}
    return Problem(status.HTTP_400_BAD_REQUEST, "malformed", str(failure), more)


@problem_of.register
def _invalid(failure: exceptions.ValidationError) -> Problem:
    name, sentence = first_of(failure.detail)
    more = {"field": name} if name else {}
    return Problem(status.HTTP_400_BAD_REQUEST, "malformed", sentence, more)


@problem_of.register
def _framework(failure: exceptions.APIException) -> Problem:
    code = failure.default_code
    headers = {}
    if header := getattr(failure, "auth_header", None):
        headers["WWW-Authenticate"] = header
    if wait := getattr(failure, "wait", None):
        headers["Retry-After"] = str(int(wait))
    detail = NOWHERE if isinstance(failure, exceptions.NotFound) else str(failure.detail)
    return Problem(failure.status_code, code, detail, headers=headers)


@problem_of.register
def _forbidden(failure: PermissionDenied) -> Problem:
    code = getattr(failure, "code", "permission_denied")
    return Problem(status.HTTP_403_FORBIDDEN, code, str(failure))


@problem_of.register
def _not_found(failure: Http404) -> Problem:
    del failure
    return Problem(status.HTTP_404_NOT_FOUND, "not_found", NOWHERE)


@problem_of.register
def _no_game(failure: NoGame) -> Problem:
    return Problem(status.HTTP_404_NOT_FOUND, failure.code, str(failure))


@problem_of.register
def _not_installed(failure: GameNotInstalled) -> Problem:
    """The game is recorded, but cannot be read until its package is installed again."""
    return Problem(status.HTTP_409_CONFLICT, failure.code, str(failure))


@problem_of.register
def _conflict(failure: Conflict) -> Problem:
    return Problem(status.HTTP_409_CONFLICT, failure.code, str(failure))


@problem_of.register
def _reuse_problem(failure: CommandReused) -> Problem:
    more = {"command_id": str(failure.command_id)}
    return Problem(status.HTTP_409_CONFLICT, failure.code, str(failure), more)


@problem_of.register
def _refusal_problem(failure: Refused) -> Problem:
    return Problem(status.HTTP_422_UNPROCESSABLE_ENTITY, failure.code, str(failure))


def first_of(detail: Any, name: str = "") -> tuple[str, str]:
    """The field and the sentence of the first error that a serializer collected."""
    match detail:
        case dict():
            key, inner = next(iter(detail.items()))
            return first_of(inner, name if key == "non_field_errors" else str(key))
        case list():
            return first_of(detail[0], name)
        case _:
            return name, f"{name}: {detail}" if name else str(detail)


def as_utf8(text: str) -> str:
    """A text that can be encoded in UTF-8: lone surrogates, from a quoted input, are escaped."""
    return text.encode(errors="backslashreplace").decode()


# All other addresses of the API: answers 404 in the same form as every other failure.


@extend_schema(exclude=True)
class Nowhere(APIView):
    authentication_classes = ()
    permission_classes = (AllowAny,)

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> NoReturn:
        del request, args, kwargs
        raise NotFound
