"""Sets `tests.ledger.worker` to work in processes of its own and hears their answers."""

from __future__ import annotations

import json
import multiprocessing
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tests.ledger import worker

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from multiprocessing.connection import Connection

PATIENCE = 40.0  # seconds for a worker to finish
# Copies of one process that has Django up: each on its own would take longer for that than to work.
COPIES = multiprocessing.get_context("forkserver")
COPIES.set_forkserver_preload(["pytest", "tests.ledger.worker"])


@dataclass(frozen=True)
class Worker:
    process: Any
    heard: Connection
    together: Any  # where they wait for each other; kept until they have found it

    def ended(self) -> int | None:
        """Its status, as of a subprocess: negative if it was killed."""
        self.process.join(PATIENCE)
        status: int | None = self.process.exitcode
        if status is None:
            self.process.kill()
        return status

    def answer(self) -> Any:
        return json.loads(self.heard.recv()) if self.heard.poll() else None


def started(environment: Mapping[str, str], *works: Sequence[object]) -> list[Worker]:
    """Workers that are all up, and then set off at one moment."""
    together = COPIES.Barrier(len(works))
    workers = []
    for work in works:
        heard, says = COPIES.Pipe(duplex=False)
        process = COPIES.Process(
            target=worker.works,
            args=(environment[worker.DATABASES], together, says, *map(str, work)),
        )
        process.start()
        says.close()
        workers.append(Worker(process, heard, together))
    return workers


def answers(workers: Sequence[Worker]) -> list[Any]:
    ended = [each.ended() for each in workers]
    heard = [each.answer() for each in workers]
    assert ended == [0] * len(workers), heard
    return heard
