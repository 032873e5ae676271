"""
Pages of the floor: pick a table, open a game, record what happens, read its story.

Forms over the operations.
"""

from __future__ import annotations

import uuid
from dataclasses import replace
from functools import partial
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from casino.floor.players import cash
from casino.floor.tables import attendants, news, open_form
from casino.floor.tables.board import boards, posted
from casino.floor.tables.board.boards import Seen
from casino.floor.tables.offline import bundles, device_data
from casino.house.acts import custody
from casino.house.acts.game_streams.loading import GameKey, load
from casino.house.attendants import permissions
from casino.house.attendants.pseudonyms import tokens
from casino.house.establishments import epochs
from casino.house.establishments.clock import show_times_of
from casino.house.establishments.gaming_day import current
from casino.house.establishments.models import Establishment, HouseRules, Table
from casino.house.home_throws import house_rules
from casino.kit.web import etags, pages
from casino.money.payouts import receipts as payouts_receipts
from casino.play.core import operations, queries, stories, undo
from casino.play.devices import entries as devices_entries
from casino.play.devices import leases
from casino.play.devices.entries import Device
from casino.play.settlement import settled
from casino.words.languages import locales
from casino.words.languages.messages import translate as in_words
from casino.words.presenters import PRESENTERS
from games.refusals import Malformed, NoGame, Refused
from ledger.journal import CommandReused, StreamMoved

if TYPE_CHECKING:
    from uuid import UUID

    from django.http import HttpRequest

    from casino.house.acts.game_streams.loading import Loaded
    from casino.play.core.core import Answer

OK, UNFIT, CONFLICT = HTTPStatus.OK, HTTPStatus.UNPROCESSABLE_ENTITY, HTTPStatus.CONFLICT
PAGE = "floor/tables/table.html"


@login_required
@never_cache
def open_at(request: HttpRequest, table: UUID) -> HttpResponse:
    """The form that opens a game at a table; if a game is open there, that game."""
    here = _table(request, table)
    permissions.require(request.user, "record", here.establishment)
    if "choose" in request.POST:  # the same people, another game
        form = open_form.form_of_other_game(here, request.POST, request.POST["choose"])
        return _opening_page(request, here, form)
    if "again" in request.POST:  # the last game's people
        return _opening_page(request, here, open_form.form_with_last_seats(here, request.POST))
    if request.method == "POST":
        return _open(request, here)
    running = queries.running_game(here)
    if running is not None:
        return redirect("floor-game", game=running)
    if (before := _game_to_open_anew(request, here)) is not None:
        return _opening_page(request, here, open_form.form_of_game(here, before))
    free = _starts_free(request, here)
    return _opening_page(
        request, here, open_form.blank(here, request.GET.get("game", ""), free=free)
    )


def _game_to_open_anew(request: HttpRequest, table: Table) -> Loaded | None:
    """The game of this table that is opened anew, if the address names one."""
    try:
        game = uuid.UUID(request.GET.get("as", ""))
        loaded = load(GameKey(table.establishment_id, game))
    except (ValueError, NoGame):
        return None
    return loaded if loaded.place["table"] == str(table.pk) else None


@login_required
@require_POST
def open_anew(request: HttpRequest, game: UUID) -> HttpResponse:
    """Close a game that nobody has thrown in and open it anew: the form as it was opened."""
    seen = load_for(request, game)
    permissions.require(request.user, "record", seen.house)
    table = seen.loaded.place["table"]
    try:
        open_form.close(seen.loaded.key, device_at(request, seen.house, game, table=table))
    except (Refused, devices_entries.NotRecording) as refused:
        return page(request, reload(seen), PAGE, str(refused), UNFIT)
    except (CommandReused, StreamMoved) as moved:
        return page(request, reload(seen), PAGE, str(moved), CONFLICT)
    return redirect(f"{reverse('floor-open', args=[table])}?as={game}")


