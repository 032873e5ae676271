"""The story of a game of River, round by round, from the events that count."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from games.chronicle import Chronicle, Round
from games.game import Outcome
from games.history import Numbered
from games.messages import Fact
from games.payments import POT, balance
from games.river.hands import SIZES
from games.river.messages import (
    DiceOffered,
    DiceRevealed,
    DiceSealed,
    DieThrown,
    HandsUnseen,
    LotSold,
    LotWithdrawn,
    PlayerLeft,
    RoundStarted,
    RoundVoided,
    RoundWon,
    TieCalled,
)

Revealed = tuple[int, DiceRevealed]


@dataclass(slots=True)
class RoundStory(Round):
    """
    A round in the story of a game.

    :param offer: the banker's throw.
    :param lots: what became of each lot, in the order of the auction.
    :param revealed: what each player showed while it counted; `late`: what was recorded afterwards.
    :param rolled: the throws of the last roll-off.
    :param forfeited: who left after the first throw, in that order.
    :param unseen: the players whose dice nobody saw.
    """

    sealed: bool = False
    offer: tuple[int, DiceOffered] | None = None
    lots: list[LotSold | LotWithdrawn] = field(default_factory=list)
    revealed: dict[str, Revealed] = field(default_factory=dict)
    tied: tuple[str, ...] = ()
    rolled: list[tuple[int, DieThrown]] = field(default_factory=list)
    forfeited: list[str] = field(default_factory=list)
    late: list[Revealed] = field(default_factory=list)
    unseen: tuple[str, ...] = ()
    end: RoundWon | RoundVoided | None = None

    def note(self, number: int, event: Fact) -> None:
        match event:
            case DiceSealed():
                self.sealed = True
            case DiceOffered():
                self.offer = (number, event)
            case LotSold() | LotWithdrawn():
                self.lots.append(event)
            case DiceRevealed(player=player):
                self.revealed[player] = (number, event)
            case TieCalled(players=players):
                self.tied, self.rolled = players, []
            case DieThrown():
                self.rolled.append((number, event))
            case PlayerLeft(player=player, rules=rules) if "RV7" in rules:
                self.forfeited.append(player)

    def won_die(self, player: str, size: str) -> int:
        """The face of a die that `player` bought."""
        return next(
            lot.face
            for lot in self.lots
            if isinstance(lot, LotSold) and (lot.player, lot.die) == (player, size)
        )

    def laid(self, reveal: DiceRevealed) -> tuple[int, ...]:
        """The five dice that were judged: hole dice, and the won dice that replaced some."""
        return tuple(
            self.won_die(reveal.player, size) if size in reveal.replaced else own
            for size, own in zip(SIZES, reveal.dice, strict=True)
        )


def chronicle_of(events: Iterable[Numbered]) -> Chronicle[RoundStory]:
    """
    The rounds, with what was recorded of their dice afterwards; other events between two rounds
    belong to none.
    """
    ended: list[RoundStory] = []
    running: RoundStory | None = None
    pot = 0
    for number, event in events:
        pot += balance(POT, event.payments)
        match event:
            case RoundStarted(round=round_no):
                running = RoundStory(round_no)
            case DiceRevealed(late=True):
                ended[-1].late.append((number, event))
                ended[-1].last = number
                continue
            case HandsUnseen(round=round_no, players=players):
                ended[round_no - 1].unseen = players
                ended[round_no - 1].last = number
                continue
        if running is None:
            continue
        running.take(number, event)
        if running.end is not None:
            running.carried = pot
            ended.append(running)
            running = None
    return Chronicle(ended, running or RoundStory(len(ended) + 1))


def outcome(end: Fact) -> Outcome:
    return Outcome(
        winners=end.winners if isinstance(end, RoundWon) else (),
        void=isinstance(end, RoundVoided),
        to_the_end=False,
    )
