"""The story of a game of River, round by round, and why each payment was made."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from games.explaining import Chronicle, Explaining, Round, fee
from games.game import Named, Outcome
from games.messages import Fact, FeeTaken, Numbered
from games.payments import HOUSE, POT, Payment, balance
from games.reporting import faces
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

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

# The story of a game of River, round by round, from the events that count.


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


def throws(event: Fact, story: RoundStory, named: Named) -> list[dict[str, Any]]:
    return list(resting(story, named)) if isinstance(event, RoundWon) else []


def more(story: RoundStory, named: Named) -> dict[str, Any]:
    return {
        "lots": [lot(each, named) for each in story.lots],
        "unseen": [named(player) for player in story.unseen],
    }


def resting(story: RoundStory, named: Named) -> Iterator[dict[str, Any]]:
    """The throws that won the pot: the banker's, the dice shown, and the last roll-off."""
    if story.offer is not None:
        number, offered = story.offer
        yield {"event": number, "player": None, "dice": list(offered.dice), "hand": None}
    for number, reveal in story.revealed.values():
        yield {"event": number, **hand(reveal, named), "laid": by_size(story.laid(reveal))}
    for number, rolled in story.rolled:
        yield {"event": number, **die(rolled, named)}


def hand(reveal: DiceRevealed, named: Named) -> dict[str, Any]:
    return {
        "player": named(reveal.player),
        "dice": list(reveal.dice),
        "hand": reveal.hand,
        "rank": reveal.rank,
        "values": list(reveal.values),
        "replaced": list(reveal.replaced),
    }


def die(rolled: DieThrown, named: Named) -> dict[str, Any]:
    return {"player": named(rolled.player), "dice": list(rolled.dice), "hand": None}


def by_size(dice: tuple[int, ...]) -> dict[str, int]:
    return dict(zip(SIZES, dice, strict=True))


def lot(came: Fact, named: Named) -> dict[str, Any]:
    """What became of a die at the auction (RV3); without a buyer there is no player or amount."""
    if isinstance(came, LotSold):
        player, amount = named(came.player), came.amount
        return {"die": came.die, "face": came.face, "player": player, "amount": amount}
    return {"die": getattr(came, "die", None), "face": None, "player": None, "amount": None}


def verdict(story: RoundStory, named: Named) -> str:
    """How the round ended, in sentences; if nobody wins, why."""
    return " ".join(sentences(story, named))


def sentences(story: RoundStory, named: Named) -> Iterator[str]:
    yield from auction(story, named)
    yield from departures(story, named)
    match story.end:
        case RoundWon(rank=None):
            yield alone(story.end, named)
        case RoundWon():
            yield from showdown(story, story.end, named)
        case RoundVoided(rules=rules) if "G9" in rules:
            yield "The table was closed before the round was decided; it is void (G9)."
        case RoundVoided():
            yield "Fewer than two were left before the first throw; the price is returned (RV1)."
        case None:
            yield "The round is not over."


def auction(story: RoundStory, named: Named) -> Iterator[str]:
    """Who bought which die at the auction, and for how much (RV3)."""
    sold = [each for each in story.lots if isinstance(each, LotSold)]
    if sold:
        bought = list_parts(
            [f"{named(each.player)} bought the {each.die} showing {each.face} for {each.amount}"
             for each in sold]
        )  # fmt: skip
        yield f"At the auction {bought} (RV3)."
    elif story.lots:
        yield "At the auction nobody bought a die (RV3)."


def departures(story: RoundStory, named: Named) -> Iterator[str]:
    if story.forfeited:
        who = list_parts([named(player) for player in story.forfeited])
        yield f"{who} left and forfeited what was paid (RV7)."
    if story.late:
        who = list_parts(
            [f"{named(reveal.player)} had {faces(reveal.dice)}" for _, reveal in story.late]
        )
        yield f"Recorded after the hand: {who} (RV2)."
    if story.unseen:
        who = list_parts([named(player) for player in story.unseen])
        yield f"Nobody saw the dice of {who} (RV2)."


