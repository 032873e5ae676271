"""The subscription `surveillance`, which monitors every throw of a house, in batches of events."""

from __future__ import annotations

import uuid
from collections import defaultdict
from contextlib import contextmanager
from math import log10
from typing import TYPE_CHECKING, Any

from celery.exceptions import SoftTimeLimitExceeded
from django.db.models import F, Q

from casino.house.acts.game_streams import catalogue
from casino.house.acts.game_streams.loading import NOT_UNDERSTOOD
from casino.play.dice.surveillance import alarms, stream_monitor
from casino.play.dice.surveillance.alarms import (
    SETTINGS_STREAM,
    SUBSCRIPTION_NAME,
    alpha_of,
    one_in_force,
    one_in_from,
)
from casino.play.dice.surveillance.e_values import discoveries
from casino.play.dice.surveillance.entry_statistics import EntryStatistics
from casino.play.dice.surveillance.leader_comparisons import LeaderCounts
from casino.play.dice.surveillance.models import (
    CurvePoint,
    DiceStream,
    EntryRow,
    Kind,
    LeadRow,
    SealedHand,
)
from casino.play.dice.surveillance.stream_monitor import StreamKey, StreamMonitor
from casino.play.settlement.entries import game_key, on_their_day
from ledger import subscriptions

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from uuid import UUID

    from casino.play.dice.surveillance.stream_monitor import Throw
    from ledger.entries import Entry
    from ledger.subscriptions import Handle, StreamVersions
    from ledger.wire import StoredEvent


# Process a batch of events: read the subscriber's rows once, update them in memory, save them once.
# An event is read completely before any row is updated, so an unreadable event changes nothing. The
# rows depend only on the events and their order, never on where batches end.


ROWS = (DiceStream, CurvePoint, SealedHand, EntryRow, LeadRow)
STREAM_COLUMNS = (
    "throws", "missing", "counts", "before", "log10", "highest", "passed_20", "passed_100",
    "passed_1000", "change", "state", "last_position", "alarm",
)  # fmt: skip


@contextmanager
def batch(establishment: UUID, events: Sequence[StoredEvent]) -> Iterator[Handle]:
    """Yield the handler of the events of a batch; afterwards save the rows."""
    processor = BatchProcessor(establishment, events)
    yield on_their_day(processor.handle)
    processor.save()