def _starts_free(request: HttpRequest, table: Table) -> bool:
    """Whether no money may be played at a table, and the person may open a game without any."""
    role = permissions.roles(request.user).get(table.establishment_id, "")
    may = role in house_rules.MAY_DEVIATE[HouseRules.Deviations.SUPERVISOR]
    return may and bool(custody.why_no_money(table.establishment, table))


def _open(request: HttpRequest, table: Table) -> HttpResponse:
    try:
        answer = operations.open_game(
            by=permissions.person_of(request),
            table=table,
            raw=open_form.command(
                request.POST, open_form.rules_of(table, request.POST.get("game", ""))
            ),
            now=timezone.now(),
            device=device_of(request),
        )
    except (Malformed, CommandReused, StreamMoved) as refused:
        sentence = in_words(str(refused))
    else:
        if answer.refusal is None:
            _records_here(request, table, answer.key.game)
            return attendants.set_device_cookie(
                request, redirect("floor-game", game=answer.key.game)
            )
        sentence = open_form.describe_refusal(table, request.POST, answer.refusal.detail)
    return _opening_page(request, table, open_form.form_as_sent(table, request.POST), sentence)


def _records_here(request: HttpRequest, table: Table, game: UUID) -> None:
    """Let the device that opens a game record it, unless another device has begun to (E5)."""
    bearer = device_at(request, table.establishment, game, table=str(table.pk))
    act = bearer.act(uuid.uuid5(game, f"lease/{bearer.by.pk}"), do="take")
    leases.take(act, game=game, table=bearer.table, free_only=True)


def _opening_page(
    request: HttpRequest, table: Table, form: dict[str, Any], refused: str = ""
) -> HttpResponse:
    """The form of an opening. :param refused: why it was, in the reader's language."""
    context = {
        **about(table.establishment),
        "table": {"id": str(table.pk), "name": table.name},
        "form": open_form.bound_by_rules(
            table, form, permissions.roles(request.user).get(table.establishment_id, "")
        ),
        "refused": {"sentence": refused} if refused else None,
        "no_float": custody.why_no_money(table.establishment, table),
        "unpaid": _unpaid(table),
        "urls": {
            "open": reverse("floor-open", args=[table.pk]),
            "players": reverse("floor-players", args=[table.pk]),
            "cash": reverse("cash-table", args=[table.pk]),
        },
    }
    page = render(request, "floor/tables/open.html", context, status=UNFIT if refused else OK)
    return attendants.set_device_cookie(request, page)


def _unpaid(table: Table) -> dict[str, Any] | None:
    """What the last game of a free table still owes its players; None for nothing."""
    _running, over = queries.games_last(table.establishment_id, [table.pk])
    if (game := over.get(table.pk)) is None:
        return None
    amount = cash.stakes_left(table.establishment, [game])[game]
    return {"amount": amount, "url": reverse("floor-game", args=[game])} if amount else None


@login_required
@require_safe
@never_cache
def game(request: HttpRequest, game: UUID) -> HttpResponse:
    """The page of one game, for an attendant."""
    return page(request, _add_mark(load_for(request, game)), "floor/tables/table.html")


@require_safe
@never_cache
def board(request: HttpRequest, game: UUID) -> HttpResponse:
    """The board alone, which is polled each second; a 304 costs almost nothing."""
    if not request.user.is_authenticated:
        return HttpResponse(status=401)
    found = load_for(request, game)
    ticket = _ticket(request, found)
    seen = _add_mark(found)
    answer = etags.not_modified(request, seen.etag) or page(
        request, seen, "floor/tables/_board.html"
    )
    news.leave(request, seen.etag, ticket)
    return answer


def _ticket(request: HttpRequest, seen: Seen) -> news.Ticket | None:
    """
    A ticket for a game that is booked; while settlement is at work, the board is looked at each
    time.
    """
    loaded = seen.loaded
    if seen.through < loaded.version:
        return None
    position = news.since(seen.house.pk)
    if load(loaded.key).version != loaded.version:  # an event since then would go unnoticed
        return None
    basis = news.Basis(
        house=seen.house.pk,
        position=position,
        streams=frozenset(queries.streams_of_state(loaded)),
        game=str(loaded.key.game),
        booked=loaded.position,
    )
    return news.begin_ticket(request, basis, role=seen.role)


