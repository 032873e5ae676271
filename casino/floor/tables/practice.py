"""The page of a practice game: begun, played and ended in the session of whoever practises."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, Final

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from casino.floor.tables.board import boards, drawing, posted
from casino.floor.tables.board.drawing import ENTERED
from casino.house.acts.game_streams import catalogue
from casino.house.attendants import permissions
from casino.house.establishments.clock import show_times_of
from casino.house.home_throws import house_rules
from casino.kit.web.current_house import house_of
from casino.words.languages.messages import translate as in_words
from casino.words.presenters import PRESENTERS, TITLES, opening_forms
from casino.words.presenters.registered import forms_of_games, opening_form
from games import vocabulary
from games.refusals import Malformed, Refused

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from django.http import HttpRequest, HttpResponse

    from casino.floor.tables.board.drawing_data import Game, Given
    from casino.house.establishments.models import Establishment
    from games.messages import Fact

KEPT: Final = "practice"
"""The session's key. It goes when the practice ends, and with the session at the latest."""


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def practice(request: HttpRequest) -> HttpResponse:
    """Choose a game, play it, end it. Nothing of it is recorded anywhere."""
    house = house_of(request)
    permissions.require(request.user, "record", house)
    show_times_of(house)
    if request.method != "POST":
        return _page(request, house)
    if "end" in request.POST:
        request.session.pop(KEPT, None)
        messages.success(request, _("The practice is over, and nothing of it is left."))
        return redirect("set-up" if house.setting_up else "floor")
    try:
        further = _further(request)
    except (Malformed, Refused) as refused:
        return _page(request, house, refused=str(refused))
    request.session[KEPT] = further.as_json()
    return redirect("floor-practice")


def _further(request: HttpRequest) -> Practice:
    """
    The game after what was sent: begun, or one command further.

    :raises Malformed, Refused: if it cannot be done.
    """
    if "begin" in request.POST:
        return begin(house_of(request), request.POST["begin"])
    going = _going(request)
    if going is None:
        raise Malformed("No game is practised now: begin one.")
    raw = {
        name: each for name, each in posted.command(request.POST).items() if name != "command_id"
    }
    return going.then(raw)


def _going(request: HttpRequest) -> Practice | None:
    """The game that is practised; None if none is, or its rules are other ones by now."""
    kept = request.session.get(KEPT)
    if not kept or kept["game"] not in {form.game for form in forms_of_games()}:
        return None
    going = Practice(kept["game"], tuple(kept["commands"]))
    try:
        going.facts()
    except (Malformed, Refused):
        return None
    return going


def _page(request: HttpRequest, house: Establishment, *, refused: str = "") -> HttpResponse:
    going = _going(request)
    status = HTTPStatus.UNPROCESSABLE_ENTITY if refused else HTTPStatus.OK
    context: dict[str, Any] = {
        "house": house,
        "refused": {"sentence": in_words(refused)} if refused else None,
    }
    if going is None:
        games = [
            {"id": form.game, "title": TITLES[form.game], "line": form.line,
             "sample_dice": form.sample_dice, "owned": form.owned}
            for form in forms_of_games()
        ]  # fmt: skip
        return render(
            request, "floor/tables/practise.html", {**context, "games": games}, status=status
        )
    board = draw_practice(house, going)
    facts = list(enumerate(going.facts(), 1))
    view = catalogue.current(going.game).view(facts)
    more = {"board": board, "guide": steps(view)}
    return render(request, "floor/tables/practice.html", {**context, **more}, status=status)


# A practice game: it is played by the same rules and drawn as any other, and it is nowhere.
#
# What was entered so far lies in the session of whoever practises, and the game is folded from it
# each time. Neither the ledger nor any row of the house knows of it
# (`docs/decisions/0079-practice-and-demo.md`).


ENTRIES_MOST: Final = 300
UNDO_SECONDS: Final = 600  # nobody is hurried who practises
PLAYERS: Final = ("Ada", "Bo")
OFFERED: Final = sorted({*ENTERED, "stand", "no_throw", "void", "close"})
"""What is practised: the play itself. Acts of a second person and of the cage are not."""


class LongEnough(Refused):
    code = "practised_long_enough"