class BatchProcessor:
    """The rows that a batch may change, and how its events change them."""

    def __init__(self, establishment: UUID, events: Sequence[StoredEvent]) -> None:
        self.establishment = establishment
        self.throws_read = dict(_readable_throws(events))
        self.sealed_hands = self._load_sealed_hands(events)
        self.names_by_kind = _names_by_kind(
            self.throws_read.values(),
            [hand for hand in self.sealed_hands.values() if hand is not None],
            alarms.stream_keys(events),
        )
        self.monitors = self._load_monitors()
        self.loaded_with_throws = sum(1 for each in self.monitors.values() if each.row.throws)
        self.alpha = alpha_of(one_in_force(establishment, events[0].position))
        self.entry_statistics = EntryStatistics(establishment, self.throws_read.values(), events)
        self.leader_counts = LeaderCounts(establishment, self.throws_read, events)
        self._other_streams: tuple[int, dict[str, float]] | None = None

    def handle(self, event: StoredEvent, _versions: StreamVersions) -> Sequence[Entry]:
        """Update the rows with an event, and return the alarms that it raises."""
        if event.event_type == alarms.RAISED:
            self._monitor(alarms.key_of(event.data)).row.alarm = event.data["cause"]
        elif event.event_type == alarms.ACKNOWLEDGED:
            self._monitor(alarms.key_of(event.data)).reset()
        elif event.stream == SETTINGS_STREAM:
            self.alpha = alpha_of(one_in_from(event))
            self._other_streams = None
        elif event.position in self.throws_read:
            return self._handle_throw(event, self.throws_read[event.position])
        elif event.event_type in stream_monitor.readers():  # unreadable: raises the reason
            stream_monitor.read_throws(event)
        elif catalogue.is_missing(event):  # parked until its game is installed again
            raise catalogue.not_installed(event)
        else:
            self.entry_statistics.add_event(event)
            self.leader_counts.add_event(event)
        return ()

    def save(self) -> None:
        """Save the changed rows, with one query for each table."""
        changed = [each for each in self.monitors.values() if each.changed]
        for each in changed:
            if each.thinned_to_step:
                self._thin_curve(each)
        self._upsert(
            DiceStream,
            ("kind", "name", "sides"),
            STREAM_COLUMNS,
            [each.to_row() for each in changed],
        )
        CurvePoint.objects.bulk_create([point for each in changed for point in each.new_points])
        self.entry_statistics.save()
        self.leader_counts.save()
        self._save_sealed_hands()

    # --- A throw

    def _handle_throw(self, event: StoredEvent, throw: Throw) -> Sequence[Entry]:
        self.entry_statistics.add_throw(event, throw)
        self.leader_counts.add_event(event)
        self._count_unseen(event, throw)
        alarming = []
        for sides, faces in throw.faces.items():
            for kind, name in _streams_of_throw(throw):
                monitor = self._monitor(StreamKey(kind, name, sides))
                monitor.update(faces, event.position)
                if monitor.row.alarm is None and (by := alarms.cause_of(monitor, self)):
                    alarming.append((monitor, by))
        if not alarming:
            return ()
        for monitor, _by in alarming:
            monitor.row.alarm = event.position
        streams = self._stream_count()
        return [alarms.entry_of_alarms(event, alarming, streams=streams, alpha=self.alpha)]

    def _count_unseen(self, event: StoredEvent, throw: Throw) -> None:
        """Count dice without a face as missing; sealed ones until they are revealed."""
        key = game_key(event)
        recorded = throw.recorded
        if key is not None and recorded.opens:
            self._count_revealed(key.game, recorded.player)
        for sides, dice in throw.unseen.items():
            for kind, name in _streams_of_throw(throw):
                self._monitor(StreamKey(kind, name, sides)).add_missing(dice)
        if key is not None and recorded.seals:
            self.sealed_hands[key.game, recorded.player] = SealedHand(
                establishment_id=self.establishment,
                game=key.game,
                player=recorded.player,
                table=throw.table,
                dice_set=throw.dice_set,
                attendant=throw.attendant,
            )

    def _count_revealed(self, game: UUID, player: str) -> None:
        """Count the dice of a sealed hand as missing no longer; only the first reveal does so."""
        hand = self.sealed_hands.get((game, player))
        if hand is None:
            return
        self.sealed_hands[game, player] = None
        for kind, name in _streams_of_sealed_hand(hand):
            for sides in stream_monitor.DIE_SIZES:
                self._monitor(StreamKey(kind, name, sides)).add_missing(-1)

    @property
    def log10_threshold(self) -> float:
        """log10(1/alpha): with less evidence no stream is called unfair, however many there are."""
        return -log10(self.alpha)

    def unfair_streams(self) -> set[str]:
        """
        e-BH over all streams of the house, as of now.

        Streams below `log10_threshold` cannot be selected; only their number matters.
        """
        count, high = self._untouched_streams()
        here = {str(each.row): each.row.log10 for each in self.monitors.values() if each.row.throws}
        low = {f"low {number}": -1.0 for number in range(count - len(high))}
        return discoveries({**low, **high, **here}, self.alpha)

    def _stream_count(self) -> int:
        count, _high = self._untouched_streams()
        return count + sum(1 for each in self.monitors.values() if each.row.throws)

    def _untouched_streams(self) -> tuple[int, dict[str, float]]:
        """The number of streams outside the batch; the evidence of those above the threshold."""
        if self._other_streams is None:
            rows = DiceStream.objects.filter(establishment=self.establishment, throws__gt=0)
            high = rows.filter(log10__gte=self.log10_threshold)
            here = {str(each.row) for each in self.monitors.values()}
            others = {str(row): row.log10 for row in high if str(row) not in here}
            self._other_streams = (rows.count() - self.loaded_with_throws, others)
        return self._other_streams

    # --- Rows

    def _monitor(self, key: StreamKey) -> StreamMonitor:
        """The monitor of a stream. All rows of the batch are loaded, so a missing one is new."""
        if key not in self.monitors:
            if key.name not in self.names_by_kind[key.kind]:
                raise LookupError(f"{key} was not read for this batch.")
            self.monitors[key] = StreamMonitor.new(self.establishment, key)
        return self.monitors[key]

    def _load_monitors(self) -> dict[StreamKey, StreamMonitor]:
        if not self.names_by_kind:
            return {}
        condition = Q()
        for kind, names in self.names_by_kind.items():
            condition |= Q(kind=kind, name__in=names)
        rows = DiceStream.objects.filter(condition, establishment=self.establishment)
        return {monitor.key: monitor for monitor in map(StreamMonitor.from_row, rows)}

    def _load_sealed_hands(
        self, events: Sequence[StoredEvent]
    ) -> dict[tuple[UUID, str], SealedHand | None]:
        games = {
            uuid.UUID(event.stream.partition("/")[2])
            for event in events
            if event.position in self.throws_read
            and self.throws_read[event.position].recorded.opens
        }
        if not games:
            return {}
        rows = SealedHand.objects.filter(establishment=self.establishment, game__in=games)
        return {(row.game, row.player): row for row in rows}

    def _save_sealed_hands(self) -> None:
        revealed = [key for key, row in self.sealed_hands.items() if row is None]
        for game, player in revealed:
            SealedHand.objects.filter(
                establishment=self.establishment, game=game, player=player
            ).delete()
        rows = [row for row in self.sealed_hands.values() if row is not None]
        self._upsert(SealedHand, ("game", "player"), ("table", "dice_set", "attendant"), rows)

    def _thin_curve(self, monitor: StreamMonitor) -> None:
        points = CurvePoint.objects.filter(
            establishment=self.establishment, **monitor.key._asdict()
        ).annotate(remainder=F("mark") % monitor.thinned_to_step)
        points.filter(remainder__gt=0).delete()

    def _upsert(
        self, model: Any, key_columns: Iterable[str], columns: Iterable[str], rows: list[Any]
    ) -> None:
        model.objects.bulk_create(
            rows,
            update_conflicts=True,
            unique_fields=["establishment", *key_columns],
            update_fields=list(columns),
        )


