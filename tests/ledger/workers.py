"""Starts `tests.ledger.worker` processes and hears their answers."""

import json
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
PATIENCE = 40.0  # seconds for a worker to finish


def started(environment: Mapping[str, str], *works: Sequence[object]) -> list[Any]:
    """Workers that are all up, and then set off at one moment."""
    workers = [
        subprocess.Popen(
            [sys.executable, "-m", "tests.ledger.worker", *map(str, work)],
            cwd=ROOT, env=environment, text=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )
        for work in works
    ]  # fmt: skip
    for worker in workers:
        assert worker.stdout is not None
        assert worker.stdout.readline() == "ready\n", worker.communicate()[1]
    for worker in workers:
        assert worker.stdin is not None
        worker.stdin.write("go\n")
        worker.stdin.flush()
    return workers


def answers(workers: Sequence[Any]) -> list[Any]:
    heard = [worker.communicate(timeout=PATIENCE) for worker in workers]
    assert [worker.returncode for worker in workers] == [0] * len(workers), heard
    return [json.loads(output) for output, _ in heard]
