"""
A regrade: a game decided again from its throws, and compared with its record.

What people did is taken from the record; what followed from it is not: each command is decided on
the state that the decisions before it led to. Voids and table events are taken as recorded, and so
is what came to the game from outside.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import zip_longest
from typing import Any, Literal, NamedTuple

from games.commands import situate
from games.game import Ruleset
from games.messages import Fact, OutsideRules, TableEvent, Voided
from games.refusals import Refused

What = Literal["altered", "missing", "unexpected", "refused", "unreadable"]


class Recorded(NamedTuple):
    """An event of a game as the ledger holds it; `at`: when it happened, in seconds since 1970."""

    event_type: str
    data: Mapping[str, Any]
    at: int | None


@dataclass(frozen=True, slots=True)
class Difference:
    """
    A difference between the record of a game and what the rules decide.

    :param number: the number of the recorded event; if an event is missing from the record, the
        number of the event of its command that stands in for it: the last one, or for `by_current`
        the first.
    :param expected: the event that the rules decide; None: no event.
    :param found: the event that was recorded; None: no event, or one that cannot be read.
    :param detail: why the rules refuse the command, or why the event cannot be read.
    """

    round: int
    number: int
    what: What
    expected: Fact | None = None
    found: Fact | None = None
    detail: str = ""


Alike = Callable[[int, int, Sequence[Fact], Sequence[Fact]], Iterator[Difference]]


@dataclass(slots=True)
class Regraded:
    """
    The record of a game beside what the rules decide.

    :param found: the recorded facts as far as they can be read; the first is event 1.
    :param facts: for each of them, the fact that the rules decide in its place; None: no fact.
    :param rounds: for each of them, the round that it belongs to.
    :param decided: everything that the rules decide, in order: a history of its own.
    """

    found: list[Fact] = field(default_factory=list)
    facts: list[Fact | None] = field(default_factory=list)
    rounds: list[int] = field(default_factory=list)
    decided: list[Fact] = field(default_factory=list)
    differences: list[Difference] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Command:
    """
    A command that no void cancelled: its first event as recorded and as decided, and how many
    rounds had ended before it.
    """

    number: int
    decided: int
    ended: int


def regrade(ruleset: Ruleset, record: Sequence[Recorded]) -> Regraded:
    """Decide a game again by its own rules; every event that is not the same is a difference."""
    return Regrading(ruleset, events).through(record)


def by_current(ruleset: Ruleset, record: Sequence[Recorded]) -> Regraded:
    """
    Decide a game again by other rules than its own and compare what is paid and scored.

    The events of other rules may differ; only who pays whom how much, and who scores, is compared.
    """
    return Regrading(ruleset, money).through(record)


class Regrading:
    """The regrade of one game, from its first recorded event to its last."""

    def __init__(self, ruleset: Ruleset, alike: Alike) -> None:
        self.ruleset, self.alike = ruleset, alike
        self.state = ruleset.decider.initial
        self.standing: list[Command] = []
        self.ended = 0
        self.result = Regraded()

    def through(self, record: Sequence[Recorded]) -> Regraded:
        happened: list[Fact] = []
        began, at = 1, record[0].at if record else None
        for number, event in enumerate(record, 1):
            try:
                fact = self.ruleset.decode(event.event_type, event.data)
            except Exception as error:  # noqa: BLE001 - what was forged may break anything
                self.commanded(began, at, happened)
                self.differs(number, "unreadable", detail=f"{type(error).__name__}: {error}")
                return self.result
            if not fact.consequence:
                self.commanded(began, at, happened)
                happened, began, at = [], number, event.at
            happened.append(fact)
        self.commanded(began, at, happened)
        return self.result

    def commanded(self, number: int, at: int | None, found: Sequence[Fact]) -> None:
        """Compare the recorded events of one command with what the rules decide."""
        if not found:
            return
        ended = self.ended
        try:
            decided = self.decided(number, at, found[0])
        except Refused as refused:
            self.differs(number, "refused", found=found[0], detail=str(refused))
            decided = ()
        except Exception as error:  # noqa: BLE001 - as above: a finding, no fault of the rules
            detail = f"{type(error).__name__}: {error}"
            self.differs(number, "unreadable", found=found[0], detail=detail)
            decided = ()
        else:
            self.result.differences += self.alike(ended + 1, number, decided, found)
        self.noted(ended, decided, found)

    def decided(self, number: int, at: int | None, head: Fact) -> Sequence[Fact]:
        """
        Decide the command behind an event again, and fold the result into the state.

        :raises Refused: if the rules do not allow the command; the state then stays as it was.
        """
        first = len(self.result.decided) + 1
        if isinstance(head, OutsideRules):
            facts: Sequence[Fact] = (self.rewound(head),)
        elif head.consequence:
            return ()  # a consequence without a command before it
        elif (command := self.ruleset.command_of(head)) is None:
            facts = (head,)
        else:
            facts = self.ruleset.decider.decide(situate(command, at=at), self.state)
        self.state = self.ruleset.decider.fold(facts, self.state)
        self.result.decided += facts
        if isinstance(head, OutsideRules):
            return (head,)  # as it was recorded, with the numbers of the record
        self.standing.append(Command(number, first, self.ended))
        self.ended += sum(fact.ends_round for fact in facts)
        return facts

    def rewound(self, event: Voided | TableEvent) -> Fact:
        """A void with the event numbers of the decided history; the record's may differ."""
        if not isinstance(event, Voided):
            return event
        back_to = len(self.result.decided) + 1
        while self.standing and self.standing[-1].number >= event.back_to:
            cancelled = self.standing.pop()
            back_to, self.ended = cancelled.decided, cancelled.ended
        return replace(event, back_to=back_to)

    def noted(self, ended: int, decided: Sequence[Fact], found: Sequence[Fact]) -> None:
        result = self.result
        result.found += found
        for place in range(len(found)):
            fact = decided[place] if place < len(decided) else None
            named = getattr(fact, "round", None)
            result.facts.append(fact)
            result.rounds.append(ended + 1 if named is None else named)
            if fact is not None and fact.ends_round:
                ended += 1

    def differs(self, number: int, what: What, *, found: Fact | None = None, detail: str) -> None:
        found_in = self.ended + 1
        self.result.differences.append(
            Difference(found_in, number, what, found=found, detail=detail)
        )


