"""A game in the form from which its board is drawn."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from casino.words.presenters.presenter import Presenter
    from games.game import Json, Ruleset
    from games.messages import Fact
    from games.session import GameSession


@dataclass(frozen=True, slots=True)
class Game:
    """
    A game in the form from which its board is drawn (a `casino.words.presenters.shapes.Course`).

    facts: its events, the opening first. state: the state that results from them.
    live: the events that are not voided, with their numbers. view: the rules' report. Both follow
    from the facts; they are passed in so that a caller who has them need not compute them again.
    when: returns the time of an event, given its number, as the house writes times.
    """

    ruleset: Ruleset
    presenter: Presenter
    facts: Sequence[Fact]
    state: GameSession[Any]
    live: Sequence[tuple[int, Fact]]
    view: Json
    when: Callable[[int], str]
