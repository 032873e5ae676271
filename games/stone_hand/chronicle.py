"""The story of a game of stone hand, round by round, from the events that count."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from games import chronicle
from games.chronicle import Chronicle, Round
from games.game import Outcome
from games.history import Numbered
from games.messages import Fact
from games.stone_hand.messages import (
    DiceThrown,
    RoundLost,
    RoundRestarted,
    RoundVoided,
    TieCalled,
)

Throws = list[tuple[int, DiceThrown]]


@dataclass(slots=True)
class RoundStory(Round):
    """
    A round in the story of a game.

    :param held: the last throw of each player; a restart clears them.
    :param tie: the throws of the last tie, if there was one.
    """

    held: dict[str, tuple[int, DiceThrown]] = field(default_factory=dict)
    latest: tuple[int, DiceThrown] | None = None
    tie: Throws = field(default_factory=list)
    tied: tuple[str, ...] = ()
    end: RoundLost | RoundVoided | None = None

    def note(self, number: int, event: Fact) -> None:
        match event:
            case DiceThrown():
                self.latest = (number, event)
                if self.tied:
                    self.tie.append(self.latest)
                else:
                    self.held[event.player] = self.latest
            case RoundRestarted():
                self.held = {}
            case TieCalled(players=players):
                self.tied, self.tie = players, []

    def throws(self) -> Throws:
        """The throws that the result rests on: a triad alone, else every throw that counts."""
        if self.latest is not None and self.latest[1].hand == "triad":
            return [self.latest]
        counted = [each for each in self.tie if each[1].hand != "empty"]
        return [*self.held.values(), *counted]


def chronicle_of(events: Iterable[Numbered]) -> Chronicle[RoundStory]:
    return chronicle.chronicle_of(events, RoundStory)


def outcome(end: Fact) -> Outcome:
    return Outcome(
        winners=tuple(player for player, _ in end.points),
        losers=(end.loser,) if isinstance(end, RoundLost) else (),
        void=isinstance(end, RoundVoided),
    )
