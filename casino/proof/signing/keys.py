"""
The keys with which a house signs its checkpoints (Ed25519, C2SP signed-note).

Secret keys come from the environment (``LEDGER_KEYS``) or, if that has none for the house, from the
house's file (``LEDGER_KEYS_DIR``); only workers need them. Public keys are on record in the house's
own ledger (`record_of`), so that everybody can read them. A key is named
after the origin for which it signs, so its vkey differs between epochs, while its 32 bytes stay the
same.
"""

from __future__ import annotations

import fcntl
import os
import uuid
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from django.conf import settings

from casino.engine.processes.command import CALLED
from casino.engine.processes.private import sync
from casino.house.acts import acts
from ledger import epochs, journal
from ledger.models import Checkpoint
from ledger.notes import SigningKey
from ledger.verify import Key, Trust, Undecided, Unreadable, Untrue

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import datetime
    from pathlib import Path
    from uuid import UUID

    from casino.house.establishments.models import Establishment
    from ledger.verify import Checkpoint as Published


#
# Key files: ``<house>.key`` in ``LEDGER_KEYS_DIR``, one secret key per line. There is one key, or
# two while the second replaces the first. ``<house>.retired`` beside it has the vkeys of retired
# keys.
#
# Files have mode 600 and are written completely or not at all. A new key never overwrites a key.


BOTH: Final = 2  # keys that sign at the same time, at most
OTHERS: Final = 0o077  # permissions of everybody but the owner


class NoKey(Exception):  # noqa: N818 - names the fact
    """A house cannot sign, or its keys cannot be changed; the message says what to do."""


def path_of_file(establishment: UUID) -> Path:
    """The path of a house's key file. :raises NoKey: if no folder is configured."""
    folder: Path | None = settings.LEDGER_KEYS_DIR
    if folder is None:
        raise NoKey("LEDGER_KEYS_DIR is not set: it names the folder with the houses' key files.")
    return folder / f"{establishment}.key"


def read_file(establishment: UUID) -> tuple[SigningKey, ...]:
    """
    The keys in a house's key file; none if there is no file, or no folder is configured.

    :raises NoKey: if the file exists but cannot be read.
    """
    if settings.LEDGER_KEYS_DIR is None:
        return ()
    file = path_of_file(establishment)
    try:
        lines = file.read_text(encoding="utf-8").split()
    except FileNotFoundError:
        return ()
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "not UTF-8"
        raise NoKey(f"Cannot read the keys in {file}: {reason}.") from None
    return tuple(
        _key(line, f"line {at} of {file}", establishment) for at, line in enumerate(lines, 1)
    )


def _key(line: str, where: str, establishment: UUID) -> SigningKey:
    try:
        key = SigningKey.parse(line)
    except Unreadable:  # its message may contain part of a secret
        raise NoKey(f"The {where} is no secret key (PRIVATE+KEY+...).") from None
    if not names_house(key, establishment):
        raise NoKey(f"The {where} is the key of another ledger, {key.name}.")
    return key


def names_house(key: SigningKey, establishment: UUID) -> bool:
    """Whether a key is named after an origin of the house: name/house, or name/house/epoch."""
    return str(establishment) in key.name.split("/")[1:]


def keys_no_longer_used(establishment: UUID) -> tuple[bytes, ...]:
    """
    The keys that were retired on this machine, even if a ledger restored since does not say so.

    :raises NoKey: if the file exists but cannot be read.
    """
    if settings.LEDGER_KEYS_DIR is None:
        return ()
    file = path_of_file(establishment).with_suffix(".retired")
    try:
        return tuple(Key.parse(line).public for line in file.read_text(encoding="utf-8").split())
    except FileNotFoundError:
        return ()
    except (OSError, ValueError) as error:
        raise NoKey(f"Cannot read the retired keys in {file}: {error}.") from None


def open_to_others(establishment: UUID) -> bool:
    """Whether others than the owner may read or change the key file."""
    if settings.LEDGER_KEYS_DIR is None:
        return False
    file = path_of_file(establishment)
    return file.exists() and bool(file.stat().st_mode & OTHERS)


def make_file(establishment: UUID, name: str) -> SigningKey:
    """
    Make a house's first key; if another process was faster, return the existing key.

    :param name: the origin.
    :raises NoKey: if the file cannot be written.
    """
    with _changing(establishment):
        if found := read_file(establishment):
            return found[0]
        new = SigningKey.generate(name)
        _write(path_of_file(establishment), [new.line])
    return new


def add_to_file(establishment: UUID, name: str) -> SigningKey:
    """
    Add a new key beside the one in force: both sign until the old one is retired.

    :raises NoKey: if there is none yet, if there are two, or if the file cannot be written.
    """
    with _changing(establishment):
        keys = read_file(establishment)
        if not keys:
            raise NoKey(
                f"There is no key in {path_of_file(establishment)} yet: --make makes the first."
            )
        if len(keys) >= BOTH:
            raise NoKey(f"{path_of_file(establishment)} holds two keys: retire the old one first.")
        new = SigningKey.generate(name)
        _write(path_of_file(establishment), [*(key.line for key in keys), new.line])
    return new


