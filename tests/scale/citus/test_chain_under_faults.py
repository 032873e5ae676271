"""
A chain under faults by chance keeps what it promises: some of `python -m tests.faults --house
chain`, which has two hundred houses and as much time as one likes.
"""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from tests.processes import ROOT, environment

if TYPE_CHECKING:
    from pathlib import Path

HOUSES, SEED, SECONDS = 20, 23, 90


@pytest.mark.processes
@pytest.mark.skipif(sys.platform != "linux", reason="it reads /proc")
def test_a_chain_under_faults_keeps_its_promises(tmp_path: Path) -> None:
    done = subprocess.run(
        [
            sys.executable, "-m", "tests.faults", "--house=chain", f"--houses={HOUSES}",
            f"--seed={SEED}", f"--seconds={SECONDS}", f"--folder={tmp_path / 'run'}", "--json",
        ],
        cwd=ROOT, env=environment(), capture_output=True, text=True, check=False,
    )  # fmt: skip

    assert done.returncode == 0, done.stderr
    figures = json.loads(done.stdout)["figures"]
    assert all(figures[what] for what in ("acknowledged", "repeated", "checkpoints"))
    assert {"kill", "switch", "move", "grow"} <= figures["faults"].keys()
