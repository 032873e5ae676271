"""
Sheets over the board: things to do at a table without leaving the round.

Each sheet is a part of a page that a script fetches and lays over the table; without scripts the
same address answers with a page of its own. A sheet's command goes to the board's own addresses.
Only a supervisor's answer is handled here, because it is the act of another person than the one
signed in.
"""

from __future__ import annotations

import uuid
from fractions import Fraction
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, Final

from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_safe

from casino.floor.players import player_names, waiting_pages
from casino.floor.players.pages import ShownForm
from casino.floor.players.player_names import choose, public_names
from casino.floor.players.scoreboard_pages import FOUND_MOST, RankItem
from casino.floor.players.waiting_pages import EnterForm, EntryForm, sentence_of_entry
from casino.floor.tables import correcting, supervising, views
from casino.floor.tables.board import boards, drawing
from casino.house.acts import acts
from casino.house.acts.game_streams import occupancy
from casino.house.attendants import permissions
from casino.house.attendants.models import Attendant
from casino.house.attendants.permissions import ALLOWED
from casino.house.attendants.pseudonyms import tokens
from casino.house.attendants.pseudonyms.models import Player
from casino.play.core import scoreboards
from casino.play.core.scoreboards import Rank
from casino.play.dice.models import DiceSet
from casino.words.presenters import PRESENTERS, TITLES
from casino.words.presenters.presenter import account
from casino.words.presenters.rounds import chapters
from games import corrections
from games.disputes import payouts_of
from games.refusals import Malformed, Refused
from ledger.journal import CommandReused, StreamMoved

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from datetime import datetime
    from uuid import UUID

    from django.http import HttpRequest

    from casino.floor.tables.board.boards import Seen
    from casino.house.establishments.models import Establishment
    from casino.play.core.scoreboards import Board

UNFIT: Final = HTTPStatus.UNPROCESSABLE_ENTITY
CONFLICT: Final = HTTPStatus.CONFLICT
DIGITS_MOST: Final = 9  # of an event's number in an address


@require_safe
@never_cache
def void(request: HttpRequest, game: UUID) -> HttpResponse:
    """The sheet to void from a log entry: what is cancelled, and why; `?event=` is its number."""
    return of_an_event(request, game, "void", supervising.void_page)


@require_safe
@never_cache
def change(request: HttpRequest, game: UUID) -> HttpResponse:
    """The sheet to change an entry in place; `?event=` is its number, `instead.…` the form."""
    return of_an_event(
        request, game, "change", lambda seen, event: correcting.page(seen, event, request.GET)
    )


def of_an_event(
    request: HttpRequest, game: UUID, part: str, page: Callable[[Seen, int], dict[str, Any]]
) -> HttpResponse:
    """A sheet about one entry of the log; where the rules refuse it, with their sentence."""
    if not request.user.is_authenticated:
        return answer_signed_out(request)
    seen = recorder(request, game)
    try:
        context = page(seen, event_number(request))
    except Refused as refused:
        context = {**supervising.about(seen), "refused": str(refused)}
    return sheet(request, seen, part, context)


@sensitive_post_parameters()
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def supervisor(request: HttpRequest, game: UUID) -> HttpResponse:
    """The sheet on which a supervisor answers a request to void on this device; no sign-in."""
    if not request.user.is_authenticated:
        return answer_signed_out(request)
    seen = recorder(request, game)
    try:
        requested = corrections.pending(_number(request), seen.loaded.state)
    except corrections.NoSuchRequest:
        context = {**supervising.about(seen), "refused": _("This request waits no longer. G4")}
        return sheet(request, seen, "supervisor", context)
    status, sentence = HTTPStatus.OK, ""
    if request.method == "POST":
        try:
            supervising.answer(
                request, seen, requested, now=timezone.now(), device=views.device_of(request)
            )
        except (Refused, Malformed, permissions.NotYours) as refused:
            status, sentence = UNFIT, str(refused)
        except (StreamMoved, CommandReused) as moved:
            status, sentence = CONFLICT, str(moved)
        else:
            return end_sheet(request, seen)
    if status == CONFLICT:
        seen = recorder(request, game)
    context = {**supervising.answer_page(request, seen, requested), "refused": sentence}
    return sheet(request, seen, "supervisor", context, status)


def event_number(request: HttpRequest) -> int:
    """:raises Http404: if the address names no event."""
    written = request.GET.get("event", "")
    if not (written.isascii() and written.isdigit() and len(written) <= DIGITS_MOST):
        raise Http404("An event is named by its number.")
    return int(written)


def _number(request: HttpRequest) -> int:
    """The event number of the request; 0, which no event has, if it is no number."""
    written = request.POST.get("request", request.GET.get("request", ""))
    return int(written) if written.isascii() and written.isdigit() else 0


