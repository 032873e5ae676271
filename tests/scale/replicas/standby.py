"""A PostgreSQL and a real streaming standby of it, on loopback, gone in the end."""

from __future__ import annotations

import os
import signal
import time
from contextlib import ExitStack, contextmanager, suppress
from typing import TYPE_CHECKING, Any

import psycopg

from tests import services

if TYPE_CHECKING:
    from collections.abc import Iterator

SLOWLY = "recovery_min_apply_delay"
STREAMING = "SELECT count(*) FROM pg_stat_replication WHERE state = 'streaming'"


class Standby:
    """
    A standby that can be ended, killed, started again, and told to lag.

    :param primary: the cluster whose server it follows, which is running.
    """

    def __init__(self, primary: services.Cluster, url: str) -> None:
        folder = primary.folder / "standby"
        folder.mkdir()
        if identity := services._identity():
            os.chown(folder, identity["user"], identity["group"])
        self.cluster = services.Cluster(primary.home, folder)
        self.cluster.password = primary.password
        self.primary = url
        self.url = url.replace(str(primary.port), str(self.cluster.port))
        where = ("--host", "127.0.0.1", "--port", str(primary.port), "--username", "postgres")
        self.cluster.run(
            "pg_basebackup", "--pgdata", folder / "data", "--write-recovery-conf",
            "--checkpoint", "fast", "--no-sync", *where,
        )  # fmt: skip
        self._running = ExitStack()

    def start(self, *, lag: int = 0, **options: str) -> None:
        """:param lag: seconds after which it shows what was committed."""
        self._running = ExitStack()
        settings = {SLOWLY: f"{lag}s", **options}
        words = [word for each in settings.items() for word in ("-c", "=".join(each))]
        self._running.enter_context(self.cluster.running("data", *services.QUICK, *words))
        self.streams()

    def stop(self) -> None:
        self._running.close()

    def kill(self) -> None:
        """End it as a power cut would; what it listened on is closed at once."""
        (pid, *_) = (self.cluster.folder / "data" / "postmaster.pid").read_text().split()
        for each in (int(pid), *_children(int(pid))):
            with suppress(ProcessLookupError):  # a session of it may end meanwhile
                os.kill(each, signal.SIGKILL)
        self._running.close()

    def streams(self) -> None:
        """Wait until it follows."""
        _eventually(lambda: rows(self.primary, STREAMING) == [(1,)])

    def caught_up(self) -> None:
        """Wait until it has replayed all that is written now."""
        [(now,)] = rows(self.primary, "SELECT pg_current_wal_insert_lsn()")
        # A position at the beginning of a page is behind its header, where nothing is yet.
        rows(self.primary, "SELECT pg_logical_emit_message(true, 'tests', 'on')")
        _eventually(
            lambda: rows(self.url, "SELECT pg_last_wal_replay_lsn() >= %s", now) == [(True,)]
        )


@contextmanager
def pair(*options: str) -> Iterator[tuple[services.Cluster, str]]:
    """A running primary, from which standbys can be made; its cluster and its URL."""
    with services.cluster() as made, made.running("data", *services.QUICK, *options) as url:
        yield made, url


def rows(url: str, statement: str, *values: Any) -> list[tuple[Any, ...]]:
    with psycopg.connect(url, autocommit=True) as connection:
        done = connection.execute(statement.encode(), values or None)
        return done.fetchall() if done.description else []


def _children(pid: int) -> list[int]:
    with open(f"/proc/{pid}/task/{pid}/children") as children:  # noqa: PTH123 - of /proc
        return [int(each) for each in children.read().split()]


def _eventually(holds: Any, patience: float = 90.0) -> None:
    end = time.monotonic() + patience
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.1)
