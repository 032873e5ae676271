"""What a recording device sends: its queue of entries, and that it takes a game over."""

from __future__ import annotations

import uuid
from dataclasses import replace
from datetime import datetime
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, Final, TypeGuard, cast, get_args

from django.core.exceptions import PermissionDenied
from django.http import (
    Http404,
    HttpResponse,
    JsonResponse,
    QueryDict,
    RawPostDataException,
)
from django.shortcuts import redirect
from django.template.loader import render_to_string
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from casino.floor.tables import attendants, views
from casino.floor.tables.board import boards, posted
from casino.floor.tables.offline.device_data import game_as_json
from casino.house.attendants import permissions
from casino.play.core import operations
from casino.play.devices import device_log, leases
from casino.play.devices import entries as devices
from casino.play.devices.entries import As, Given, TakenOver
from casino.words.languages.messages import translate
from games import characters, transcripts
from games.kinds import TEXT_MAX
from games.refusals import Malformed
from ledger.journal import CommandReused, StreamMoved

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from uuid import UUID

    from django.http import HttpRequest

    from casino.floor.tables.board.boards import Seen

MOST: Final = 100  # entries in one request
WORDS_MAX: Final = 4000  # characters of a form


@require_POST
@never_cache
def entries(request: HttpRequest, game: UUID) -> HttpResponse:
    """Take a device's entries in order; answer with the outcome of each and the present board."""
    try:
        return _entries(request, game)
    except Malformed as malformed:
        return _problem(HTTPStatus.BAD_REQUEST, "malformed", str(malformed))
    except PermissionDenied as denied:
        code = getattr(denied, "code", "permission_denied")
        return _problem(HTTPStatus.FORBIDDEN, code, str(denied))
    except Http404 as missing:
        return _problem(HTTPStatus.NOT_FOUND, "not_found", str(missing))


def _entries(request: HttpRequest, game: UUID) -> HttpResponse:
    """
    Take a device's entries.

    :raises Malformed: if the request is not as docs/reference/devices.md describes it.
    :raises Http404: if none of the person's houses has the game.
    :raises NotYours: if they may not record there, or may not take over what somebody else made.
    """
    if not request.user.is_authenticated:
        return _problem(HTTPStatus.UNAUTHORIZED, "signed_out", _("Sign in again."))
    seen = views.load_for(request, game)
    permissions.require(request.user, "record", seen.house)
    body = _body(request)
    given = [_read_entry(each) for each in body["entries"]]
    taken_over = _note_takeover(request, seen, body, given) if "taken_over" in body else None
    if taken_over is None and body["by"] != seen.person:
        other = _(
            "These entries were made by somebody else: they are sent when they sign in, or when a"
            " supervisor takes them over."
        )
        return _problem(HTTPStatus.CONFLICT, "other_attendant", other)
    at = views.device_at(request, seen.house, game, table=seen.loaded.place["table"])
    bearer = replace(at, taken_over=taken_over)
    answers = devices.put(bearer, given)
    after = body.get("after")
    answered = _answer_entries(request, views.reload(seen), answers, after if _is_seq(after) else 0)
    return attendants.set_device_cookie(request, answered)


def _note_takeover(
    request: HttpRequest, seen: Seen, body: Mapping[str, Any], given: Sequence[Given]
) -> TakenOver:
    """
    That a supervisor sends what somebody else has made: all of it goes to the list of late entries.

    :raises NotYours: if they may not approve at the house, as on the list itself.
    :raises Malformed: if there is no reason, an entry is to be put to the game, or `by` names
        nobody else of this house.
    """
    permissions.require(request.user, "approve", seen.house)
    why = body["taken_over"]
    if not isinstance(why, str) or not 0 < len(why.strip()) <= WORDS_MAX:
        raise Malformed("taken_over: why, in a few words.", field="taken_over")
    if any(each.as_ != "late" for each in given):
        raise Malformed("as: what is taken over goes to the list, as late.", field="as")
    if body["by"] == seen.person or not permissions.has_worked(body["by"], seen.house):
        raise Malformed("by: somebody else who works or has worked at this house.", field="by")
    return TakenOver(made_by=body["by"], why=why.strip())


def _answer_entries(
    request: HttpRequest, seen: Seen, answers: list[devices.Answered], after: int
) -> JsonResponse:
    """
    The answers to entries, with what is new in the game.

    :param after: the last event that the device knows; 0 if it needs no news.
    """
    known = boards.collect_given(seen)
    board = boards.board(seen, known)
    context = {**views.about(seen.house), "board": board, "refused": None}
    lease = {name: board["lease"][name] for name in LEASE}
    return JsonResponse(
        {
            "answers": [
                {
                    "seq": each.seq,
                    "command_id": str(each.command_id),
                    "became": each.became,
                    "code": each.code,
                    "sentence": each.sentence,
                }
                for each in answers
            ],
            "lease": lease,
            **board["device"],
            "etag": seen.etag,
            "board": render_to_string("floor/tables/_board.html", context, request),
            "news": game_as_json(seen, after, known) if after else None,
        }
    )


LEASE: Final = ("term", "mine", "held", "by", "since", "heard")


