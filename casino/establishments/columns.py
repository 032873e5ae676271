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


def known_currency(code: str) -> None:
    """:raises ValidationError: if the code is not "" and not one of ISO 4217, old ones included."""
    if code:
        from casino.languages import currencies  # noqa: PLC0415 - for the forms of a house's money

        currencies.known_currency(code)
