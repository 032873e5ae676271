"""A master, a replica and three sentinels that watch over them, each a process of its own."""

from __future__ import annotations

import secrets
import shutil
import subprocess
import tempfile
import time
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from redis import Redis, RedisError
from redis.sentinel import Sentinel

from tests import services

if TYPE_CHECKING:
    from collections.abc import Sequence

MASTER = "house"
DOWN_AFTER = 1000  # ms of silence after which a sentinel takes a server for dead
SENTINELS, QUORUM = 3, 2


@dataclass
class Sentinels:
    """Started and ended like a `Broker`; `url` is the address that the house has."""

    secret: str = field(default_factory=lambda: secrets.token_hex(16))
    of_sentinels: str = field(default_factory=lambda: secrets.token_hex(16))
    _servers: dict[int, subprocess.Popen[bytes]] = field(default_factory=dict)
    _ports: list[int] = field(default_factory=list)
    _running: ExitStack = field(default_factory=ExitStack)

    @property
    def url(self) -> str:
        hosts = ";".join(f"127.0.0.1:{port}" for port in self._ports)
        options = f"master_name={MASTER}&sentinel_password={self.of_sentinels}"
        return f"sentinel://:{self.secret}@{hosts}/0?{options}"

    def start(self) -> None:
        folder = Path(tempfile.mkdtemp(prefix="home-throw-sentinels-"))
        self._running.callback(shutil.rmtree, folder, ignore_errors=True)
        master, replica = services.free_port(), services.free_port()
        self._ports = [services.free_port() for _ in range(SENTINELS)]
        self._server(folder, master)
        self._server(folder, replica, "--replicaof", "127.0.0.1", str(master))
        for port in self._ports:
            self._sentinel(folder, port, master)
        self._settled(replicas=1)

    def stop(self) -> None:
        self._running.close()

    def empty(self) -> None:
        self.client().flushall()

    def master(self) -> int:
        """The port of the master, as the sentinels have it."""
        port: int = self._asked().discover_master(MASTER)[1]
        return port

    def kill_the_master(self) -> int:
        """End it with kill -9, as a power cut does; the port it had."""
        port = self.master()
        self._servers[port].kill()
        self._servers[port].wait()
        return port

    def client(self) -> Redis:
        client: Redis = self._asked().master_for(MASTER, password=self.secret)
        return client

    def _asked(self) -> Any:
        known = {"password": self.of_sentinels, "socket_timeout": 1}
        sentinel: Any = Sentinel  # published without types
        return sentinel([("127.0.0.1", each) for each in self._ports], sentinel_kwargs=known)

    def _server(self, folder: Path, port: int, *more: str) -> None:
        self._started(
            folder, port, "--port", str(port), "--save", "", "--appendonly", "no",
            "--requirepass", self.secret, "--masterauth", self.secret,
            "--repl-diskless-sync-delay", "0", *more,
        )  # fmt: skip

    def _sentinel(self, folder: Path, port: int, master: int) -> None:
        written = folder / f"{port}.conf"
        written.write_text(
            f"port {port}\nbind 127.0.0.1\ndir {folder}\nrequirepass {self.of_sentinels}\n"
            f"sentinel monitor {MASTER} 127.0.0.1 {master} {QUORUM}\n"
            f"sentinel auth-pass {MASTER} {self.secret}\n"
            f"sentinel sentinel-pass {self.of_sentinels}\n"
            f"sentinel down-after-milliseconds {MASTER} {DOWN_AFTER}\n"
            f"sentinel failover-timeout {MASTER} 5000\n"
        )
        self._started(folder, port, str(written), "--sentinel")

    def _started(self, folder: Path, port: int, *options: str) -> None:
        command: Sequence[str] = [str(services.redis_program()), *options]
        log = self._running.enter_context((folder / f"{port}.log").open("wb"))
        server = subprocess.Popen(command, cwd=folder, stdout=log, stderr=log)
        self._servers[port] = server
        self._running.callback(server.wait)
        self._running.callback(server.kill)

    def _settled(self, *, replicas: int) -> None:
        """Wait until every sentinel knows the others and the replica."""
        end = time.monotonic() + services.PATIENCE
        while time.monotonic() < end:
            if all(self._knows(port, replicas) for port in self._ports):
                return
            time.sleep(0.1)
        raise services.NotStarted("The sentinels did not find each other.")

    def _knows(self, port: int, replicas: int) -> bool:
        try:
            with Redis(port=port, password=self.of_sentinels, socket_timeout=1) as client:
                state: Any = client.sentinel_master(MASTER)
        except RedisError:
            return False
        found = state["num-other-sentinels"], state["num-slaves"], state["flags"]
        return bool(found == (SENTINELS - 1, replicas, "master"))
