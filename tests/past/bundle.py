"""The bundle: the house that was played, exported as every house is."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

import django

django.setup()

from django.conf import settings  # noqa: E402 - after the set-up
from django.core.management import call_command  # noqa: E402

from casino.proof.signing import keys  # noqa: E402
from casino.proof.verification.management.commands import export_ledger  # noqa: E402
from ledger import checkpoints  # noqa: E402
from tests.past import weeks  # noqa: E402
from tests.past.pinned import pinned  # noqa: E402

if TYPE_CHECKING:
    from datetime import datetime

    from casino.house.establishments.models import Establishment

PLACE: Final = Path(__file__).resolve().parents[2] / "casino" / "demo" / "past.zip"
SIZE_MAX: Final = 2_000_000  # bytes


def write(to: Path, *, seed: int, days: int | None = None) -> None:
    """
    Play the weeks and export the house.

    :param days: only so many evenings.
    :raises SystemExit: if the bundle would be larger than `SIZE_MAX`.
    """
    call_command("migrate", verbosity=0, interactive=False)
    made = to.with_suffix(".new.zip")
    made.unlink(missing_ok=True)
    with pinned(weeks.BEGINS, seed) as clock:
        house = weeks.play(clock, days=days or weeks.DAYS, say=_say)
        _sign(house, clock.now)
        export_ledger.export(house, to=made, now=clock.now)
    size = made.stat().st_size
    if size > SIZE_MAX:
        made.unlink()
        sys.exit(f"The past would have {size} bytes, more than {SIZE_MAX}: nothing was replaced.")
    made.replace(to)
    to.chmod(0o644)
    _say(f"{to}: {size} bytes")


def _sign(house: Establishment, now: datetime) -> None:
    """
    Sign the whole ledger once, with a key of the bundle's own.

    The key comes from the seed, so it says nothing about who wrote the bundle: it shows that the
    file is whole. It is not on record, because the house will sign with another key.
    """
    keys.make_file(house.pk, keys.origin(house.pk))
    checkpoints.grow(
        establishment=house.pk,
        keys=keys.signing_keys(house.pk),
        name=settings.LEDGER_ORIGIN,
        now=now,
    )


def _say(line: str) -> None:
    sys.stderr.write(f"{line}\n")
