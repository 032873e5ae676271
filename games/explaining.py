"""How all games tell their rounds: which throws there were, and why each payment was made."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Generic, TypeVar

from games import reporting
from games.game import History, Named, Outcome, as_is
from games.messages import Fact, Numbered, live
from games.payments import HOUSE, POT, Payment, balance
from games.reporting import Row

# The story of a game, round by round, from the events that count: what all games share of it.


@dataclass(slots=True)
class Round:
    """
    A round in the story of a game.

    :param end: the event that ended the round; None while it runs.
    :param carried: the coins in the pot at the end of the round.
    :param last: the number of the last event that belongs to the round.
    :param options: the house options of the game.
    """

    number: int
    events: list[Numbered] = field(default_factory=list)
    end: Any = None
    carried: int = 0
    last: int = 0
    options: Any = None

    def take(self, number: int, event: Fact) -> None:
        self.last = number
        self.events.append((number, event))
        if event.ends_round:
            self.end = event
        self.note(number, event)

    def note(self, number: int, event: Fact) -> None:
        """Keep what the story of a game needs of an event; a game's own story overrides this."""

    def payments(self) -> Iterator[tuple[Payment, Fact]]:
        for _, event in self.events:
            for payment in event.payments:
                yield payment, event


Story = TypeVar("Story", bound=Round)


@dataclass(frozen=True, slots=True)
class Chronicle(Generic[Story]):
    """The rounds that have ended, in order, and the running one."""

    ended: list[Story]
    running: Story


def chronicle_of(events: Iterable[Numbered], begun: Callable[[int], Story]) -> Chronicle[Story]:
    """
    The story of a game from its events. What the end of the game pays belongs to the last ended
    round.

    :param begun: makes a round from its number, before anything has happened in it.
    """
    ended: list[Story] = []
    running, pot, options = begun(1), 0, None
    for number, event in events:
        options = getattr(event, "options", options)
        running.options = options
        pot += balance(POT, event.payments)
        if event.ends_game and ended:
            last = ended[-1]
            last.take(number, event)
            last.carried = pot
            continue
        running.take(number, event)
        if running.end is not None:
            running.carried = pot
            ended.append(running)
            running = begun(running.number + 1)
    return Chronicle(ended, running)


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
