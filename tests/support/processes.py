"""
The house's own programs as real processes, on the database of the test and a broker of its own.

What runs in production runs here: ``celery worker`` and ``casino.config.beat_process``, on a
Redis-protocol server; and, on SQLite alone, ``manage.py up``, which is all of them in one.
"""

from __future__ import annotations

import json
import os
import secrets
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, Any, Self

from django.conf import settings
from django.db import DEFAULT_DB_ALIAS, OperationalError, connection, connections, transaction
from redis import Redis

from casino.play.core.subscriptions import tasks
from ledger import subscriptions
from ledger.models import Subscription
from tests import processes, services

if TYPE_CHECKING:
    import uuid
    from collections.abc import Iterator, Sequence

    from tests.sentinels import Sentinels
    from tests.support.builders import House

LOADED = 60  # keys that a broker reads again, in a tenth of a second each
CELERY = (sys.executable, "-m", "celery", "--quiet", "--app", "casino")
WORKER = (*CELERY, "worker", "--pool", "solo", "--without-gossip", "--without-mingle")
BEAT = (sys.executable, "-m", "casino.config.beat_process")
PLAYER = (sys.executable, "-m", "tests.support.player")


class Broker:
    """A Redis-protocol server that may be emptied, stopped, and started again where it was."""

    def __init__(self) -> None:
        self.port, self.password = services.free_port(), secrets.token_hex(16)
        self.url = f"redis://:{self.password}@127.0.0.1:{self.port}/0"
        self._running = ExitStack()

    def start(self) -> None:
        self._running.enter_context(services.redis(port=self.port, password=self.password))

    def stop(self) -> None:
        self._running.close()

    def empty(self) -> None:
        self.told("FLUSHALL")

    def told(self, *command: str) -> Any:
        with Redis.from_url(self.url, socket_timeout=None) as client:
            return client.execute_command(*command)

    @contextmanager
    def told_wrong(self, wrong: str, right: str) -> Iterator[None]:
        self.told(*wrong.split())
        yield
        self.told(*right.split())

    @contextmanager
    def silent(self) -> Iterator[None]:
        """It takes connections and all that is sent, and says nothing: its process is stopped."""
        server = self.told("INFO", "server")["process_id"]
        os.kill(server, signal.SIGSTOP)
        try:
            yield
        finally:
            os.kill(server, signal.SIGCONT)

    @contextmanager
    def unable_to_save(self) -> Iterator[None]:
        """MISCONF to everything that writes, until it can: where its file belongs is a folder."""
        [folder] = self.told("CONFIG", "GET", "dir").values()
        in_the_way = Path(os.fsdecode(folder), "dump.rdb")
        in_the_way.mkdir()
        self.told("CONFIG", "SET", "save", "3600 1")
        self._saves("err")
        yield
        in_the_way.rmdir()
        self._saves("ok")
        self.told("CONFIG", "SET", "save", "")

    def _saves(self, how: str) -> None:
        self.told("BGSAVE")
        processes.eventually(
            lambda: self.told("INFO", "persistence")["rdb_last_bgsave_status"] == how
        )

    @contextmanager
    def loading(self) -> Iterator[None]:
        """LOADING to everything: it reads its data again, slowly, as after a start."""
        for number in range(LOADED):
            self.told("SET", f"slow-{number}", "x" * 4096)
        self.told("CONFIG", "SET", "loading-process-events-interval-bytes", "1024")
        self.told("CONFIG", "SET", "key-load-delay", "100000")
        reads = Thread(target=self.told, args=("DEBUG", "RELOAD"))
        reads.start()
        yield
        reads.join()
        self.told("CONFIG", "SET", "key-load-delay", "0")
        self.told("DEL", *(f"slow-{number}" for number in range(LOADED)))


@dataclass(frozen=True)
class Site:
    """Where processes of one test meet: its database, its broker, its folder of logs."""

    folder: Path
    broker: Broker | Sentinels
    env: dict[str, str]

    def worker(self, name: str = "worker") -> Program:
        return Program(self, (*WORKER, "--hostname", f"{name}@%h"), name)

    def beat(self) -> Program:
        return Program(self, BEAT, "beat")

    def run(self, program: str) -> None:
        """A few lines of Python in a process of the house."""
        subprocess.run(
            [sys.executable, "-c", program], cwd=processes.ROOT, env=self.env, check=True
        )

    def up(self) -> Program:
        """The whole house in one process; its broker is its own memory."""
        env = {name: value for name, value in self.env.items() if name != "REDIS_URL"}
        port = f"--port={services.free_port()}"
        return Program(self, (sys.executable, "manage.py", "up", "--empty", port), "up", env)


class Program:
    """A process of the house; ended in any case when the block ends."""

    def __init__(
        self, site: Site, command: Sequence[str], name: str, env: dict[str, str] | None = None
    ) -> None:
        self.log = site.folder / f"{name}.log"
        self._command, self._env = command, env or site.env
        self._running = ExitStack()
        self.process: processes.Process

    def __enter__(self) -> Self:
        self.process = self._running.enter_context(
            processes.started(*self._command, env=self._env, output=self.log)
        )
        return self

    def __exit__(self, *_error: object) -> None:
        self._running.close()

    def kill(self) -> None:
        """As a power cut does: kill -9."""
        self.process.kill()
        self.process.wait()


