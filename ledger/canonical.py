"""
Canonical JSON: each value has exactly one spelling, so that hashes of it can be compared.

RFC 8785 (JCS) without floats: no white space, keys sorted by UTF-16 code units, strings as
ECMAScript writes them and without NUL, integers within ±(2**53 - 1), moments as UTC strings of
fixed width.
"""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, TypeAlias

Json: TypeAlias = "bool | int | str | Sequence[Json] | Mapping[str, Json] | None"

ENCODER = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":"))
INTEGER_MAX = 2**53 - 1
"""The largest integer that every JSON reader keeps exact (RFC 8785, section 3.2.2.3)."""


WRITE = json.JSONEncoder(
    ensure_ascii=False, allow_nan=False, separators=(",", ":"), sort_keys=True
).encode
NUL = "\\u0000"  # a NUL as JSON writes it; a text that only looks like it takes the slow path too
STR = frozenset({str})

QUOTED: Callable[[str], str] = json.encoder.encode_basestring
"""Quotes a text as canonical JSON does; only for texts that `check_text` accepts."""


class NotCanonical(ValueError):  # noqa: N818  names the fact, like every refusal here
    """The value has no canonical spelling; the message names the place in the value."""


def encode(value: Json) -> bytes:
    """
    The canonical JSON of a value, as UTF-8.

    :raises NotCanonical: for floats, integers from 2**53 on, lone surrogates, NUL characters
        (PostgreSQL's text has none), keys that are not strings, and anything that is not JSON.
    """
    return spell(value, "$").encode()


def spell(value: Json, path: str) -> str:
    """
    The canonical JSON of a value that stands at `path`, for callers that spell the JSON around it.

    If everything is ASCII and allowed, code points sort as UTF-16 code units do, and the encoder's
    own sorting is right. This holds for nearly all events; other values take the slow path.

    :raises NotCanonical: as in `encode`.
    """
    if _plain((value,)):
        text = WRITE(value)
        if text.isascii() and NUL not in text:
            return text
    return ENCODER.encode(_sort(value, path))


def decode(body: bytes) -> Any:
    """
    Parse canonical JSON, and refuse bytes that are not canonical, for example for duplicate keys.

    :raises NotCanonical: if the bytes are not the canonical spelling of their value.
    """
    try:
        value = json.loads(body.decode(), parse_float=_no_float, parse_constant=_no_float)
    except ValueError as error:
        raise NotCanonical(f"Not JSON: {error}") from error
    if encode(value) != body:  # this also finds duplicate keys
        raise NotCanonical("Another spelling than the canonical one.")
    return value


def check_text(value: str, path: str) -> str:
    """
    The text itself, if it has a canonical spelling that every database can store.

    :raises NotCanonical: for a lone surrogate or a NUL character; `path` names the place.
    """
    if not value.isascii() and any("\ud800" <= character <= "\udfff" for character in value):
        raise NotCanonical(f"{path}: a lone surrogate is no character.")
    if "\0" in value:
        raise NotCanonical(f"{path}: holds a NUL character.")
    return value


def moment(at: datetime) -> str:
    """A moment as a UTC string of 27 characters, with microseconds. Strings sort as moments do."""
    if at.tzinfo is None:
        raise NotCanonical(f"{at.isoformat()} has no time zone.")
    return at.astimezone(UTC).replace(tzinfo=None).isoformat(timespec="microseconds") + "Z"


def read_moment(text: str) -> datetime:
    return datetime.fromisoformat(text)


def _plain(values: Iterable[Any]) -> bool:
    """Whether values consist of types that the encoder writes as they are; texts are not read."""
    for value in values:
        kind = type(value)
        if kind is str or value is None or kind is bool:
            continue
        if kind is int:
            if not -INTEGER_MAX <= value <= INTEGER_MAX:
                return False
        elif kind is dict:
            if not (STR.issuperset(map(type, value)) and _plain(value.values())):
                return False
        elif (kind is not list and kind is not tuple) or not _plain(value):
            return False
    return True


def _sort(value: Any, path: str) -> Any:
    match value:
        case None | bool():
            return value
        case int():
            return _check_integer(value, path)
        case str():
            return check_text(value, path)
        case Mapping():
            keys = sorted((_check_key(key, path) for key in value), key=_utf16)
            return {key: _sort(value[key], f"{path}.{key}") for key in keys}
        case list() | tuple():
            return [_sort(item, f"{path}[{index}]") for index, item in enumerate(value)]
        case _:
            raise NotCanonical(f"{path}: a {type(value).__name__} is not canonical JSON.")


def _check_integer(value: int, path: str) -> int:
    if abs(value) > INTEGER_MAX:
        raise NotCanonical(f"{path}: {value} is beyond ±(2**53 - 1).")
    return value


def _check_key(key: Any, path: str) -> str:
    if not isinstance(key, str):
        raise NotCanonical(f"{path}: the key {key!r} is not a string.")
    return check_text(key, f"{path}.{key!r}")


def _utf16(key: str) -> bytes:
    """The sort key of a key: UTF-16 code units, not code points (RFC 8785, section 3.2.3)."""
    return key.encode("utf-16-be")


def _no_float(text: str) -> Any:
    raise NotCanonical(f"{text} is not a whole number.")
