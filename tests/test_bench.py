"""The programs of bench/ run to their ends, in a size in which their figures mean nothing."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from bench.append import Cell, shares
from bench.database import RAM_DISK
from bench.figures import percentile, ratio
from bench.flames import Frame, drawn, read
from bench.soak import growth

ROOT = Path(__file__).resolve().parent.parent
VENDOR = "postgresql" if os.environ.get("DATABASE_URL") else "sqlite"
MEDIUM = "memory" if RAM_DISK.is_dir() else "disk"
TABLES = {
    "Appends a second": 4,
    "The same as ratios": 3,
    "Folding Stone Hand": 4,
    "How long a command takes": 2,
    "Followers": 4,
    "3 houses and one worker": 2,
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


@pytest.mark.long
@pytest.mark.once  # it has servers of its own
@pytest.mark.processes
@pytest.mark.parametrize("only", ["postgresql", "sqlite"])
def test_a_house_that_plays_says_what_a_throw_costs_it(only: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "bench.house", "--quick", "--only", only],
        cwd=ROOT, capture_output=True, text=True, timeout=300, check=False,
    )  # fmt: skip

    assert done.returncode == 0, done.stderr
    figures = {
        line.split("|")[1].strip(): line.split("|")[2].strip()
        for line in done.stdout.splitlines()
        if line.startswith("| ")
    }
    assert float(figures["**all told, ms of processor**"].strip("*")) > 0
    assert float(figures["commands a second, each with its state"]) > 0
    assert "0 failed" in done.stdout


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


def test_a_process_that_grows_after_it_was_warm_is_seen_to_grow() -> None:
    minutes = [
        {"commands": 1_000.0 * at, "MB flat": 90 + min(at, 10), "MB leaks": 90 + at}
        for at in range(51)
    ]

    grown = growth(minutes)

    assert grown["MB flat"] == 0
    assert grown["MB leaks"] == pytest.approx(31 / 105, abs=0.02)  # of what it had, once warm


@pytest.mark.long
@pytest.mark.once
@pytest.mark.browser
@pytest.mark.processes
def test_a_soak_notes_what_a_house_has_and_draws_it(tmp_path: Path) -> None:
    picture = tmp_path / "soak.png"
    done = subprocess.run(
        [
            sys.executable, "-m", "bench.soak", "--commands", "60", "--every", "2",
            "--out", str(tmp_path), "--picture", str(picture),
        ],
        cwd=ROOT, capture_output=True, text=True, timeout=300, check=False,
    )  # fmt: skip

    assert done.returncode == 0, done.stderr
    for named in ("MB web.1", "MB worker.2", "messages play", "waiting play", "connections"):
        assert f"| {named} |" in done.stdout
    assert len((tmp_path / "soak.csv").read_text().splitlines()) > 2
    assert picture.read_bytes().startswith(b"\x89PNG")


def test_a_flame_graph_tells_shares_and_leaves_out_waits_and_the_way_in() -> None:
    """Of 400 stacks in a program, 100 wait; all others come by the same two frames."""
    lines = ["main;serve;fold 75", "main;serve;settle;book 225", "main;serve;wait (it) 100"]
    program = Frame("worker")
    for stack, met in read(lines).items():
        program.take(stack.split(";"), met)

    picture = drawn(program.without_way_in())

    assert "<title>fold: 25.0 %</title>" in picture
    assert "<title>settle: 75.0 %</title>" in picture
    assert not any(f"<title>{name}" in picture for name in ("main", "serve", "wait"))


def test_a_line_that_is_no_stack_is_named() -> None:
    with pytest.raises(ValueError, match=r"Line 2 is no collapsed stack: 'book'\."):
        read(["main;fold 3", "book"])
