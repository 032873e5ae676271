"""Why each payment was made: the throws, their hands and the rules, as data and as sentences."""

from typing import Any

from games import reporting
from games.cinnabar_gate.chronicle import RoundStory, Throw, chronicle_of
from games.cinnabar_gate.messages import GameEnded, RoundSettled, RoundVoided
from games.cinnabar_gate.sentences import reason, verdict
from games.game import History, Named, as_is
from games.history import live
from games.messages import Fact, FeeTaken, TableClosed
from games.payments import HOUSE, Payment


def explain(
    history: History, round_no: int | None = None, *, named: Named = as_is
) -> list[dict[str, Any]]:
    stories = chronicle_of(live(history)).ended
    return [
        explained(story, named) for story in stories if round_no is None or story.number == round_no
    ]


def so_far(history: History, *, named: Named = as_is) -> list[dict[str, Any]]:
    return payments(chronicle_of(live(history)).running, named)


def explained(story: RoundStory, named: Named) -> dict[str, Any]:
    return {
        "round": story.number,
        "void": isinstance(story.end, RoundVoided),
        "rules": list(story.end.rules) if story.end else [],
        "because": verdict(story, named),
        "throws": resting(story, named),
        "payments": payments(story, named),
    }


def payments(story: RoundStory, named: Named) -> list[dict[str, Any]]:
    resting_on = resting(story, named)
    return [
        {
            **reporting.payment(payment, because(payment, event, story, named), named),
            "throws": resting_on if isinstance(event, RoundSettled) else [],
        }
        for payment, event in story.payments()
    ]


def resting(story: RoundStory, named: Named) -> list[dict[str, Any]]:
    if not isinstance(story.end, RoundSettled):
        return []
    return [throw_row(each, named) for each in story.throws()]


def throw_row(thrown: Throw, named: Named) -> dict[str, Any]:
    number, throw = thrown
    return {
        "event": number,
        "player": named(throw.player),
        "dice": list(throw.dice),
        "hand": throw.hand,
        "score": throw.score,
    }


def because(payment: Payment, event: Fact, story: RoundStory, named: Named) -> str:
    match event:
        case RoundSettled():
            return reason(payment, story, event, named)
        case GameEnded():
            return at_the_end(payment, event, story, named)
        case RoundVoided():
            return "The round is void, so its seat fee goes back (G6)."
        case FeeTaken(through=None):
            return "The seat fee of the round, announced at the opening (G6)."
        case _:
            return "The charge for time since the last one, announced at the opening (G6)."


def at_the_end(payment: Payment, event: GameEnded, story: RoundStory, named: Named) -> str:
    if payment.payee == HOUSE:
        return "The house's rake on the pool that was won, announced at the opening (G6)."
    if any(isinstance(each, TableClosed) for _, each in story.events):
        return "The table closed without a winner; those left share the pool (G9, G5)."
    if len(event.winners) > 1:
        return "Fees took the last coins of all who did not lose; they share the pool (CG11, G5)."
    return f"{named(payment.payee)} is the last in the game and wins the pool (CG11)."
