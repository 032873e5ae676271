"""Houses whose programs run several times over: web servers, workers and beats, two of each."""

from __future__ import annotations

import secrets
import sys
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from tests.faults import houses, servers, waits
from tests.faults.parts import Part
from tests.faults.running import Run
from tests.processes import ROOT, environment, free_port, get

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

HOUSES, PLAYERS = 2, 6
WEBS, WORKERS, BEATS = ("web-1", "web-2"), ("worker-1", "worker-2"), ("beat-1", "beat-2")


@dataclass(frozen=True)
class Door:
    """Where clients reach a web server."""

    name: str
    port: int


@dataclass(frozen=True)
class Site:
    """What the programs of a house are started with."""

    folder: Path
    env: Mapping[str, str]
    ports: Mapping[str, int]

    def part(self, name: str) -> Part:
        """A program as docs/how-to/production.md starts it, of the code as it is now."""
        kind = name.partition("-")[0]
        return {"web": self._web, "worker": self._worker, "beat": self._beat}[kind](name)

    def _web(self, name: str) -> Part:
        port = self.ports[name]
        command = ("gunicorn", "-c", "python:casino.config.gunicorn", "casino.config.wsgi")
        return Part(
            name,
            (sys.executable, "-m", *command),
            log=self.folder / f"{name}.log",
            env={**self.env, "WEB_BIND": f"127.0.0.1:{port}"},
            ready=lambda: get(port, "/healthz/web")[0] == 200,
            cwd=ROOT,
        )

    def _worker(self, name: str) -> Part:
        command = ("celery", "--quiet", "--app", "casino", "worker", "--concurrency=1")
        options = ("--without-gossip", "--without-mingle", f"--hostname={name}@%h")
        log = self.folder / f"{name}.log"
        return Part(
            name, (sys.executable, "-m", *command, *options), log=log, env=self.env, cwd=ROOT
        )

    def _beat(self, name: str) -> Part:
        command = (sys.executable, "-m", "casino.config.beat_process")
        log = self.folder / f"{name}.log"
        return Part(name, command, log=log, env=self.env, cwd=ROOT)


@contextmanager
def running(
    folder: Path,
    *,
    runtime: str,
    owner: str,
    ports: Mapping[str, int] | None = None,
    doors: Mapping[str, int] | None = None,
    **settings: str,
) -> Iterator[houses.House]:
    """
    Two houses of one installation, with all their programs.

    :param runtime: the address of the database, of the role that runs them.
    :param owner: the same, of the role that owns the tables.
    :param ports: of the web servers, by name.
    :param doors: ports at which clients reach them, by default the web servers' own.
    """
    ports = ports or {name: free_port() for name in WEBS}
    copies = folder / "copies"
    for each in (folder / "static", copies):
        each.mkdir()
    with ExitStack() as stack:
        broker = stack.enter_context(servers.broker(folder))
        env = environment(
            **{
                "DATABASE_URL": runtime, "REDIS_URL": broker.url(),
                "SECRET_KEY": secrets.token_hex(32), "ALLOWED_HOSTS": "127.0.0.1",
                "SSL_REDIRECT": "0", "SECOND_FACTOR": "offered", "LOG_LEVEL": "INFO",
                "STATIC_ROOT": str(folder / "static"), "LEDGER_KEYS_DIR": str(folder / "keys"),
                "DJANGO_SETTINGS_MODULE": "casino.config.settings", "WEB_PROCESSES": "1",
                "WEB_THREADS": "6", "CHECKPOINT_COPIES": f"folder:{copies}", **settings,
            }
        )  # fmt: skip
        known = houses.founded(env, owner=owner, number=HOUSES)
        site = Site(folder, env, ports)
        parts = {name: site.part(name) for name in (*WEBS, *WORKERS, *BEATS)}
        stack.enter_context(houses.running(parts))
        yield houses.House(
            folder=folder, targets=(), parts=parts, links={}, env=env, known=known,
            webs=tuple(Door(name, port) for name, port in (doors or ports).items()),
        )  # fmt: skip


def run(folder: Path, *, players: int = PLAYERS) -> Run:
    """People who play at them, whose journals are looked at in the end."""
    return Run("production", seed=int.from_bytes(secrets.token_bytes(2)), seconds=0,
               folder=folder, players=players)  # fmt: skip


def longest_silence(told: Sequence[Path], since: float) -> tuple[float, float]:
    """
    Of commands answered or asked after a moment: the longest time in which nobody was answered, and
    how long somebody waited for an answer at most, in seconds.
    """
    answers = [each for each in waits.of_commands(told) if each[0] > since]
    moments = [since, *(answered for answered, *_ in answers)]
    silence = max(later - sooner for sooner, later in pairwise(moments))
    return silence, max(answered - asked for answered, asked, *_ in answers)
