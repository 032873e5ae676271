"""
A house that was brought back elsewhere, step by step with the commands of docs/how-to/backup.md.

Everything is asked of processes: what restores, checks and plays there has only the environment of
that place, and what had left the machine before.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from django.db import connection
from django.urls import reverse

from casino.money.payouts import receipts
from ledger import verify
from tests.processes import ROOT
from tests.support import witness

if TYPE_CHECKING:
    from uuid import UUID

    from tests.support.builders import House
    from tests.support.processes import Site

ON_POSTGRESQL = connection.vendor == "postgresql"


def tried(at: Site, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *words],
        cwd=ROOT, env=at.env, capture_output=True, text=True, check=False,
    )  # fmt: skip


def manage(at: Site, *words: str) -> str:
    done = tried(at, "manage.py", *words)
    assert done.returncode == 0, done.stderr
    return done.stdout


def seen(at: Site) -> dict[str, Any]:
    done = tried(at, "-m", "tests.support.witness")
    assert done.returncode == 0, done.stderr
    data: dict[str, Any] = json.loads(done.stdout)
    return data


def kept(outside: Path, house: UUID | None = None) -> str:
    """The newest copy outside, of the one house or of this one."""
    [file] = outside.glob(f"{house or '*'}/latest.checkpoint")
    return str(file)


def kept_size(outside: Path) -> int:
    """How many events the newest copy outside covers."""
    files = list(outside.glob("*/latest.checkpoint"))
    return verify.Checkpoint.parse(files[0].read_bytes()).size if files else 0


def handed_out(house: House, position: int, to: Path) -> str:
    """A receipt as a file in somebody's hands; the address that stands on it."""
    receipt = receipts.proven(house.id, position)
    to.write_text(str(receipt))
    leaf = verify.leaf_hash(receipt.body).hex()
    return reverse("ledger-check", args=[house.id, position, leaf])


def resumed_by_two(at: Site, house: UUID) -> dict[str, str]:
    done = tried(at, "-m", "tests.support.two_people", str(house))
    assert done.returncode == 0, done.stderr
    data: dict[str, str] = json.loads(done.stdout)
    return data


def asked(at: Site, address: str) -> str:
    """What anybody is answered there, signed in or not."""
    done = tried(at, "-m", "tests.support.visitor", address)
    assert done.returncode == 0, done.stderr
    return done.stdout


def is_well(at: Site) -> bool:
    done = tried(at, "manage.py", "health")
    return done.returncode == 0 and "ILL" not in done.stdout


def is_sound(found: dict[str, Any]) -> None:
    """Balanced, nothing parked, guarded; what is forbidden is forbidden still."""
    assert (found["differing"], found["parked"], found["missing"]) == ([], 0, [])
    runner = "permission denied" if ON_POSTGRESQL else "append_only"
    for statement in witness.FORBIDDEN:
        assert "ledger_append_only" in found["as_owner"][statement]
        assert runner in found["as_runner"][statement]


def led_to_a_new_epoch(at: Site, house: UUID, *, by: str, file: str, head: int) -> None:
    """
    The commands lead from a book that is behind to one that says so and is signed again.

    :param by: as whom the manager signs in. :param file: the newest checkpoint that is kept
        outside. :param head: the book's last position.
    """
    ahead = verify.Checkpoint.parse(Path(file).read_bytes())
    about = ("--establishment", str(house), "--checkpoint", file)
    checked = tried(at, "manage.py", "verify_ledger", *about)
    assert checked.returncode == 1, checked.stderr
    assert f"is {ahead.size - head - 1} behind" in checked.stdout
    assert "open_epoch" in checked.stdout, checked.stdout
    reason = ("--reason", "The machine is gone.", "--by", by)
    output = manage(at, "open_epoch", *about, *reason)
    assert "epoch 2 begins" in output
    assert "events, sound" in output
    assert f"Signed as {ahead.origin}/2" in output