@require_safe
@never_cache
def table_events_sheet(request: HttpRequest, game: UUID) -> HttpResponse:
    """The sheet of things beside the play: handover, dice, witness, dispute; `?part=` names one."""
    if not request.user.is_authenticated:
        return answer_signed_out(request)
    seen = recorder(request, game)
    context = page(seen)
    part = request.GET.get("part", "")
    if not views.is_fragment(request):
        return render(
            request, "floor/tables/table_events.html", {**views.about(seen.house), **context}
        )
    if part not in PARTS:
        raise Http404("There is no such part.")
    return sheet(request, seen, part, context)


# --- Shared by all sheets -------------------------------------------------------------------------


def recorder(request: HttpRequest, game: UUID) -> Seen:
    """
    The game, for a person who records at its house.

    :raises NotYours: if they may only look.
    """
    seen = views.load_for(request, game)
    permissions.require(request.user, "record", seen.house)
    return seen


def answer_signed_out(request: HttpRequest) -> HttpResponse:
    if views.is_fragment(request):
        return HttpResponse(status=HTTPStatus.UNAUTHORIZED)
    return redirect_to_login(request.get_full_path())


def sheet(
    request: HttpRequest,
    seen: Seen,
    part: str,
    context: dict[str, Any],
    status: int = HTTPStatus.OK,
) -> HttpResponse:
    """Render a sheet: alone for a script, within a page otherwise."""
    content = {**views.about(seen.house), **context, "part": f"floor/tables/sheets/_{part}.html"}
    template = content["part"] if views.is_fragment(request) else "floor/tables/sheets/page.html"
    return render(request, template, content, status=status)


def end_sheet(request: HttpRequest, seen: Seen) -> HttpResponse:
    """End a sheet: a script loads the board again, other browsers are redirected to it."""
    if views.is_fragment(request):
        return HttpResponse(status=HTTPStatus.NO_CONTENT)
    return redirect("floor-game", game=seen.loaded.key.game)


# The page of table events: handover, other dice, witness, dispute.


ROUNDS_MAX = 12  # to choose from; older rounds are disputed from the office
PAYOUTS_MAX = 12
PARTS = frozenset({"handover", "dice", "dispute"})  # each has a sheet of its own over the board
DICE_REASONS = (
    gettext_lazy("worn"),
    gettext_lazy("chipped"),
    gettext_lazy("a player asked"),
    gettext_lazy("a new shift"),
)


def page(seen: Seen) -> dict[str, Any]:
    """What may be done now, and the choices for it, with people's names."""
    board = boards.board(seen)
    can = board["can"]
    return {
        "board": board,
        "can": can,
        "next": board["next"],
        "staff": list(staff(seen)) if "handover" in can else [],
        "dice_sets": list(dice_sets(seen)) if "change_dice" in can else [],
        "rounds": rounds(can),
        "payouts": tokens.resolve(seen.house.pk, list(payouts(seen))),
        "dice_reasons": [str(reason) for reason in DICE_REASONS],
        "back": reverse("floor-game", args=[seen.loaded.key.game]),
    }


def staff(seen: Seen) -> Iterator[dict[str, str]]:
    """People who may take the table over (B3)."""
    people = Attendant.objects.filter(
        employments__establishment=seen.house,
        employments__until__isnull=True,
        employments__role__in=ALLOWED["record"],
        is_active=True,
    )
    for person in people.order_by("first_name", "username").distinct():
        if str(person.pk) != seen.person:
            yield {"id": str(person.pk), "name": str(person)}


def dice_sets(seen: Seen) -> Iterator[dict[str, str]]:
    """The dice sets that fit the game, are issued to its table or to all, and on no table (F1)."""
    loaded = seen.loaded
    needed, table = loaded.ruleset.dice(loaded.opening.data), loaded.place["table"]
    for dice in DiceSet.objects.filter(establishment=seen.house).order_by("number"):
        fits = dice.fits(needed) and dice.may_lie_at(table)
        if fits and occupancy.lies_ready(seen.house.pk, str(dice.pk), table):
            yield {"id": str(dice.pk), "name": str(dice)}


def rounds(can: dict[str, list[dict[str, Any]]]) -> list[int]:
    """The rounds that may be disputed, the newest first."""
    last = can["dispute"][0]["rounds"] if "dispute" in can else 0
    return list(range(last, max(0, last - ROUNDS_MAX), -1))


def payouts(seen: Seen) -> Iterator[dict[str, Any]]:
    """The last payouts that stand, newest first, and whether each has had its witness (A7)."""
    loaded, presenter = seen.loaded, PRESENTERS[seen.loaded.ruleset.id]
    of_round = chapters(loaded.facts).of
    left = PAYOUTS_MAX
    for number, fact in reversed(loaded.live):
        for payout in payouts_of(number, loaded.state):
            if left == 0:
                return
            left -= 1
            payment = fact.payments[payout.seq]
            yield {
                "id": str(payout),
                "round": of_round[number - 1],
                "to": account(payment.payee, presenter),
                "amount": payment.amount,
                "witnessed": payout in loaded.state.witnessed,
                "own": loaded.events[number - 1].provenance.actor == seen.person,
            }