@dataclass(frozen=True, slots=True)
class Practice:
    """
    A practice game.

    :param game: the id of its rules. :param commands: what was entered, the opening first.
    """

    game: str
    commands: tuple[Mapping[str, Any], ...]

    def then(self, raw: Mapping[str, Any]) -> Practice:
        """
        The game after one more command.

        :raises Malformed: if it is none. :raises Refused: if the rules do not allow it.
        """
        if len(self.commands) >= ENTRIES_MOST:
            raise LongEnough("This was practised for long enough: end it, and begin another.")
        further = Practice(self.game, (*self.commands, raw))
        further.facts()
        return further

    def facts(self) -> list[Fact]:
        """
        The events of the game.

        :raises Malformed, Refused: if these rules do not allow what was entered.
        """
        ruleset = catalogue.current(self.game)
        state: Any = ruleset.decider.initial
        happened: list[Fact] = []
        for raw in self.commands:
            vocabulary.shape(raw)
            command = ruleset.parse(raw["do"], vocabulary.read(raw))
            new = ruleset.decider.decide(command, state)
            state = ruleset.decider.fold(new, state)
            happened += new
        return happened

    def as_json(self) -> dict[str, Any]:
        return {"game": self.game, "commands": list(self.commands)}


def begin(house: Establishment, game: str) -> Practice:
    """A game of two by the usual rules, with practice money; a point is worth the smallest chip."""
    form, unit = opening_form(game), house_rules.worth_of_point(house, {})
    raw: dict[str, Any] = {
        "do": "open",
        "game": game,
        "players": list(PLAYERS),
        "stake": opening_forms.propose(form.stake, unit),
        "options": house_rules.with_worth_of_point(house, {}),
    }
    if form.price is not None:
        raw["price"] = opening_forms.propose(form.price, unit)
    return Practice(game, ()).then(raw)


def draw_practice(house: Establishment, practice: Practice) -> dict[str, Any]:
    """The board of a practice game, as `boards.board` makes that of a true one."""
    ruleset = catalogue.current(practice.game)
    played = drawing.play_facts(
        ruleset, PRESENTERS[practice.game], practice.facts(), when=lambda _number: ""
    )
    return drawing.draw_board(played, _collect_given(house, practice, played))


def _collect_given(house: Establishment, practice: Practice, played: Game) -> Given:
    here = reverse("floor-practice")
    money = played.presenter.for_money(played)
    names = ("board", "offline", "command", "entries", "lease", "log", "void", "supervisor")
    return {
        "game": "practice",
        "ruleset": practice.game,
        "title": str(TITLES[practice.game]),
        "table": {"id": "", "name": _("Practice")},
        "house": boards.house_of_board(house, house_rules.worth_of_point(house, {})),
        "etag": "",
        "command_id": str(uuid.uuid4()),
        "person": "",
        "may": {"record": True, "approve": False},
        "people": {},
        "names": {},
        "texts": {},
        "booked": dict(played.view["stakes"]) if money else {},
        "held": {},
        "through": len(played.facts),
        "settled_position": -1,
        "irreversible": 0,
        "agreed": [],
        "undo": {"seconds": UNDO_SECONDS, "open": True, "left": UNDO_SECONDS, "at": None},
        "second_look": False,
        "board": {},
        "awaited": [],
        "other_lines": [],
        "lease": {
            "term": 0, "mine": True, "held": True, "by": "", "since": "", "heard": None,
            "silence": "", "lost": False, "waiting": 0,
        },
        "device": {"last_seq": 0},
        "only": OFFERED,
        "watching": False,
        "urls": {
            **dict.fromkeys((*names, "table_events", "players", "attendant", "open"), here),
            "round": f"{here}#%d",
        },
        "ahead": None,
    }  # fmt: skip


def steps(view: Mapping[str, Any]) -> Sequence[dict[str, Any]]:
    """What one does in a first game, in order, and which of it is next."""
    now = 2 if view["rounds"] else 1 if view["throws"] else 0
    sentences = (
        _("The large line says who does what next. Take dice, or imagine some, and tap the faces."),
        _("Go on in the same way for whoever is named. Undo takes the last throw back."),
        _("A round is over. What happened says who paid whom, and by which rule."),
    )
    return [
        {"sentence": sentence, "now": number == now, "done": number < now}
        for number, sentence in enumerate(sentences)
    ]
