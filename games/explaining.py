"""How all games explain their rounds: why each payment was made, and which throws led to it."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from typing import Generic

from games import reporting
from games.chronicle import Chronicle, Story
from games.game import History, Named, Outcome, as_is
from games.history import Numbered, live
from games.messages import Fact
from games.payments import HOUSE, Payment
from games.reporting import Row


def nothing_more(story: object, named: Named) -> Row:
    del story, named
    return {}


def fee(payment: Payment, through: int | None = None) -> str:
    """Why a fee was paid, or went back (G6). `through`: up to when a time charge is now paid."""
    if payment.payer == HOUSE:
        return "The round is void, so its seat fee goes back (G6)."
    charge = "seat fee of the round" if through is None else "charge for time since the last one"
    if "G2" in payment.rules:
        return f"The {charge}, announced at the opening; it was all that was left (G6, G2)."
    return f"The {charge}, announced at the opening (G6)."


@dataclass(frozen=True, slots=True)
class Explaining(Generic[Story]):
    """
    What a game says about its own rounds; `explain` and `so_far` are those of its ruleset.

    :param chronicle_of: the game's story, from the events that count.
    :param verdict: how a round ended, in a sentence; if nobody pays, why.
    :param reason: why one payment was made, given the event that made it.
    :param throws: the throws that the payments of an event rest on; for the event that ends a
        round, the throws that the round's result rests on.
    :param more: what only this game has to explain about a round.
    """

    chronicle_of: Callable[[Iterable[Numbered]], Chronicle[Story]]
    outcome: Callable[[Fact], Outcome]
    verdict: Callable[[Story, Named], str]
    reason: Callable[[Payment, Fact, Story, Named], str]
    throws: Callable[[Fact, Story, Named], list[Row]]
    more: Callable[[Story, Named], Row] = nothing_more

    def explain(
        self, history: History, round_no: int | None = None, *, named: Named = as_is
    ) -> list[Row]:
        return [
            self.explained(story, named)
            for story in self.chronicle_of(live(history)).ended
            if round_no is None or story.number == round_no
        ]

    def so_far(self, history: History, *, named: Named = as_is) -> list[Row]:
        return self.payments(self.chronicle_of(live(history)).running, named)

    def explained(self, story: Story, named: Named) -> Row:
        return {
            "round": story.number,
            "void": self.outcome(story.end).void,
            **reporting.because(story.end.rules, partial(self.verdict, story), named),
            "throws": self.throws(story.end, story, named),
            **self.more(story, named),
            "payments": self.payments(story, named),
        }

    def payments(self, story: Story, named: Named) -> list[Row]:
        return [
            {
                **reporting.payment(payment, self.reason(payment, event, story, named), named),
                "throws": self.throws(event, story, named),
            }
            for payment, event in story.payments()
        ]

    def ended(self, named: Named, story: Story) -> Row:
        """The round as a row of the report."""
        how, payments = self.outcome(story.end), self.payments(story, named)
        return reporting.row_of_end(story.number, how, payments, story.carried, named)
