"""
Key files: ``<house>.key`` in ``LEDGER_KEYS_DIR``, one secret key per line. There is one key, or two
while the second replaces the first. ``<house>.retired`` beside it has the vkeys of retired keys.

Files have mode 600 and are written completely or not at all. A new key never overwrites a key.
"""

from __future__ import annotations

import fcntl
import os
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from django.conf import settings

from casino.engine.processes.private import sync
from ledger.notes import SigningKey
from ledger.verify import Key, Unreadable

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path
    from uuid import UUID

BOTH: Final = 2  # keys that sign at the same time, at most
OTHERS: Final = 0o077  # permissions of everybody but the owner


class NoKey(Exception):  # noqa: N818 - names the fact
    """A house cannot sign, or its keys cannot be changed; the message says what to do."""


def path(establishment: UUID) -> Path:
    """The path of a house's key file. :raises NoKey: if no folder is configured."""
    folder: Path | None = settings.LEDGER_KEYS_DIR
    if folder is None:
        raise NoKey("LEDGER_KEYS_DIR is not set: it names the folder with the houses' key files.")
    return folder / f"{establishment}.key"


def read(establishment: UUID) -> tuple[SigningKey, ...]:
    """
    The keys in a house's key file; none if there is no file, or no folder is configured.

    :raises NoKey: if the file exists but cannot be read.
    """
    if settings.LEDGER_KEYS_DIR is None:
        return ()
    file = path(establishment)
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
    file = path(establishment).with_suffix(".retired")
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
    file = path(establishment)
    return file.exists() and bool(file.stat().st_mode & OTHERS)


def make(establishment: UUID, name: str) -> SigningKey:
    """
    Make a house's first key; if another process was faster, return the existing key.

    :param name: the origin.
    :raises NoKey: if the file cannot be written.
    """
    with _changing(establishment):
        if found := read(establishment):
            return found[0]
        new = SigningKey.generate(name)
        _write(path(establishment), [new.line])
    return new


def add(establishment: UUID, name: str) -> SigningKey:
    """
    Add a new key beside the one in force: both sign until the old one is retired.

    :raises NoKey: if there is none yet, if there are two, or if the file cannot be written.
    """
    with _changing(establishment):
        keys = read(establishment)
        if not keys:
            raise NoKey(f"There is no key in {path(establishment)} yet: --make makes the first.")
        if len(keys) >= BOTH:
            raise NoKey(f"{path(establishment)} holds two keys: retire the old one first.")
        new = SigningKey.generate(name)
        _write(path(establishment), [*(key.line for key in keys), new.line])
    return new


def retire(establishment: UUID, public: bytes, vkey: str) -> None:
    """
    Remove a key from a house's file, and add its vkey to ``<house>.retired``.

    :raises NoKey: if the files cannot be written.
    """
    with _changing(establishment):
        keys = read(establishment)
        left = [key.line for key in keys if key.public.public != public]
        if len(left) == len(keys):
            return
        retired = path(establishment).with_suffix(".retired")
        lines = retired.read_text(encoding="utf-8").split() if retired.exists() else []
        _write(retired, [*lines, *([] if vkey in lines else [vkey])])
        _write(path(establishment), left)


@contextmanager
def _changing(establishment: UUID) -> Iterator[None]:
    """
    Lock the folder of keys on this machine. The lock ends with the process that holds it.

    :raises NoKey: if the folder cannot be written.
    """
    folder = path(establishment).parent
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
