"""What a fault test needs besides: clocks that jump, full disks, yesterday's code, waits."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest

from tests.faults import disks, waits, yesterday
from tests.faults.conducting import Happened
from tests.faults.parts import Part
from tests.faults.plan import Act, Fault
from tests.processes import environment, eventually

if TYPE_CHECKING:
    from pathlib import Path

# In one write: two processes say it into one file, and a print is several.
SAYS_THE_TIME = """
import os, time
from datetime import datetime, UTC
child = os.fork()
while True:
    who = "child" if not child else "parent"
    os.write(1, f"{who} {datetime.now(UTC).isoformat()}\\n".encode())
    time.sleep(0.02)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="it reads /proc")
def test_the_clock_of_a_program_and_of_those_it_forked_jumps_and_jumps_back(tmp_path: Path) -> None:
    part = Part(
        "clock", (sys.executable, "-c", SAYS_THE_TIME),
        log=tmp_path / "log", env=environment(), clock=tmp_path / "clock",
    )  # fmt: skip
    try:
        part.start(minutes=9)
        eventually(lambda: _off(part) == {"parent": 9, "child": 9})
        part.jump(-190)
        eventually(lambda: _off(part) == {"parent": -190, "child": -190})
        part.jump(0)
        eventually(lambda: _off(part) == {"parent": 0, "child": 0})
    finally:
        part.kill()


def _off(part: Part) -> dict[str, int]:
    """By how many minutes the clock of each process was off when it was last said."""
    lines = [line.split() for line in part.last_words().splitlines()[1:-1]]
    now = datetime.now(UTC)
    return {
        who: round((datetime.fromisoformat(said) - now) / timedelta(minutes=1))
        for who, said in lines
    }


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="tmpfs is Linux's")
def test_a_full_disk_has_room_again_and_kept_what_it_had(tmp_path: Path) -> None:
    with disks.disk(tmp_path) as disk:
        if disk is None:
            pytest.skip("a disk of one's own takes root")
        (tmp_path / "kept").write_bytes(b"kept")
        disk.fill()
        with pytest.raises(OSError, match=os.strerror(errno.ENOSPC)):
            (tmp_path / "more").write_bytes(bytes(2 * disks.LEFT))
        disk.empty()
        (tmp_path / "more").write_bytes(bytes(2 * disks.LEFT))

        assert (tmp_path / "kept").read_bytes() == b"kept"


def test_yesterdays_code_is_the_oldest_that_knows_the_tables(tmp_path: Path) -> None:
    _git(tmp_path, "init")
    _commit(tmp_path, {"casino/a.py": "1", "casino/migrations/0001.py": "one"})
    told = _commit(tmp_path, {"casino/a.py": "2", "casino/migrations/0001.py": "two"})
    _commit(tmp_path, {"casino/a.py": "3"})
    _commit(tmp_path, {"docs/a.md": "words"})

    assert yesterday.commit(tmp_path) == told
    tree = yesterday.unpacked(tmp_path, told, tmp_path / "before")
    assert (tree / "casino/a.py").read_text() == "2"


def test_without_a_history_there_is_no_yesterday(tmp_path: Path) -> None:
    assert yesterday.commit(tmp_path) is None


def _commit(repository: Path, files: dict[str, str]) -> str:
    for name, text in files.items():
        (repository / name).parent.mkdir(parents=True, exist_ok=True)
        (repository / name).write_text(text)
    _git(repository, "add", ".")
    _git(repository, "-c", "user.name=A", "-c", "user.email=a@b", "commit", "-m", "what")
    return _git(repository, "rev-parse", "HEAD").strip()


def _git(repository: Path, *command: str) -> str:
    return subprocess.run(
        ["git", *command], cwd=repository, check=True, capture_output=True, text=True
    ).stdout


# fmt: off
WAITS = [
    # asked  answered  beyond what was in the way: the database from 10 to 20 and from 15 to 22
    (0.0,    5.0,       5.0),   # before it
    (9.0,    23.0,      2.0),   # over all of it: two faults at once count once
    (12.0,   14.0,      0.0),
    (21.0,   40.0,     18.0),
]
# fmt: on


@pytest.mark.parametrize(("asked", "answered", "more"), WAITS)
def test_what_was_in_the_way_is_no_wait(asked: float, answered: float, more: float) -> None:
    happened = [
        _happened(Fault.PAUSE, "database", 10, 20),
        _happened(Fault.DARK, "web-1>database", 15, 22),
        _happened(Fault.KILL, "worker-1", 0, 40),  # no command waits for it
        _happened(Fault.JUMP, "web-1", 0, 40),  # nor for a clock
    ]
    told = (answered, asked, 80, "games/")

    [(waited, about)] = waits.beyond(happened, [told])
    assert waited == pytest.approx(more)
    assert about == told
    assert len(waits.too_long(happened, [told])) == (more > waits.PATIENCE)


def _happened(fault: Fault, target: str, began: float, lifted: float) -> Happened:
    return Happened(Act(began, fault, target, lifted - began), began, lifted, met=True)
