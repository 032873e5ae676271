"""The exclusions and limits of a house (P1), folded from its stream ``exclusions``."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field, replace
from datetime import date
from typing import TYPE_CHECKING, Any, Final

from django.db import connection

from casino.engine.databases import sessions
from casino.words.languages.locales import figures_of_day
from ledger import journal
from ledger.canonical import read_moment

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime
    from uuid import UUID

    from ledger.wire import StoredEvent

STREAM: Final = "exclusions"


@dataclass(frozen=True, slots=True)
class Bar:
    """The period of an exclusion: gaming days, both included; `until` None: until readmitted."""

    since: date
    until: date | None

    def holds(self, day: date) -> bool:
        return self.since <= day and (self.until is None or day <= self.until)

    @property
    def figures(self) -> tuple[str, str]:
        """Its first and last day as people read them; "" for a last day that is not known."""
        return figures_of_day(self.since), figures_of_day(self.until) if self.until else ""


@dataclass(frozen=True, slots=True)
class Limit:
    """
    How many coins a player may pay in on a day, in a week or in a month; None: any number.

    :param then: what holds from the moment `since` on; without that moment, nothing is to change.
    """

    most: int | None
    then: int | None = None
    since: datetime | None = None

    def at(self, now: datetime) -> int | None:
        return self.then if self.since is not None and self.since <= now else self.most


Limits = dict[str, Limit]
"""By span: ``day``, ``week``, ``month``."""


def read_limits(data: Mapping[str, Any]) -> Limits:
    """Limits as an event has them."""
    return {
        span: Limit(
            each["most"], each["then"], read_moment(each["since"]) if each["since"] else None
        )
        for span, each in data.items()
    }


@dataclass(frozen=True, slots=True)
class ExclusionState:
    """The exclusions and limits of a house, as of a version of its stream. Players are tokens."""

    version: int = 0
    bars: Mapping[str, Bar] = field(default_factory=dict)
    apart: frozenset[tuple[str, str]] = frozenset()
    """(excluded, other): pairs whose names read alike, but who are two people."""
    limits: Mapping[str, Limits] = field(default_factory=dict)
    """Of those who have some, or will have, or had until their removal took effect."""

    def on(self, day: date) -> dict[str, Bar]:
        return {player: bar for player, bar in self.bars.items() if bar.holds(day)}


class Memory:
    """A cache of each house's exclusions, so that seating people only reads new events."""

    def __init__(self) -> None:
        self._known: dict[UUID, ExclusionState] = {}
        self._lock = threading.Lock()

    def of(self, establishment: UUID) -> ExclusionState:
        with self._lock:
            return self._known.get(establishment, ExclusionState())

    def keep(self, establishment: UUID, standing: ExclusionState) -> None:
        with self._lock:
            if standing.version > self._known.get(establishment, ExclusionState()).version:
                self._known[establishment] = standing

    def forget(self) -> None:
        with self._lock:
            self._known.clear()


MEMORY = Memory()
sessions.forgets(MEMORY.forget)


def exclusion_state_of(establishment: UUID) -> ExclusionState:
    """The current exclusions of a house, from the ledger; one query."""
    session, known = sessions.session_count(), MEMORY.of(establishment)
    events = journal.stream(establishment=establishment, stream=STREAM, after_version=known.version)
    if (
        session != sessions.session_count()
    ):  # it began with this query, and what is known is from before
        return exclusion_state_of(establishment)
    now = fold(known, events)
    if not connection.in_atomic_block:  # within a transaction, events may still be rolled back
        MEMORY.keep(establishment, now)
    return now


def fold(before: ExclusionState, events: Sequence[StoredEvent]) -> ExclusionState:
    bars, apart, limits = dict(before.bars), set(before.apart), dict(before.limits)
    for event in events:
        data = event.data
        match event.event_type:
            case "player.excluded":
                since, until = data["since"], data["until"]
                ends = date.fromisoformat(until) if until else None
                bars[data["player"]] = Bar(date.fromisoformat(since), ends)
            case "player.readmitted":
                bars.pop(data["player"], None)
            case "player.told_apart":
                apart.add((data["player"], data["other"]))
            case "player.limited":
                limits[data["player"]] = read_limits(data["limits"])
    version = events[-1].stream_version if events else before.version
    return replace(before, version=version, bars=bars, apart=frozenset(apart), limits=limits)
