"""Checkpoints that are copied outside: what is due, what is there."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from casino.proof.signing import copies
from casino.proof.signing.models import OutsideCopy
from tests.support import builders
from tests.support.playing import NOW
from tests.support.proven import happened, keyed, signed

if TYPE_CHECKING:
    from datetime import datetime
    from pathlib import Path

    from tests.support.builders import House

SECOND, MINUTE, HOUR = timedelta(seconds=1), timedelta(minutes=1), timedelta(hours=1)


def with_a_signed_ledger() -> House:
    made = builders.house()
    happened(made, 3)
    keyed(made)
    signed(made)
    return made


def sent(house: House, now: datetime = NOW) -> list[bool]:
    """What is due now is tried: whether each destination has the newest then."""
    return [copies.copy(house.establishment, each, now) for each in copies.from_settings()]


def due(house: House, now: datetime) -> list[str]:
    return [each.text for each in copies.due(house.establishment, now)]


def row(house: House) -> OutsideCopy:
    return OutsideCopy.objects.get(establishment=house.id)


def grown(house: House) -> int:
    happened(house)
    return signed(house).size


def files(house: House, folder: Path) -> list[str]:
    return sorted(each.name for each in (folder / str(house.id)).iterdir())
