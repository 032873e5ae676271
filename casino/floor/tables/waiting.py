"""The sheet of the waiting list at a table: who waits for its game is called to it, or entered."""

from __future__ import annotations

import uuid
from http import HTTPStatus
from typing import TYPE_CHECKING

from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from casino.floor.players import waiting_shown
from casino.floor.players.waiting_pages import EnterForm, EntryForm, sentence_of_entry
from casino.floor.tables import sheets, views
from casino.house.acts import acts
from casino.house.attendants import permissions
from casino.house.pseudonyms import tokens
from casino.words.presenters import TITLES
from games.refusals import Malformed, Refused
from ledger.journal import CommandReused, StreamMoved

if TYPE_CHECKING:
    from datetime import datetime
    from uuid import UUID

    from django.http import HttpRequest, HttpResponse

    from casino.floor.board.boards import Seen


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def sheet(request: HttpRequest, game: UUID) -> HttpResponse:
    """The sheet of those who wait for this game: they are called to this table, or entered."""
    if not request.user.is_authenticated:
        return sheets.answer_signed_out(request)
    seen = sheets.recorder(request, game)
    house, kind, now = seen.house, seen.loaded.ruleset.id, timezone.now()
    form, said, refused = EnterForm(house, now, initial={"game": kind}), "", ""
    if request.method == "POST":
        entering = EnterForm(house, now, request.POST)
        try:
            said = _carry_out(request, seen, entering, now)
        except (Refused, Malformed, StreamMoved, CommandReused) as why:
            refused = tokens.resolve_text(house.pk, str(why))
            if request.POST.get("do") == "enter":  # what was typed stays
                form = entering
                form.refuse(refused)
    if said and not views.is_fragment(request):
        return redirect("floor-game", game=game)
    lines = waiting_shown.lines(house, now, kind)
    table = seen.loaded.place["table"]
    context = {
        "line": lines[0] if lines else None,
        "title": TITLES[kind],
        "game": kind,
        "form": form,
        "said": said,
        "refused": refused,
        "here": table,
        "to": reverse("floor-waiting", args=[game]),
        "names": reverse("floor-players", args=[table]),
        "back": reverse("floor-game", args=[game]),
    }
    status = HTTPStatus.UNPROCESSABLE_ENTITY if refused else HTTPStatus.OK
    return sheets.sheet(request, seen, "waiting", context, status)


def _carry_out(request: HttpRequest, seen: Seen, entering: EnterForm, now: datetime) -> str:
    """
    Do what the sheet asked for; return what was done.

    :raises Malformed: if it is nothing that the sheet asks.
    """
    house = seen.house
    if request.POST.get("do") == "enter":
        if not entering.is_valid():
            raise Malformed(str(next(iter(entering.errors.values()))[0]))
        return sentence_of_entry(entering.enter(_act(request, seen, entering.act_id, now)))
    form = EntryForm(house, request.POST)
    try:
        entry_id = uuid.UUID(request.POST.get("entry", ""))
    except ValueError:
        raise Malformed("entry is no UUID.", field="entry") from None
    if not form.is_valid():
        raise Malformed(str(next(iter(form.errors.values()))[0]))
    form.carry_out(_act(request, seen, form.act_id, now), entry_id)
    return form.sentence


def _act(request: HttpRequest, seen: Seen, command_id: UUID, now: datetime) -> acts.Act:
    return acts.Act(
        house=seen.house,
        by=permissions.person_of(request),
        device=views.device_of(request),
        now=now,
        command_id=command_id,
        request={},
    )
