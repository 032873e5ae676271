"""
Passkeys (WebAuthn) as a second factor (D2).

The browser's options and answers are JSON objects as in the standard, checked by Yubico's fido2. A
passkey belongs to the host name under which the house was opened in the browser.
"""

from __future__ import annotations

import ipaddress
import json
import struct
from typing import TYPE_CHECKING, Any

from fido2.server import Fido2Server
from fido2.webauthn import (
    AttestedCredentialData,
    AuthenticationResponse,
    PublicKeyCredentialRpEntity,
    PublicKeyCredentialUserEntity,
    ResidentKeyRequirement,
    UserVerificationRequirement,
)

from casino.house.attendants import factors, lockout, signins
from casino.house.attendants.models import Factor

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from casino.house.attendants.models import Attendant

    Options = dict[str, Any]
    State = dict[str, Any]

What = signins.What
UNREADABLE = (
    ValueError, KeyError, TypeError, AttributeError, IndexError, AssertionError, struct.error,
    NotImplementedError, RecursionError,
)  # fmt: skip
"""The exceptions that fido2 raises on an answer that is wrong or malformed."""


def possible(host: str) -> bool:
    """Whether browsers make passkeys for this host: they do for names, not for IP addresses."""
    try:
        ipaddress.ip_address(_name(host))
    except ValueError:
        return True
    return False


def _name(host: str) -> str:
    """A host without its port."""
    return host.rpartition("]")[0].strip("[") if host.startswith("[") else host.partition(":")[0]


def _server(host: str) -> Fido2Server:
    return Fido2Server(PublicKeyCredentialRpEntity(id=_name(host), name=factors.ISSUER))


def _credentials(person: Attendant) -> dict[bytes, tuple[Factor, AttestedCredentialData]]:
    found = {}
    for factor in factors.of(person).filter(kind=Factor.Kind.PASSKEY):
        data = AttestedCredentialData(bytes(factor.proof))
        found[data.credential_id] = (factor, data)
    return found


def begin_adding(person: Attendant, host: str) -> tuple[Options, State]:
    """The options with which the browser makes a passkey, and the state to keep for its answer."""
    user = PublicKeyCredentialUserEntity(
        id=person.pk.bytes, name=person.username, display_name=str(person)
    )
    options, state = _server(host).register_begin(
        user,
        credentials=[data for _, data in _credentials(person).values()],
        resident_key_requirement=ResidentKeyRequirement.DISCOURAGED,
        user_verification=UserVerificationRequirement.PREFERRED,
    )
    return dict(options), state


def add(  # noqa: PLR0913 - a factor, its proof, and where it came from
    *,
    person: Attendant,
    host: str,
    state: State | None,
    answer: str,
    name: str,
    place: signins.Where,
    now: datetime,
) -> Factor:
    """
    Add the passkey that the browser made.

    :raises FactorRefused: if the answer does not fit the options that were sent, or the name is
        none.
    """
    name = factors.name_of(Factor.Kind.PASSKEY, name)
    try:
        made = _server(host).register_complete(state or {}, _read(answer))
        data = made.credential_data
    except UNREADABLE:
        data = None
    if data is None:
        raise factors.FactorRefused("The passkey was not made. Try once more. D2") from None
    factor = Factor(
        attendant=person,
        kind=Factor.Kind.PASSKEY,
        name=name,
        proof=bytes(data),
        counter=made.counter,
        added_at=now,
    )
    return factors.add_factor(factor, place)


def begin_showing(person: Attendant, host: str) -> tuple[Options, State] | None:
    """The options with which the browser shows a passkey, and the state; None without a passkey."""
    known = [data for _, data in _credentials(person).values()]
    if not known:
        return None
    options, state = _server(host).authenticate_begin(
        known, user_verification=UserVerificationRequirement.PREFERRED
    )
    return dict(options), state


def take(  # noqa: PLR0913 - as `add`
    *,
    person: Attendant,
    host: str,
    state: State | None,
    answer: str,
    place: signins.Where,
    now: datetime,
) -> None:
    """
    Take a passkey's signature as the second factor.

    :raises FactorRefused: if the passkey is another person's, or the answer does not fit.
    :raises FactorLocked: after too many tries.
    """
    tried = [lockout.passkey(person, place.address, place.number(person))]
    last = factors.spend(tried, now)
    if not _verify_signature(person, host, state or {}, answer, now):
        signins.note(What.FACTOR_REFUSED, at=now, place=place, person=person, way="passkey")
        if last:
            signins.note(What.LOCKED, at=now, place=place, person=person, way="passkey")
        raise factors.FactorRefused("The passkey was not taken. Try once more. D2")
    lockout.right(tried)
    signins.note(What.FACTOR_PASSED, at=now, place=place, person=person, way="passkey")


def _verify_signature(
    person: Attendant, host: str, state: State, answer: str, now: datetime
) -> bool:
    known = _credentials(person)
    try:
        given = _read(answer)
        used = _server(host).authenticate_complete(
            state, [data for _, data in known.values()], given
        )
        counter = AuthenticationResponse.from_dict(given).response.authenticator_data.counter
    except UNREADABLE:
        return False
    factor, _ = known[used.credential_id]
    if counter == 0 == factor.counter:  # many passkeys have no counter
        return factors.note_use(factor, now)
    return factors.advance(factor, counter, now)  # the counter of a copied key is behind


def _read(answer: str) -> Mapping[str, Any]:
    given = json.loads(answer)
    if not isinstance(given, dict):
        raise TypeError("A passkey's answer is a JSON object.")
    return given
