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
    found = []
    for worker in workers:
        output, errors = worker.communicate(timeout=PATIENCE)
        assert worker.returncode == 0, errors
        found.append(json.loads(output))
    return found
