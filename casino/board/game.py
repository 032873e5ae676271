"""A game as far as whoever draws its board knows it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from casino.presenters.presenter import Presenter
    from games.game import Json, Ruleset
    from games.messages import Fact
    from games.session import GameSession


@dataclass(frozen=True, slots=True)
class Game:
    """
    A game as far as who draws it knows it (`casino.presenters.shapes.Course`).

    facts: what its events mean, the opening first; state: what they lead to.
    live: those that stand, with their numbers; view: the rules' report. Both follow from the facts;
    who has them already gives them.
    when: the number of an event -> when it happened, as the house's clock writes it.
    """

    ruleset: Ruleset
    presenter: Presenter
    facts: Sequence[Fact]
    state: GameSession[Any]
    live: Sequence[tuple[int, Fact]]
    view: Json
    when: Callable[[int], str]
