"""The programs of bench/ run to their ends, in a size in which their figures mean nothing."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from bench.append import Cell, shares
from bench.database import RAM_DISK
from bench.figures import percentile, ratio

ROOT = Path(__file__).resolve().parent.parent
VENDOR = "postgresql" if os.environ.get("DATABASE_URL") else "sqlite"
MEDIUM = "memory" if RAM_DISK.is_dir() else "disk"
TABLES = {
    "Appends a second": 4,
    "The same as ratios": 3,
    "Folding Stone Hand": 4,
    "How long a command takes": 2,
    "Followers": 4,
    "Odds": 1,
    "Reports": 5,
    "Polls where nothing is new": 3,
    "Polls of 2 tables in play": 1,
    "Checkpoints": 2,
    "Receipts": 2,
    "Verification": 2,
}


@pytest.mark.long
@pytest.mark.processes
def test_every_program_prints_its_figures() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "bench", "--tiny", "--only", VENDOR, "--on", MEDIUM],
        cwd=ROOT, capture_output=True, text=True, timeout=400, check=False,
    )  # fmt: skip

    assert done.returncode == 0, done.stderr
    assert not done.stderr
    for title, rows in TABLES.items():
        [printed] = [part for part in done.stdout.split("### ") if part.startswith(title)]
        figured = [line for line in printed.splitlines() if any(map(str.isdigit, line))]
        assert len([line for line in figured if line.startswith("| ")]) >= rows, printed


def test_a_ratio_compares_what_was_measured_at_one_time() -> None:
    # The machine was slower in the second repetition, for both alike.
    assert ratio([40, 10, 44], [80, 20, 80]) == "0.50 x"


def test_what_was_not_measured_has_no_ratio() -> None:
    assert ratio([40], None) == ratio(None, [40]) == "-"


def test_writers_share_the_houses() -> None:
    assert shares(Cell(writers=1, houses=4)) == [[0, 1, 2, 3]]
    assert shares(Cell(writers=4, houses=4)) == [[0], [1], [2], [3]]
    assert shares(Cell(writers=4, houses=1)) == [[0], [0], [0], [0]]
    assert shares(Cell(writers=8, houses=4)) == [[0], [1], [2], [3], [0], [1], [2], [3]]


def test_the_highest_figure_is_the_last_percentile() -> None:
    figures = [float(each) for each in range(1, 101)]

    assert [percentile(figures, each) for each in (50, 95, 99, 100)] == [51, 95, 99, 100]