# The sheet of the waiting list at a table: who waits for its game is called to it, or entered.


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def waiting_sheet(request: HttpRequest, game: UUID) -> HttpResponse:
    """The sheet of those who wait for this game: they are called to this table, or entered."""
    if not request.user.is_authenticated:
        return answer_signed_out(request)
    seen = recorder(request, game)
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
    lines = waiting_pages.lines(house, now, kind)
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
    return sheet(request, seen, "waiting", context, status)


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


# The sheet of a game's scoreboard at a table: who sits here, who leads, and anybody by name.


SHOWN_MOST: Final = 10


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def scoreboard_sheet(request: HttpRequest, game: UUID) -> HttpResponse:
    """The sheet; with ``name`` it shows whom it finds, and how public screens name them."""
    if not request.user.is_authenticated:
        return answer_signed_out(request)
    seen = recorder(request, game)
    house, now, refused = seen.house, timezone.now(), ""
    if request.method == "POST":
        try:
            _choose(request, seen, now)
        except (Refused, Malformed, StreamMoved, CommandReused) as why:
            refused = tokens.resolve_text(house.pk, str(why))
    name = (request.POST if request.method == "POST" else request.GET).get("name", "")[:80]
    board = scoreboards.read(house, seen.loaded.ruleset.id, now)
    context = {
        "board": board,
        "title": TITLES[seen.loaded.ruleset.id],
        "name": name,
        "refused": refused,
        "at": now,
        "to": reverse("floor-scoreboard", args=[game]),
        "back": reverse("floor-game", args=[game]),
        **(_lines(house, board, seen, name) if board else {}),
    }
    status = HTTPStatus.UNPROCESSABLE_ENTITY if refused else HTTPStatus.OK
    return sheet(request, seen, "scoreboard", context, status)


def _lines(house: Establishment, board: Board, seen: Seen, name: str) -> dict[str, Any]:
    """Who sits here and who leads; or whom a name finds, each with how screens name them."""
    loaded = seen.loaded
    ahead = drawing.points_ahead(loaded.facts, loaded.live, seen.through)
    if not name.strip():
        here = set(loaded.stakes)
        first = {each.player for each in board.ranks[:SHOWN_MOST]}
        names = tokens.names(house.pk, here | first)
        return {
            "here": [*_items(board, here, names, ahead), *_new_ones(house, board, names, ahead)],
            "first": _items(board, first, names, ahead),
        }
    names = dict(player_names.names_beginning_with(house.pk, name, FOUND_MOST))
    public = public_names(house, names)
    shown = dict(
        Player.objects.filter(establishment=house, token__in=names).values_list("token", "shown")
    )
    found = _items(board, names, names, ahead, public)
    without = names.keys() - {each.row.player for each in found}
    forms = {each: ShownForm(initial={"shown": shown[each]}) for each in names}
    return {
        "found": [(each, forms[each.row.player]) for each in found[:SHOWN_MOST]],
        "without": sorted(names[each] for each in without)[:SHOWN_MOST],
    }


def _new_ones(
    house: Establishment, board: Board, names: Mapping[str, str], ahead: Mapping[str, Fraction]
) -> list[RankItem]:
    """Players whose first points of the season are not booked yet: they have no place."""
    new = ahead.keys() - {each.player for each in board.ranks} if board.runs else set()
    nothing = Fraction()
    return [
        RankItem(
            row=Rank(
                place=0,
                player=player,
                points=nothing,
                rounds=0,
                today=nothing,
                rise=0,
                next=prize,
                wins=(),
            ),
            name=names.get(player, player),
            public="",
            url="",
            ahead=ahead[player],
        )
        for player, (_points, prize) in scoreboards.of_players(house, board.game, new).items()
    ]


def _items(
    board: Board,
    players: Iterable[str],
    names: Mapping[str, str],
    ahead: Mapping[str, Fraction],
    public: Mapping[str, str] | None = None,
) -> list[RankItem]:
    return [
        RankItem(
            row=each,
            name=names.get(each.player, each.player),
            public=(public or {}).get(each.player, ""),
            url="",
            ahead=ahead.get(each.player, Fraction()) if board.runs else Fraction(),
        )
        for each in board.ranks
        if each.player in players
    ]


def _choose(request: HttpRequest, seen: Seen, now: datetime) -> None:
    """:raises Malformed: if the form is none that the sheet sends."""
    form = ShownForm(request.POST)
    if not form.is_valid():
        raise Malformed(str(next(iter(form.errors.values()))[0]))
    act = acts.Act(
        house=seen.house,
        by=permissions.person_of(request),
        device=views.device_of(request),
        now=now,
        command_id=form.act_id,
        request={},
    )
    choose(act, player=request.POST.get("player", ""), shown=form.cleaned_data["shown"])
