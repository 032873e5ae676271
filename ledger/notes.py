"""Signs notes (C2SP signed-note, Ed25519). `ledger.verify` parses and checks them."""

import base64
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, Self

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
)

from ledger.verify import ED25519, HASH_BYTES, Key, Signature, Unreadable, unbase64

SECRET: Final = "PRIVATE+KEY+"  # noqa: S105  how every secret key in this format begins


@dataclass(frozen=True, slots=True)
class SigningKey:
    """
    A house's secret key, named after the origin that it signs for.

    Its text form is that of Go's note package:
    ``PRIVATE+KEY+name+hexid+base64(0x01 || 32 bytes)``.
    """

    name: str
    seed: bytes

    def __repr__(self) -> str:
        return f"SigningKey({self.public})"  # never the seed: it would end up in a log

    @classmethod
    def generate(cls, name: str) -> Self:
        raw = Ed25519PrivateKey.generate()
        seed = raw.private_bytes(Encoding.Raw, PrivateFormat.Raw, NoEncryption())
        return cls(name, seed)

    @classmethod
    def parse(cls, line: str) -> Self:
        """:raises Unreadable: if the line is not a secret key; the message never quotes it."""
        if not line.startswith(SECRET):
            raise Unreadable("No secret key: it does not begin with PRIVATE+KEY+.")
        name, _, rest = line.strip().removeprefix(SECRET).partition("+")
        hexid, _, coded = rest.partition("+")
        data = unbase64(coded, size=1 + HASH_BYTES, what=f"secret key of {name}")
        key = cls(name, data[1:])
        if not name or data[:1] != ED25519 or key.public.id.hex() != hexid:
            raise Unreadable(f"The secret key of {name} is not what its id says.")
        return key

    @property
    def line(self) -> str:
        """The secret key as a line of a key file."""
        coded = base64.b64encode(ED25519 + self.seed).decode()
        return f"{SECRET}{self.name}+{self.public.id.hex()}+{coded}"

    @property
    def public(self) -> Key:
        public = self._private().public_key()
        return Key(self.name, public.public_bytes(Encoding.Raw, PublicFormat.Raw))

    def named(self, name: str) -> Self:
        """The same secret key under the name of another origin, e.g. of the next epoch."""
        return replace(self, name=name)

    def sign(self, text: str) -> Signature:
        return Signature(self.name, self.public.id, self._private().sign(text.encode()))

    def _private(self) -> Ed25519PrivateKey:
        return Ed25519PrivateKey.from_private_bytes(self.seed)


def sign(text: str, keys: Sequence[SigningKey]) -> str:
    """A signed note: the text, an empty line, one signature line per key."""
    return text + "\n" + "".join(f"{key.sign(text)}\n" for key in keys)
