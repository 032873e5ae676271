"""The house under test: in production's many processes, or embedded in one."""

from __future__ import annotations

import json
import secrets
import subprocess
import sys
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from tests.faults import disks, servers, yesterday
from tests.faults.links import Link, linked
from tests.faults.parts import Part
from tests.faults.plan import Fault, Target
from tests.processes import ROOT, environment, free_port, get

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tests.faults.chain import Chain
    from tests.faults.disks import Disk
    from tests.faults.servers import Broker, Database

PROGRAMS = Path(sys.executable).parent
WEBS, WORKERS = ("web-1", "web-2"), ("worker-1", "worker-2")
BEAT_2, BEFORE = "beat-2", "worker-before"
ROOMS = ("floor", "loft", "garden")  # where tablets of an embedded house have their network
ANY = (Fault.KILL, Fault.CRASH, Fault.RESTART, Fault.PAUSE)
OF_LINKS = (Fault.CUT, Fault.DEAF, Fault.STALL, Fault.SLOW, Fault.HALF, Fault.DARK)
OF_MEMORY = (Fault.FORGET_WAITING, Fault.FORGET_MESSAGE)
HOUSES = 4  # of one installation
OF_HTTP, OF_PROTOCOLS = 0.5, 0.08  # share of answers that a deaf link loses

PRODUCTION = (
    *(Target(name, (*ANY, Fault.JUMP), has_clock=True, one_of="web") for name in WEBS),
    *(Target(name, (*ANY, Fault.JUMP), has_clock=True) for name in WORKERS),
    Target("beat", (Fault.KILL, Fault.PAUSE, Fault.JUMP), has_clock=True),
    Target("database", ANY),
    Target("disk", (Fault.FULL,), one_of="database"),
    Target("broker", (Fault.KILL, Fault.PAUSE, Fault.EMPTY, Fault.WAKE)),
    *(Target(f"clients>{name}", OF_LINKS) for name in WEBS),
    *(Target(f"{name}>database", OF_LINKS) for name in (*WEBS, "workers")),
    Target("webs>broker", (*OF_LINKS, *OF_MEMORY)),
    Target("workers>broker", (*OF_LINKS, *OF_MEMORY, Fault.FORGET_TAKEN)),
    *(Target(name, (Fault.VISIT,)) for name in (BEAT_2, BEFORE)),
)
EMBEDDED = (
    Target(
        "up",
        (Fault.KILL, Fault.RESTART, Fault.PAUSE, Fault.PAUSE, Fault.JUMP, Fault.JUMP),
        has_clock=True,
    ),
    Target("disk", (Fault.FULL,), one_of="up"),
    *(Target(f"{room}>up", OF_LINKS) for room in ROOMS),
)


class Door(Protocol):
    @property
    def name(self) -> str: ...

    @property
    def port(self) -> int: ...


@dataclass(frozen=True)
class House:
    """
    :param targets: what may be done to it.
    :param webs: where clients reach web processes.
    :param env: in which programs see the house as it is, past all links.
    :param known: what clients have to know of it, as `tests.faults.founding` says it.
    :param guests: programs that are started for a visit only.
    :param disk: of its database; None where it cannot be full.
    :param chain: the servers of a database that is distributed.
    """

    folder: Path
    targets: tuple[Target, ...]
    parts: Mapping[str, Part]
    links: Mapping[str, Link]
    webs: tuple[Door, ...]
    env: Mapping[str, str]
    known: Mapping[str, Any]
    broker: Broker | None = None
    guests: Mapping[str, Part] = field(default_factory=dict)
    disk: Disk | None = None
    chain: Chain | None = None

    @property
    def ids(self) -> tuple[str, ...]:
        """Of the houses of the installation."""
        return tuple(each["house"] for each in self.known["houses"])

    def part(self, name: str) -> Part:
        """:raises KeyError: if it has none of that name."""
        return {**self.parts, **self.guests}[name]

    def run(self, *command: str) -> subprocess.CompletedProcess[str]:
        """A Python program within the house, past all links, until it has ended."""
        return program(*command, env=self.env)


def program(*command: str, env: Mapping[str, str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *command], cwd=ROOT, env=env, capture_output=True, text=True, check=False
    )


@contextmanager
def production(folder: Path, *, before: str = "", number: int = HOUSES) -> Iterator[House]:
    """
    Two web servers, two workers, beat, a broker, and a database that waits for its disk.

    :param before: the commit that a worker of the day before is of; else one that is looked for.
    """
    with ExitStack() as stack:
        site = Site(
            folder,
            stack.enter_context(servers.database(folder)),
            stack.enter_context(servers.broker(folder)),
        )
        stack.enter_context(linked(*site.links.values()))
        known = founded(site.seen_by(None), owner=site.database.url(servers.OWNER), number=number)
        programs = site.programs()
        stack.enter_context(running(programs))
        yield House(
            folder=folder,
            targets=PRODUCTION,
            parts={
                "database": site.database.part, "broker": site.broker.part, **programs
            },
            links=site.links,
            webs=tuple(site.links[f"clients>{name}"] for name in WEBS),
            env=site.seen_by(None),
            known=known,
            broker=site.broker,
            guests=site.guests(before),
            disk=site.database.disk,
        )  # fmt: skip


