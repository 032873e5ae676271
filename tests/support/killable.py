"""
Acts of the house in processes that are killed at a moment: ``python -m tests.support.killable``.

Each line of standard input is one try, ``{"moment", "acts"}``. Each act gets a process of its own,
all at once, and each kills itself (SIGKILL) before the statement of that number, where commits
count twice: before and after. 0: none is killed. The answer is one line of JSON: for each act how
its process ended, and at which moment it was then.
"""

from __future__ import annotations

import itertools
import json
import os
import signal
import sys
import traceback
from typing import TYPE_CHECKING, Any
from uuid import UUID

import django

django.setup()

from django.db import connection, connections  # noqa: E402 - once Django is up

from casino.config.celery import app  # noqa: E402
from casino.play.core.subscriptions.tasks import advance_all  # noqa: E402
from casino.play.settlement.subscriber import SETTLEMENT  # noqa: E402
from casino.reports.gaming_days import tasks  # noqa: E402
from ledger import subscriptions  # noqa: E402
from tests.support import builders  # noqa: E402

if TYPE_CHECKING:
    from collections.abc import Callable

TURNS = 100  # of a worker, at most


class Moments:
    """Counts statements and commits of this process's connection, and dies at one of them."""

    def __init__(self, last: int) -> None:
        self._last, self._counter, self.at = last, itertools.count(1), 0

    def __enter__(self) -> None:
        connection.ensure_connection()
        commit = connection._commit  # type: ignore[attr-defined]

        def around() -> None:
            self.pass_by()
            commit()
            self.pass_by()

        connection._commit = around  # type: ignore[attr-defined]
        connection.execute_wrappers.append(self._execute)

    def __exit__(self, *_error: object) -> None:
        connection.execute_wrappers.remove(self._execute)

    def _execute(self, execute: Callable[..., Any], *given: Any) -> Any:
        self.pass_by()
        return execute(*given)

    def pass_by(self) -> None:
        self.at = next(self._counter)
        if self.at == self._last:
            os.kill(os.getpid(), signal.SIGKILL)


def ask(*, url: str, token: str, body: dict[str, str]) -> None:
    """A person's request, as a web server takes it."""
    client = builders.client(HTTP_AUTHORIZATION=f"Bearer {token}")
    answer = client.post(url, body, secure=True, SERVER_NAME="127.0.0.1")
    if answer.status_code != 200:
        raise RuntimeError(answer.content)


def work(*, house: str) -> None:
    """What workers do for a house until nothing is left to do."""
    tasks.close_day(establishment=house)
    for _turn in range(TURNS):
        if not advance_all(UUID(house)):
            return


def settle(*, house: str) -> None:
    """What a worker does for settlement alone."""
    for _turn in range(TURNS):
        if not subscriptions.advance(SETTLEMENT, establishment=UUID(house)).lag:
            return


ACTS: dict[str, Callable[..., None]] = {"ask": ask, "work": work, "settle": settle}


def begin(act: dict[str, Any], moment: int, answers: int) -> int:
    """Begin an act in a process of its own, which writes its last moment. Return its id."""
    if pid := os.fork():
        return pid
    status, moments = 1, Moments(moment)
    try:
        with moments:
            ACTS[act.pop("do")](**act)
        status = 0
        os.write(answers, f"{moments.at}\n".encode())
    except BaseException:  # noqa: BLE001 - nothing above would say it
        traceback.print_exc()
    finally:
        sys.stderr.flush()
        os._exit(status)


def once(moment: int, acts: list[dict[str, Any]]) -> list[dict[str, int]]:
    connections.close_all()
    answers, written = os.pipe()
    begun = [begin(act, moment, written) for act in acts]
    ended = [os.waitstatus_to_exitcode(os.waitpid(each, 0)[1]) for each in begun]
    os.close(written)
    with os.fdopen(answers) as lines:
        last = [int(line) for line in lines]
    return [{"ended": each, "moments": max(last, default=0)} for each in ended]


def main() -> None:
    app.loader.import_default_modules()
    for line in sys.stdin:
        sys.stdout.write(f"{json.dumps(once(**json.loads(line)))}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
