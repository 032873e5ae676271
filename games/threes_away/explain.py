"""The story of a game of threes away, round by round, and why each payment was made."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Any

from games import reporting
from games.explaining import Round, fee
from games.game import History, Named, Outcome, as_is
from games.messages import Fact, FeeTaken, Numbered, live
from games.payments import HOUSE, POT, Payment, balance
from games.threes_away.messages import (
    DiceKept,
    DiceThrown,
    GameEnded,
    LateAntePaid,
    PlayerLeft,
    RolloverArrived,
    RolloverDrawn,
    RoundRolledOver,
    RoundStarted,
    RoundTied,
    RoundVoided,
    RoundWon,
    TurnEnded,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

    from games.dice import Dice


def explain(
    history: History, round_no: int | None = None, *, named: Named = as_is
) -> list[dict[str, Any]]:
    return [
        explain_round(story, named)
        for story in chronicle_of(live(history)).ended
        if round_no is None or story.number == round_no
    ]


def so_far(history: History, *, named: Named = as_is) -> list[dict[str, Any]]:
    return payments(chronicle_of(live(history)).running, named)


def explain_round(story: RoundStory, named: Named) -> dict[str, Any]:
    return {
        "round": story.number,
        "void": story.void,
        **reporting.because(
            story.end.rules if story.end else ("TA1",), partial(verdict, story), named
        ),
        "throws": [] if story.void else throw_rows(story.throws, named),
        "payments": payments(story, named),
    }


def payments(story: RoundStory, named: Named) -> list[dict[str, Any]]:
    return [
        {
            **reporting.payment(payment, reason(payment, event, story, named), named),
            "throws": throw_rows(resting(event, story), named),
        }
        for payment, event in story.payments()
    ]


def resting(event: Fact, story: RoundStory) -> Iterable[Thrown]:
    """The throws that a payment rests on: everybody's for the pot, the zero's for another ante."""
    match event:
        case RoundWon():
            return story.throws
        case TurnEnded(player=player):
            return (each for each in story.throws if each.throw.player == player)
        case _:
            return ()


def throw_rows(throws: Iterable[Thrown], named: Named) -> list[dict[str, Any]]:
    """
    Throws as rows: `dice` and `kept` are the faces on top; `score` is the total of all dice kept by
    then.
    """
    return [
        {
            "event": each.number,
            "player": named(each.throw.player),
            "dice": list(each.throw.dice),
            "bottoms": each.throw.bottoms,
            "kept": list(each.kept),
            "hand": None,
            "score": each.total,
        }
        for each in throws
    ]


def verdict(story: RoundStory, named: Named) -> str:
    """How the round ended, in a sentence; if nobody won, why."""
    if story.end is None:
        return "No two could ante, so that no round started (TA1)."
    if isinstance(story.end, RoundVoided):
        return describe_no_decision(story, named)
    said = describe_decision(story.end, story, named)
    if "TA9" not in story.end.rules:
        return said
    return " ".join((said, f"{named(story.end.first)} throws first in the next round (TA9)."))


def describe_decision(end: End, story: RoundStory, named: Named) -> str:
    match end:
        case RoundWon(total=None):
            return f"The others left; {named(end.winner)} alone takes what was played off (TA6)."
        case RoundWon():
            limit = story.started.limit if story.started else None
            within = "" if limit is None else f", with {limit} or less to win (TA7)"
            return (
                f"{named(end.winner)} finished with {end.total}, the lowest of the round{within},"
                " and takes the pot (TA1)."
            )
        case RoundTied():
            return tie(end, named)
        case RoundRolledOver():
            return (
                f"The lowest was {end.total}, by {list_names(end.players, named)}, and only"
                f" {end.limit} or less could win; the pot rolls over to the next round (TA7)."
            )
        case RoundVoided():
            return describe_no_decision(story, named)


def tie(end: RoundTied, named: Named) -> str:
    who, free = list_names(end.players, named), " without another ante" if end.free else ""
    if "TA6" in end.rules:
        return f"{who} tied at zero and play the pot off between them{free} (TA6)."
    everybody = "all who play it off" if end.among else "all"
    return f"{who} tied with {end.total}; one tie, all tie: {everybody} play again{free} (TA5)."


def describe_no_decision(story: RoundStory, named: Named) -> str:
    leavers = [event.player for _, event in story.events if isinstance(event, PlayerLeft)]
    if story.end is not None and "G9" in story.end.rules:
        return "The table was closed before the round was decided; it is void (G9)."
    return f"{named(leavers[-1])} left and too few remain; the round is not played (G1, TA1)."


def reason(payment: Payment, event: Fact, story: RoundStory, named: Named) -> str:
    match event:
        case RoundWon():
            rake = "The house's rake on a pot that is won, announced at the opening (G6)."
            return rake if payment.payee == HOUSE else describe_decision(event, story, named)
        case RoundVoided():
            paid = f"{describe_no_decision(story, named)} What was paid into it goes back."
            return fee(payment) if payment.payer == HOUSE else paid
        case TurnEnded(player=player):
            return another(payment, player, named)
        case FeeTaken(through=through):
            return fee(payment, through)
        case _:
            return describe_payment(payment, event, story, named)


def another(payment: Payment, player: str, named: Named) -> str:
    capped = "; it was all that was left (G2)" if "G2" in payment.rules else ""
    return f"{named(player)} finished with zero, and everybody pays another ante (TA4){capped}."


def describe_payment(payment: Payment, event: Fact, story: RoundStory, named: Named) -> str:
    match event:
        case RolloverDrawn():
            return "What rolled over from the game before starts the pot (TA10)."
        case RolloverArrived():
            return "What rolled over from the game before, booked since the opening (TA10)."
        case LateAntePaid(player=player):
            rule = ", ".join(payment.rules)
            return f"{named(player)} came before the first throw and pays the ante ({rule})."
        case PlayerLeft(player=player):
            return f"{named(player)} left before the first throw; the ante goes back (G1)."
        case GameEnded():
            return (
                "The table closed; what is in the pot waits for the house's next game (G9, TA10)."
            )
        case _:
            return ante(payment, story.number, named(payment.payer))


def ante(payment: Payment, number: int, player: str) -> str:
    """What a round's ante is for: the first of its pot, or another after a round without winner."""
    match payment.rules:
        case ("TA5",):
            return f"{player}'s ante of round {number}, in which the tie is played off (TA5)."
        case ("TA6",):
            return f"{player}'s ante of round {number}, before the play-off of the zeros (TA6)."
        case ("TA7",):
            return f"{player}'s ante of round {number}, for the pot that rolled over (TA7)."
        case _:
            return f"The ante of round {number} of {player} (TA1)."


def list_names(names: Iterable[str], named: Named) -> str:
    *others, last = map(named, names)
    return f"{', '.join(others)} and {last}" if others else last


# The story of a game of threes away, round by round, from the events that count.


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
