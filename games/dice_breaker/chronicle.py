"""The story of a game of dice breaker, round by round, from the events that count."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from fractions import Fraction

from games.chronicle import Round
from games.dice_breaker.messages import (
    DieThrown,
    GameEnded,
    GameOpened,
    PlayerLeft,
    RoundScored,
    RoundVoided,
)
from games.game import Outcome
from games.history import Numbered
from games.messages import Fact, PlayerJoined
from games.payments import POT, balance


@dataclass(slots=True)
class RoundStory(Round):
    """
    A round in the story of a game.

    :param totals: the points of all players at the end of the round.
    :param over: how the game ended, if it ended with this round.
    """

    throws: list[tuple[int, DieThrown]] = field(default_factory=list)
    left: list[str] = field(default_factory=list)
    end: RoundScored | RoundVoided | None = None
    over: GameEnded | None = None
    totals: dict[str, Fraction] = field(default_factory=dict)

    def note(self, number: int, event: Fact) -> None:
        match event:
            case DieThrown():
                self.throws.append((number, event))
            case PlayerLeft(player=player):
                self.left.append(player)
            case GameEnded():
                self.over = event


@dataclass(slots=True)
class Chronicle:
    """The rounds that have ended, in order, the running one, and the target to reach (DB6)."""

    ended: list[RoundStory] = field(default_factory=list)
    running: RoundStory = field(default_factory=lambda: RoundStory(1))
    totals: dict[str, Fraction] = field(default_factory=dict)
    pot: int = 0
    target: int = 0

    def take(self, number: int, event: Fact) -> None:
        self.pot += balance(POT, event.payments)
        if isinstance(event, GameEnded):  # what the end moves belongs to the last round
            self.ended[-1].take(number, event)
            self.ended[-1].carried = self.pot
            return
        self.count(event)
        self.running.take(number, event)
        if self.running.end is not None:
            self.running.carried, self.running.totals = self.pot, dict(self.totals)
            self.ended.append(self.running)
            self.running = RoundStory(self.running.number + 1)

    def count(self, event: Fact) -> None:
        match event:
            case GameOpened(options=options):
                self.target = options.target
            case PlayerJoined(player=player):
                self.totals[player] = Fraction()
            case RoundScored(scores=scores):
                for player, more in scores:
                    self.totals[player] = self.totals.get(player, Fraction()) + more


def chronicle_of(events: Iterable[Numbered]) -> Chronicle:
    chronicle = Chronicle()
    for number, event in events:
        chronicle.take(number, event)
    return chronicle


def outcome(end: Fact | None) -> Outcome:
    return Outcome(
        winners=end.winners if isinstance(end, RoundScored) else (),
        void=isinstance(end, RoundVoided),
    )