def showdown(story: RoundStory, end: RoundWon, named: Named) -> Iterator[str]:
    """The winning hands, and what they win by (RV4, RV5, RV6)."""
    highest = highest_hands(story, end)
    for reveal in highest:
        yield laid(story, reveal, named)
    yield takes(story, end, highest, named)


def takes(story: RoundStory, end: RoundWon, highest: list[DiceRevealed], named: Named) -> str:
    """What the winning hands win by (RV6)."""
    who = list_parts([named(player) for player in end.winners])
    if len(highest) == 1:
        return "It is the highest hand and takes the pot (RV6)."
    if len(end.winners) > 1:
        return f"{who} share the pot, odd coins in seat order (RV6, G5)."
    if story.tied:
        return f"{rolls(story, named)}; {who} takes the pot (RV6)."
    return f"The rows are equal, {who}'s own dice are higher and take the pot (RV6)."


def highest_hands(story: RoundStory, end: RoundWon) -> list[DiceRevealed]:
    return [
        reveal for _, reveal in story.revealed.values()
        if reveal.rank == end.rank and reveal.player not in story.forfeited
    ]  # fmt: skip


def laid(story: RoundStory, reveal: DiceRevealed, named: Named) -> str:
    """
    A hand in words: `A has High Flop, row 8: 9-8-7, with the won d8, 8, for the hole die, 3 (RV4,
    RV5).`
    """
    own = f"{named(reveal.player)} has {reveal.hand}, row {reveal.rank}: {faces(reveal.values)}"
    if not reveal.replaced:
        return f"{own} (RV5)."
    holes = dict(zip(SIZES, reveal.dice, strict=True))
    swapped = list_parts(
        [f"the won {size}, {story.won_die(reveal.player, size)}, for the hole die, {holes[size]}"
         for size in reveal.replaced]
    )  # fmt: skip
    return f"{own}, with {swapped} (RV4, RV5)."


def rolls(story: RoundStory, named: Named) -> str:
    if not story.rolled:
        return "The rows are equal and the others left the roll-off"
    thrown = list_parts([f"{named(each.player)} threw {each.dice[0]}" for _, each in story.rolled])
    return f"The rows are equal; in the roll-off {thrown}"


def reason(payment: Payment, event: Fact, story: RoundStory, named: Named) -> str:
    match event:
        case RoundWon():
            rake = "The house's rake on the pot that was won, announced at the opening (G6)."
            return rake if payment.payee == HOUSE else pot(story, event, named)
        case LotSold(die=size, face=face):
            return f"{named(payment.payer)} bought the {size} showing {face} at the auction (RV3)."
        case PlayerLeft():
            return f"{named(payment.payee)} left before the first throw; the price returns (G1)."
        case RoundVoided():
            return describe_return(payment)
        case FeeTaken(through=through):
            return fee(payment, through)
        case _:
            return price(event)


def pot(story: RoundStory, end: RoundWon, named: Named) -> str:
    """Why a pot was won, in short: the round's own sentences say by which dice of the auction."""
    if end.rank is None:
        return alone(end, named)
    highest = highest_hands(story, end)
    hands = [
        f"{named(each.player)} has {each.hand}, row {each.rank}: {faces(each.values)}."
        for each in highest
    ]
    return " ".join((*hands, takes(story, end, highest, named)))


def alone(end: RoundWon, named: Named) -> str:
    return f"{named(end.winners[0])} is the only one left and takes the pot (RV6, RV7)."


def price(event: Fact) -> str:
    if isinstance(event, RoundStarted):
        return "The price of five dice, the same for all (RV1)."
    return "The price of five dice, for who comes before the first throw (RV1, G1)."


def describe_return(payment: Payment) -> str:
    if "G6" in payment.rules:
        return fee(payment)
    if "RV7" in payment.rules:
        return "What leavers forfeited has no winner; those left share it (G9, RV7, G5)."
    if "RV1" in payment.rules:
        return "Fewer than two were left before the first throw; the price is returned (RV1)."
    return "The round is void, so what was paid for dice returns (G9)."


def list_parts(parts: list[str]) -> str:
    """A list in words: `a, b and c`."""
    return " and ".join(filter(None, [", ".join(parts[:-1]), parts[-1]]))


EXPLAINING: Final = Explaining(chronicle_of, outcome, verdict, reason, throws, more)
