"""The story of a game of threes away, round by round, from the events that count."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from games.chronicle import Round
from games.dice import Dice
from games.game import Outcome
from games.history import Numbered
from games.messages import Fact
from games.payments import POT, balance
from games.threes_away.messages import (
    DiceKept,
    DiceThrown,
    GameEnded,
    RoundRolledOver,
    RoundStarted,
    RoundTied,
    RoundVoided,
    RoundWon,
    TurnEnded,
)

End = RoundWon | RoundTied | RoundRolledOver | RoundVoided


@dataclass(frozen=True, slots=True)
class Thrown:
    """A throw, the dice kept of it, and the total of the turn after that."""

    number: int
    throw: DiceThrown
    kept: Dice = ()
    total: int | None = None


@dataclass(slots=True)
class RoundStory(Round):
    """
    A round in the story of a game.

    :param turns: the finished turns, in order.
    """

    started: RoundStarted | None = None
    throws: list[Thrown] = field(default_factory=list)
    turns: list[TurnEnded] = field(default_factory=list)
    end: End | None = None

    def note(self, number: int, event: Fact) -> None:
        match event:
            case RoundStarted():
                self.started = event
            case DiceThrown():
                self.throws.append(Thrown(number, event))
            case DiceKept(dice=dice, total=total):
                self.throws[-1] = replace(self.throws[-1], kept=dice, total=total)
            case TurnEnded():
                self.turns.append(event)

    def scores(self) -> dict[str, int | str]:
        return {turn.player: "bust" if turn.bust else turn.total for turn in self.turns}

    @property
    def void(self) -> bool:
        """Whether the round is void, or never started (TA1)."""
        return self.end is None or isinstance(self.end, RoundVoided)


@dataclass(slots=True)
class Chronicle:
    """The rounds that have ended, in order, and the running one."""

    ended: list[RoundStory] = field(default_factory=list)
    running: RoundStory = field(default_factory=lambda: RoundStory(1))
    pot: int = 0

    def take(self, number: int, event: Fact) -> None:
        self.pot += balance(POT, event.payments)
        if isinstance(event, GameEnded):
            self.close(number, event)
            return
        self.running.take(number, event)
        if self.running.end is not None:
            self.running.carried = self.pot
            self.ended.append(self.running)
            self.running = RoundStory(self.running.number + 1)

    def close(self, number: int, event: GameEnded) -> None:
        """
        Close the table: what the close moves belongs to the last round, as does what came while no
        round could start. If no round ever started and money moved, the first round is listed as
        void.
        """
        if self.ended:
            last = self.ended[-1]
            for each in self.running.events:
                last.take(*each)
        else:
            last = self.running
        last.take(number, event)
        if last.end is None or "G9" in last.end.rules:
            last.carried = self.pot
        if not self.ended and any(last.payments()):
            self.ended.append(last)
        self.running = RoundStory(last.number + 1)


def chronicle_of(events: Iterable[Numbered]) -> Chronicle:
    chronicle = Chronicle()
    for number, event in events:
        chronicle.take(number, event)
    return chronicle


def outcome(end: Fact) -> Outcome:
    """
    How a round ended. The end of the game moves coins of its last round only if the close made it
    void (G9).
    """
    return Outcome(
        winners=(end.winner,) if isinstance(end, RoundWon) else (),
        void=isinstance(end, RoundVoided),
        to_the_end=isinstance(end, End) and "G9" in end.rules,
    )
