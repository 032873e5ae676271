"""
Some of what `python -m tests.faults` does: a house under faults by chance keeps what it promises.

On PostgreSQL a minute of the house in production, on SQLite half a minute of ``manage.py up``.
Another seed each day would find more and fail where nobody changed anything: those are for runs by
hand, as long as one likes.
"""

from __future__ import annotations

import base64
import json
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from django.db import connection

from tests.faults import chain, houses, trees
from tests.faults.plan import Target, plan
from tests.processes import ROOT

if TYPE_CHECKING:
    from pathlib import Path

SEED = 7
RUNS = {"production": (7, 60), "embedded": (49, 30)}
"""Seed and seconds."""


@pytest.mark.long
@pytest.mark.processes
@pytest.mark.skipif(sys.platform != "linux", reason="it reads /proc")
def test_a_house_under_faults_keeps_its_promises(tmp_path: Path) -> None:
    house = "production" if connection.vendor == "postgresql" else "embedded"
    (seed, seconds), folder = RUNS[house], tmp_path / "run"

    done = subprocess.run(
        [
            sys.executable, "-m", "tests.faults", f"--house={house}", f"--seed={seed}",
            f"--seconds={seconds}", f"--folder={folder}", "--json",
        ],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip

    assert done.returncode == 0, done.stderr
    figures = json.loads(done.stdout)["figures"]
    assert all(figures[what] for what in ("acknowledged", "repeated", "checkpoints"))
    assert {"kill", "pause", "deaf", "half", "dark", "jump"} <= figures["faults"].keys()


@pytest.mark.parametrize(
    ("targets", "seconds"),
    [(houses.PRODUCTION, 300), (houses.EMBEDDED, 300), (chain.CHAIN, 1800)],
)
def test_a_seed_says_what_happens_and_when(targets: tuple[Target, ...], seconds: int) -> None:
    planned = plan(seed=SEED, seconds=seconds, targets=targets)

    assert planned == plan(seed=SEED, seconds=seconds, targets=targets)
    assert planned != plan(seed=SEED + 1, seconds=seconds, targets=targets)
    assert {(act.fault, act.target) for act in planned} == {
        (fault, target.name) for target in targets for fault in target.faults
    }


def test_nothing_is_hit_twice_at_a_time() -> None:
    free: dict[str, float] = {}
    for act in plan(seed=SEED, seconds=600, targets=houses.PRODUCTION):
        assert act.at >= free.get(act.target, 0)
        free[act.target] = act.at + act.lasts


ROOTS = [
    # RFC 6962, section 2.1: the trees of 1 and 3 leaves, as the vectors of its implementations.
    (1, "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d"),
    (3, "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77"),
]


@pytest.mark.parametrize(("size", "root"), ROOTS)
def test_the_independent_tree_is_the_one_of_rfc_6962(size: int, root: str) -> None:
    leaves = [b"", b"\x00", b"\x10"]

    assert trees.roots(leaves, [size])[size].hex() == root


def test_a_checkpoint_that_the_ledger_does_not_begin_with_is_said() -> None:
    bodies, answers = [b"one", b"two", b"three"], [b"yes", b"no"]
    root, chain = trees.roots(bodies, [2])[2], list(trees.chains(answers))[1]
    good = _note(size=2, root=root, receipts=1, chain=chain)

    assert list(trees.compared([good], bodies, answers)) == []
    assert len(list(trees.compared([good], [b"one", b"2"], answers))) == 1
    assert len(list(trees.compared([good], bodies[:1], answers))) == 1
    assert len(list(trees.compared([good], bodies, [b"no"]))) == 1
    assert len(list(trees.compared([good], bodies, []))) == 1


def _note(*, size: int, root: bytes, receipts: int, chain: bytes) -> str:
    told, told_chain = (base64.b64encode(each).decode() for each in (root, chain))
    signature = "\N{EM DASH} house.example AAAA"
    lines = (
        "house.example/1", size, told, f"receipts {receipts} {told_chain}",
        "signed 2026-11-21T00:55:50.000000Z after 0", "", signature,
    )  # fmt: skip
    return "".join(f"{line}\n" for line in lines)