def events(
    round_no: int, number: int, decided: Sequence[Fact], found: Sequence[Fact]
) -> Iterator[Difference]:
    """The differences between decided and recorded events, one by one and in every field."""
    if tuple(decided) == tuple(found):
        return
    for place, (expected, other) in enumerate(zip_longest(decided, found)):
        if expected != other:
            at = number + min(place, len(found) - 1)
            yield Difference(round_no, at, _what(expected, other), expected, other)


def money(
    round_no: int, number: int, decided: Sequence[Fact], found: Sequence[Fact]
) -> Iterator[Difference]:
    """The differences in what is paid and scored, in order, whatever else the events say."""
    paying = [fact for fact in decided if _coins_moved(fact)]
    paid = [fact for fact in found if _coins_moved(fact)]
    if list(map(_coins_moved, paying)) == list(map(_coins_moved, paid)):
        return
    at = [number + place for place, fact in enumerate(found) if _coins_moved(fact)]
    for expected, other, where in zip_longest(paying, paid, at):
        if _coins_moved(expected) != _coins_moved(other):
            yield Difference(round_no, where or number, _what(expected, other), expected, other)


def _coins_moved(fact: Fact | None) -> tuple[Any, ...]:
    if fact is None:
        return ()
    payments = [(each.payer, each.payee, each.amount) for each in fact.payments if each.amount]
    return (payments, fact.points) if payments or fact.points else ()


def _what(expected: Fact | None, found: Fact | None) -> What:
    if expected is None:
        return "unexpected"
    return "missing" if found is None else "altered"


def explanations(ruleset: Ruleset, facts: Sequence[Fact]) -> Mapping[int, Mapping[str, Any]]:
    """
    The explanations of a history's ended rounds, by round: why each was paid as it was.

    Empty if the rules cannot explain the history: forged events may make no sense at all.
    """
    try:
        explained = ruleset.explain(list(enumerate(facts, 1)))
    except Exception:  # noqa: BLE001 - see above
        return {}
    return {round_["round"]: round_ for round_ in explained}
