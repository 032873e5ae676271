"""
The keys with which a house signs its checkpoints (Ed25519, C2SP signed-note).

Secret keys come from the environment (``LEDGER_KEYS``) or, if that has none for the house, from the
house's file (``LEDGER_KEYS_DIR``); only workers need them. Public keys are on record in the house's
own ledger (`casino.proof.signing.key_record`), so that everybody can read them. A key is named
after the origin for which it signs, so its vkey differs between epochs, while its 32 bytes stay the
same.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.conf import settings

from casino.engine.processes.command import CALLED
from casino.proof.signing import key_files, key_record
from ledger import epochs, journal
from ledger.models import Checkpoint
from ledger.notes import SigningKey
from ledger.verify import Trust, Undecided, Unreadable, Untrue

if TYPE_CHECKING:
    from datetime import datetime
    from uuid import UUID

    from casino.house.establishments.models import Establishment
    from ledger.verify import Checkpoint as Published
    from ledger.verify import Key

NoKey = key_files.NoKey


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
    retired = {key.public for key in key_record.on_record(establishment).retired}
    keys = [key for key in secret_keys(establishment) if key.public.public not in retired]
    name = origin(establishment)
    return tuple(key.named(name) for key in keys)


def public_keys(establishment: UUID) -> tuple[Key, ...]:
    """
    The public keys in force, as vkeys for the house's current origin.

    These are the keys on record, and keys that this process holds and that will soon be recorded.
    """
    record = key_record.on_record(establishment)
    known = [key.public for key in record.in_force]
    others = {*known, *(key.public for key in record.retired)}
    known += [public for public in _secrets_without_error(establishment) if public not in others]
    name = origin(establishment)
    return tuple(key_record.key_of(public, name) for public in known)


def every_public_key(establishment: UUID) -> tuple[Key, ...]:
    """All public keys, also retired ones, each under the origins of all epochs so far."""
    known = [key.public for key in all_of(establishment)]
    epoch = epochs.current(establishment)
    names = [
        epochs.origin(establishment, name=settings.LEDGER_ORIGIN, epoch=each)
        for each in range(epoch, 0, -1)
    ]
    return tuple(key_record.key_of(public, name) for name in names for public in known)


def make(house: Establishment, now: datetime) -> Key:
    """
    Make and record a house's first key; if the house has a key, return that one.

    :raises NoKey: if no key can be made here.
    """
    if held := secret_keys(house.pk):
        return held[0].public
    return _announce(house, key_files.make(house.pk, origin(house.pk)), now)


def rotate(house: Establishment, now: datetime) -> Key:
    """
    Make and record a new key beside the one in force: both sign until the old one is retired.

    :raises NoKey: if this is not possible here.
    """
    if _of_environment(house.pk):
        raise NoKey("LEDGER_KEYS has this house's keys: put the new one there, beside the old.")
    return _announce(house, key_files.add(house.pk, origin(house.pk)), now)


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
    retired = {key.public for key in key_record.on_record(house.pk).retired}
    if not [key for key in others if key.public.public not in retired]:
        raise NoKey("That is the only key of this house: make another with --rotate first.")
    key = key_record.key_of(public, origin(house.pk))
    key_record.announce(house, [key], now)  # a key that was installed by hand is not on record
    key_record.retire(house, key, now)
    if not _of_environment(house.pk):
        key_files.retire(house.pk, public, str(key))
    return key


def _announce(house: Establishment, key: SigningKey, now: datetime) -> Key:
    """Record a key, unless the ledger is still empty: then the first signing records it."""
    if journal.head(establishment=house.pk) >= 0:
        key_record.announce(house, [key.public], now)
    return key.public


def all_of(establishment: UUID) -> tuple[Key, ...]:
    """The keys in force and the retired keys, as vkeys for the current origin."""
    name = origin(establishment)
    retired = key_record.on_record(establishment).retired
    return (
        *public_keys(establishment),
        *(key_record.key_of(key.public, name) for key in retired),
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
    ended = key_record.ends_of_keys(establishment)
    reach = epoch, published.size
    return any(
        _is_believed(key_record.key_of(key.public, published.origin), published)
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
    return _of_environment(establishment) or key_files.read(establishment)


def _of_environment(establishment: UUID) -> tuple[SigningKey, ...]:
    keys = []
    for number, line in enumerate(settings.LEDGER_KEYS, 1):
        try:
            keys.append(SigningKey.parse(line))
        except Unreadable:  # its message may contain part of a secret
            raise NoKey(f"LEDGER_KEYS: entry {number} is no secret key.") from None
    return tuple(key for key in keys if key_files.names_house(key, establishment))


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
    on_record = key_record.on_record(establishment)
    if settings.PRODUCTION or signed or on_record.version:
        raise NoKey(_none(establishment))
    key_files.make(establishment, origin(establishment))


def _none(establishment: UUID) -> str:
    where = "" if settings.LEDGER_KEYS_DIR else " with LEDGER_KEYS_DIR set, for the workers too"
    known = key_record.on_record(establishment).in_force
    lost = f" The one that signed so far is {known[-1].id.hex()}." if known else ""
    more = " Then tell it to those who check, and retire the old one." if known else ""
    return (
        f"This house has no key to sign its checkpoints with.{lost} Bring its key file back, or"
        f" make a key: {CALLED} ledger_keys --make --establishment {establishment}{where}.{more}"
    )
