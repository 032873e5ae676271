"""
Sealed counts (B1, A5): until both counts are entered, the ledger has only a hash of the first.

The sheet and the salt of the hash are kept outside the ledger. The event of the second count
contains both sheets and salts, so whoever reads it can check the seal.
"""

from __future__ import annotations

import hashlib
import secrets
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from casino.money.cash.models import SealedCount
from ledger import canonical

if TYPE_CHECKING:
    from uuid import UUID

    from casino.house.acts.acts import Act
    from casino.house.custody.sheets import Sheet
    from casino.house.establishments.models import Establishment

SALT = 16  # bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Counted:
    """One person's sheet with the salt of its seal."""

    by: str
    sheet: Sheet
    salt: bytes

    def as_dict(self) -> dict[str, Any]:
        """The count as an event contains it once both are entered; its seal can be checked."""
        return {"by": self.by, "sheet": self.sheet, "salt": self.salt.hex()}

    @property
    def seal(self) -> str:
        return hashlib.sha256(self.salt + canonical.encode(self.sheet)).hexdigest()


def seal(act: Act, sheet: Sheet) -> Counted:
    """
    Keep a count under its command and seal it.

    A command that is sent again gets the same salt and the same seal.
    """
    kept, _ = SealedCount.objects.get_or_create(
        establishment_id=act.house.pk,
        command_id=act.command_id,
        defaults={"salt": secrets.token_bytes(SALT), "sheet": sheet},
    )
    return Counted(by=act.actor, sheet=dict(kept.sheet), salt=bytes(kept.salt))


def unseal(house: Establishment, *, by: str, key: UUID) -> Counted:
    """
    The kept count of a person, for use once the other count is entered.

    :param key: id of the command that brought the count.
    """
    kept = SealedCount.objects.get(establishment=house, command_id=key)
    return Counted(by=by, sheet=dict(kept.sheet), salt=bytes(kept.salt))
