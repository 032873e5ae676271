"""Identifiers that grow with time (UUIDv7), so that their index grows at one end."""

import secrets
import time
from threading import Lock
from uuid import UUID


def uuid7() -> UUID:
    """A UUID of version 7 (RFC 9562, section 5.7): 48 bits of Unix milliseconds, then random."""
    milliseconds = time.time_ns() // 1_000_000
    chance = secrets.randbits(74)
    return UUID(
        int=(milliseconds & 0xFFFFFFFFFFFF) << 80
        | 0x7 << 76
        | (chance >> 62) << 64
        | 0b10 << 62
        | (chance & 0x3FFFFFFFFFFFFFFF)
    )


_ONE_BY_ONE = Lock()
_LATEST = [0]


def uuid7_in_order() -> UUID:
    """A `uuid7` greater than all that this process made here before, even in one millisecond."""
    with _ONE_BY_ONE:
        _LATEST[0] = max(uuid7().int, _LATEST[0] + 1)
        return UUID(int=_LATEST[0])
