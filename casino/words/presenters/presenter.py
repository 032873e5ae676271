"""
The base class of presenters: each game has one, which describes it for all surfaces.

A presenter reads what the rules have recorded and never decides. Names of players stay tokens, as
in the ledger; the surface that shows them inserts the names. docs/how-to/floor.md shows how to
write one.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, ClassVar

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from casino.words.languages.amounts import coin_decimals, money
from casino.words.presenters import fees, table_events

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from django.utils.functional import _StrPromise

    from casino.words.presenters.shapes import Course, Figures, Line, SeatState, Terms, Upcoming
    from games.fees import Fee
    from games.messages import Fact


class Presenter(ABC):
    """
    Describes one game in words. Stateless: everything is passed as arguments.

    POT: what the players call the pot.
    SIZES: the sizes of dice that may be on the table, the usual one first.
    """

    POT: ClassVar[_StrPromise] = gettext_lazy("pot")
    SIZES: ClassVar[tuple[int, ...]]

    # --- What a game provides -------------------------------------------------------------------

    @abstractmethod
    def upcoming(self, game: Course, view: Mapping[str, Any]) -> Upcoming:
        """The next action; once the game is over, the sentence of `over`."""

    @abstractmethod
    def hand_of(self, game: Course, view: Mapping[str, Any], player: str) -> SeatState:
        """The state of a player's seat in the running round: hand, dice, turn."""

    @abstractmethod
    def of_the_game(self, game: Course, fact: Fact) -> Line | None:
        """A log line for an event of this game; None for a shared event or one without a line."""

    @abstractmethod
    def over(self, state: Any) -> str:
        """A sentence on how the game ended; `state` is the game's own, ``game.state.inner``."""

    @abstractmethod
    def figures(self, state: Any) -> Figures:
        """The figures in a state of the game; `state` is the game's own, ``game.state.inner``."""

    def mode(self, game: Course) -> tuple[str, str]:
        """The mode of play, as option value and in words; two empty texts if it has only one."""
        del game
        return "", ""

    def for_money(self, game: Course) -> bool:
        """Whether the game is played for money, so that stakes, pots and payments are shown."""
        del game
        return True

    def entered(self, fact: Fact) -> bool:
        """Whether this event is an entry that an attendant voids if it was entered wrongly (G4)."""
        return fact.is_throw

    def called(self, die: str) -> str:
        """A die in words, in a game whose dice have names."""
        return die

    def closing(self, state: Any) -> str:
        """What closing the game would do now; "": nothing but what holds for all games (G9)."""
        del state
        return ""

    def leaving(self, state: Any) -> str:
        """What leaving the game would cost a player now; "": nothing worth mentioning."""
        del state
        return ""

    def own(self, game: Course, view: Mapping[str, Any]) -> dict[str, Any]:
        """Data for the game's own parts of the screen; JSON-like, with tokens instead of names."""
        del game, view
        return {}

    def auction(self, game: Course) -> list[dict[str, Any]]:
        """The lots of a running auction, in order: `die`, `sides`, `face`, `state` and bids."""
        del game
        return []

    def sides(self, count: int) -> list[int]:
        """The sizes of `count` dice whose faces alone were recorded, as in a no throw."""
        return [self.SIZES[0]] * count

    # --- What all games share -------------------------------------------------------------------

    def terms(self, game: Course) -> Terms:
        mode, name = self.mode(game)
        fee: Fee | None = getattr(game.facts[0], "fee", None)
        text = fees.short(fee, pot=str(self.POT)) if fee else ""
        return {"mode": mode, "mode_name": name, "fee": text, "point": self.point(game)}

    def point(self, game: Course) -> str:
        """What a point is worth, where money is played for and it is no unit of the coin (G11)."""
        opened: Any = game.facts[0]
        unit: int = opened.options.unit
        is_usual = unit == 1 and not coin_decimals()
        return "" if is_usual or not self.for_money(game) else money(unit)

    def describe(self, game: Course, fact: Fact, people: Mapping[str, str]) -> Line | None:
        """
        A log line for an event; None if it has none.

        :param people: the names of staff, by id.
        """
        return self.of_the_game(game, fact) or table_events.describe(fact, people, self.sides)


def line(kind: str, sentence: str, rules: Sequence[str] = ()) -> Line:
    return {"kind": kind, "sentence": sentence, "rules": list(rules)}


def account(name: str, presenter: Presenter) -> str:
    """An account as players of the game call it; a player's account is the player's name."""
    return {
        "pot": str(presenter.POT),
        "house": _("the house"),
        "rollover": _("the rollover"),
    }.get(name, name)
