"""Checks and defaults of columns of houses and tables."""

from __future__ import annotations

import secrets
import zoneinfo

from django.core.exceptions import ValidationError


def known_time_zone(name: str) -> None:
    try:
        zoneinfo.ZoneInfo(name)
    except (zoneinfo.ZoneInfoNotFoundError, ValueError):
        raise ValidationError(
            "%(name)s is not a time zone; write it as Europe/Rome.", params={"name": name}
        ) from None


def new_secret() -> bytes:
    return secrets.token_bytes(32)


def new_wall_key() -> str:
    """A secret of 128 bits for the address of a wall board."""
    return secrets.token_urlsafe(16)