@require_safe
@never_cache
def offline_events(request: HttpRequest, game: UUID) -> HttpResponse:
    """
    What a device needs to go on alone, as JSON (`casino.floor.tables.offline.device_data`); with
    ``after=<number>``, what is new since that event.
    """
    if not request.user.is_authenticated:
        return HttpResponse(status=401)
    since = request.GET.get("after", "")
    after = int(since[:9]) if since.isdecimal() else 0
    seen = _add_mark(load_for(request, game))
    etag = f'{seen.etag[:-1]}-{after}"'
    if same := etags.not_modified(request, etag):
        return same
    compact = {"separators": (",", ":"), "ensure_ascii": False}
    return JsonResponse(
        device_data.game_as_json(seen, after), json_dumps_params=compact, headers={"ETag": etag}
    )


@login_required
@require_safe
@never_cache
def log(request: HttpRequest, game: UUID) -> HttpResponse:
    """Everything that was recorded of a game, including what the board no longer shows."""
    seen = load_for(request, game)
    context = {**about(seen.house), **on_paper(seen.house), "story": story_of_game(seen)}
    return render(request, "floor/tables/log.html", context)


@login_required
@require_safe
@never_cache
def round_(request: HttpRequest, game: UUID, number: int) -> HttpResponse:
    """A round step by step: who pays what and why; with `step`, the table as it stood then."""
    seen = load_for(request, game)
    step = request.GET.get("step")
    if step is not None and not step.isdecimal():
        raise Http404("A step is the number of an event.")
    story = story_of_round(seen, number, int(step[:9]) if step else None)
    if story is None:
        raise Http404("There is no round of this number, or no such step in it.")
    receipts = payouts_receipts.of_round(seen.house.pk, game, number)
    context = {"story": story, "receipts": tokens.resolve(seen.house.pk, receipts)}
    shared = {**about(seen.house), **on_paper(seen.house)}
    return render(request, "floor/tables/round.html", {**shared, **context})


@require_POST
@never_cache
def command(request: HttpRequest, game: UUID) -> HttpResponse:
    """Put one command to the game; answer with the present board."""
    if not request.user.is_authenticated:
        return HttpResponse(status=401)
    seen = load_for(request, game)
    status, sentence = _put(request, seen)
    if status == OK and not is_fragment(request):
        return redirect("floor-game", game=game)
    template = "floor/tables/_board.html" if is_fragment(request) else "floor/tables/table.html"
    return page(request, reload(seen), template, sentence, status)


def _put(request: HttpRequest, seen: Seen) -> tuple[int, str]:
    """Put the command. Return the HTTP status, and the sentence why it was refused."""
    try:
        key = seen.loaded.key
        bearer = device_at(request, seen.house, key.game, table=seen.loaded.place["table"])
        answer = devices_entries.put_form(bearer, posted.command(request.POST))
    except (Malformed, devices_entries.NotRecording) as refused:
        return UNFIT, str(refused)
    except (CommandReused, StreamMoved) as moved:
        return CONFLICT, str(moved)
    return _outcome(seen.house, answer)


def _outcome(house: Establishment, answer: Answer) -> tuple[int, str]:
    if answer.refusal is None:
        return OK, ""
    return UNFIT, tokens.resolve_text(house.pk, answer.refusal.detail)


