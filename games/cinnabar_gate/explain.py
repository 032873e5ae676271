"""Why each payment was made: the throws, their hands and the rules, as data and as sentences."""

from typing import Any, Final

from games import reporting
from games.cinnabar_gate.chronicle import RoundStory, Throw, chronicle_of, outcome
from games.cinnabar_gate.messages import GameEnded, RoundSettled
from games.cinnabar_gate.sentences import reason, verdict
from games.explaining import Explaining, fee
from games.game import Named
from games.messages import Fact, FeeTaken, TableClosed
from games.payments import HOUSE, Payment


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
