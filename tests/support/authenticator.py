"""An authenticator for passkeys, in software: what it makes and signs, as browsers pass it on."""

from __future__ import annotations

import hashlib
import json
import secrets
from typing import Any, Final

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from fido2.cose import ES256
from fido2.utils import websafe_encode
from fido2.webauthn import AttestationObject, AttestedCredentialData, AuthenticatorData

ORIGIN: Final = "http://localhost"
PRESENT, HOLDS_KEY = 0x01, 0x40


class Authenticator:
    """One key for one house, and a count of how often it has signed."""

    def __init__(self) -> None:
        self._key = ec.generate_private_key(ec.SECP256R1())
        self._id = secrets.token_bytes(16)
        self._count = 0

    def makes(self, options: dict[str, Any]) -> dict[str, Any]:
        """The answer to what a page asks of `navigator.credentials.create`."""
        data = AttestedCredentialData.create(
            bytes(16),
            self._id,
            ES256.from_cryptography_key(self._key.public_key()),  # type: ignore[no-untyped-call]
        )
        flags = AuthenticatorData.FLAG(PRESENT | HOLDS_KEY)
        made = AuthenticatorData.create(
            _hash(options["rp"]["id"]), flags, self._counted(), credential_data=bytes(data)
        )
        return self._answer(
            clientDataJSON=_client_data("webauthn.create", options["challenge"], ORIGIN),
            attestationObject=bytes(AttestationObject.create("none", made, {})),
        )

    def signs(  # noqa: PLR0913 - everything that can be wrong
        self,
        options: dict[str, Any],
        *,
        origin: str = ORIGIN,
        challenge: str = "",
        kind: str = "webauthn.get",
        present: bool = True,
        rp: str = "",
        count: int | None = None,
        signature: bytes | None = None,
    ) -> dict[str, Any]:
        """The answer to what a page asks of `navigator.credentials.get`, or one gone wrong."""
        data = AuthenticatorData.create(
            _hash(rp or options["rpId"]),
            AuthenticatorData.FLAG(PRESENT if present else 0),
            self._counted() if count is None else count,
        )
        client_data = _client_data(kind, challenge or options["challenge"], origin)
        message = bytes(data) + hashlib.sha256(client_data).digest()
        signed = self._key.sign(message, ec.ECDSA(hashes.SHA256()))
        return self._answer(
            clientDataJSON=client_data, authenticatorData=bytes(data), signature=signature or signed
        )

    def _counted(self) -> int:
        self._count += 1
        return self._count

    def _answer(self, **parts: bytes) -> dict[str, Any]:
        return {
            "id": websafe_encode(self._id),
            "rawId": websafe_encode(self._id),
            "type": "public-key",
            "response": {name: websafe_encode(part) for name, part in parts.items()},
            "clientExtensionResults": {},
        }


def _client_data(kind: str, challenge: str, origin: str) -> bytes:
    return json.dumps({"type": kind, "challenge": challenge, "origin": origin}).encode()


def _hash(name: str) -> bytes:
    return hashlib.sha256(name.encode()).digest()