@require_POST
@never_cache
def lease(request: HttpRequest, game: UUID) -> HttpResponse:
    """Record this game on this device from now on; answer with the present board."""
    if not request.user.is_authenticated:
        return HttpResponse(status=HTTPStatus.UNAUTHORIZED)
    seen = views.load_for(request, game)
    bearer = views.device_at(request, seen.house, game, table=seen.loaded.place["table"])
    act = bearer.act(_command_id(request), do="take", device=bearer.name)
    status, refused = HTTPStatus.OK, ""
    try:
        leases.take(act, game=game, table=bearer.table)
    except (CommandReused, StreamMoved) as moved:
        status, refused = HTTPStatus.CONFLICT, str(moved)
    if status == HTTPStatus.OK and not views.is_fragment(request):
        return attendants.set_device_cookie(request, redirect("floor-game", game=game))
    template = "floor/tables/_board.html" if views.is_fragment(request) else views.PAGE
    return views.page(request, views.reload(seen), template, refused, status)


def _command_id(request: HttpRequest) -> uuid.UUID:
    """The command id of the form; a form without one is a separate act."""
    try:
        return uuid.UUID(request.POST.get("command_id", ""))
    except ValueError:
        return uuid.uuid4()


def _body(request: HttpRequest) -> dict[str, Any]:
    """
    The body of the request.

    :raises Malformed: if it is not ``{"by": …, "entries": [{…}, …]}``, in order of seq.
    """
    try:
        body = transcripts.loads(request.body.decode())
    except (Malformed, UnicodeDecodeError, RawPostDataException):  # the last: read as a form
        raise Malformed("The request is not JSON.") from None
    if not isinstance(body, dict) or not isinstance(body.get("by"), str):
        raise Malformed("by: the id of who made the entries.", field="by")
    given = body.get("entries")
    if not isinstance(given, list) or not 0 < len(given) <= MOST:
        raise Malformed(f"entries: a list of 1 to {MOST}.", field="entries")
    if not all(isinstance(each, dict) and _is_seq(each.get("seq")) for each in given):
        raise Malformed(f"seq: a whole number from 1 to {device_log.SEQ_MAX}.", field="seq")
    numbers = [each["seq"] for each in given]
    if numbers != sorted(set(numbers)):
        raise Malformed("entries: in order of seq, each once.", field="entries")
    return body


def _is_seq(value: object) -> TypeGuard[int]:
    return type(value) is int and 0 < value <= device_log.SEQ_MAX


def _read_entry(each: Mapping[str, Any]) -> Given:
    """
    One entry of the body.

    :raises Malformed: for a fault around the form; a fault in the form is the entry's own answer.
    """
    term, as_, form = each.get("term"), each.get("as", "command"), each.get("form", "")
    if term is not None and not (type(term) is int and term >= 0):
        raise Malformed("term: a whole number, or null.", field="term")
    if as_ not in get_args(As):
        raise Malformed("as: command, late or dropped.", field="as")
    if not isinstance(form, str) or len(form) > WORDS_MAX:
        raise Malformed(f"form: a form's fields, {WORDS_MAX} characters at most.", field="form")
    at = _moment(each.get("at"))
    raw, problem = _read(form, at)
    return Given(
        seq=each["seq"],
        term=term,
        at=at,
        as_=cast("As", as_),
        raw=raw,
        problem=problem,
        words="" if raw else _in_words(form),
    )


def _moment(written: object) -> datetime:
    try:
        at = datetime.fromisoformat(written) if isinstance(written, str) else None
    except ValueError:
        at = None
    if at is None or at.tzinfo is None:
        raise Malformed("at: when it was entered, as 2026-11-22T20:14:03Z.", field="at")
    return at


def _read(form: str, at: datetime) -> tuple[dict[str, Any] | None, str]:
    """The command that a form describes, with the time of its entry; or None, and the reason."""
    raw = {**posted.command(QueryDict(form)), "occurred_at": at.isoformat()}
    try:
        _check_characters(form)
        operations.check_shape(raw)
    except Malformed as malformed:
        return None, str(malformed)
    return raw, ""


def _check_characters(form: str) -> None:
    """:raises Malformed: for what no request may have: in a form within JSON it is in disguise."""
    for name, texts in QueryDict(form).lists():
        if any(map(characters.CONTROL.search, (name, *texts))):
            where = _without_control(name)
            raise Malformed(f"{where} holds up to {TEXT_MAX} characters that can be written down.")


def _in_words(form: str) -> str:
    """The fields of a form that is no command: for people to read, and to be searched for names."""
    fields = QueryDict(form)
    words = "\n".join(f"{name}: {', '.join(fields.getlist(name))}" for name in fields)
    return _without_control(words)


def _without_control(text: str) -> str:
    return characters.CONTROL.sub("\N{REPLACEMENT CHARACTER}", text)


def _problem(status: int, code: str, sentence: str) -> JsonResponse:
    """An error as devices get it (docs/reference/devices.md), no problem document as in the API."""
    return JsonResponse({"code": code, "sentence": translate(sentence)}, status=status)
