"""
A UUID spelled for addresses and cookies: 22 characters of RFC 4648's base64url, without padding.

Whoever comes with an address or a cookie has not said their house yet. With the house in it, their
row is found on the one server where the house is (docs/decisions/0085).
"""

from __future__ import annotations

from base64 import urlsafe_b64decode, urlsafe_b64encode
from binascii import Error as NotBase64
from typing import Final
from uuid import UUID

LENGTH: Final = 22


def compact(value: UUID) -> str:
    return urlsafe_b64encode(value.bytes).decode().rstrip("=")


def read(text: str) -> UUID | None:
    """The UUID that was spelled so; None if the text spells none."""
    if len(text) != LENGTH or not text.isascii():
        return None
    try:
        return UUID(bytes=urlsafe_b64decode(f"{text}=="))
    except (NotBase64, ValueError):
        return None
