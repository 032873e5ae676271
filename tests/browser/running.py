"""
A whole house as it is shipped, for browsers: web server, worker and beat in processes of their own.

On SQLite it is ``manage.py up`` on an empty folder. With ``DATABASE_URL`` it is the three programs
of compose.yaml on a new database of that server, with a broker of their own.
"""

from __future__ import annotations

import http.client
import os
import secrets
import signal
import sqlite3
import sys
import uuid
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import psycopg
from psycopg import sql

from casino.demo.client import Client
from casino.demo.house import PASSWORD
from casino.play.core.subscriptions.tasks import SUBSCRIBERS
from tests import processes, services, template

if TYPE_CHECKING:
    from collections.abc import Iterator

PROGRAMS = Path(sys.executable).parent
WEB = ("gunicorn", "-c", "python:casino.config.gunicorn", "casino.config.wsgi")
WORKER = ("celery", "--quiet", "--app", "casino", "worker", "--without-gossip", "--without-mingle",
          "--concurrency=1")  # fmt: skip
BEAT = ("python", "-m", "casino.config.beat_process")
ONE_PARENT = ("python", "-m", "casino.config.one_parent", "--worker-processes=1")

# A program in a process group of its own, so that it can be killed with its children.
LEADER = "import os, sys; os.setsid(); os.execv(sys.argv[1], sys.argv[1:])"
IN_A_GROUP = (sys.executable, "-c", LEADER)

# Commands of the house, one after the other in one process: each of their own takes seconds.
IN_TURN = """
import sys
from casino.engine.processes import command
for each in sys.argv[1:]:
    sys.argv[1:] = [*each.split(), "--verbosity=0"]
    command.main()
"""

Row = tuple[Any, ...]


@dataclass
class House:
    """
    A running house, reached over HTTP; its database is only looked into.

    :param web: the command whose process serves pages, killed and started by `kill` and `start`.
    """

    folder: Path
    port: int
    env: dict[str, str]
    web: tuple[str, ...]
    database: str = ""
    clients: dict[str, Client] = field(default_factory=dict)
    _stack: ExitStack = field(default_factory=ExitStack)
    _process: processes.Process | None = None

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def log(self) -> Path:
        return self.folder / "web.log"

    def start(self) -> None:
        """Serve pages; a worker that is still coming up is no reason to wait."""
        program = processes.started(*IN_A_GROUP, *self.web, env=self.env, output=self.log)
        self._process = self._stack.enter_context(program)
        processes.eventually(self.answers, self._process, self.log)

    def answers(self) -> bool:
        return processes.get(self.port, "/healthz/web")[0] == http.client.OK

    def is_whole(self) -> bool:
        """With its people, its tables, and a worker that has been seen."""
        return processes.get(self.port, "/healthz")[0] == http.client.OK

    def kill(self) -> None:
        """As when the power goes: nobody is asked first, neither it nor those it has started."""
        if self._process is not None and self._process.poll() is None:
            os.killpg(self._process.pid, signal.SIGKILL)
        self._stack.close()

    def client(self, username: str) -> Client:
        """The house's API as one of its people, from another device."""
        if username not in self.clients:
            self.clients[username] = Client(self.address, username, PASSWORD)
        return self.clients[username]

    def put(self, username: str, game: str, do: str, **fields: Any) -> None:
        """A command from another device than the one that a test looks at."""
        command = {"do": do, "command_id": str(uuid.uuid4()), **fields}
        reply = self.client(username).post(f"games/{game}/commands/", command)
        assert not reply.refused, reply.body

    def clear(self) -> None:
        """Close what still runs: the next test finds every table free."""
        # Asked of the ledger: cards of games follow a little later.
        occupied = self.rows(
            "SELECT correlation_id FROM ledger_event AS taken"
            " WHERE event_type = ? AND NOT EXISTS (SELECT 1 FROM ledger_event AS later"
            " WHERE later.establishment = taken.establishment AND later.stream = taken.stream"
            " AND later.stream_version > taken.stream_version)",
            "table.game_opened",
        )  # fmt: skip
        for (running,) in occupied:
            self.put("sela", str(uuid.UUID(str(running))), "close")

    def rows(self, query: str, *values: object) -> list[Row]:
        """What the database has; ``?`` stands for a value."""
        if not self.database:
            path = self.folder / "data" / "house.sqlite3"
            with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as connection:
                return connection.execute(query, values).fetchall()
        with psycopg.connect(self.database) as connection:
            statement = sql.SQL(query.replace("?", "%s"))
            return connection.execute(statement, values).fetchall()

    def transfers(self, game: str) -> list[tuple[str, str, int, str]]:
        """
        Every transfer of a game: from, to, amount and reason.

        First what was brought to the table, then all others, each in the ledger's order: money
        that is brought moves at once, and whether before or after what is booked nobody can say.
        """
        found = self.rows(
            "SELECT debit_kind, debit_name, credit_kind, credit_name, amount, reason"
            " FROM ledger_transfer WHERE debit_name LIKE ? OR credit_name LIKE ?"
            " ORDER BY position, seq",
            f"{game}%", f"{game}%",
        )  # fmt: skip
        names: dict[str, str] = dict(self.rows("SELECT token, name FROM pseudonyms_player"))

        def called(kind: str, name: str) -> str:
            return names[name.partition("/")[2]] if kind == "stake" else kind

        moved = [
            (called(kind, name), called(to_kind, to_name), amount, reason)
            for kind, name, to_kind, to_name, amount, reason in found
        ]
        return sorted(moved, key=lambda each: each[3] != "buy_in")

    def has_caught_up(self) -> bool:
        """Whether every subscriber has read all that is in the ledger: what was won is booked."""
        heads = self.rows(
            "SELECT establishment, max(position) FROM ledger_event GROUP BY establishment"
        )
        come = {
            (house, name): position
            for house, name, position in self.rows(
                "SELECT establishment, name, position FROM ledger_subscription"
            )
        }
        return all(  # one that has not begun has no row
            come.get((house, subscriber.name), -1) >= head
            for house, head in heads
            for subscriber in SUBSCRIBERS
        )

    def events(self, game: str) -> list[str]:
        found = self.rows(
            "SELECT event_type FROM ledger_event WHERE stream = ? ORDER BY stream_version",
            f"game/{game}",
        )
        return [kind.partition(".")[2] for (kind,) in found]


