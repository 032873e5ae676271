"""A payout to prove, and an auditor with the verifier and nothing else of ours."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from casino.play.settlement.models import Payout
from ledger import verify
from tests.support.playing import opened, round_played, settled

if TYPE_CHECKING:
    from uuid import UUID

    from tests.support.builders import House

VERIFIER = Path(verify.__file__)


def won(house: House) -> tuple[UUID, Payout]:
    """Bo wins Ada's 20 out of the pot; it is booked."""
    game = opened(house, stake=20)
    for _ in range(3):
        round_played(house, game)
    settled(house)
    return game, Payout.objects.get(establishment=house.id, payer="pot")


def told(*arguments: str | Path) -> tuple[int, str]:
    """What the verifier says, run as its own program: exit status, and all it prints."""
    line = [sys.executable, "-I", str(VERIFIER), *map(str, arguments)]
    done = subprocess.run(line, capture_output=True, text=True, check=False, timeout=60)
    return done.returncode, done.stdout + done.stderr
