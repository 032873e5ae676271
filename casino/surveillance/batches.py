"""
The subscriber's rows for the time of one batch: read once before it, written once behind it.

An event is read whole before anything is noted of it, so that one that cannot be read leaves
nothing. What is noted depends on the events and their order alone, never on where batches end.
"""

from __future__ import annotations

import uuid
from collections import defaultdict
from contextlib import contextmanager
from math import log10
from typing import TYPE_CHECKING, Any

from django.db.models import F, Q

from casino.game_streams import catalogue
from casino.game_streams.loading import NOT_UNDERSTOOD
from casino.settlement.effects import on_their_day
from casino.settlement.entries import game_key
from casino.surveillance import alarms, causes, levels, throws
from casino.surveillance.entries import Entries
from casino.surveillance.evidence import discoveries
from casino.surveillance.leaders import Leads
from casino.surveillance.models import (
    CurvePoint,
    DiceStream,
    EntryRow,
    Kind,
    LeadRow,
    SealedHand,
)
from casino.surveillance.watching import Key, Watch

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from uuid import UUID

    from casino.surveillance.throws import Throw
    from ledger.entries import Entry
    from ledger.subscriptions import Handle, StreamVersions
    from ledger.wire import StoredEvent

ROWS = (DiceStream, CurvePoint, SealedHand, EntryRow, LeadRow)
KEPT = ("throws", "missing", "counts", "before", "log10", "highest", "passed_20", "passed_100",
        "passed_1000", "change", "state", "last_position", "alarm")  # fmt: skip


@contextmanager
def batch(establishment: UUID, events: Sequence[StoredEvent]) -> Iterator[Handle]:
    """What handles the events of a batch; behind it the rows are written."""
    working = Working(establishment, events)
    yield on_their_day(working.handle)
    working.save()


