"""Who follows the journal, and what it is given: see subscriptions.py."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from uuid import UUID

from ledger import journal
from ledger.entries import Entry, NewEvent, NewTransfer
from ledger.wire import StoredEvent


class StreamVersions:
    """
    The versions of streams as they will be when what the batch has decided so far is appended.

    A handler guards with these, so that several events of one batch may touch one stream.
    """

    def __init__(self, establishment: UUID, streams: Iterable[str] = ()) -> None:
        self.establishment = establishment
        self._announced = frozenset(streams)
        self._known: dict[str, int] = {}
        self._entries: list[Entry] = []

    def __getitem__(self, stream: str) -> int:
        """One query for all that were announced, where any of them is asked for."""
        if stream not in self._known:
            wanted = self._announced - self._known.keys() | {stream}
            self._known |= journal.versions(establishment=self.establishment, streams=wanted)
        return self._known[stream]

    def take(self, entries: Iterable[Entry]) -> None:
        """Count the events of entries that are going to be appended."""
        for entry in entries:
            self._entries.append(entry)
            for event in entry.events:
                self._known[event.stream] = self[event.stream] + 1

    def decided(self, stream: str) -> Iterator[tuple[NewEvent, tuple[NewTransfer, ...]]]:
        """A stream's events that wait to be appended with this batch, with their transfers."""
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
    """For subscribers that remember nothing."""


def _forget_nothing(_establishment: UUID) -> None:
    """For subscribers that keep nothing of their own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Subscriber:
    """
    Who follows, and what it does with an event.

    `handle` may write rows of its own (in the transaction of the batch) and answers the entries to
    append; it must give them command ids that depend on nothing but the subscriber and the event
    (``uuid5``), so that what is handled twice is booked once. `touches` names the streams whose
    versions `handle` will ask for; they are read in one query per batch. `forget` empties what a
    disposable projection has written about a house.
    """

    name: str
    handle: Handle
    touches: Callable[[StoredEvent], Iterable[str]] = _touch_nothing
    forget: Callable[[UUID], None] = _forget_nothing
    transient: tuple[type[Exception], ...] = ()
    """Beside the database's: e.g. the signal of a task's time limit, which `handle` lets pass."""
    batch: Batch | None = None
    """
    For who reads and writes its rows once a batch: entered with the events, in the transaction that
    moves the cursor, it reads them; what it yields handles each event, in the place of `handle`;
    left, it writes them. Where an event fails the whole batch is given up, and done again event by
    event. To one event it does what `handle` does.
    """

    meets: Meet = _meet_nothing
    """
    Hears of the events that are about to be handled, so that what it remembers of their streams
    need not be read again: all events of a command, or none of them. It writes nothing.
    """

    def handling(
        self, establishment: UUID, events: Sequence[StoredEvent]
    ) -> AbstractContextManager[Handle]:
        """What handles these events, within."""
        return nullcontext(self.handle) if self.batch is None else self.batch(establishment, events)