def retire_in_file(establishment: UUID, public: bytes, vkey: str) -> None:
    """
    Remove a key from a house's file, and add its vkey to ``<house>.retired``.

    :raises NoKey: if the files cannot be written.
    """
    with _changing(establishment):
        keys = read_file(establishment)
        left = [key.line for key in keys if key.public.public != public]
        if len(left) == len(keys):
            return
        retired = path_of_file(establishment).with_suffix(".retired")
        lines = retired.read_text(encoding="utf-8").split() if retired.exists() else []
        _write(retired, [*lines, *([] if vkey in lines else [vkey])])
        _write(path_of_file(establishment), left)


@contextmanager
def _changing(establishment: UUID) -> Iterator[None]:
    """
    Lock the folder of keys on this machine. The lock ends with the process that holds it.

    :raises NoKey: if the folder cannot be written.
    """
    folder = path_of_file(establishment).parent
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX)
            yield
        finally:
            os.close(descriptor)
    except OSError as error:
        raise NoKey(f"Cannot write to {folder}: {error.strerror}.") from None


def _write(file: Path, lines: Sequence[str]) -> None:
    part = file.with_name(f".{file.name}.part")
    part.unlink(missing_ok=True)
    descriptor = os.open(part, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as out:
        out.writelines(f"{line}\n" for line in lines)
        out.flush()
        os.fsync(out.fileno())
    part.rename(file)
    sync(file.parent)


def signing_keys(establishment: UUID) -> tuple[SigningKey, ...]:
    """
    The secret keys that sign now, named for the house's current origin.

    For an embedded house that has signed nothing yet, this makes the first key.

    :raises NoKey: if there is none, or one cannot be read; the message says what to do.
    """
    if not secret_keys(establishment):
        _first(establishment)
    if not (keys := keys_in_force(establishment)):
        raise NoKey(_none(establishment))
    return keys


def keys_in_force(establishment: UUID) -> tuple[SigningKey, ...]:
    """
    The secret keys that this process can read and that are not retired, named for the current
    origin.

    :raises NoKey: if a key cannot be read.
    """
    retired = {key.public for key in record_of(establishment).retired}
    keys = [key for key in secret_keys(establishment) if key.public.public not in retired]
    name = origin(establishment)
    return tuple(key.named(name) for key in keys)


def public_keys(establishment: UUID) -> tuple[Key, ...]:
    """
    The public keys in force, as vkeys for the house's current origin.

    These are the keys on record, and keys that this process holds and that will soon be recorded.
    """
    record = record_of(establishment)
    known = [key.public for key in record.in_force]
    others = {*known, *(key.public for key in record.retired)}
    known += [public for public in _secrets_without_error(establishment) if public not in others]
    name = origin(establishment)
    return tuple(key_of(public, name) for public in known)


def every_public_key(establishment: UUID) -> tuple[Key, ...]:
    """All public keys, also retired ones, each under the origins of all epochs so far."""
    known = [key.public for key in all_of(establishment)]
    epoch = epochs.current(establishment)
    names = [
        epochs.origin(establishment, name=settings.LEDGER_ORIGIN, epoch=each)
        for each in range(epoch, 0, -1)
    ]
    return tuple(key_of(public, name) for name in names for public in known)


def make(house: Establishment, now: datetime) -> Key:
    """
    Make and record a house's first key; if the house has a key, return that one.

    :raises NoKey: if no key can be made here.
    """
    if held := secret_keys(house.pk):
        return held[0].public
    return _announce(house, make_file(house.pk, origin(house.pk)), now)


def rotate(house: Establishment, now: datetime) -> Key:
    """
    Make and record a new key beside the one in force: both sign until the old one is retired.

    :raises NoKey: if this is not possible here.
    """
    if _of_environment(house.pk):
        raise NoKey("LEDGER_KEYS has this house's keys: put the new one there, beside the old.")
    return _announce(house, add_to_file(house.pk, origin(house.pk)), now)


def retire(house: Establishment, key_id: str, now: datetime) -> Key:
    """
    Retire a key. This is recorded first, so that nothing is signed with it from then on.

    :param key_id: the id of the key in hex, as in its vkey.
    :raises NoKey: if it is not a key of the house, or the only one that could sign.
    """
    known = {key.id.hex(): key for key in every_public_key(house.pk)}
    if key_id not in known:
        raise NoKey(f"This house has no key {key_id}.")
    public = known[key_id].public
    others = [key for key in secret_keys(house.pk) if key.public.public != public]
    retired = {key.public for key in record_of(house.pk).retired}
    if not [key for key in others if key.public.public not in retired]:
        raise NoKey("That is the only key of this house: make another with --rotate first.")
    key = key_of(public, origin(house.pk))
    announce_on_record(house, [key], now)  # a key that was installed by hand is not on record
    retire_on_record(house, key, now)
    if not _of_environment(house.pk):
        retire_in_file(house.pk, public, str(key))
    return key


def _announce(house: Establishment, key: SigningKey, now: datetime) -> Key:
    """Record a key, unless the ledger is still empty: then the first signing records it."""
    if journal.head(establishment=house.pk) >= 0:
        announce_on_record(house, [key.public], now)
    return key.public


def all_of(establishment: UUID) -> tuple[Key, ...]:
    """The keys in force and the retired keys, as vkeys for the current origin."""
    name = origin(establishment)
    retired = record_of(establishment).retired
    return (
        *public_keys(establishment),
        *(key_of(key.public, name) for key in retired),
    )


def has_signed(establishment: UUID, published: Published) -> bool:
    """
    Whether the house has signed a checkpoint, in any epoch, even one that a restore has lost.

    A retired key counts only up to the size of the ledger when it was retired, because somebody who
    stole it can sign anything.
    """
    first = epochs.origin(establishment, name=settings.LEDGER_ORIGIN, epoch=1)
    epoch = epochs.epoch_of(published, first_origin=first)
    if epoch is None:
        return False
    ended = ends_of_keys(establishment)
    reach = epoch, published.size
    return any(
        _is_believed(key_of(key.public, published.origin), published)
        for key in all_of(establishment)
        if key.public not in ended or reach <= ended[key.public]
    )


def _is_believed(key: Key, published: Published) -> bool:
    try:
        Trust(keys=(key,)).believe(published)
    except (Untrue, Undecided):
        return False
    return True


def origin(establishment: UUID) -> str:
    """The origin in the house's next checkpoint."""
    epoch = epochs.current(establishment)
    return epochs.origin(establishment, name=settings.LEDGER_ORIGIN, epoch=epoch)


def secret_keys(establishment: UUID) -> tuple[SigningKey, ...]:
    """
    The secret keys of a house that this process can read, retired or not.

    :raises NoKey: if a key cannot be read.
    """
    return _of_environment(establishment) or read_file(establishment)


def _of_environment(establishment: UUID) -> tuple[SigningKey, ...]:
    keys = []
    for number, line in enumerate(settings.LEDGER_KEYS, 1):
        try:
            keys.append(SigningKey.parse(line))
        except Unreadable:  # its message may contain part of a secret
            raise NoKey(f"LEDGER_KEYS: entry {number} is no secret key.") from None
    return tuple(key for key in keys if names_house(key, establishment))


def _secrets_without_error(establishment: UUID) -> list[bytes]:
    try:
        return [key.public.public for key in secret_keys(establishment)]
    except NoKey:
        return []


def _first(establishment: UUID) -> None:
    """
    Make the first key of an embedded house that has never signed.

    A lost key is not replaced automatically, because others know the old one.

    :raises NoKey: in production, or if the house has signed or has a key on record.
    """
    signed = Checkpoint.objects.filter(establishment=establishment).exists()
    on_record = record_of(establishment)
    if settings.PRODUCTION or signed or on_record.version:
        raise NoKey(_none(establishment))
    make_file(establishment, origin(establishment))


def _none(establishment: UUID) -> str:
    where = "" if settings.LEDGER_KEYS_DIR else " with LEDGER_KEYS_DIR set, for the workers too"
    known = record_of(establishment).in_force
    lost = f" The one that signed so far is {known[-1].id.hex()}." if known else ""
    more = " Then tell it to those who check, and retire the old one." if known else ""
    return (
        f"This house has no key to sign its checkpoints with.{lost} Bring its key file back, or"
        f" make a key: {CALLED} ledger_keys --make --establishment {establishment}{where}.{more}"
    )


#
# The record of keys in a house's own ledger: which keys sign its checkpoints, and since when.
#
# The last event of the stream ``keys`` has the complete lists. ``keys.announced`` comes before the
# first checkpoint that a key signs, whoever installed the key; ``keys.retired`` ends its use. So
# readers of the ledger know between which positions each key signs.


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


def record_of(establishment: uuid.UUID) -> Record:
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


def announce_on_record(house: Establishment, keys: Sequence[Key], now: datetime) -> None:
    """Record keys that are not on record yet; a retired key stays retired."""
    record = record_of(house.pk)
    for key in keys:
        if not record.holds(key.public):
            _decide_announcement(house, key, now)


def _decide_announcement(house: Establishment, key: Key, now: datetime) -> None:
    def decide() -> acts.Done:
        record = record_of(house.pk)
        if record.holds(key.public):
            return acts.Done()
        return _record(ANNOUNCED, key, record.announced(key))

    acts.perform(_act(house, ANNOUNCED, key, now), decide)


def retire_on_record(house: Establishment, key: Key, now: datetime) -> None:
    """Record that a key is retired, if it is in force."""

    def decide() -> acts.Done:
        record = record_of(house.pk)
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
