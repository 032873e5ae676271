"""
PostgreSQL under Patroni on loopback: one primary, standbys, an etcd of three; gone in the end.

    python -m tests.scale.high_availability.cluster -- pytest tests/ledger

runs a command with ``DATABASE_URL`` set to all members, the primary first, and ``REDIS_URL`` to a
Valkey. Programs are Debian's; started as root they run as ``nobody``.
"""

from __future__ import annotations

import http.client
import json
import os
import secrets
import shutil
import signal
import sys
import time
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import psycopg

from tests import services
from tests.faults.parts import Part, tree
from tests.processes import PATIENCE
from tests.scale.high_availability import settings

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

MISSING: Final = (
    "no {program} found. As root: apt-get install -y patroni etcd-server haproxy postgresql"
)
PROGRAMS: Final = ("patroni", "etcd", "pg_rewind")
ETCDS = 3


def program(name: str) -> str | None:
    """Of PostgreSQL's own, which Debian has in a folder for each version, the newest."""
    versions = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda at: int(at.parent.name))
    path = [*map(str, reversed(versions)), os.environ["PATH"], "/usr/sbin"]
    return shutil.which(name, path=":".join(path))


def missing(*names: str) -> str:
    """The first of these programs that is not there, and how to get it; or nothing."""
    gone = [name for name in names or PROGRAMS if program(name) is None]
    return MISSING.format(program=gone[0]) if gone else ""


class Member:
    """A Patroni and its PostgreSQL."""

    def __init__(self, name: str, folder: Path, etcds: Sequence[int], made: Settings) -> None:
        self.name, self.folder = name, folder
        self.port, self.api = services.free_port(), services.free_port()
        self._made = made
        written = folder / "patroni.yml"
        written.write_text(settings.patroni(self.described(etcds)))
        found = program("patroni")
        assert found is not None
        self.part = Part(
            name,
            (found, str(written)),
            log=folder / "log",
            env={**os.environ, "PATH": "/usr/bin:/bin", "PYTHONPATH": ""},
            ready=lambda: self.asked().get("state") == "running",
            cwd=folder,
            **services._identity(),
        )

    def described(self, etcds: Sequence[int]) -> dict[str, Any]:
        """What stands for names in `settings.PATRONI`."""
        postgres = program("postgres") or ""
        return {
            "name": self.name, "folder": self.folder, "port": self.port, "api": self.api,
            "bin": Path(postgres).parent,
            "etcds": ", ".join(f"127.0.0.1:{each}" for each in etcds), **self._made,
        }  # fmt: skip

    def asked(self) -> dict[str, Any]:
        """What its Patroni says of it; nothing if it does not answer."""
        web = http.client.HTTPConnection("127.0.0.1", self.api, timeout=2)
        try:
            web.request("GET", "/patroni")
            said: dict[str, Any] = json.loads(web.getresponse().read())
        except (OSError, http.client.HTTPException, ValueError):
            return {}
        finally:
            web.close()
        return said

    @property
    def is_primary(self) -> bool:
        said = self.asked()
        return said.get("role") in {"master", "primary"} and said.get("state") == "running"

    @property
    def postmaster(self) -> int | None:
        with suppress(FileNotFoundError):
            return int((self.folder / "data" / "postmaster.pid").read_text().split()[0])
        return None

    def processes(self, title: str) -> list[int]:
        """Of its PostgreSQL, those that are titled so, as ``walreceiver``."""
        pid = self.postmaster
        found = [each for each in tree(pid) if title in _title(each)] if pid else []
        return [each for each in found if each != pid]

    def kill_server(self) -> None:
        """Kill -9 of PostgreSQL alone, with all its processes; its Patroni goes on."""
        if pid := self.postmaster:
            everybody = tree(pid)
            for each in everybody:
                with suppress(ProcessLookupError):
                    os.kill(each, signal.SIGKILL)

    def kill(self) -> None:
        """The whole host at once: no process of it says goodbye."""
        self.part.pause()
        self.kill_server()
        self.part.kill()

    def start(self) -> None:
        self.part.start()


Settings = dict[str, str]


def _title(pid: int) -> str:
    with suppress(OSError):
        return Path(f"/proc/{pid}/cmdline").read_text(errors="replace")
    return ""


