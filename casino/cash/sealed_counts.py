"""
Counts are sealed (B1, A5): until both are in, the ledger has a salted hash of the first alone.

Sheet and salt are kept beside it; then they stand in the event that tells of the pair, and whoever
reads it can check the seal.
"""

from __future__ import annotations

import hashlib
import secrets
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from casino.cash.models import SealedCount
from ledger import canonical

if TYPE_CHECKING:
    from uuid import UUID

    from casino.custody.sheets import Sheet
    from casino.establishments.models import Establishment
    from casino.operations.acts import Act

SALT = 16  # bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Counted:
    """One person's sheet with the salt of its seal."""

    by: str
    sheet: Sheet
    salt: bytes

    def as_dict(self) -> dict[str, Any]:
        """As an event has it once both are in: whoever reads it can check the seal."""
        return {"by": self.by, "sheet": self.sheet, "salt": self.salt.hex()}

    @property
    def seal(self) -> str:
        return hashlib.sha256(self.salt + canonical.encode(self.sheet)).hexdigest()


def sealed(act: Act, sheet: Sheet) -> Counted:
    """A count, kept under the act's command, so that it is sealed once however often it arrives."""
    kept, _ = SealedCount.objects.get_or_create(
        establishment_id=act.house.pk,
        command_id=act.command_id,
        defaults={"salt": secrets.token_bytes(SALT), "sheet": sheet},
    )
    return Counted(by=act.actor, sheet=dict(kept.sheet), salt=bytes(kept.salt))


def unsealed(house: Establishment, *, by: str, key: UUID) -> Counted:
    """What somebody counted, once the other count is in. `key`: the command that brought it."""
    kept = SealedCount.objects.get(establishment=house, command_id=key)
    return Counted(by=by, sheet=dict(kept.sheet), salt=bytes(kept.salt))
