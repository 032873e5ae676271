"""
The course of a game: for each event that stands (is not voided), some figures of the game after it.

It is a trail (`games.game_session`): it only grows, and a void goes back on it. The figures after
an event are found at once, however long the game is, and a round is read without the rounds before
it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from games.game_session import Step, extend_trail, find_step
from games.messages import TableEvent, Voided
from games.payments import POT, balance

if TYPE_CHECKING:
    from collections.abc import Iterator

    from games.messages import Fact

Home = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class CountedEvent:
    """
    An event that stands, and the game after it.

    :param ended: how many rounds have ended.
    :param pot: whole coins in the pot.
    :param homes: the home throws in force, each sorted, in the order in which they came.
    """

    fact: Fact
    ended: int
    pot: int
    homes: tuple[Home, ...]


Course = Step[CountedEvent] | None
"""The course of a game: its last event that stands, or None if no event stands."""


def after(last: Course, number: int, fact: Fact) -> Course:
    """The course with one more event; it has the same events as `games.messages.live`."""
    if isinstance(fact, Voided):
        return find_step(last, fact.back_to - 1, near=True)
    if isinstance(fact, TableEvent):
        return last
    ended, pot, homes = (
        (last.value.ended, last.value.pot, last.value.homes) if last is not None else (0, 0, ())
    )
    value = CountedEvent(
        fact=fact,
        ended=ended + fact.ends_round,
        pot=pot + balance(POT, fact.payments),
        homes=tuple(dict.fromkeys((*homes, *_in_force(fact)))),
    )
    return extend_trail(last, number, value)


def back_to(last: Course, number: int) -> Iterator[Step[CountedEvent]]:
    """The events that stand, newest first, down to the event of this number."""
    while last is not None and last.number >= number:
        yield last
        last = last.before


def of_round(end: Step[CountedEvent]) -> list[Step[CountedEvent]]:
    """The standing events of the round that ended with this event, in order."""
    mine = [end]
    last = end.before
    while last is not None and not last.value.fact.ends_round:
        mine.append(last)
        last = last.before
    return mine[::-1]


def throwers(end: Course) -> list[str]:
    """Who threw in the round that ended with this event, sorted."""
    facts = [step.value.fact for step in of_round(end)] if end is not None else []
    throws = [fact for fact in facts if fact.is_throw]
    return sorted({fact.player for fact in throws if hasattr(fact, "player")})


def _in_force(fact: Fact) -> tuple[Home, ...]:
    """The home throws that a fact brings into force, sorted."""
    settled = getattr(fact, "home", None)
    return (settled,) if isinstance(settled, tuple) else tuple(getattr(fact, "homes", ()))
