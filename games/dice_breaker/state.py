"""The state of a game of dice breaker between two commands."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

from games.dice_breaker.arena import Round, dealt, waiting
from games.dice_breaker.messages import GameOpened
from games.seats import clockwise


@dataclass(frozen=True, slots=True)
class Unopened:
    pass


@dataclass(frozen=True, slots=True)
class Breaking:
    """
    The starting die is being broken: it is still open who starts (DB1).

    :param players: who break the starting die; `faces`: the faces of those who have.
    :param again: whether these players were tied; who joins now does not break.
    """

    players: tuple[str, ...]
    faces: Mapping[str, int]
    again: bool = False

    @property
    def due(self) -> tuple[str, ...]:
        return tuple(player for player in self.players if player not in self.faces)


@dataclass(frozen=True, slots=True)
class Playing:
    """
    A game that is running.

    :param seats: everybody who ever sat down, in order; `left`: those of them who have left.
    :param playing: those who have not left.
    :param breaking: None: it is settled who starts.
    :param play_off: who alone play on (DB6); empty: everybody.
    """

    opened: GameOpened
    seats: tuple[str, ...]
    playing: tuple[str, ...]
    stakes: Mapping[str, int]
    scores: Mapping[str, Fraction]
    round: Round
    breaking: Breaking | None = None
    play_off: tuple[str, ...] = ()
    left: tuple[str, ...] = ()
    pot: int = 0
    charged_at: int | None = None

    @property
    def ante(self) -> int:
        """The coins of an ante (DB11, G11); 0: no money is played."""
        return self.opened.options.ante * self.opened.options.unit

    @property
    def thrown(self) -> bool:
        """Whether a throw of the game stands; breaking the starting die is none (DB1, DB11)."""
        return self.round.begun or self.round.number > 1

    @property
    def battle(self) -> bool:
        return self.opened.options.mode == "battle"


@dataclass(frozen=True, slots=True)
class Ended:
    opened: GameOpened
    seats: tuple[str, ...]
    stakes: Mapping[str, int]
    scores: Mapping[str, Fraction]
    round: int
    left: tuple[str, ...] = ()
    winners: tuple[str, ...] = ()
    pot: int = 0


State = Unopened | Playing | Ended


def in_order(state: Playing, first: str, among: Iterable[str]) -> tuple[str, ...]:
    """
    The players `among`, clockwise from `first`'s seat on (G1), whether `first` is one of them or
    not.
    """
    return clockwise(state.seats, first, among)


def new_round(state: Playing, number: int, first: str | None) -> Playing:
    """
    Start a round among the players of a play-off, if there is one, else among all; `first` None:
    DB1 is open.
    """
    among = state.play_off or state.playing
    if first is None:
        return replace(state, round=waiting(number, among, battle=state.battle))
    order = in_order(state, first, among)
    return replace(state, round=dealt(number, order, battle=state.battle))