class Working:
    def __init__(self, establishment: UUID, events: Sequence[StoredEvent]) -> None:
        self.establishment = establishment
        self.read = dict(_readable(events))
        self.sealed = self._sealed(events)
        hands = [hand for hand in self.sealed.values() if hand is not None]
        self.names = _names(self.read.values(), hands, alarms.concerned(events))
        self.watches = self._watches()
        self.stored = sum(1 for each in self.watches.values() if each.row.throws)
        self.alpha = levels.alpha_of(levels.in_force(establishment, events[0].position))
        self.entries = Entries(establishment, self.read.values(), events)
        self.leads = Leads(establishment, self.read, events)
        self._others: tuple[int, dict[str, float]] | None = None

    def handle(self, event: StoredEvent, _versions: StreamVersions) -> Sequence[Entry]:
        """Take an event into the rows; answer the alarms that it raises."""
        if event.event_type == alarms.RAISED:
            self._watch(alarms.key_of(event.data)).row.alarm = event.data["cause"]
        elif event.event_type == alarms.ACKNOWLEDGED:
            self._watch(alarms.key_of(event.data)).restart()
        elif event.stream == levels.SETTINGS:
            self.alpha = levels.alpha_of(levels.told(event))
            self._others = None
        elif event.position in self.read:
            return self._thrown(event, self.read[event.position])
        elif event.event_type in throws.readers():  # it could not be read: now it says why
            throws.read(event)
        elif catalogue.is_missing(event):  # its dice wait, parked, until somebody can read them
            raise catalogue.not_installed(event)
        else:
            self.entries.note(event)
            self.leads.note(event)
        return ()

    def save(self) -> None:
        """A query for each table that has changed."""
        touched = [each for each in self.watches.values() if each.touched]
        for each in touched:
            if each.thinned:
                self._thin(each)
        self._upsert(
            DiceStream, ("kind", "name", "sides"), KEPT, [each.stored() for each in touched]
        )
        CurvePoint.objects.bulk_create([point for each in touched for point in each.points])
        self.entries.save()
        self.leads.save()
        self._save_sealed()

    # --- A throw

    def _thrown(self, event: StoredEvent, throw: Throw) -> Sequence[Entry]:
        self.entries.entered(event, throw)
        self.leads.note(event)
        self._cover(event, throw)
        found = []
        for sides, faces in throw.faces.items():
            for kind, name in _whose(throw):
                watch = self._watch(Key(kind, name, sides))
                watch.take(faces, event.position)
                if watch.row.alarm is None and (by := causes.of(watch, self)):
                    found.append((watch, by))
        if not found:
            return ()
        for watch, _by in found:
            watch.row.alarm = event.position
        return [alarms.raised(event, found, streams=self._streams(), alpha=self.alpha)]

    def _cover(self, event: StoredEvent, throw: Throw) -> None:
        """What lies sealed is missing wherever it is counted, until it is shown."""
        key = game_key(event)
        shown = throw.shown
        if key is not None and shown.opens:
            self._uncover(key.game, shown.player)
        for sides, dice in throw.unseen.items():
            for kind, name in _whose(throw):
                self._watch(Key(kind, name, sides)).miss(dice)
        if key is not None and shown.seals:
            self.sealed[key.game, shown.player] = SealedHand(
                establishment_id=self.establishment,
                game=key.game,
                player=shown.player,
                table=throw.table,
                dice_set=throw.dice_set,
                attendant=throw.attendant,
            )

    def _uncover(self, game: UUID, player: str) -> None:
        """A hand recorded twice, as after a void, was sealed once."""
        hand = self.sealed.get((game, player))
        if hand is None:
            return
        self.sealed[game, player] = None
        for kind, name in _where(hand):
            for sides in throws.SIZES:
                self._watch(Key(kind, name, sides)).miss(-1)

    @property
    def high(self) -> float:
        """With less evidence than that no stream is called unfair, however many there are."""
        return -log10(self.alpha)

    def unfair(self) -> set[str]:
        """
        e-BH over all streams of the house as they stand. Of those below `high` it matters only
        how many there are.
        """
        count, high = self._elsewhere()
        here = {str(each.row): each.row.log10 for each in self.watches.values() if each.row.throws}
        low = {f"low {number}": -1.0 for number in range(count - len(high))}
        return discoveries({**low, **high, **here}, self.alpha)

    def _streams(self) -> int:
        count, _high = self._elsewhere()
        return count + sum(1 for each in self.watches.values() if each.row.throws)

    def _elsewhere(self) -> tuple[int, dict[str, float]]:
        """How many streams no event of this batch touches, and those of them with much evidence."""
        if self._others is None:
            rows = DiceStream.objects.filter(establishment=self.establishment, throws__gt=0)
            high = rows.filter(log10__gte=self.high)
            here = {str(each.row) for each in self.watches.values()}
            others = {str(row): row.log10 for row in high if str(row) not in here}
            self._others = (rows.count() - self.stored, others)
        return self._others

    # --- Rows

    def _watch(self, key: Key) -> Watch:
        """Of the names of this batch all rows are here: one that is not is new."""
        if key not in self.watches:
            if key.name not in self.names[key.kind]:
                raise LookupError(f"{key} was not read for this batch.")
            self.watches[key] = Watch.new(self.establishment, key)
        return self.watches[key]

    def _watches(self) -> dict[Key, Watch]:
        if not self.names:
            return {}
        wanted = Q()
        for kind, some in self.names.items():
            wanted |= Q(kind=kind, name__in=some)
        rows = DiceStream.objects.filter(wanted, establishment=self.establishment)
        return {watch.key: watch for watch in map(Watch.of, rows)}

    def _sealed(self, events: Sequence[StoredEvent]) -> dict[tuple[UUID, str], SealedHand | None]:
        games = {
            uuid.UUID(event.stream.partition("/")[2])
            for event in events
            if event.position in self.read and self.read[event.position].shown.opens
        }
        if not games:
            return {}
        rows = SealedHand.objects.filter(establishment=self.establishment, game__in=games)
        return {(row.game, row.player): row for row in rows}

    def _save_sealed(self) -> None:
        opened = [key for key, row in self.sealed.items() if row is None]
        for game, player in opened:
            SealedHand.objects.filter(
                establishment=self.establishment, game=game, player=player
            ).delete()
        rows = [row for row in self.sealed.values() if row is not None]
        self._upsert(SealedHand, ("game", "player"), ("table", "dice_set", "attendant"), rows)

    def _thin(self, watch: Watch) -> None:
        points = CurvePoint.objects.filter(
            establishment=self.establishment, **watch.key._asdict()
        ).annotate(beside=F("mark") % watch.thinned)
        points.filter(beside__gt=0).delete()

    def _upsert(
        self, model: Any, key: Iterable[str], columns: Iterable[str], rows: list[Any]
    ) -> None:
        model.objects.bulk_create(
            rows,
            update_conflicts=True,
            unique_fields=["establishment", *key],
            update_fields=list(columns),
        )


def _whose(throw: Throw) -> list[tuple[str, str]]:
    """The streams of a throw, without the size."""
    whose = [
        (Kind.HOUSE.value, ""),
        (Kind.SET.value, throw.dice_set),
        (Kind.TABLE.value, throw.table),
        (Kind.ATTENDANT.value, throw.attendant),
    ]
    return [*whose, (Kind.PLAYER.value, throw.shown.player)] if throw.shown.player else whose


def _readable(events: Sequence[StoredEvent]) -> Iterator[tuple[int, Throw]]:
    """The throws among events by position, but those that cannot be read."""
    for event in events:
        try:
            throw = throws.read(event)
        except NOT_UNDERSTOOD:
            continue
        if throw is not None:
            yield event.position, throw


def _where(hand: SealedHand) -> list[tuple[str, str]]:
    """The streams in which the dice of a sealed hand are missing."""
    return [
        (Kind.HOUSE.value, ""),
        (Kind.SET.value, hand.dice_set),
        (Kind.TABLE.value, hand.table),
        (Kind.ATTENDANT.value, hand.attendant),
        (Kind.PLAYER.value, hand.player),
    ]


def _names(
    read: Iterable[Throw], hands: Iterable[SealedHand], keys: Iterable[Key]
) -> dict[str, set[str]]:
    """Whose rows a batch may touch, by kind."""
    names: dict[str, set[str]] = defaultdict(set)
    for whose in (*map(_whose, read), *map(_where, hands)):
        for kind, name in whose:
            names[kind].add(name)
    for key in keys:
        names[key.kind].add(key.name)
    return names