def _streams_of_throw(throw: Throw) -> list[tuple[str, str]]:
    """The streams that a throw belongs to, as kind and name."""
    streams = [
        (Kind.HOUSE.value, ""),
        (Kind.SET.value, throw.dice_set),
        (Kind.TABLE.value, throw.table),
        (Kind.ATTENDANT.value, throw.attendant),
    ]
    if throw.recorded.player:
        streams.append((Kind.PLAYER.value, throw.recorded.player))
    return streams


def _readable_throws(events: Sequence[StoredEvent]) -> Iterator[tuple[int, Throw]]:
    """The throws among events, by position, without those that cannot be read."""
    for event in events:
        try:
            throw = stream_monitor.read_throws(event)
        except NOT_UNDERSTOOD:
            continue
        if throw is not None:
            yield event.position, throw


def _streams_of_sealed_hand(hand: SealedHand) -> list[tuple[str, str]]:
    """The streams in which the dice of a sealed hand are missing, as kind and name."""
    return [
        (Kind.HOUSE.value, ""),
        (Kind.SET.value, hand.dice_set),
        (Kind.TABLE.value, hand.table),
        (Kind.ATTENDANT.value, hand.attendant),
        (Kind.PLAYER.value, hand.player),
    ]


def _names_by_kind(
    read: Iterable[Throw], hands: Iterable[SealedHand], keys: Iterable[StreamKey]
) -> dict[str, set[str]]:
    """The names of the streams that a batch may change, by kind."""
    names: dict[str, set[str]] = defaultdict(set)
    for streams in (*map(_streams_of_throw, read), *map(_streams_of_sealed_hand, hands)):
        for kind, name in streams:
            names[kind].add(name)
    for key in keys:
        names[key.kind].add(key.name)
    return names


def handle(event: StoredEvent, versions: StreamVersions) -> Sequence[Entry]:
    """Process a single event, as a batch of one."""
    with batch(event.establishment, [event]) as taken:
        return taken(event, versions)


def forget(establishment: UUID) -> None:
    for model in ROWS:
        model._default_manager.filter(establishment=establishment).delete()  # noqa: SLF001


SURVEILLANCE = subscriptions.Subscriber(
    name=SUBSCRIPTION_NAME,
    handle=handle,
    forget=forget,
    transient=(SoftTimeLimitExceeded,),
    batch=batch,
)