@contextmanager
def site(folder: Path, broker: Broker | Sentinels | None = None) -> Iterator[Site]:
    """On SQLite the test's own connection, too, moves to a file that others can open."""
    broker = broker or Broker()
    with ExitStack() as stack:
        broker.start()
        stack.callback(broker.stop)
        yield stack.enter_context(_beside(folder, broker))


@contextmanager
def _beside(folder: Path, broker: Broker | Sentinels) -> Iterator[Site]:
    env = processes.environment(
        HOME_THROW_DATA=str(folder),
        DJANGO_SETTINGS_MODULE="casino.config.settings",
        REDIS_URL=broker.url,
        LOG_LEVEL="WARNING",
        SECRET_KEY=settings.SECRET_KEY,
    )
    with ExitStack() as stack:
        if connection.vendor == "postgresql":
            served, _, _ = os.environ["DATABASE_URL"].rpartition("/")
            env |= {
                "DATABASE_URL": f"{served}/{connection.settings_dict['NAME']}",
                "ALLOWED_HOSTS": "127.0.0.1",
            }
        else:
            stack.enter_context(_on_a_file(folder / "house.sqlite3"))
        yield Site(folder, broker, env)


@contextmanager
def on_a_disk(folder: Path) -> Iterator[None]:
    """The test's own connection alone, with nothing started: on SQLite it moves to a file."""
    with ExitStack() as stack:
        if connection.vendor != "postgresql":
            stack.enter_context(_on_a_file(folder / "house.sqlite3"))
        yield


@contextmanager
def _on_a_file(path: Path) -> Iterator[None]:
    shared, of_threads = connections[DEFAULT_DB_ALIAS], connections.settings[DEFAULT_DB_ALIAS]
    with shared.cursor() as cursor:
        cursor.execute("VACUUM INTO %s", [str(path)])
    on_file = {**shared.settings_dict, "NAME": str(path)}
    connections.settings[DEFAULT_DB_ALIAS] = on_file
    connections[DEFAULT_DB_ALIAS] = type(shared)(on_file, DEFAULT_DB_ALIAS)
    connections[DEFAULT_DB_ALIAS].ensure_connection()  # the first switches the file to WAL, alone
    try:
        yield
    finally:
        connections[DEFAULT_DB_ALIAS].close()
        connections[DEFAULT_DB_ALIAS] = shared
        connections.settings[DEFAULT_DB_ALIAS] = of_threads


class Player:
    """Somebody who plays in a process of their own until told to stop."""

    def __init__(self, site: Site, **asked: Any) -> None:
        self._log = (site.folder / "player.log").open("a")
        self._process = subprocess.Popen(
            [*PLAYER, json.dumps(asked, default=str)],
            cwd=processes.ROOT,
            env=site.env,
            text=True,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._log,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self._process.kill()
        self._process.communicate()
        self._log.close()

    def ready(self) -> None:
        assert self._process.stdout is not None
        assert self._process.stdout.readline() == "ready\n", self.said()

    def go(self) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write("go\n")
        self._process.stdin.flush()

    def ended(self) -> Any:
        """Stop, and tell what came of it."""
        answer, _ = self._process.communicate(timeout=processes.PATIENCE)
        assert self._process.returncode == 0, self.said()
        return json.loads(answer)

    def said(self) -> str:
        with open(self._log.name) as log:  # noqa: PTH123 - the name of an open file
            return log.read()


def caught_up(house: House) -> bool:
    return not any(
        subscriptions.lag(subscriber.name, establishment=house.id)
        for subscriber in tasks.SUBSCRIBERS
    )


def settlement_position(house_id: uuid.UUID) -> int:
    rows = Subscription.objects.filter(establishment=house_id, name="settlement")
    return rows.values_list("position", flat=True).first() or -1


def at_work(house: House) -> bool:
    """Whether some other process is within a transaction that settles this very moment."""
    if connection.vendor == "postgresql":
        rows = Subscription.objects.filter(establishment=house.id, name="settlement")
        try:
            with transaction.atomic():
                rows.select_for_update(nowait=True).first()
        except OperationalError:
            return True
        return False
    probe = sqlite3.connect(connection.settings_dict["NAME"], timeout=0, isolation_level=None)
    try:
        probe.execute("BEGIN IMMEDIATE")
        probe.execute("ROLLBACK")
    except sqlite3.OperationalError:
        return True
    finally:
        probe.close()
    return False


def killed_at_work(program: Program, house: House) -> None:
    """
    Stop the program again and again until it is within a transaction; then kill it there.

    A commit that it had sent goes on in the server of PostgreSQL: that is waited for.
    """
    end = time.monotonic() + processes.PATIENCE
    while (began := time.monotonic()) < end:
        program.process.send_signal(signal.SIGSTOP)
        if at_work(house):
            time.sleep(0.2)
            if at_work(house):
                program.kill()
                return
        program.process.send_signal(signal.SIGCONT)
        assert program.process.poll() is None, program.log.read_text()
        time.sleep(
            max(0.003, time.monotonic() - began)
        )  # it runs half of the time, on a busy machine
    raise AssertionError(f"It was never seen at work.\n{program.log.read_text()}")
