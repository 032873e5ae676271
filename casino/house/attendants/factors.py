"""
Second factors (D2): codes of an authenticator app, and recovery codes. Passkeys: `passkeys.py`.

Each code works once, in whatever process it arrives: the statement that takes a code also records
that it was taken.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import secrets
from typing import TYPE_CHECKING, Final

import pyotp
from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import transaction

from casino.house.attendants import lockout, signins
from casino.house.attendants.models import Factor, RecoveryCode
from games.refusals import Refused

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from django.db.models import QuerySet

    from casino.house.attendants.models import Attendant

What = signins.What

ISSUER: Final = "Home Throw"
STEP: Final = 30  # seconds for which a code is valid (RFC 6238)
DRIFT: Final = 1  # time steps by which a phone's clock may be off, either way
CODES: Final = 10
ALPHABET: Final = "abcdefghjkmnpqrstuvwxyz23456789"  # no characters that look alike


class FactorRefused(Refused):
    code = "second_factor_refused"


class FactorLocked(Refused):
    code = "locked_out"


def of(person: Attendant) -> QuerySet[Factor]:
    """The factors a person has now, the oldest first."""
    return Factor.objects.filter(attendant=person, removed_at__isnull=True).order_by("added_at")


# --- Authenticator apps ---------------------------------------------------------------------------


def new_secret() -> str:
    """A new secret for an authenticator app: 160 bits in base32."""
    return pyotp.random_base32()


def address(secret: str, person: Attendant) -> str:
    """The provisioning URI of a secret, which the QR code shows to the app."""
    return pyotp.TOTP(secret).provisioning_uri(name=person.username, issuer_name=ISSUER)


def add_app(  # noqa: PLR0913 - a factor, its proof, and where it came from
    *,
    person: Attendant,
    secret: str,
    code: str,
    name: str,
    place: signins.Where,
    now: datetime,
) -> Factor:
    """
    Add an authenticator app, proven by a code of its secret; that code does not work again.

    :raises FactorRefused: if the code does not fit the secret and the time, or the name is none.
    :raises FactorLocked: after too many codes.
    """
    name = name_of(Factor.Kind.APP, name)
    tried = lockout.second_factor(person, place.number(person))
    spend(tried, now)
    step = _step_of(secret, code, now)
    if step is None:
        raise FactorRefused("This is not the code the app shows now. Look again, then type it. D2")
    lockout.right(tried)
    return add_factor(
        Factor(
            attendant=person,
            kind=Factor.Kind.APP,
            name=name,
            proof=seal(secret),
            counter=step,
            added_at=now,
        ),
        place,
    )


def name_of(kind: Factor.Kind, given: str) -> str:
    """
    The name of a new factor: what the person typed, or its kind.

    :raises FactorRefused: if it has letters that nobody sees.
    """
    field = Factor._meta.get_field("name")  # noqa: SLF001 - documented API
    try:
        return str(field.clean(given or str(kind.label), None))
    except ValidationError as invalid:
        raise FactorRefused(" ".join(invalid.messages)) from None


def add_factor(factor: Factor, place: signins.Where) -> Factor:
    factor.save(force_insert=True)
    signins.note(
        What.FACTOR_ADDED,
        at=factor.added_at,
        place=place,
        person=factor.attendant,
        way=factor.kind,
    )
    return factor


def _step_of(secret: str, code: str, now: datetime) -> int | None:
    """The time step that the code belongs to, or None. All allowed steps are always compared."""
    totp, here = pyotp.TOTP(secret), int(now.timestamp()) // STEP
    given = "".join(code.split())
    if not given.isascii():
        return None
    steps = range(here - DRIFT, here + DRIFT + 1)
    fits = [step for step in steps if hmac.compare_digest(totp.generate_otp(step), given)]
    return fits[-1] if fits else None


def spend(tried: Iterable[lockout.Target], now: datetime) -> list[lockout.Target]:
    """
    Count a try, like `lockout.spend_all`.

    :raises FactorLocked: if no try is left, with a sentence for the person.
    """
    try:
        return lockout.spend_all(tried, now)
    except lockout.LockedOut as locked:
        raise FactorLocked(f"{locked} A manager can unlock you. D2") from None


def take_code(*, person: Attendant, code: str, place: signins.Where, now: datetime) -> str:
    """
    Take a code of an app, or a recovery code; returns which it was: ``app`` or ``recovery``.

    :raises FactorRefused: if it is neither, or was taken before.
    :raises FactorLocked: after too many codes.
    """
    tried = lockout.second_factor(person, place.number(person))
    try:
        last = spend(tried, now)
    except FactorLocked:
        signins.note(What.LOCKED, at=now, place=place, person=person, way="code")
        raise
    way = _take_code(person, code, now)
    if way is None:
        signins.note(What.FACTOR_REFUSED, at=now, place=place, person=person, way="code")
        if last:
            signins.note(What.LOCKED, at=now, place=place, person=person, way="code")
        raise FactorRefused(
            "This code is not valid, or was used before. Wait for the next one the app shows. D2"
        )
    lockout.right(tried)
    signins.note(What.FACTOR_PASSED, at=now, place=place, person=person, way=way)
    return way


def _take_code(person: Attendant, code: str, now: datetime) -> str | None:
    for factor in of(person).filter(kind=Factor.Kind.APP):
        secret = open_secret(bytes(factor.proof))
        step = _step_of(secret, code, now) if secret else None
        if step is not None and advance(factor, step, now):
            return str(factor.kind)
    return "recovery" if _take_recovery_code(person, code, now) else None


def advance(factor: Factor, counter: int, now: datetime) -> bool:
    """Advance a factor's counter; False if it was not behind. Of two equal counters one wins."""
    fresh = Factor.objects.filter(pk=factor.pk, counter__lt=counter, removed_at__isnull=True)
    return fresh.update(counter=counter, used_at=now) == 1


