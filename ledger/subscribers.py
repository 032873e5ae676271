"""Subscribers: who reads the journal, and what a handler is given. See subscriptions.py."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from uuid import UUID

from ledger import journal
from ledger.entries import Entry, NewEvent, NewTransfer
from ledger.wire import StoredEvent


class StreamVersions:
    """
    The versions of streams, counting the entries that this batch has decided but not yet appended.

    Handlers use them as guards, so that several events of one batch may append to one stream.
    """

    def __init__(self, establishment: UUID, streams: Iterable[str] = ()) -> None:
        self.establishment = establishment
        self._announced = frozenset(streams)
        self._known: dict[str, int] = {}
        self._entries: list[Entry] = []

    def __getitem__(self, stream: str) -> int:
        """The version of a stream. The first access reads all announced streams in one query."""
        if stream not in self._known:
            wanted = self._announced - self._known.keys() | {stream}
            self._known |= journal.versions(establishment=self.establishment, streams=wanted)
        return self._known[stream]

    def take(self, entries: Iterable[Entry]) -> None:
        """Add entries that are going to be appended, and count their events."""
        for entry in entries:
            self._entries.append(entry)
            for event in entry.events:
                self._known[event.stream] = self[event.stream] + 1

    def decided(self, stream: str) -> Iterator[tuple[NewEvent, tuple[NewTransfer, ...]]]:
        """The events of a stream that this batch will append, with their transfers."""
        for entry in self._entries:
            for seq, event in enumerate(entry.events):
                if event.stream == stream:
                    yield event, tuple(each for each in entry.transfers if each.event == seq)


Handle = Callable[[StoredEvent, StreamVersions], Sequence[Entry]]
Meet = Callable[[Sequence[StoredEvent]], None]
Batch = Callable[[UUID, Sequence[StoredEvent]], AbstractContextManager[Handle]]


def _touch_nothing(_event: StoredEvent) -> Iterable[str]:
    return ()


def _meet_nothing(_events: Sequence[StoredEvent]) -> None:
    """The default of `meets`, for subscribers that remember nothing."""


def _forget_nothing(_establishment: UUID) -> None:
    """The default of `forget`, for subscribers without rows of their own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Subscriber:
    """
    A subscriber: its name, and what it does with an event.

    `handle` may write rows of its own, in the transaction of the batch, and returns the entries to
    append. It must give them command ids that depend only on the subscriber and the event
    (``uuid5``), so that an event that is handled twice is booked once. `touches` names the streams
    whose versions `handle` will need; they are read in one query per batch. `forget` deletes what a
    disposable projection has written about a house.
    """

    name: str
    handle: Handle
    touches: Callable[[StoredEvent], Iterable[str]] = _touch_nothing
    forget: Callable[[UUID], None] = _forget_nothing
    transient: tuple[type[Exception], ...] = ()
    """
    Exceptions after which a retry helps, besides those of the database: for example the signal of a
    task's time limit, which `handle` does not catch.
    """
    batch: Batch | None = None
    """
    A context manager for subscribers that read and write their rows once per batch. It is entered
    with the events, in the transaction that moves the cursor, and reads the rows. It yields a
    function that handles each event instead of `handle`. On exit it writes the rows. If an event
    fails, the whole batch is rolled back and repeated event by event. For a single event its effect
    is the same as that of `handle`.
    """

    meets: Meet = _meet_nothing
    """
    Called with the events that are about to be handled, so that what the subscriber remembers of
    their streams need not be read again. It gets all events of a command or none. It writes
    nothing.
    """

    def handling(
        self, establishment: UUID, events: Sequence[StoredEvent]
    ) -> AbstractContextManager[Handle]:
        """A context manager that yields the function which handles these events."""
        return nullcontext(self.handle) if self.batch is None else self.batch(establishment, events)