def page(
    request: HttpRequest, seen: Seen, template: str, refused: str = "", status: int = OK
) -> HttpResponse:
    context = {
        **about(seen.house),
        "board": boards.board(seen),
        "refused": {"sentence": in_words(refused)} if refused else None,
    }
    if template == PAGE:
        restored = epochs.restoration(seen.house, timezone.now())
        context |= {
            "bundle": bundles.version_of(seen.loaded.ruleset.id),
            "takes_over": permissions.may(request.user, "approve", seen.house.pk),
            "epoch": restored.epoch if restored else 1,
            "restored": restored and restored.today and restored,
        }
    response = render(request, template, context, status=status)
    response["ETag"] = seen.etag
    return attendants.set_device_cookie(request, response)


def load_for(request: HttpRequest, game: UUID) -> Seen:
    """The game, its house and the person's role there, each loaded once."""
    roles = permissions.roles(request.user)
    try:
        loaded = queries.find(roles, game)
    except NoGame as missing:
        raise Http404(str(missing)) from None
    house = loaded.key.establishment
    at = Establishment.objects.get(pk=house)
    show_times_of(at)
    return Seen(
        loaded=loaded,
        house=at,
        person=str(request.user.pk),
        role=roles[house],
        through=settled.last_event_handled(loaded),
        device=device_of(request),
    )


def reload(seen: Seen) -> Seen:
    """The same game, loaded again after a command."""
    loaded = load(seen.loaded.key)
    return _add_mark(replace(seen, loaded=loaded, through=settled.last_event_handled(loaded)))


def _add_mark(seen: Seen) -> Seen:
    """
    Add to a game for a board the mark that shows whether it has changed since. A poll is also a
    sign of life of the device, if it records.
    """
    key = seen.loaded.key
    now = timezone.now()
    quiet = leases.note_poll(key.establishment, key.game, seen.device, now)
    in_time = undo.is_open(seen.loaded, seen.house.undo_seconds, now)
    mark = queries.mark(seen.loaded, seen.through, in_time=in_time)
    return replace(seen, mark=f"{mark}-{quiet}")


def _table(request: HttpRequest, table: UUID) -> Table:
    mine = Table.objects.filter(establishment__in=permissions.houses(request.user))
    found = mine.select_related("establishment").filter(pk=table).first()
    if found is None:
        raise Http404("There is no such table at your houses.")
    show_times_of(found.establishment)  # what is typed is read as the house writes amounts
    return found


def about(house: Establishment) -> dict[str, Any]:
    show_times_of(house)
    return {"house": house, "gaming_day": current(house, timezone.now())}


def on_paper(house: Establishment) -> dict[str, Any]:
    """What the foot of a page says on paper."""
    now = timezone.now()
    return {"now": now, "ledger_position": partial(pages.recent_position, house.pk, now)}


def is_fragment(request: HttpRequest) -> bool:
    """Whether htmx requests a part of the page."""
    return request.headers.get("HX-Request") == "true"


def device_of(request: HttpRequest) -> str:
    """The device's name: see `attendants.device_of_request`."""
    return attendants.device_of_request(request)


def device_at(request: HttpRequest, house: Establishment, game: UUID, *, table: str) -> Device:
    """The device at a game, used by the person who is signed in."""
    return Device(
        name=attendants.device_of_request(request),
        house=house,
        game=game,
        table=table,
        by=permissions.person_of(request),
        now=timezone.now(),
    )


# The story of a game: everything that was recorded, and each round throw by throw.


def story_of_game(seen: Seen) -> dict[str, Any]:
    """Every event of a game, newest first."""
    presenter = PRESENTERS[seen.loaded.ruleset.id]
    entries = boards.log(
        seen.loaded,
        presenter,
        stories.staff_names(seen.loaded),
        other_lines=leases.takeovers(seen.house.pk, seen.loaded.key.game),
        clock=locales.clock_to_seconds,
    )
    about = stories.about(seen.loaded, seen.house)
    return {**about, "log": tokens.resolve(seen.house.pk, entries)}


def story_of_round(seen: Seen, number: int, step: int | None = None) -> dict[str, Any] | None:
    """A round step by step, as `casino.play.core.stories.of_round` has it."""
    return stories.of_round(seen.loaded, seen.house, number, step)
