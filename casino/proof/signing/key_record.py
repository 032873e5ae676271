"""
The record of keys in a house's own ledger: which keys sign its checkpoints, and since when.

The last event of the stream ``keys`` has the complete lists. ``keys.announced`` comes before the
first checkpoint that a key signs, whoever installed the key; ``keys.retired`` ends its use. So
readers of the ledger know between which positions each key signs.
"""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from casino.house.acts import acts
from ledger import epochs, journal
from ledger.verify import Key

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from casino.house.establishments.models import Establishment

STREAM: Final = "keys"
ANNOUNCED: Final = "keys.announced"
RETIRED: Final = "keys.retired"
DEVICE: Final = "ledger_keys"


@dataclass(frozen=True, slots=True)
class Record:
    """
    The keys on record.

    :param version: the version of the stream ``keys``.
    :param in_force: keys that are announced and not retired, the oldest first, with the names under
        which they were announced. :param retired: the retired keys, likewise.
    """

    version: int = 0
    in_force: tuple[Key, ...] = ()
    retired: tuple[Key, ...] = ()

    def announced(self, key: Key) -> Record:
        return Record(self.version, (*self.in_force, key), self.retired)

    def without(self, public: bytes) -> Record:
        gone = tuple(key for key in self.in_force if key.public == public)
        left = tuple(key for key in self.in_force if key.public != public)
        return Record(self.version, left, (*self.retired, *gone))

    def holds(self, public: bytes) -> bool:
        return any(key.public == public for key in (*self.in_force, *self.retired))


def key_of(public: bytes, origin: str) -> Key:
    """A public key under the name of an origin."""
    return Key(origin, public)


def on_record(establishment: uuid.UUID) -> Record:
    last = journal.last(establishment=establishment, stream=STREAM)
    if last is None:
        return Record()
    in_force, retired = (
        tuple(Key.parse(vkey) for vkey in last.data[name]) for name in ("in_force", "retired")
    )
    return Record(last.stream_version, in_force, retired)


def ends_of_keys(establishment: uuid.UUID) -> dict[bytes, tuple[int, int]]:
    """
    Retired keys, each with the end of its use: the epoch, and how many events the ledger had then.

    A signature by this key over more events than that was made by somebody who stole it.
    """
    opened = journal.stream(establishment=establishment, stream=epochs.STREAM)
    ended: dict[bytes, tuple[int, int]] = {}
    for event in journal.stream(establishment=establishment, stream=STREAM):
        if event.event_type == RETIRED:
            before = [each.data["epoch"] for each in opened if each.position < event.position]
            public = Key.parse(event.data["vkey"]).public
            ended[public] = (max(before, default=1), event.position + 1)
    return ended


def announce(house: Establishment, keys: Sequence[Key], now: datetime) -> None:
    """Record keys that are not on record yet; a retired key stays retired."""
    record = on_record(house.pk)
    for key in keys:
        if not record.holds(key.public):
            _announce(house, key, now)


def _announce(house: Establishment, key: Key, now: datetime) -> None:
    def decide() -> acts.Done:
        record = on_record(house.pk)
        if record.holds(key.public):
            return acts.Done()
        return _record(ANNOUNCED, key, record.announced(key))

    acts.perform(_act(house, ANNOUNCED, key, now), decide)


def retire(house: Establishment, key: Key, now: datetime) -> None:
    """Record that a key is retired, if it is in force."""

    def decide() -> acts.Done:
        record = on_record(house.pk)
        if not any(each.public == key.public for each in record.in_force):
            return acts.Done()
        return _record(RETIRED, key, record.without(key.public))

    acts.perform(_act(house, RETIRED, key, now), decide)


def _act(house: Establishment, what: str, key: Key, now: datetime) -> acts.Act:
    """The act about a key. It names only the key's bytes, as the name differs between epochs."""
    return acts.Act(
        house=house,
        by=None,
        device=DEVICE,
        now=now,
        command_id=uuid.uuid5(house.pk, f"{what}/{key.public.hex()}"),
        request={"do": what, "key": key.public.hex()},
    )


def _record(what: str, key: Key, record: Record) -> acts.Done:
    data = {
        "vkey": str(key),
        "in_force": [str(each) for each in record.in_force],
        "retired": [str(each) for each in record.retired],
    }
    event = journal.NewEvent(stream=STREAM, event_type=what, schema_version=1, data=data)
    return acts.Done(guards={STREAM: record.version}, events=[event])
