"""Acts in processes that are killed at a moment, and how they ended (tests/support/killable.py)."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from tests.processes import ROOT

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tests.support.processes import Site

KILLED = -9


@contextmanager
def killable_processes(place: Site) -> Iterator[Callable[..., list[dict[str, int]]]]:
    command = [sys.executable, "-m", "tests.support.killable"]
    with (
        (place.folder / "killable.log").open("w") as log,
        subprocess.Popen(
            command, cwd=ROOT, env=place.env, text=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log, start_new_session=True,
        ) as program,
    ):  # fmt: skip
        assert program.stdin is not None
        assert program.stdout is not None
        sent, answers = program.stdin, program.stdout

        def attempt(moment: int, *acts: dict[str, Any]) -> list[dict[str, int]]:
            sent.write(json.dumps({"moment": moment, "acts": acts}, default=str) + "\n")
            sent.flush()
            found: list[dict[str, int]] = json.loads(answers.readline())
            ended = {each["ended"] for each in found}
            assert ended <= {0, KILLED}, (place.folder / "killable.log").read_text()
            print(moment, found)  # noqa: T201 - of a test that fails one wants to know
            return found

        try:
            yield attempt
        finally:
            os.killpg(program.pid, signal.SIGKILL)
