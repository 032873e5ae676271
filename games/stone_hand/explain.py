"""The story of a game of stone hand, round by round, and why each payment was made."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from games import explaining, reporting
from games.explaining import Chronicle, Explaining, Round, fee
from games.game import Named, Outcome
from games.payments import HOUSE, Payment
from games.reporting import faces
from games.stone_hand.messages import (
    DiceThrown,
    FeeTaken,
    GameEnded,
    PlayerLeft,
    RoundLost,
    RoundRestarted,
    RoundVoided,
    TableClosed,
    TieCalled,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

    from games.messages import Fact, Numbered

# The story of a game of stone hand, round by round, from the events that count.


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
    return explaining.chronicle_of(events, RoundStory)


def outcome(end: Fact) -> Outcome:
    return Outcome(
        winners=tuple(player for player, _ in end.points),
        losers=(end.loser,) if isinstance(end, RoundLost) else (),
        void=isinstance(end, RoundVoided),
    )


def throws(event: Fact, story: RoundStory, named: Named) -> list[dict[str, Any]]:
    if not isinstance(event, RoundLost):
        return []
    return [row_of_throw(number, throw, named) for number, throw in story.throws()]


def row_of_throw(number: int, throw: DiceThrown, named: Named) -> dict[str, Any]:
    return reporting.throw(number, named(throw.player), throw.dice, throw.hand, throw.score)


def verdict(story: RoundStory, named: Named) -> str:
    """How the round ended, in a sentence; if nobody pays, why."""
    match story.end:
        case RoundLost():
            return f"{loss(story, story.end, named)} {consequence(story, story.end, named)}"
        case RoundVoided():
            return void(story, named)
        case None:
            return "The round is not over."


def loss(story: RoundStory, end: RoundLost, named: Named) -> str:
    """Which throw lost the round."""
    loser = named(end.loser)
    if end.hand == "triad":
        _, throw = story.throws()[0]
        if "SH5" in end.rules:
            return f"{loser} threw {faces(throw.dice)}, a triad, and loses on the spot (SH5, SH6)."
        return f"{loser} threw {faces(throw.dice)}, a triad, and loses on the spot (SH6)."
    own = next(throw for _, throw in story.held.values() if throw.player == end.loser)
    if not story.tied:
        return f"{loser} threw {hand(own)}, the worst of the round (SH4)."
    last = [throw for _, throw in story.tie if throw.player == end.loser][-1]
    return (
        f"{loser} threw {hand(own)}, tied for the worst of the round; throwing again to name the"
        f" loser {loser} threw {hand(last)} and lost (SH4, SH5)."
    )


def consequence(story: RoundStory, end: RoundLost, named: Named) -> str:
    if end.drinks:
        drinks = "a drink" if end.drinks == 1 else f"a drink, {end.drinks} in all"
        return f"SH12: {named(end.loser)} owes every other player {drinks}."
    if "SH13" in end.rules:
        winners = " and ".join(named(player) for player, _ in end.points)
        return f"SH13: {winners} scored a point." if winners else "SH13: nobody scored."
    if not end.payments:
        return f"{named(end.loser)} has nothing left to pay (G2)."
    price = {
        "triad": "SH6: the thrower pays at once",
        "triple": "SH4: the loser pays three times the score",
    }.get(end.hand, "SH4: the loser pays the score")
    amount, options = end.payments[0].amount, story.options
    everything = end.hand == "triad" and options.triad_pay == "all"
    if options.unit > 1 and not everything:
        return by_the_point(price, amount, end.owed, options.unit)
    if amount < end.owed:
        return f"{price}, {end.owed}, into the pool, but only {amount} was left (G2)."
    return f"{price}, {amount}, into the pool."


def by_the_point(price: str, amount: int, owed: int, unit: int) -> str:
    """What the loser pays where a point of the score is worth more than a coin (G11)."""
    if amount < owed:
        return (
            f"{price}, at {unit} a point, {owed}, into the pool, but only {amount} was left (G2)."
        )
    return f"{price}, at {unit} a point, {amount}, into the pool."


def void(story: RoundStory, named: Named) -> str:
    rules = story.end.rules if story.end else ()
    if "G9" in rules:
        return "The table was closed before the round was decided; it is void (G9)."
    if "SH10" in rules:
        leavers = [event.player for _, event in story.events if isinstance(event, PlayerLeft)]
        return f"{named(leavers[-1])} left and too few remain; the round is not played (SH10)."
    return "Home throws left nobody to lose; the round is void and nobody pays for it (SH7)."


def reason(payment: Payment, event: Fact, story: RoundStory, named: Named) -> str:
    match event:
        case RoundLost():
            return f"{loss(story, event, named)} {consequence(story, event, named)}"
        case PlayerLeft():
            return f"{named(payment.payer)} left; the rest of the stake goes to the pool (SH10)."
        case GameEnded():
            return at_the_end(payment, event, story, named)
        case _:
            return fee(payment, event.through if isinstance(event, FeeTaken) else None)


def at_the_end(payment: Payment, event: GameEnded, story: RoundStory, named: Named) -> str:
    if payment.payee == HOUSE:
        return "The house's rake on the pool that was won, announced at the opening (G6)."
    closed = any(isinstance(each, TableClosed) for _, each in story.events)
    if closed:
        return "The table closed without a winner; those left share the pool (G9, G5)."
    if len(event.winners) > 1:
        return "Fees took the last coins of all who did not lose; they share the pool (SH9, G5)."
    return f"{named(payment.payee)} is the last in the game and wins the pool (SH9)."


def hand(throw: DiceThrown) -> str:
    """A hand in words: `2-2-7, a pair with score 7`. Only throws with a score are compared."""
    return f"{faces(throw.dice)}, a {throw.hand} with score {throw.score}"


EXPLAINING: Final = Explaining(chronicle_of, outcome, verdict, reason, throws)
