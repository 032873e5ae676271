"""A house run as docs/how-to/production.md describes, with its own servers, for a measurement."""

import json
import secrets
import sqlite3
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psycopg

from tests import services
from tests.processes import (
    ROOT,
    Process,
    environment,
    eventually,
    free_port,
    get,
    started,
    stop,
    up,
)

WEB, WORKERS = 2, 2  # processes
PATIENCE = 900.0  # seconds until a house answers: others may use the machine
PROGRAMS = Path(sys.executable).parent

_CELERY = (str(PROGRAMS / "celery"), "--quiet", "--app", "casino")
_WORKER = (*_CELERY, "worker", "--without-gossip", "--without-mingle")

Programs = Mapping[str, Sequence[str]]

SEPARATE: Programs = {
    "web": (
        str(PROGRAMS / "gunicorn"),
        "-c",
        "python:casino.config.gunicorn",
        "casino.config.wsgi",
    ),
    "worker": (*_WORKER, "--queues=play,signing,watch", f"--concurrency={WORKERS}"),
    "long": (*_WORKER, "--queues=long", "--pool=solo", "--hostname=long@%h"),
    "beat": (sys.executable, "-m", "casino.config.beat_process"),
}
TOGETHER: Programs = {
    "together": (sys.executable, "-m", "casino.config.one_parent", f"--worker-processes={WORKERS}"),
}


@dataclass(frozen=True)
class House:
    """
    A running house.

    :param running: its programs, by name.
    """

    port: int
    env: Mapping[str, str]
    running: Mapping[str, Process]

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}/"

    def managed(self, *words: str) -> None:
        managed(self.env, *words)

    def json_of(self, program: str, *words: str) -> Any:
        """Run a module in the house's environment and return the JSON that it prints."""
        return json_of(self.env, program, *words)

    def rows(self, statement: str) -> list[tuple[Any, ...]]:
        """The result of a query that goes directly to the house's database."""
        if "DATABASE_URL" in self.env:
            with psycopg.connect(self.env["DATABASE_URL"]) as connection:
                return connection.execute(statement).fetchall()
        place = Path(self.env["HOME_THROW_DATA"]) / "house.sqlite3"
        with closing(sqlite3.connect(place)) as connection:
            return connection.execute(statement).fetchall()

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
    :param durable: whether PostgreSQL waits for the disk.
    :param settings: further environment variables.
    """
    with (
        services.postgresql(durable=durable) as database,
        services.redis() as redis,
        served(folder, programs, DATABASE_URL=database, REDIS_URL=redis, **settings) as running,
    ):
        yield running


@contextmanager
def served(
    folder: Path,
    programs: Programs,
    *,
    then: Sequence[str] = (),
    **settings: str,
) -> Iterator[House]:
    """
    A house on given servers that answers, killed when the block ends.

    :param folder: for its files and logs; made here.
    :param then: commands of `manage.py` for the migrated database, before anything starts.
    :param settings: environment variables, DATABASE_URL and REDIS_URL among them.
    """
    folder.mkdir(parents=True)
    with ExitStack() as stack:
        own = {
            "SECRET_KEY": secrets.token_hex(32),
            "ALLOWED_HOSTS": "127.0.0.1",
            "SSL_REDIRECT": "0",
            "SECOND_FACTOR": "offered",
            "STATIC_ROOT": str(folder / "static"),
            "LEDGER_KEYS_DIR": str(folder / "keys"),
            "WEB_PROCESSES": str(WEB),
        }
        env = environment(**(own | settings))
        for words in ("migrate --verbosity=0", "collectstatic --noinput --verbosity=0", *then):
            managed(env, *words.split())
        yield stack.enter_context(answering(folder, programs, env))


@contextmanager
def answering(folder: Path, programs: Programs, env: Mapping[str, str]) -> Iterator[House]:
    """The programs on a database that is ready, as soon as they answer."""
    port = free_port()
    env = {**env, "WEB_BIND": f"127.0.0.1:{port}"}
    with ExitStack() as stack:
        running = {
            name: stack.enter_context(started(*command, env=env, output=folder / f"{name}.log"))
            for name, command in programs.items()
        }
        eventually(lambda: get(port, "/healthz")[0] in {200, 503}, patience=PATIENCE)
        yield House(port, env, running)


@contextmanager
def embedded(folder: Path, *furnishing: str) -> Iterator[tuple[House, Any]]:
    """
    A house on SQLite that answers, in one process, killed when the block ends.

    :param furnishing: a module and its arguments, run before the house opens; without it the house
        would be the demo house. What it prints is returned with the house.
    """
    folder.mkdir(parents=True)
    env = environment(
        HOME_THROW_DATA=str(folder / "data"), DJANGO_SETTINGS_MODULE="casino.config.settings"
    )
    managed(env, "migrate", "--verbosity=0")
    known = json_of(env, *furnishing)
    with up(folder / "data", "--empty") as (process, port):
        yield House(port, env, {"web, worker and beat": process}), known


def managed(env: Mapping[str, str], *words: str) -> None:
    command = [sys.executable, "manage.py", *words]
    subprocess.run(command, cwd=ROOT, env=env, check=True, stdout=subprocess.DEVNULL)


def json_of(env: Mapping[str, str], program: str, *words: str) -> Any:
    command = [sys.executable, "-m", program, *words]
    done = subprocess.run(command, cwd=ROOT, env=env, check=True, stdout=subprocess.PIPE)
    return json.loads(done.stdout)
