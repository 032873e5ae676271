"""
What a game has to be told by: one Presenter a game, the same for every surface that shows it.

A presenter reads what the rules have recorded and never decides. Names of players stay the tokens
that the ledger has; whoever shows them puts the names in. docs/how-to/floor.md shows how
one is written.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, ClassVar

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from casino.presenters import fees, table_events

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from django.utils.functional import _StrPromise

    from casino.presenters.shapes import Course, Figures, Line, Standing, Terms, Upcoming
    from games.fees import Fee
    from games.messages import Fact


class Presenter(ABC):
    """
    One game's story. Stateless: everything comes with the call.

    POT: what the players call the pot.
    SIZES: the sizes of dice that may lie on the table, the usual one first.
    """

    POT: ClassVar[_StrPromise] = gettext_lazy("pot")
    SIZES: ClassVar[tuple[int, ...]]

    # --- What a game provides -------------------------------------------------------------------

    @abstractmethod
    def upcoming(self, game: Course, view: Mapping[str, Any]) -> Upcoming:
        """The next action; once the game is over `over` says what there is to say."""

    @abstractmethod
    def hand_of(self, game: Course, view: Mapping[str, Any], player: str) -> Standing:
        """How a seat stands in the running round."""

    @abstractmethod
    def of_the_game(self, game: Course, fact: Fact) -> Line | None:
        """An event of the game's own as a line; None for one that is no line, or not its own."""

    @abstractmethod
    def over(self, state: Any) -> str:
        """How an ended game ended; `state` is the game's own, ``game.state.inner``."""

    @abstractmethod
    def figures(self, state: Any) -> Figures:
        """The numbers after a step; `state` is the game's own, ``game.state.inner``."""

    def mode(self, game: Course) -> tuple[str, str]:
        """The way it is played, as option value and in words; two empty words: there is but one."""
        del game
        return "", ""

    def for_money(self, game: Course) -> bool:
        """Whether stakes, pots and payments are worth a place on the screen."""
        del game
        return True

    def entered(self, fact: Fact) -> bool:
        """Whether it is what an attendant takes back when it was entered wrongly (G4)."""
        return fact.is_throw

    def closing(self, state: Any) -> str:
        """What closing the game does now; empty: what the rules of all games say (G9)."""
        del state
        return ""

    def leaving(self, state: Any) -> str:
        """What it means now to leave; empty: nothing that has to be said."""
        del state
        return ""

    def own(self, game: Course, view: Mapping[str, Any]) -> dict[str, Any]:
        """What only this game's own parts of the screen show; JSON-like, with tokens for names."""
        del game, view
        return {}

    def sides(self, count: int) -> list[int]:
        """The sizes of so many dice of which only the faces were recorded, as after a no throw."""
        return [self.SIZES[0]] * count

    # --- What all games share -------------------------------------------------------------------

    def terms(self, game: Course) -> Terms:
        mode, name = self.mode(game)
        fee: Fee | None = getattr(game.facts[0], "fee", None)
        text = fees.short(fee, pot=str(self.POT)) if fee else ""
        return {"mode": mode, "mode_name": name, "fee": text}

    def describe(self, game: Course, fact: Fact, people: Mapping[str, str]) -> Line | None:
        """
        An event as the log has it; None: not worth a line.

        :param people: the names of staff, by id.
        """
        return self.of_the_game(game, fact) or table_events.describe(fact, people, self.sides)


def line(kind: str, sentence: str, rules: Sequence[str] = ()) -> Line:
    return {"kind": kind, "sentence": sentence, "rules": list(rules)}


def account(name: str, presenter: Presenter) -> str:
    """An account as the game's players call it; a player's name as it is."""
    return {
        "pot": str(presenter.POT),
        "house": _("the house"),
        "rollover": _("the rollover"),
    }.get(name, name)
