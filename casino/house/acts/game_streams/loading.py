"""Loading games: each is folded from its stream, and kept in memory while it runs."""

from __future__ import annotations

import logging
import math
import threading
from collections import OrderedDict
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final
from uuid import UUID

from casino.engine.databases import sessions
from casino.house.acts.game_streams import catalogue, course
from casino.house.acts.game_streams.catalogue import GameNotInstalled
from games.messages import Voided, live
from games.payments import ROLLOVER
from games.refusals import Malformed, NoGame, Refused
from games.reporting import Kept
from games.wire import UnknownEventType
from ledger import journal, recent

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, MutableMapping, Sequence

    from casino.house.acts.game_streams.course import Course
    from games.game import History, Ruleset
    from games.messages import Fact
    from games.session import GameSession
    from ledger.wire import StoredEvent


logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class GameKey:
    """A game of a house; its stream in the ledger."""

    establishment: UUID
    game: UUID

    @property
    def stream(self) -> str:
        return f"game/{self.game}"

    @property
    def settlement(self) -> str:
        """The stream of the game that only settlement writes."""
        return f"settlement/{self.game}"


@dataclass(frozen=True)
class Loaded:
    """
    A loaded game: its events and facts, and the state that they lead to.

    :param courses: for each event, the course of the game up to and including it.
    :param kept: cache of the game's report (`view`).
    """

    key: GameKey
    ruleset: Ruleset
    events: tuple[StoredEvent, ...]
    facts: tuple[Fact, ...]
    state: GameSession[Any]
    courses: tuple[Course, ...]
    kept: Kept = field(default_factory=Kept, compare=False)

    @property
    def version(self) -> int:
        return len(self.events)

    @cached_property
    def history(self) -> Sequence[tuple[int, Fact]]:
        return tuple(enumerate(self.facts, start=1))

    @property
    def position(self) -> int:
        """The position of the game's last event in the house's ledger."""
        return self.events[-1].position

    @property
    def opening(self) -> StoredEvent:
        return self.events[0]

    @property
    def place(self) -> dict[str, str]:
        """The table at which the game is played, and the dice set that it has now."""
        return {"table": self.opening.data["table"], "dice_set": self.state.dice_set}

    @property
    def unit(self) -> int:
        """What a point of the game is worth, in coins (G11)."""
        worth: int = self.opening.data["options"].get("unit", 1)
        return worth

    @property
    def stakes(self) -> Mapping[str, int]:
        """The stake of each player who ever sat down, by token, as in the report."""
        stakes: Mapping[str, int] = self.state.inner.stakes
        return stakes

    @property
    def closed(self) -> bool:
        return self.ruleset.decider.is_terminal(self.state)

    @cached_property
    def live(self) -> Sequence[tuple[int, Fact]]:
        """The events that stand: events that a void cancelled are left out (G4)."""
        return tuple(live(self.history))

    def recorders(self, number: int) -> set[str]:
        """
        The ids of who recorded an event, for what only somebody else may decide (C1).

        What a change enters again was recorded by whoever carried the change out, and comes from
        whoever asked for it: neither judges it. Empty if there is no such event.
        """
        if not 1 <= number <= self.version:
            return set()
        recorded = self.events[number - 1].provenance
        found = {recorded.actor}
        for event, fact in zip(self.events[:number], self.facts, strict=False):
            of_it = event.provenance.command_id == recorded.command_id
            if of_it and isinstance(fact, Voided) and fact.corrected:
                found.add(fact.asked_by)
        return found

    @cached_property
    def rolled(self) -> Sequence[int]:
        """
        The standing events that may have changed the house's rollover, by number.

        These events moved coins to or from the rollover, or ended the game. The opening is left
        out, because it is never voided.
        """
        numbers = {
            number
            for number, fact in self.live
            for each in fact.payments
            if ROLLOVER in {each.payer, each.payee}
        }
        if self.closed:
            numbers.add(max(number for number, fact in self.live if not fact.is_cash))
        return tuple(sorted(numbers - {1}))

    @cached_property
    def view(self) -> dict[str, Any]:
        """The rules' report of the game, with tokens. Shared by all callers: do not change it."""
        return self.ruleset.view(self.history, session=self.state, kept=self.kept)

    def with_events(self, events: Sequence[StoredEvent]) -> Loaded:
        if not events:
            return self
        facts = tuple(catalogue.fact_of_event(self.ruleset, event) for event in events)
        courses, last = [], self.courses[-1] if self.courses else None
        for number, fact in enumerate(facts, self.version + 1):
            last = course.after(last, number, fact)
            courses.append(last)
        return Loaded(
            self.key,
            self.ruleset,
            (*self.events, *events),
            (*self.facts, *facts),
            self.ruleset.decider.fold(facts, self.state),
            (*self.courses, *courses),
            self.kept,
        )