class Cluster:
    def __init__(self, members: Sequence[Member], secret: str) -> None:
        self.members, self._secret = list(members), secret

    @property
    def primary(self) -> Member | None:
        """The member that its own Patroni calls the primary; None while there is none."""
        return next((each for each in self.members if each.is_primary), None)

    def leader(self) -> Member:
        """:raises AssertionError: if nobody becomes the primary."""
        until(lambda: self.primary is not None, self.said)
        found = self.primary
        return found if found is not None else self.leader()

    def url(self, name: str = "postgres", login: str = "", *, first: Member | None = None) -> str:
        """
        A database of all members; libpq, and the house, look for the one that takes writes.

        :param login: ``role:password``, by default the superuser's.
        :param first: who is tried first.
        """
        members = sorted(self.members, key=lambda each: each is not first)
        hosts = ",".join(f"127.0.0.1:{each.port}" for each in members)
        return f"postgresql://{login or f'postgres:{self._secret}'}@{hosts}/{name}"

    def run(self, *statements: str, name: str = "postgres") -> list[tuple[Any, ...]]:
        """Statements at the primary, as the superuser, one by one; the last one's rows."""
        url = f"{self.url(name)}?target_session_attrs=read-write&connect_timeout=5"
        rows: list[tuple[Any, ...]] = []
        with psycopg.connect(url, autocommit=True) as connection:
            for statement in statements:
                done = connection.execute(statement.encode())
                rows = done.fetchall() if done.description else []
        return rows

    def streams(self, *, synchronous: bool = True) -> bool:
        """Whether every member but the primary is a standby that streams from it."""
        with suppress(psycopg.Error):
            rows = self.run("SELECT application_name, state, sync_state FROM pg_stat_replication")
            streaming = {name: sync for name, state, sync in rows if state == "streaming"}
            # A base backup streams, too, under a name of its own.
            standbys = [streaming.get(each.name) for each in self.members if not each.is_primary]
            enough = len(standbys) == len(self.members) - 1 and None not in standbys
            return enough and (not synchronous or "sync" in standbys)
        return False

    def said(self) -> str:
        return "\n".join(
            f"{each.name} {each.asked()}\n{each.part.last_words(1500)}" for each in self.members
        )


def until(holds: Callable[[], bool], said: Callable[[], str], patience: float = PATIENCE) -> None:
    """:raises AssertionError: if it does not come to hold."""
    end = time.monotonic() + patience
    while not holds():
        assert time.monotonic() < end, said()
        time.sleep(0.1)


@contextmanager
def running(members: int = 3, *, synchronous: bool = True) -> Iterator[Cluster]:
    """
    A cluster for as long as it is needed.

    :param synchronous: a commit waits for a standby, as docs/scale/high-availability.md has it.
    :raises NotStarted: if a program is missing, or something does not come up.
    """
    if why := missing():
        raise services.NotStarted(why)
    secret = {name: secrets.token_hex(16) for name in ("superuser", "replication", "rewind")}
    # Without, a standby is let take over however much it lacks: tests lose something by it.
    lag = "1048576" if synchronous else "1000000000"
    made = {**secret, "synchronous": str(synchronous).lower(), "lag": lag}
    with services._folder("patroni-") as folder, ExitStack() as stack:
        etcds = stack.enter_context(_etcds(folder))
        cluster = Cluster([], secret["superuser"])
        for number in range(1, members + 1):
            member = Member(f"member-{number}", _own(folder / f"member-{number}"), etcds, made)
            member.start()
            stack.callback(member.kill)
            cluster.members.append(member)
            if number == 1:
                cluster.leader()
        until(lambda: cluster.streams(synchronous=synchronous), cluster.said)
        yield cluster


@contextmanager
def _etcds(folder: Path) -> Iterator[list[int]]:
    """Three that agree; the ports for clients."""
    ports = [(services.free_port(), services.free_port()) for _ in range(ETCDS)]
    found = program("etcd")
    assert found is not None
    everybody = ",".join(
        f"etcd-{number}=http://127.0.0.1:{peer}" for number, (_, peer) in enumerate(ports)
    )
    with ExitStack() as stack:
        parts = []
        for number, (client, peer) in enumerate(ports):
            own = _own(folder / f"etcd-{number}")
            part = Part(
                f"etcd-{number}",
                (found, *settings.etcd(f"etcd-{number}", own, client, peer, everybody)),
                log=own / "log",
                ready=lambda client=client: _healthy(client),  # type: ignore[misc]
                cwd=own,
                **services._identity(),
            )
            part.start()
            stack.callback(part.kill)
            parts.append(part)
        for part in parts:
            part.wait()
        yield [client for client, _ in ports]


def _healthy(port: int) -> bool:
    web = http.client.HTTPConnection("127.0.0.1", port, timeout=2)
    try:
        web.request("GET", "/health")
        return web.getresponse().status == http.client.OK
    except (OSError, http.client.HTTPException):
        return False
    finally:
        web.close()


def _own(folder: Path) -> Path:
    folder.mkdir(mode=0o700)
    if identity := services._identity():
        os.chown(folder, identity["user"], identity["group"])
    return folder


def main(arguments: Sequence[str]) -> int:
    try:
        with running() as cluster, services.redis() as redis:
            database = cluster.url(first=cluster.leader())
            return services.run_within(arguments, DATABASE_URL=database, REDIS_URL=redis)
    except services.NotStarted as why:
        sys.stderr.write(f"{why}\n")
        return 1


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
