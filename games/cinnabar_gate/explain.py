"""The story of a game of Cinnabar Gate, round by round, and why each payment was made."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from games import explaining, reporting
from games.cinnabar_gate.hands import PAY_AT_START, RAISES
from games.cinnabar_gate.messages import (
    DiceThrown,
    End,
    GameEnded,
    HandTaken,
    PayMoved,
    PlayerLeft,
    RoundRestarted,
    RoundSettled,
    RoundVoided,
    TieCalled,
)
from games.explaining import Chronicle, Explaining, Round, fee
from games.game import Outcome
from games.messages import Fact, FeeTaken, Numbered, TableClosed
from games.payments import HOUSE, Payment
from games.reporting import faces

if TYPE_CHECKING:
    from collections.abc import Iterable

    from games.game import Named


# The story of a game of Cinnabar Gate, round by round, from the events that count.


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
    return explaining.chronicle_of(events, RoundStory)


def outcome(end: Fact) -> Outcome:
    if not isinstance(end, RoundSettled):
        return Outcome(void=isinstance(end, RoundVoided))
    return Outcome(winners=end.winners, losers=end.losers)


# How a round of Cinnabar Gate ended, told in sentences that name the rules.


LOWERED: Final = "CG2"


def verdict(story: RoundStory, named: Named) -> str:
    """How the round ended, in a sentence; if nobody pays, why."""
    match story.end:
        case RoundSettled() as end:
            sentences = (
                best(story, end, named),
                *worst(story, end, end.losers, named),
                points(story, named) if end.points else pay(story, named),
                consequence(story, end, named),
            )
            return " ".join(filter(None, sentences))
        case RoundVoided():
            return void(story, story.end.rules, named)
        case None:
            return "The round is not over."


def reason(payment: Payment, story: RoundStory, end: RoundSettled, named: Named) -> str:
    """Why this payer pays this payee; how the pay came about is said of the round as a whole."""
    sentences = (
        best(story, end, named),
        *worst(story, end, (payment.payer,), named),
        describe_payment(payment, story, end, named),
    )
    return " ".join(filter(None, sentences))


def best(story: RoundStory, end: RoundSettled, named: Named) -> str:
    """Who wins the round, and with what hand; in a pool nobody does."""
    if not end.winners:
        return ""
    tie = last_tie(story, "best")
    if len(end.winners) > 1:
        sharing = "; ".join(with_hand(story, tie, player, named) for player in end.winners)
        return f"Tied for the best of the round and sharing it: {sharing} (CG7)."
    winner = end.winners[0]
    if tie is not None and (decisive := tie.last(winner)) is not None:
        among = list_players(first_tie(story, "best").players, named)
        return (
            f"{among} were tied for the best of the round; throwing again {named(winner)} threw"
            f" {hand(decisive)}, the best of them (CG7)."
        )
    if winner not in story.held or (story.left and alone(story, winner)):
        return f"{named(winner)} alone is left in the round and has the best hand (CG1, CG6)."
    return f"{named(winner)} threw {hand(story.held[winner][1])}, the best of the round (CG6)."


def with_hand(story: RoundStory, tie: TieStory | None, player: str, named: Named) -> str:
    again = None if tie is None else tie.last(player)
    return f"{named(player)} with {hand(again or story.held[player][1])}"


def alone(story: RoundStory, winner: str) -> bool:
    return all(player == winner or player in story.left for player in story.held)


def worst(story: RoundStory, end: RoundSettled, losers: Iterable[str], named: Named) -> list[str]:
    """Why each of these losers pays."""
    sentences = [describe_loss(story, end, loser, named) for loser in losers]
    return list(dict.fromkeys(sentences))


def describe_loss(story: RoundStory, end: RoundSettled, loser: str, named: Named) -> str:
    name, held = named(loser), story.held.get(loser)
    threw_empty = held is not None and held[1].hand == "empty"
    if held is not None and threw_empty and end.winners:
        return f"{name} threw {hand(held[1])}, and pays whatever happens (CG6)."
    if loser in story.left:
        return f"{name} left in the round, which counts as the worst hand (CG1)."
    if held is not None and threw_empty:
        return f"{name} threw {hand(held[1])}, which ends the round at once (CG11)."
    return describe_loss_by_hand(story, end, loser, named)


def describe_loss_by_hand(story: RoundStory, end: RoundSettled, loser: str, named: Named) -> str:
    name, tie = named(loser), last_tie(story, "worst")
    if tie is not None and (decisive := tie.last(loser)) is not None:
        among = list_players(first_tie(story, "worst").players, named)
        return (
            f"{among} were tied for the worst of the round; throwing again {name} threw"
            f" {hand(decisive)}, the worst of them (CG7)."
        )
    each = [other for other in end.losers if story.held[other][1].hand != "empty"]
    if len(each) > 1:
        return f"{list_players(each, named)} are tied for the worst of the round; each pays (CG7)."
    return f"{name} threw {hand(story.held[loser][1])}, the worst of the round (CG6)."


def pay(story: RoundStory, named: Named) -> str:
    """How the pay came to be what it was."""
    unit = story.options.unit
    pay = PAY_AT_START * unit
    moves = ", ".join(describe_move(move, unit, named) for move in story.moves)
    if unit > 1:
        return by_the_point(pay, unit, moves)
    return f"The pay began at {pay}; {moves}." if moves else f"The pay stayed at {pay} (CG2)."


def by_the_point(pay: int, unit: int, moves: str) -> str:
    """How the pay came to be, where a point of it is worth more than a coin (G11)."""
    if moves:
        return f"The pay began at {pay}, at {unit} a point; {moves}."
    return f"The pay stayed at {pay}, at {unit} a point (CG2)."


def describe_move(move: PayMoved, unit: int, named: Named) -> str:
    """A move of the pay, in coins (G11)."""
    player, rule, pay = named(move.player), move.rules[0], move.pay * unit
    if rule == LOWERED:
        return f"{player} lowered it to {pay} ({rule})"
    return f"{player} raised it to {pay} ({rule})"


def points(story: RoundStory, named: Named) -> str:
    """How the pay came to be what it was on a scoreboard, where it is points and no money."""
    at_start = PAY_AT_START
    if not story.moves:
        return f"The pay stayed at {at_start} points (CG2)."
    moves = ", ".join(describe_move_in_points(move, named) for move in story.moves)
    return f"The pay began at {at_start} points; {moves}."


def describe_move_in_points(move: PayMoved, named: Named) -> str:
    player, rule, worth = named(move.player), move.rules[0], move.pay
    if rule == LOWERED and worth == 1:
        return f"{player} lowered it to 1 point ({rule})"
    if rule == LOWERED:
        return f"{player} lowered it to {worth} points ({rule})"
    return f"{player} raised it to {worth} points ({rule})"


def consequence(story: RoundStory, end: RoundSettled, named: Named) -> str:
    """What the verdict costs, or scores."""
    rule = ", ".join(end.rules)
    if end.points:
        parts = " and ".join(f"{named(player)} scores {points}" for player, points in end.points)
        return f"{parts} on the scoreboard ({rule})."
    if not end.payments:
        return f"Nobody who owes the pay has anything left ({rule}, G2)."
    return " ".join(describe_payment(payment, story, end, named) for payment in end.payments)


def describe_payment(payment: Payment, story: RoundStory, end: RoundSettled, named: Named) -> str:
    payer, amount, pay = named(payment.payer), payment.amount, end.pay * story.options.unit
    whom = named(payment.payee) if end.winners else "the pool"
    rule = ", ".join(payment.rules)
    if len(end.winners) > 1 and "G2" in payment.rules:
        return f"Of what {payer} had left of {pay} owed {amount} goes to {whom} ({rule})."
    if len(end.winners) > 1:
        return f"Of {payer}'s pay {amount} goes to {whom} ({rule})."
    if amount < pay:
        return f"{payer} pays {amount} to {whom}, all that was left of {pay} owed ({rule})."
    return f"{payer} pays {amount} to {whom} ({rule})."


def void(story: RoundStory, rules: tuple[str, ...], named: Named) -> str:
    match rules[0]:
        case "G9":
            return "The table was closed before the round was decided; it is void (G9)."
        case "CG1":
            leaver = named(story.left[-1])
            return f"{leaver} left and only one is left; the round is not played (CG1)."
        case "CG6":
            return "Nobody threw better than empty; the round is void (CG6)."
        case "CG7":
            rule = ", ".join(rules)
            return f"All threw alike, tied for best and worst; the round is void ({rule})."
        case _:
            return "All threw home and sit out; the round is void and nobody pays for it (CG11)."


def first_tie(story: RoundStory, end: End) -> TieStory:
    return next(tie for tie in story.ties if tie.end == end)


def last_tie(story: RoundStory, end: End) -> TieStory | None:
    return next((tie for tie in reversed(story.ties) if tie.end == end), None)


def list_players(players: Iterable[str], named: Named) -> str:
    *others, last = map(named, players)
    return f"{', '.join(others)} and {last}" if others else last


def hand(throw: DiceThrown) -> str:
    """A hand in words: `2-2-7, a pair with score 7`."""
    match throw.hand:
        case "home":
            what = "a home throw"
        case "empty":
            what = "empty"
        case "junk":
            what = f"junk with score {throw.score}"
        case _:
            what = f"a {throw.hand} with score {throw.score}"
    return f"{faces(throw.dice)}, {what}"


def throws(event: Fact, story: RoundStory, named: Named) -> list[dict[str, Any]]:
    if not isinstance(event, RoundSettled):
        return []
    return [throw_row(each, named) for each in story.throws()]


def throw_row(thrown: Throw, named: Named) -> dict[str, Any]:
    number, throw = thrown
    return reporting.throw(number, named(throw.player), throw.dice, throw.hand, throw.score)


def because(payment: Payment, event: Fact, story: RoundStory, named: Named) -> str:
    match event:
        case RoundSettled():
            return reason(payment, story, event, named)
        case GameEnded():
            return at_the_end(payment, event, story, named)
        case _:
            return fee(payment, event.through if isinstance(event, FeeTaken) else None)


def at_the_end(payment: Payment, event: GameEnded, story: RoundStory, named: Named) -> str:
    if payment.payee == HOUSE:
        return "The house's rake on the pool that was won, announced at the opening (G6)."
    if any(isinstance(each, TableClosed) for _, each in story.events):
        return "The table closed without a winner; those left share the pool (G9, G5)."
    if len(event.winners) > 1:
        return "Fees took the last coins of all who did not lose; they share the pool (CG11, G5)."
    return f"{named(payment.payee)} is the last in the game and wins the pool (CG11)."


EXPLAINING: Final = Explaining(chronicle_of, outcome, verdict, because, throws)
