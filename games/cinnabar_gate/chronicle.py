"""The story of a game of Cinnabar Gate, round by round, from the events that count."""

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
    """A tie: who threw again to settle which end (CG7), and their throws without show-ups."""

    end: End
    players: tuple[str, ...]
    throws: list[Throw] = field(default_factory=list)

    def last(self, player: str) -> DiceThrown | None:
        return next((throw for _, throw in reversed(self.throws) if throw.player == player), None)


@dataclass(slots=True)
class RoundStory(Round):
    """
    A round in the story of a game. A restart clears the fields `open`, `held`, `raising` and
    `moves`.

    :param open: hands that may still be thrown again; `held`: hands that are taken.
    :param moves: changes of the pay; `raising`: the show-ups that raised it.
    :param left: who left during the round (CG1).
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
        """The throws behind a settled round: the hands taken, the show-ups and the tie throws."""
        tied = [throw for tie in self.ties for throw in tie.throws]
        return sorted([*self.held.values(), *self.raising, *tied], key=lambda each: each[0])


def chronicle_of(events: Iterable[Numbered]) -> Chronicle[RoundStory]:
    return chronicle.chronicle_of(events, RoundStory)


def outcome(end: Fact) -> Outcome:
    if not isinstance(end, RoundSettled):
        return Outcome(void=isinstance(end, RoundVoided))
    return Outcome(winners=end.winners, losers=end.losers)