def note_use(factor: Factor, now: datetime) -> bool:
    """Note the use of a factor without a counter; False if the factor was removed."""
    return Factor.objects.filter(pk=factor.pk, removed_at__isnull=True).update(used_at=now) == 1


# --- Recovery codes -------------------------------------------------------------------------------


def new_codes(*, person: Attendant, place: signins.Where, now: datetime) -> list[str]:
    """Make ten recovery codes, which are shown only once; earlier codes become invalid."""
    codes = ["-".join(_letters(4) for _ in range(6)) for _ in range(CODES)]
    with transaction.atomic():
        RecoveryCode.objects.filter(attendant=person).delete()
        RecoveryCode.objects.bulk_create(
            RecoveryCode(attendant=person, code=_digest(code)) for code in codes
        )
    signins.note(What.CODES_MADE, at=now, place=place, person=person)
    return codes


def codes_left(person: Attendant) -> int:
    return RecoveryCode.objects.filter(attendant=person, used_at__isnull=True).count()


def _letters(count: int) -> str:
    return "".join(secrets.choice(ALPHABET) for _ in range(count))


def _digest(code: str) -> str:
    plain = "".join(each for each in code.casefold() if each.isalnum())
    return hashlib.sha256(plain.encode()).hexdigest()


def _take_recovery_code(person: Attendant, code: str, now: datetime) -> bool:
    unused = RecoveryCode.objects.filter(attendant=person, code=_digest(code), used_at__isnull=True)
    return unused.update(used_at=now) == 1


# --- Taking away ----------------------------------------------------------------------------------


def remove(
    *,
    factor: Factor,
    place: signins.Where,
    now: datetime,
    by: Attendant | None = None,
) -> None:
    """Remove a factor: its proof is deleted, the record that it existed stays (D1)."""
    gone = Factor.objects.filter(pk=factor.pk, removed_at__isnull=True)
    if not gone.update(removed_at=now, proof=b""):
        return
    if not of(factor.attendant).exists():
        RecoveryCode.objects.filter(attendant=factor.attendant).delete()
    signins.note(
        What.FACTOR_REMOVED,
        at=now,
        place=place,
        person=factor.attendant,
        way=factor.kind,
        by=by,
    )


# --- Encryption of secrets: a copy of the database alone makes no codes ---------------------------


def _seal() -> MultiFernet:
    keys = [str(key) for key in (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)]
    return MultiFernet([Fernet(_key(key)) for key in keys])


def _key(secret: str) -> bytes:
    derived = hashlib.sha256(b"casino.house.attendants.factors\n" + secret.encode()).digest()
    return base64.urlsafe_b64encode(derived)


def seal(secret: str) -> bytes:
    return _seal().encrypt(secret.encode())


def open_secret(proof: bytes) -> str | None:
    """An app's secret, decrypted; None if it was sealed under a ``SECRET_KEY`` that is gone."""
    try:
        return _seal().decrypt(proof).decode()
    except InvalidToken:
        return None
