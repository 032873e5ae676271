"""
The length of passwords, and how they are hashed (D2).

A password may have any characters: sentences, digits and emoji are all fine. Django's validators
refuse a password that is too common, or like one's own name.
"""

from __future__ import annotations

import re
from datetime import timedelta
from typing import TYPE_CHECKING, Any, Final

from django.conf import settings
from django.contrib.auth.hashers import PBKDF2PasswordHasher, check_password, make_password
from django.core.exceptions import ValidationError
from django.utils.crypto import constant_time_compare, salted_hmac
from django.utils.translation import gettext as _

if TYPE_CHECKING:
    from datetime import datetime

    from django.contrib.auth.models import AbstractBaseUser

    from casino.house.attendants.models import Attendant

FIRST_HOLDS: Final = timedelta(days=7)
LEAST: Final = 12
MOST: Final = 128
SALT: Final = "casino.house.attendants.passwords"
MARK: Final = 8  # hex digits that say with which key a hash was made


class LengthValidator:
    """Checks the length of a password; several spaces count as one."""

    def validate(self, password: str, user: AbstractBaseUser | None = None) -> None:
        """:raises ValidationError: if it has fewer than `LEAST` or more than `MOST` characters."""
        del user
        if len(re.sub(r"\s+", " ", password)) < LEAST:
            raise ValidationError(
                _("This password is too short: it has %(least)s characters at least."),
                code="password_too_short",
                params={"least": LEAST},
            )
        if len(password) > MOST:
            raise ValidationError(
                _("This password is too long: it has %(most)s characters at most."),
                code="password_too_long",
                params={"most": MOST},
            )

    def get_help_text(self) -> str:
        return _("From %(least)s to %(most)s characters.") % {"least": LEAST, "most": MOST}


class KeyedHasher(PBKDF2PasswordHasher):
    """
    Django's PBKDF2 of the password keyed with ``SECRET_KEY``.

    So nobody can guess passwords from a copy of the database alone. The format is
    ``algorithm$iterations$salt$hash.mark``. A hash with an older key (``SECRET_KEY_FALLBACKS``) is
    still valid and is replaced at the next sign-in.
    """

    algorithm = "keyed_pbkdf2_sha256"

    def encode(self, password: str, salt: str, iterations: int | None = None) -> str:
        return self._encoded(str(settings.SECRET_KEY), password, salt, iterations)

    def verify(self, password: str, encoded: str) -> bool:
        parts: Any = self.decode(encoded)
        for key in (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS):
            if encoded.endswith(_mark(str(key))):
                again = self._encoded(str(key), password, parts["salt"], parts["iterations"])
                return constant_time_compare(encoded, again)
        return False

    def must_update(self, encoded: str) -> bool:
        return super().must_update(encoded) or not encoded.endswith(_mark(str(settings.SECRET_KEY)))

    def harden_runtime(self, password: str, encoded: str) -> None:
        parts: Any = self.decode(encoded)
        more = self.iterations - parts["iterations"]
        if more > 0:
            self.encode(password, parts["salt"], more)

    def _encoded(self, key: str, password: str, salt: str, iterations: int | None) -> str:
        keyed = salted_hmac(SALT, password, secret=key, algorithm="sha256").hexdigest()
        return f"{super().encode(keyed, salt, iterations)}{_mark(key)}"


class FirstHasher(KeyedHasher):
    """The hasher of first passwords, given by somebody else: they only let one choose one's own."""

    algorithm = "first_keyed_pbkdf2_sha256"


def first(password: str) -> str:
    """The hash of a first password."""
    return make_password(password, hasher=FirstHasher())


def is_first(person: Attendant) -> bool:
    return person.password.startswith(f"{FirstHasher.algorithm}$")


def holds(person: Attendant, password: str, now: datetime) -> bool:
    """Whether this is the person's password; a first password is valid for a week."""
    if not is_first(person):
        return person.check_password(password)
    in_time = now < person.date_joined + FIRST_HOLDS
    return check_password(password, person.password) and in_time  # does not replace the hash


def _mark(key: str) -> str:
    digest = salted_hmac(f"{SALT}.mark", "mark", secret=key, algorithm="sha256").hexdigest()
    return f".{digest[:MARK]}"
