"""What a game offers to its callers: one Ruleset for each game and version."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Protocol

from games.decider import Decider
from games.messages import Fact
from games.session import GameSession

Json = Mapping[str, Any]
History = Sequence[tuple[int, Any]]  # (event number, event), the opening event is number 1
Named = Callable[[str], str]  # player id -> what people call them


def as_is(player: str) -> str:
    return player


class Offers(Protocol):
    def __call__(
        self,
        state: GameSession[Any],
        *,
        booked_through: int | None = None,
        irreversible_through: int = 0,
        in_time: bool = True,
    ) -> list[dict[str, Any]]:
        """
        The commands that `decide` takes now, one row for each command and player.

        :param booked_through: the last event that settlement has booked; None: all.
        :param irreversible_through: the last event that may not be undone any more.
        :param in_time: whether the last command of play was recorded so lately that the attendant
            may undo it alone (G4).
        """


class View(Protocol):
    def __call__(
        self, history: History, *, named: Named = as_is, session: Any = None, kept: Any = None
    ) -> dict[str, Any]:
        """
        The game as a report: what `replay` prints, with event numbers instead of line numbers.

        :param session: the session that the history leads to, if the caller has folded it already.
        :param kept: `games.reporting.Kept` of this game under the same names, for a caller that
            asks again.
        """


class Explain(Protocol):
    def __call__(
        self, history: History, round_no: int | None = None, *, named: Named = as_is
    ) -> list[dict[str, Any]]:
        """Why each payment of the ended rounds (or of one) was made, or why nobody paid."""


class SoFar(Protocol):
    def __call__(self, history: History, *, named: Named = as_is) -> list[dict[str, Any]]:
        """The payments since the last ended round, in the same form as those of `explain`."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """
    How a round ended, according to the one event that ended it.

    :param winners: in the order of the event; `losers` likewise.
    :param void: whether the round has no result because the rules themselves voided it.
    :param to_the_end: whether the coins that the round leaves in the pot are counted after the
        event that ends the game, if that follows at once, has moved its coins.
    """

    winners: tuple[str, ...] = ()
    losers: tuple[str, ...] = ()
    void: bool = False
    to_the_end: bool = True


@dataclass(frozen=True, slots=True)
class DiceNeeded:
    """
    The dice that a game is played with.

    :param sides: of each die; None: one of each size, d4 d6 d8 d10 d12.
    """

    count: int
    sides: int | None

    def __str__(self) -> str:
        return f"{self.count}d{self.sides}" if self.sides else "d4 d6 d8 d10 d12"


@dataclass(frozen=True, slots=True)
class Leaders:
    """
    The players who would win the round if it ended now, or who would pay.

    :param players: more than one if they are level; none if nobody has a result yet.
    :param pays: whether the game's rounds are lost and not won, so that these players would pay.
    """

    players: tuple[str, ...] = ()
    pays: bool = False


NO_ROUND: Final = Leaders()


@dataclass(frozen=True, slots=True)
class Ruleset:
    """
    The rules of one game in one version, as functions.

    :param dice: the dice that an opening, as games.vocabulary has read it, needs on the table.
    :param command_of: event -> the command that led to it; None for consequences. If the command is
        decided on the state before it, with what the caller knew then, it gives the same events.
    :param parse: (do, fields read by games.vocabulary) -> command; raises Refused.
    :param encode: event -> (event type, JSON values).
    :param decode: (event type, JSON values) -> event.
    :param outcome: an event that ends a round -> how the round ended: the part of `view` that needs
        no more than that event.
    :param leaders: the game's own state before a throw -> who leads the round.
    """

    id: str
    version: int
    decider: Decider[Any, Fact, GameSession[Any]]
    dice: Callable[[Json], DiceNeeded]
    command_of: Callable[[Fact], Any | None]
    parse: Callable[[str, Json], Any]
    encode: Callable[[Fact], tuple[str, dict[str, Any]]]
    decode: Callable[[str, Json], Fact]
    offers: Offers
    view: View
    explain: Explain
    so_far: SoFar
    outcome: Callable[[Fact], Outcome]
    leaders: Callable[[Any], Leaders]
