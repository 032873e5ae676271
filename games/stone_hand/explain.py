"""Why each payment was made: the throws, their hands and the rules, as data and as sentences."""

from typing import Any, Final

from games import reporting
from games.explaining import Explaining, fee
from games.game import Named
from games.messages import Fact
from games.payments import HOUSE, Payment
from games.reporting import faces
from games.stone_hand.chronicle import RoundStory, chronicle_of, outcome
from games.stone_hand.messages import (
    DiceThrown,
    FeeTaken,
    GameEnded,
    PlayerLeft,
    RoundLost,
    RoundVoided,
    TableClosed,
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
