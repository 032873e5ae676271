"""The story of a game of dice breaker, round by round, and why each payment was made."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from games import reporting
from games.dice_breaker.arena import LATENT, TRUMP
from games.dice_breaker.hands import HIGHEST, HandName, points
from games.dice_breaker.messages import (
    AntesPaid,
    DieThrown,
    FinalHand,
    GameEnded,
    GameOpened,
    PlayerLeft,
    RoundScored,
    RoundVoided,
)
from games.explaining import Round, fee
from games.game import History, Named, Outcome, as_is
from games.messages import Fact, FeeTaken, Numbered, PlayerJoined, live
from games.payments import HOUSE, POT, Payment, balance
from games.reporting import faces

if TYPE_CHECKING:
    from collections.abc import Iterable

SPOKEN: Final[dict[HandName, str]] = {
    "nothing": "nothing",
    "pair": "a pair",
    "two_pairs": "two pairs",
    "three": "three of a kind",
    "straight": "a straight",
    "full_house": "a full house",
    "four": "four of a kind",
    "five": "five of a kind",
}


def explain(
    history: History, round_no: int | None = None, *, named: Named = as_is
) -> list[dict[str, Any]]:
    chronicle = chronicle_of(live(history))
    return [
        explain_round(story, chronicle.target, named)
        for story in chronicle.ended
        if round_no is None or story.number == round_no
    ]


def so_far(history: History, *, named: Named = as_is) -> list[dict[str, Any]]:
    chronicle = chronicle_of(live(history))
    return payments(chronicle.running, named)


def explain_round(story: RoundStory, target: int, named: Named) -> dict[str, Any]:
    return {
        "round": story.number,
        "void": isinstance(story.end, RoundVoided),
        **reporting.because(
            story.end.rules if story.end else (), partial(verdict, story, target), named
        ),
        "throws": [row_of_throw(number, throw, named) for number, throw in resting(story)],
        "hands": [hand_row(each, named) for each in hands(story)],
        "payments": payments(story, named),
    }


def payments(story: RoundStory, named: Named) -> list[dict[str, Any]]:
    resting_on = [row_of_throw(number, throw, named) for number, throw in resting(story)]
    return [
        {
            **reporting.payment(payment, reason(payment, event, named), named),
            "throws": resting_on if isinstance(event, GameEnded) else [],
        }
        for payment, event in story.payments()
    ]


def resting(story: RoundStory) -> list[tuple[int, DieThrown]]:
    return story.throws if isinstance(story.end, RoundScored) else []


def hands(story: RoundStory) -> tuple[FinalHand, ...]:
    return story.end.hands if isinstance(story.end, RoundScored) else ()


def row_of_throw(number: int, throw: DieThrown, named: Named) -> dict[str, Any]:
    """A throw as a row, with fields for what it broke and what left the arena, if there was any."""
    rest = {
        "breaks": [
            {"die": name_die(each.die, named), "value": each.value} for each in throw.breaks
        ],
        "out": [name_die(die, named) for die in throw.out],
        "caught": [
            {"die": name_die(each.die, named), "by": named(each.by)} for each in throw.caught
        ],
        "spinning": throw.spinning,
    }
    return {
        "event": number,
        "player": named(throw.player),
        "die": name_die(throw.die, named),
        "value": throw.value,
        "hand": throw.hand,
        "score": None,
        **{name: value for name, value in rest.items() if value},
    }


def name_die(die: str, named: Named) -> str:
    """The name of a die, with its owner's name as people call them."""
    return die if die == TRUMP or die in LATENT else named(die[:-1]) + die[-1]


def hand_row(each: FinalHand, named: Named) -> dict[str, Any]:
    return {
        "player": named(each.player),
        "dice": list(each.dice),
        "hand": each.hand,
        "points": str(points(each.hand)),
    }


def verdict(story: RoundStory, target: int, named: Named) -> str:
    """How the round ended, in a sentence; if nobody scores, why."""
    match story.end:
        case RoundScored():
            return " ".join((scoring(story.end, named), *so(story, story.end, target, named)))
        case RoundVoided():
            return void(story, named)
        case None:
            return "The round is not over."


def scoring(end: RoundScored, named: Named) -> str:
    """What the highest hand is, and what it scores (DB4, DB5)."""
    if not end.winners:
        return "Nobody's dice made anything, so nobody scores (DB5)."
    best = [each for each in end.hands if each.player in end.winners]
    hand = SPOKEN[best[0].hand]
    dice = " and ".join(f"{named(each.player)}'s {faces(each.dice)}" for each in best)
    made = f"{dice} makes {hand}" if len(best) == 1 else f"{dice} make {hand}"
    if best[0].hand == HIGHEST:
        players = " and ".join(named(each.player) for each in best)
        won = f"{players} wins the game" if len(best) == 1 else f"{players} share the win"
        return f"{made}, and {won} at once (DB4, DB6)."
    score = in_points(Fraction(points(best[0].hand)))
    if len(best) == 1:
        return f"{made}, the highest hand, and it scores {score} (DB4, DB5)."
    return (
        f"{made}, the highest hand; they share its {score},"
        f" {reporting.exactly(end.scores[0][1])} each (DB4, DB5)."
    )


def so(story: RoundStory, end: RoundScored, target: int, named: Named) -> list[str]:
    """What the totals mean, once somebody has reached the target (DB6)."""
    if end.play_off:
        players = " and ".join(named(player) for player in end.play_off)
        score = in_points(story.totals[end.play_off[0]])
        return [f"{players} have {score} each and play on alone (DB6)."]
    if story.over is None or not story.over.winners or not end.winners:
        return []
    if HIGHEST in {each.hand for each in end.hands}:
        return []
    (winner,) = story.over.winners
    score = in_points(story.totals[winner])
    return [f"{named(winner)} has {score}, {target} being enough, and wins (DB6)."]


def in_points(score: Fraction) -> str:
    worth = reporting.exactly(score)
    return "1 point" if score == 1 else f"{worth} points"


def void(story: RoundStory, named: Named) -> str:
    if "G9" in (story.end.rules if story.end else ()):
        return "The table was closed before the round was decided; it is void (G9)."
    leaver = named(story.left[-1])
    if story.over is not None and story.over.winners:
        winner = named(story.over.winners[0])
        if "DB11" in story.over.rules:
            return f"{leaver} left; {winner} alone stays and has won (G1, DB11)."
        return f"{leaver} left the play-off before it was thrown; {winner} has won (G1, DB6)."
    return f"{leaver} left and too few remain; the round is not played (G1)."


def reason(payment: Payment, event: Fact, named: Named) -> str:
    match event:
        case AntesPaid():
            return f"{named(payment.payer)}'s ante for the game (DB11)."
        case PlayerLeft():
            return f"{named(payment.payee)} left between rounds and gets the ante back (G1, DB11)."
        case GameEnded():
            return at_the_end(payment, event, named)
        case _:
            return fee(payment, event.through if isinstance(event, FeeTaken) else None)


def at_the_end(payment: Payment, event: GameEnded, named: Named) -> str:
    if payment.payee == HOUSE:
        return "The house's rake on the pot that was won, announced at the opening (G6)."
    if "G9" in event.rules:
        return "The table closed without a winner; those left share the pot (G9, G5)."
    if not event.winners:
        return f"{named(payment.payee)} is the only one left and gets the pot back (G1, G5)."
    if len(event.winners) > 1:
        return f"{named(payment.payee)} has won with others and shares the pot (DB11, G5)."
    return f"{named(payment.payee)} has won the game and takes the pot (DB11)."


# The story of a game of dice breaker, round by round, from the events that count.


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
