"""Games as they are loaded: folded from their streams, and remembered while they run."""

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

from casino.game_streams import catalogue, course
from games.history import live
from games.payments import ROLLOVER
from games.refusals import Malformed, NoGame, Refused
from games.reporting import Kept
from games.wire import UnknownEventType
from ledger import journal, recent

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from casino.game_streams.course import Course
    from games.game import Ruleset
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
        """The stream that settlement writes and nobody else."""
        return f"settlement/{self.game}"


@dataclass(frozen=True)
class Loaded:
    """
    A game folded: with the state that its events lead to.

    :param courses: of each event, the course of the game through it.
    :param kept: what was told of it before, to be told again.
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
        """Of the game's last event in the house's ledger."""
        return self.events[-1].position

    @property
    def opening(self) -> StoredEvent:
        return self.events[0]

    @property
    def place(self) -> dict[str, str]:
        """Where it is played, and with which dice now."""
        return {"table": self.opening.data["table"], "dice_set": self.state.dice_set}

    @property
    def stakes(self) -> Mapping[str, int]:
        """What lies before each player who ever sat down, by token, as the report has it."""
        stakes: Mapping[str, int] = self.state.inner.stakes
        return stakes

    @property
    def closed(self) -> bool:
        return self.ruleset.decider.is_terminal(self.state)

    @cached_property
    def live(self) -> Sequence[tuple[int, Fact]]:
        """The events that count: what a void cancelled is left out (G4)."""
        return tuple(live(self.history))

    @cached_property
    def rolled(self) -> Sequence[int]:
        """
        The standing events that may have changed what the house's rollover holds: coins moved to or
        from it, or the game ended. Not the opening's: it is never voided.
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
        """The rules' report, with tokens. Shared by all who ask: not to be changed."""
        return self.ruleset.view(self.history, session=self.state, kept=self.kept)

    def with_events(self, events: Sequence[StoredEvent]) -> Loaded:
        if not events:
            return self
        facts = tuple(catalogue.recalled(self.ruleset, event) for event in events)
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
    The games last looked at, so that a command folds only what came since.

    :param most: events that all of them together may have, however long or many they are.
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
_APART: ContextVar[Memory | None] = ContextVar("games loaded apart", default=None)


@contextmanager
def reading_apart(most: int = EVENTS_KEPT) -> Iterator[None]:
    """
    What is loaded within is read from the database that is asked there, once, and remembered by
    nobody else: for who checks what the database has, whatever this process may remember of it, and
    to whom it shows a ledger that stands still.

    :param most: events that are remembered within.
    """
    before = _APART.set(Memory(most))
    try:
        yield
    finally:
        _APART.reset(before)


def remembers(key: GameKey) -> bool:
    """Whether this process knows that the house has the game."""
    return MEMORY.recall(key) is not None


def load(key: GameKey, *, through: int | None = None) -> Loaded:
    """
    A game's state, folded from its stream.

    :param through: an event of its stream for who reads the ledger from the beginning and has come
        to that one: what is remembered will do, if it knows as much. None: all that it has now.
    :raises NoGame: if the house has no such game.
    """
    apart = _APART.get()
    memory = apart or MEMORY
    known = memory.recall(key)
    if known is not None and (apart is not None or known.version >= (through or math.inf)):
        return known
    version = known.version if known else 0
    events = journal.stream(
        establishment=key.establishment, stream=key.stream, after_version=version
    )
    loaded = known.with_events(events) if known else _first_loaded(key, events)
    memory.keep(loaded)
    return loaded


def meet(events: Sequence[StoredEvent]) -> None:
    """
    Remember of games what is read anyway: whoever follows the ledger need not ask for it again.

    :param events: in order; of a command all or none. A game is never remembered in mid-command.
    """
    memory = _APART.get() or MEMORY
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
            except NOT_UNDERSTOOD:  # whoever handles it says so
                continue


def load_through(key: GameKey, number: int) -> Loaded:
    """
    A game as its first events left it, read anew and remembered by nobody: of one with an event
    that is not understood, what lies before it is.

    :raises NoGame: if the house has no such game.
    """
    events = journal.stream(establishment=key.establishment, stream=key.stream)
    return _first_loaded(key, events[:number])


NOT_UNDERSTOOD: Final = (
    ArithmeticError, AssertionError, AttributeError, LookupError, Malformed, Refused, TypeError,
    UnknownEventType, ValueError,
)  # fmt: skip
"""What reading an event raises that no rules here have written. A database that fails, or a task
whose time is up, says nothing of the event: it is raised, and what was asked is done another time.
"""


def readable(key: GameKey) -> Loaded | None:
    """
    A game of the house; None where an event of it is not understood, which is logged: one poisoned
    event must not keep a house from closing its day, or other tables from being counted.
    """
    try:
        return load(key)
    except NOT_UNDERSTOOD:
        logger.exception("game %s of %s is not understood", key.game, key.establishment)
        return None


def load_all(establishment: UUID, games: Iterable[UUID]) -> dict[UUID, Loaded]:
    """Games of a house as `readable` has each, in one query; what is not understood is left out."""
    memory = _APART.get() or MEMORY
    known = {game: memory.recall(GameKey(establishment, game)) for game in games}
    versions = {
        GameKey(establishment, game).stream: loaded.version if loaded else 0
        for game, loaded in known.items()
    }
    came = recent.after(establishment, versions)
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
    ruleset = catalogue.pinned(events[0])
    empty = Loaded(key, ruleset, (), (), ruleset.decider.initial, ())
    return empty.with_events(events)
