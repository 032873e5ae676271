"""
A practice game: it is played by the same rules and drawn as any other, and it is nowhere.

What was entered so far lies in the session of whoever practises, and the game is folded from it
each time. Neither the ledger nor any row of the house knows of it
(`docs/decisions/0079-practice-and-demo.md`).
"""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from django.urls import reverse
from django.utils.translation import gettext as _

from casino.floor.tables.board import boards, drawing
from casino.floor.tables.board.drawing import ENTERED
from casino.house.acts.game_streams import catalogue
from casino.house.home_throws.house_rules import pieces
from casino.words.presenters import PRESENTERS, TITLES
from casino.words.presenters.opening import chips, opening
from games import vocabulary
from games.refusals import Refused

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from casino.floor.tables.board.drawing_given import Given
    from casino.floor.tables.board.game import Game
    from casino.house.establishments.models import Establishment
    from games.messages import Fact

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
    form, unit = opening(game), pieces.unit(house, {})
    raw: dict[str, Any] = {
        "do": "open",
        "game": game,
        "players": list(PLAYERS),
        "stake": chips.propose(form.stake, unit),
        "options": pieces.complete(house, {}),
    }
    if form.price is not None:
        raw["price"] = chips.propose(form.price, unit)
    return Practice(game, ()).then(raw)


def board(house: Establishment, practice: Practice) -> dict[str, Any]:
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
        "house": boards.house_of_board(house, pieces.unit(house, {})),
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
