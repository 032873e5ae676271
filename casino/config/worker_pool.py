"""
The pool of a worker's processes, which reads what they say until they have ended.

A process of the pool ends once its parent has read all of its results, or after 30 s. On a stop
Celery forgets a task that was handed to a process which has not said yet that it took it, as on a
busy machine; it then waits for that process and reads nothing more. Both waited for each other,
until the worker was ended by force (`casino.config.celery`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from billiard.connection import wait
from billiard.pool import TERMINATE, WorkersJoined
from celery.concurrency import asynpool, prefork

if TYPE_CHECKING:
    from collections.abc import Callable

LOOKS_EVERY: Final = 0.1  # seconds, whether a process has ended


class ResultHandler(asynpool.ResultHandler):
    fileno_to_outq: dict[int, Any]
    join_exited_workers: Callable[..., Any]
    on_state_change: Callable[..., Any]
    _flush_outqueue: Callable[..., Any]
    _state: Any

    def on_stop_not_started(self) -> None:
        """As Celery's, which a stop calls; then go on reading, until all processes have ended."""
        super().on_stop_not_started()
        gone: set[Any] = set()
        while (readable := self.fileno_to_outq.keys() - gone) and self._state != TERMINATE:
            for each in wait(list(readable), LOOKS_EVERY):
                self._flush_outqueue(each, gone.add, self.fileno_to_outq, self.on_state_change)
            try:
                self.join_exited_workers(shutdown=True)
            except WorkersJoined:
                return


class Pool(asynpool.AsynPool):
    ResultHandler = ResultHandler


class TaskPool(prefork.TaskPool):
    Pool = Pool
