"""Positions: how far a server's write-ahead log had come, as browsers and programs hold them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from django.core.signing import BadSignature, Signer

SIGNER: Final = Signer(salt="casino.engine.scale.replicas.position")
WRITTEN: Final = re.compile(r"(?P<system>[0-9]{1,20})-(?P<lsn>[0-9A-F]{1,16})")


@dataclass(frozen=True, slots=True)
class Position:
    """
    A position in the log of a cluster.

    :param system: the cluster's identifier, equal at a primary and its standbys
        (``pg_control_system``).
    :param lsn: bytes of log since the cluster was made (``pg_lsn``).
    """

    system: int
    lsn: int

    def __str__(self) -> str:
        """As PostgreSQL writes it: ``0/16B3748``."""
        return f"{self.lsn >> 32:X}/{self.lsn & 0xFFFFFFFF:X}"


def sign(position: Position) -> str:
    """A position for whoever holds it; they cannot make one themselves."""
    return SIGNER.sign(f"{position.system}-{position.lsn:X}")


def read_signed(text: str) -> Position | None:
    """The position in such a text; None if it is not one of ours."""
    try:
        found = WRITTEN.fullmatch(SIGNER.unsign(text))
    except BadSignature:
        return None
    return Position(int(found["system"]), int(found["lsn"], 16)) if found else None
