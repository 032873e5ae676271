"""The story of a game, round by round, from the events that stand."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from games import chronicle
from games.chronicle import Chronicle, Round
from games.cinnabar_gate.hands import RAISES
from games.cinnabar_gate.messages import (
    DiceThrown,
    End,
    HandTaken,
    PayMoved,
    PlayerLeft,
    RoundRestarted,
    RoundSettled,
    RoundVoided,
    TieCalled,
)
from games.game import Outcome
from games.history import Numbered
from games.messages import Fact

Throw = tuple[int, DiceThrown]


@dataclass(slots=True)
class TieStory:
    """Who threw again to settle which end (CG7), and what; show-ups left out."""

    end: End
    players: tuple[str, ...]
    throws: list[Throw] = field(default_factory=list)

    def last(self, player: str) -> DiceThrown | None:
        return next((throw for _, throw in reversed(self.throws) if throw.player == player), None)


@dataclass(slots=True)
class RoundStory(Round):
    """
    :param open: hands that may still be thrown again; `held`: those that are taken.
    :param moves: of the pay, with the show-ups that raised it in `raising`. A restart clears all.
    :param left: who left in the round (CG1).
    """

    open: dict[str, Throw] = field(default_factory=dict)
    held: dict[str, Throw] = field(default_factory=dict)
    raising: list[Throw] = field(default_factory=list)
    moves: list[PayMoved] = field(default_factory=list)
    ties: list[TieStory] = field(default_factory=list)
    left: list[str] = field(default_factory=list)
    end: RoundSettled | RoundVoided | None = None

    def note(self, number: int, event: Fact) -> None:
        match event:
            case DiceThrown():
                self.thrown(number, event)
            case HandTaken(player=player):
                self.held[player] = self.open.pop(player)
            case PayMoved():
                self.moves.append(event)
            case RoundRestarted():
                self.open, self.held, self.raising, self.moves = {}, {}, [], []
            case TieCalled(end=end, players=players):
                self.ties.append(TieStory(end, players))
            case PlayerLeft(player=player):
                self.left.append(player)

    def thrown(self, number: int, event: DiceThrown) -> None:
        shows_up = event.hand in RAISES
        if self.ties:
            if not shows_up:
                self.ties[-1].throws.append((number, event))
        elif shows_up:
            self.raising.append((number, event))
        else:
            (self.open if event.open else self.held)[event.player] = (number, event)

    def throws(self) -> list[Throw]:
        """What a settled round rests on: the hands taken, what raised the pay, the tie throws."""
        tied = [throw for tie in self.ties for throw in tie.throws]
        return sorted([*self.held.values(), *self.raising, *tied], key=lambda each: each[0])


def chronicle_of(events: Iterable[Numbered]) -> Chronicle[RoundStory]:
    return chronicle.chronicle_of(events, RoundStory)


def outcome(end: Fact) -> Outcome:
    if not isinstance(end, RoundSettled):
        return Outcome(void=isinstance(end, RoundVoided))
    return Outcome(winners=end.winners, losers=end.losers)
