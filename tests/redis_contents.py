"""What a Redis keeps: queues, lists of those who wait, and what kombu notes beside them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable


def everything_in(client: Any) -> str:
    """A line for each key, with all of its value, whatever kind it is."""
    return "\n".join(f"{key!r} {_value(client, key)!r}" for key in client.scan_iter())


def _value(client: Any, key: bytes) -> Any:
    read: dict[bytes, Callable[[], Any]] = {
        b"string": lambda: client.get(key),
        b"list": lambda: client.lrange(key, 0, -1),
        b"hash": lambda: client.hgetall(key),
        b"set": lambda: client.smembers(key),
        b"zset": lambda: client.zrange(key, 0, -1),
        b"none": lambda: None,  # taken meanwhile
    }
    return read[client.type(key)]()