@contextmanager
def running(folder: Path) -> Iterator[House]:
    given = os.environ.get("DATABASE_URL")
    house = apart(folder, given) if given else embedded(folder)
    with house as started:
        yield started


@contextmanager
def embedded(folder: Path, python: str = sys.executable) -> Iterator[House]:
    """One process, SQLite, the in-memory broker."""
    port = processes.free_port()
    # A test lets its files grow no further: no module is to be left half compiled (storage.py).
    env = processes.environment(HOME_THROW_DATA=str(folder / "data"), PYTHONDONTWRITEBYTECODE="1")
    template.put(folder / "data")
    house = House(folder, port, env, (python, "manage.py", "up", "--empty", f"--port={port}"))
    try:
        house.start()
        # The demo house is made behind the first page, and its worker comes after its people.
        processes.eventually(house.is_whole, log=house.log)
        yield house
    finally:
        house.kill()


@contextmanager
def apart(
    folder: Path, server: str, *, broker: str = "", one_parent: bool = False
) -> Iterator[House]:
    """
    Web, worker and beat as in production, on a database of their own.

    :param broker: its URL; by default one of their own. :param one_parent: start them by one.
    """
    port = processes.free_port()
    static = Path(os.environ.get("STATIC_ROOT") or folder / "static")
    with ExitStack() as stack:
        given = os.environ.get(template.VARIABLE, "")
        database = stack.enter_context(template.database(server, given))
        env = processes.environment(
            DATABASE_URL=database,
            # Workers of two houses at one broker would take each other's messages.
            REDIS_URL=broker or stack.enter_context(services.redis()),
            SECRET_KEY=secrets.token_hex(32),
            ALLOWED_HOSTS="127.0.0.1,localhost",
            SSL_REDIRECT="0",  # the proxy that would speak HTTPS is not here
            STATIC_ROOT=str(static),
            WEB_BIND=f"127.0.0.1:{port}",
            WEB_PROCESSES="1",
        )
        signs = {**env, "LEDGER_KEYS_DIR": str(folder / "keys")}  # workers alone hold keys
        steps = [*([] if given else ["migrate"]), "demo", "ledger_keys --make"]
        if not (static / "staticfiles.json").exists():  # else an earlier check has collected them
            steps.insert(0, "collectstatic --noinput")
        line = (sys.executable, "-c", IN_TURN, *steps)
        with processes.started(*line, env=signs, output=folder / "made.log") as process:
            code = process.wait(processes.PATIENCE)
            assert code == 0, (folder / "made.log").read_text()
        beside = () if one_parent else (("worker", WORKER, signs), ("beat", BEAT, env))
        for name, program, sees in beside:
            line = (str(PROGRAMS / program[0]), *program[1:])
            log = folder / f"{name}.log"
            stack.enter_context(processes.started(*line, env=sees, output=log))
        web = ONE_PARENT if one_parent else WEB
        line = (str(PROGRAMS / web[0]), *web[1:])
        house = House(folder, port, signs if one_parent else env, line, database)
        try:
            house.start()
            yield house
        finally:
            house.kill()
