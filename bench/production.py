"""A house as docs/production.md runs it, with servers of its own, for as long as it is measured."""

import json
import secrets
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests import services
from tests.processes import ROOT, Process, environment, eventually, free_port, get, started, stop

WEB, WORKERS = 2, 2  # processes
PROGRAMS = Path(sys.executable).parent

_CELERY = (str(PROGRAMS / "celery"), "--quiet", "--app", "casino")
_WORKER = (*_CELERY, "worker", "--without-gossip", "--without-mingle")

Programs = Mapping[str, Sequence[str]]

APART: Programs = {
    "web": (str(PROGRAMS / "gunicorn"), "-c", "python:casino.gunicorn", "casino.wsgi"),
    "worker": (*_WORKER, "--queues=play,signing,watch", f"--concurrency={WORKERS}"),
    "long": (*_WORKER, "--queues=long", "--pool=solo", "--hostname=long@%h"),
    "beat": (sys.executable, "-m", "casino.beat_process"),
}
TOGETHER: Programs = {
    "together": (sys.executable, "-m", "casino.one_parent", f"--worker-processes={WORKERS}"),
}


@dataclass(frozen=True)
class House:
    """:param running: its programs, by name."""

    port: int
    env: Mapping[str, str]
    running: Mapping[str, Process]

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}/"

    def managed(self, *words: str) -> None:
        managed(self.env, *words)

    def told(self, program: str, *words: str) -> Any:
        """What a module prints that is run within the house, as JSON."""
        done = subprocess.run(
            [sys.executable, "-m", program, *words],
            cwd=ROOT, env=self.env, check=True, stdout=subprocess.PIPE,
        )  # fmt: skip
        return json.loads(done.stdout)

    def stop(self) -> None:
        for process in self.running.values():
            stop(process)


@contextmanager
def house(
    folder: Path, programs: Programs, *, durable: bool = False, **settings: str
) -> Iterator[House]:
    """
    An empty house that answers, killed when the block ends.

    :param folder: for its files and logs; made here.
    :param durable: PostgreSQL waits for the disk.
    :param settings: further variables of its environment.
    """
    folder.mkdir(parents=True)
    port = free_port()
    with ExitStack() as stack:
        env = environment(
            DATABASE_URL=stack.enter_context(services.postgresql(durable=durable)),
            REDIS_URL=stack.enter_context(services.redis()),
            SECRET_KEY=secrets.token_hex(32),
            ALLOWED_HOSTS="127.0.0.1",
            SSL_REDIRECT="0",
            SECOND_FACTOR="offered",
            STATIC_ROOT=str(folder / "static"),
            LEDGER_KEYS_DIR=str(folder / "keys"),
            WEB_BIND=f"127.0.0.1:{port}",
            WEB_PROCESSES=str(WEB),
            **settings,
        )
        for words in ("migrate", "collectstatic --noinput"):
            managed(env, *words.split(), "--verbosity=0")
        running = {
            name: stack.enter_context(started(*command, env=env, output=folder / f"{name}.log"))
            for name, command in programs.items()
        }
        eventually(lambda: get(port, "/healthz")[0] in {200, 503})
        yield House(port, env, running)


def managed(env: Mapping[str, str], *words: str) -> None:
    command = [sys.executable, "manage.py", *words]
    subprocess.run(command, cwd=ROOT, env=env, check=True, stdout=subprocess.DEVNULL)
