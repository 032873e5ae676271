"""Replays every event of a house through a subscriber, on a connection with shadow tables."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from django.db import DatabaseError, transaction

from casino.house.acts.game_streams import loading
from casino.proof.verification.rebuilt_rows import LISTED_MAX, Difference
from casino.proof.verification.shadow import NotShadowed, Shadows
from ledger import journal, storage
from ledger.models import Event, ParkedEvent, Subscription
from ledger.subscriptions import TRANSIENT, StreamVersions, Subscriber

if TYPE_CHECKING:
    from collections.abc import Sequence
    from uuid import UUID

    from casino.proof.verification.left_out import LeftOut
    from ledger.wire import StoredEvent

BATCH: Final = 200  # events that are read together, and handled in one transaction
EVENTS: Final = Event._meta.db_table  # noqa: SLF001 - Django's documented Meta API

Progress = Callable[[int, int], None]
"""Called with (events read so far, events in all), on the thread's own connection."""


def no_progress(_done: int, _of: int) -> None:
    """Report nothing."""


@dataclass(frozen=True, slots=True)
class Reached:
    """How far a subscriber has come: up to `position`, except for the events it has parked."""

    position: int
    parked: frozenset[int] = frozenset()


def position_of(subscriber: Subscriber, house: UUID) -> Reached:
    mine = Subscription.objects.filter(establishment=house, name=subscriber.name)
    parked = ParkedEvent.objects.filter(establishment=house, subscription=subscriber.name)
    position = mine.values_list("position", flat=True).first()
    return Reached(
        -1 if position is None else position,
        frozenset(parked.values_list("position", flat=True)),
    )


@dataclass(slots=True)
class Replay:
    """
    A replay of events, in order, into shadows. Events that the subscriber has parked are hidden, so
    the shadows are what the subscriber's rows should be without them. An event that cannot be
    handled here, although the subscriber has handled it, is a finding; the later events of its
    stream are left out.

    :param aside: what needs the rules of games whose package is missing: those events are not
        replayed, and are no finding.
    """

    subscriber: Subscriber
    shadows: Shadows
    progress: Progress = no_progress
    position: int = -1
    visible: int = -1
    hidden: frozenset[int] = frozenset()
    blocked: set[str] = field(default_factory=set)
    aside: LeftOut | None = None
    _not_read: list[Difference] = field(default_factory=list)

    def follows(self, at: Reached) -> bool:
        """
        Whether the replay can continue to a place. It cannot if the subscriber has moved back, or
        has retried parked events.
        """
        before = {each for each in at.parked if each <= self.position}
        return at.position >= self.position and before == self.hidden

    def through(self, at: Reached) -> None:
        """Replay all events up to the place that a subscriber has reached."""
        self.visible = at.position
        self.shadows.hide(at.parked)
        self.shadows.show(self.visible)
        with loading.read_with_own_cache():
            while events := journal.read(
                establishment=self.shadows.house, after=self.position, limit=BATCH
            ):
                self._take_all(events)
                self.position = events[-1].position
                with self.shadows.out_of_place():
                    self.progress(self.position + 1, at.position + 1)
        self.position, self.hidden = at.position, at.parked

    def _take_all(self, events: Sequence[StoredEvent]) -> None:
        """Handle events together; if one fails, one by one, so that only that one is left out."""
        versions = StreamVersions(self.shadows.house)
        try:
            with (
                transaction.atomic(),
                self.subscriber.handling(self.shadows.house, events) as handle,
            ):
                for event in events:
                    if not self._is_left_out(event):
                        handle(event, versions)
        except TRANSIENT + self.subscriber.transient:
            raise
        except Exception:  # noqa: BLE001 - what it was is seen when it is done again
            with transaction.atomic():
                for event in events:
                    self._take(event)

    def _take(self, event: StoredEvent) -> None:
        if self._is_left_out(event):
            return
        if self._handle(event) is not None and (error := self._as_it_was(event)) is not None:
            self._leave_out(event, error)

    def _is_left_out(self, event: StoredEvent) -> bool:
        apart = self.aside.streams if self.aside is not None else ()
        return event.stream in self.blocked or event.stream in apart

    def _as_it_was(self, event: StoredEvent) -> Exception | None:
        """Handle an event again with all later events hidden, as they may cause the failure."""
        self.shadows.show(event.position)
        try:
            with loading.read_with_own_cache():
                return self._handle(event)
        finally:
            self.shadows.show(self.visible)

    def _handle(self, event: StoredEvent) -> Exception | None:
        """The error with which a handler fails for an event; transient errors are raised."""
        try:
            with transaction.atomic():
                self.subscriber.handle(event, StreamVersions(event.establishment))
        except TRANSIENT + self.subscriber.transient:
            raise
        except Exception as error:
            if isinstance(error, DatabaseError) and self.shadows.vendor.refused(error):
                raise NotShadowed(
                    f"{self.subscriber.name} writes what it does not declare, of an event"
                    f" {event.event_type}: {error}"
                ) from error
            if storage.storage_fault(error):
                raise
            return error
        return None

    @property
    def not_read(self) -> list[Difference]:
        """The first events that could not be handled again, with the number of such streams."""
        return [replace(each, of=len(self.blocked)) for each in self._not_read]

    def _leave_out(self, event: StoredEvent, error: Exception) -> None:
        self.blocked.add(event.stream)
        if len(self._not_read) == LISTED_MAX:
            return
        self._not_read.append(
            Difference(
                follower=self.subscriber.name,
                table=EVENTS,
                what="unreadable",
                key={"stream": event.stream, "position": event.position},
                found={"error": f"{type(error).__name__}: {error}"},
            )
        )