class Memory:
    """
    A cache of the games used last, so that a command only folds the events that came since.

    :param most: how many events all games in the cache may have together.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._events = 0
        self._games: OrderedDict[GameKey, Loaded] = OrderedDict()
        self._lock = threading.Lock()

    def recall(self, key: GameKey) -> Loaded | None:
        with self._lock:
            if key in self._games:
                self._games.move_to_end(key)
            return self._games.get(key)

    def keep(self, loaded: Loaded) -> None:
        with self._lock:
            known = self._games.get(loaded.key)
            if known is None or known.version < loaded.version:
                self._games[loaded.key] = loaded
                self._events += loaded.version - (known.version if known else 0)
            while self._events > self._most and len(self._games) > 1:
                _key, longest_ago = self._games.popitem(last=False)
                self._events -= longest_ago.version

    def forget(self) -> None:
        with self._lock:
            self._games.clear()
            self._events = 0


EVENTS_KEPT: Final = 5_000
MEMORY = Memory(EVENTS_KEPT)
sessions.forgets(MEMORY.forget)
_OWN_CACHE: ContextVar[Memory | None] = ContextVar("games loaded apart", default=None)


@contextmanager
def read_with_own_cache(most: int = EVENTS_KEPT) -> Iterator[None]:
    """
    Load games within this context with a cache of their own, and not from the process's memory.

    Each game is read from the database once. This is for checks of what the database has, in a
    transaction that sees a ledger which does not change.

    :param most: how many events the cache may have.
    """
    before = _OWN_CACHE.set(Memory(most))
    try:
        yield
    finally:
        _OWN_CACHE.reset(before)


def remembers(key: GameKey) -> bool:
    """Whether this process has the game in memory, so that the house certainly has the game."""
    return MEMORY.recall(key) is not None


def load(key: GameKey, *, through: int | None = None) -> Loaded:
    """
    Load a game: its state, folded from its stream.

    :param through: an event of the stream, for a caller that reads the ledger in order and has come
        to this event: a cached game that has this event is used as it is. None: with all events
        that the stream has now.
    :raises NoGame: if the house has no such game.
    """
    apart = _OWN_CACHE.get()
    memory = apart or MEMORY
    session, known = sessions.session_count(), memory.recall(key)
    if known is not None and (apart is not None or known.version >= (through or math.inf)):
        return known
    version = known.version if known else 0
    events = journal.stream(
        establishment=key.establishment, stream=key.stream, after_version=version
    )
    if (
        session != sessions.session_count()
    ):  # it began with this query, and what is known is from before
        return load(key, through=through)
    loaded = known.with_events(events) if known else _first_loaded(key, events)
    memory.keep(loaded)
    return loaded


def meet(events: Sequence[StoredEvent]) -> None:
    """
    Add events that were read anyway to the games in memory, so they need not be read again.

    :param events: in order; either all or none of a command, so no game in memory ends within one.
    """
    memory = _OWN_CACHE.get() or MEMORY
    came: dict[GameKey, list[StoredEvent]] = {}
    for event in events:
        area, _, game = event.stream.partition("/")
        if area == "game":
            came.setdefault(GameKey(event.establishment, UUID(game)), []).append(event)
    for key, news in came.items():
        known = memory.recall(key)
        if known is not None and known.version == news[0].stream_version - 1:
            try:
                memory.keep(known.with_events(news))
            except NOT_UNDERSTOOD:  # whoever handles the event reports the failure
                continue


def load_through(key: GameKey, number: int) -> Loaded:
    """
    A game with its first `number` events, read from the database and not kept in memory.

    So the part before an event that cannot be folded can still be read.

    :raises NoGame: if the house has no such game.
    """
    events = journal.stream(establishment=key.establishment, stream=key.stream)
    return _first_loaded(key, events[:number])


NOT_UNDERSTOOD: Final = (
    ArithmeticError, AssertionError, AttributeError, LookupError, Malformed, Refused, TypeError,
    UnknownEventType, ValueError,
)  # fmt: skip
"""The exceptions of folding an event that the installed rules cannot have written. Other exceptions
(a database that fails, a task whose time is up) are not about the event, and are raised.
"""


def readable(key: GameKey) -> Loaded | None:
    """
    A game of the house; None (and a line in the log) if one of its events cannot be folded.

    One poisoned event must not keep a house from closing its day, or from counting other tables.
    """
    try:
        return load(key)
    except NOT_UNDERSTOOD:
        logger.exception("game %s of %s is not understood", key.game, key.establishment)
        return None


def load_all(establishment: UUID, games: Iterable[UUID]) -> dict[UUID, Loaded]:
    """Games of a house, loaded in one query; one that cannot be folded is left out."""
    memory = _OWN_CACHE.get() or MEMORY
    games, session = tuple(games), sessions.session_count()
    known = {game: memory.recall(GameKey(establishment, game)) for game in games}
    versions = {
        GameKey(establishment, game).stream: loaded.version if loaded else 0
        for game, loaded in known.items()
    }
    came = recent.after(establishment, versions)
    if session != sessions.session_count():
        return load_all(establishment, games)
    found: dict[UUID, Loaded] = {}
    for game, before in known.items():
        key = GameKey(establishment, game)
        events = came.get(key.stream, [])
        try:
            loaded = before.with_events(events) if before else _first_loaded(key, events)
        except NOT_UNDERSTOOD:
            logger.exception("game %s of %s is not understood", game, establishment)
            continue
        memory.keep(loaded)
        found[game] = loaded
    return found


def _first_loaded(key: GameKey, events: Sequence[StoredEvent]) -> Loaded:
    if not events:
        raise NoGame(f"This house has no game {key.game}.")
    ruleset = catalogue.ruleset_of(events[0])
    empty = Loaded(key, ruleset, (), (), ruleset.decider.initial, ())
    return empty.with_events(events)


# --- Histories of games, which are not kept in memory ---------------------------------------------


AT_ONCE: Final = 10  # games in one query, and so in memory at the same time


@dataclass(frozen=True)
class GameHistory:
    """:param positions: the positions of the game's events in the house's ledger."""

    key: GameKey
    ruleset: Ruleset
    positions: Sequence[int]
    facts: Sequence[Fact]

    @cached_property
    def history(self) -> History:
        return tuple(enumerate(self.facts, start=1))


def histories(
    establishment: UUID,
    games: Sequence[UUID],
    through: int,
    missing: MutableMapping[UUID, GameNotInstalled],
) -> Iterator[GameHistory]:
    """
    The histories of games up to a position of the house's ledger; nothing is kept in memory.

    A game that had not begun by then is left out. A game whose rules are not installed is left out
    too, and put into `missing`.
    """
    for start in range(0, len(games), AT_ONCE):
        keys = [GameKey(establishment, game) for game in games[start : start + AT_ONCE]]
        contents = recent.contents(establishment, [key.stream for key in keys], through)
        for key in keys:
            if events := contents.pop(key.stream, None):
                try:
                    ruleset = catalogue.ruleset_of(events[0])
                except GameNotInstalled as not_here:
                    missing[key.game] = not_here
                    continue
                facts = tuple(catalogue.fact_of_event(ruleset, event) for event in events)
                yield GameHistory(key, ruleset, [event.position for event in events], facts)