class Site:
    """Where the programs of a house in production find each other: by links that can fail."""

    def __init__(self, folder: Path, database: Database, broker: Broker) -> None:
        self.folder, self.database, self.broker = folder, database, broker
        (folder / "clocks").mkdir()
        self.ports = {name: free_port() for name in WEBS}
        static, keys = folder / "static", folder / "keys"
        static.mkdir()
        self._common = environment(
            SECRET_KEY=secrets.token_hex(32), ALLOWED_HOSTS="127.0.0.1", SSL_REDIRECT="0",
            SECOND_FACTOR="offered", LOG_LEVEL="WARNING", STATIC_ROOT=str(static),
            DJANGO_SETTINGS_MODULE="casino.config.settings", WEB_PROCESSES="1", WEB_THREADS="6",
            LEDGER_KEYS_DIR=str(keys),
        )  # fmt: skip
        made = [
            *(Link(f"clients>{name}", port, loses=OF_HTTP) for name, port in self.ports.items()),
            *(
                Link(f"{name}>database", database.port, loses=OF_PROTOCOLS)
                for name in (*WEBS, "workers")
            ),
            *(
                Link(f"{who}>broker", broker.port, loses=OF_PROTOCOLS)
                for who in ("webs", "workers")
            ),
        ]
        self.links = {link.name: link for link in made}

    def seen_by(self, whom: str | None) -> dict[str, str]:
        """The environment of those who have a link to the database, or of one who has none."""
        database = self.links[f"{whom}>database"].port if whom else None
        asks = "webs" if whom in WEBS else "workers"
        broker = self.links[f"{asks}>broker"].port if whom else None
        return {
            **self._common,
            "DATABASE_URL": self.database.url(servers.RUNTIME, database),
            "REDIS_URL": self.broker.url(broker),
        }

    def programs(self) -> dict[str, Part]:
        """As docs/how-to/production.md starts them."""
        made = [
            *(self._web(name) for name in WEBS),
            *(self._worker(name) for name in WORKERS),
            self._beat("beat"),
        ]
        return {part.name: part for part in made}

    def guests(self, before: str) -> dict[str, Part]:
        """A second beat; and a worker of the day before, where there was one."""
        made = [self._beat(BEAT_2)]
        if at := before or yesterday.commit(ROOT):
            tree = yesterday.unpacked(ROOT, at, self.folder / "before")
            made.append(self._worker(BEFORE, source=tree))
        return {part.name: part for part in made}

    def _web(self, name: str) -> Part:
        port = self.ports[name]
        return Part(
            name,
            (
                str(PROGRAMS / "gunicorn"),
                "-c",
                "python:casino.config.gunicorn",
                "casino.config.wsgi",
            ),
            log=self.folder / f"{name}.log",
            env={**self.seen_by(name), "WEB_BIND": f"127.0.0.1:{port}"},
            ready=lambda: get(port, "/healthz/web")[0] == 200,
            clock=self.folder / "clocks" / name,
            cwd=ROOT,
        )

    def _beat(self, name: str) -> Part:
        return Part(
            name,
            (sys.executable, "-m", "casino.config.beat_process"),
            log=self.folder / f"{name}.log",
            env=self.seen_by("workers"),
            clock=self.folder / "clocks" / name,
            cwd=ROOT,
        )

    def _worker(self, name: str, *, source: Path = ROOT) -> Part:
        return Part(
            name,
            (
                str(PROGRAMS / "celery"), "--quiet", "--app", "casino", "worker",
                "--without-gossip", "--without-mingle", "--concurrency=1",
                f"--hostname={name}@%h",
            ),
            log=self.folder / f"{name}.log",
            env=self.seen_by("workers"),
            clock=self.folder / "clocks" / name,
            gives_up="Could not start worker processes",
            cwd=source,
        )  # fmt: skip


@contextmanager
def embedded(folder: Path, *, before: str = "", number: int = HOUSES) -> Iterator[House]:
    """
    ``manage.py up`` on SQLite: its broker is its memory, and dies with it.

    :raises ValueError: if a worker of the day before is asked for: it has no other process.
    """
    if before:
        raise ValueError("An embedded house has no worker of the day before beside it.")
    port, data = free_port(), folder / "data"
    env = environment(
        HOME_THROW_DATA=str(data),
        DJANGO_SETTINGS_MODULE="casino.config.settings",
        LOG_LEVEL="WARNING",
    )
    data.mkdir()
    links = {f"{room}>up": Link(f"{room}>up", port, loses=OF_HTTP) for room in ROOMS}
    up = Part(
        "up",
        (sys.executable, "manage.py", "up", "--empty", f"--port={port}"),
        log=folder / "up.log",
        env=env,
        ready=lambda: get(port, "/healthz/web")[0] == 200,
        clock=folder / "clock",
        cwd=ROOT,
    )
    with disks.disk(data) as disk, linked(*links.values()):
        known = founded(env, number=number)
        with running({"up": up}):
            yield House(
                folder, EMBEDDED, {"up": up}, links, tuple(links.values()), env, known, disk=disk
            )


def founded(env: Mapping[str, str], *, owner: str = "", number: int = HOUSES) -> dict[str, Any]:
    """
    The tables made, by their owner if they have one, the houses in them, and their keys.

    :raises AssertionError: if that does not work.
    """
    by_owner = ("--database", "owner") if owner else ()
    _done(
        ("manage.py", "migrate", "--verbosity=0", *by_owner),
        {**env, **({"DATABASE_OWNER_URL": owner} if owner else {})},
    )
    known: dict[str, Any] = json.loads(_done(("-m", "tests.faults.founding", str(number)), env))
    _done(("manage.py", "ledger_keys", "--make"), env)
    return known


def _done(command: tuple[str, ...], env: Mapping[str, str]) -> str:
    done = program(*command, env=env)
    assert done.returncode == 0, done.stderr
    return done.stdout


@contextmanager
def running(programs: Mapping[str, Part]) -> Iterator[None]:
    """All of them, the web servers answering; killed when the block ends."""
    try:
        for part in programs.values():
            part.start()
        for part in programs.values():
            part.wait()
        yield
    finally:
        for part in programs.values():
            part.kill()
