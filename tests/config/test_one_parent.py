"""Web, worker and beat from one parent, as a house on one machine starts them, on PostgreSQL."""

from __future__ import annotations

import os
import secrets
import signal
import socketserver
import sys
import time
import uuid
from contextlib import ExitStack, contextmanager
from threading import Thread
from typing import TYPE_CHECKING, Any, ClassVar

import pytest

from casino.demo import play
from casino.demo.client import Client
from casino.demo.house import PASSWORD
from tests import forms, template
from tests.browser import running
from tests.processes import environment, eventually, free_port, get, started, stop
from tests.support.processes import Broker

if TYPE_CHECKING:
    from collections.abc import Iterator
    from contextlib import AbstractContextManager
    from pathlib import Path

    from tests.browser.running import House

pytestmark = [
    pytest.mark.processes,
    pytest.mark.skipif(forms.ENGINE == "sqlite", reason="on SQLite manage.py up is all in one"),
]


def test_a_house_comes_up_from_one_program_and_ends_with_it(tmp_path: Path) -> None:
    port, log = free_port(), tmp_path / "house.log"
    made_of = os.environ.get(template.VARIABLE, "")
    with template.database(os.environ["DATABASE_URL"], made_of) as database:
        env = environment(
            DATABASE_URL=database,
            REDIS_URL=os.environ["REDIS_URL"],
            SECRET_KEY=secrets.token_hex(32),
            ALLOWED_HOSTS="127.0.0.1",
            STATIC_ROOT=os.environ.get("STATIC_ROOT") or str(tmp_path / "static"),
            SSL_REDIRECT="0",
            WEB_BIND=f"127.0.0.1:{port}",
            WEB_PROCESSES="1",
        )
        program = (sys.executable, "-m", "casino.config.one_parent", "--worker-processes=1")
        with started(*program, env=env, output=log) as process:
            eventually(lambda: get(port, "/healthz/web")[0] == 200, process, log)
            status, _seconds = stop(process, signal.SIGTERM)

    assert status == 0, log.read_text()


# --- A broker that is away, is silent, or answers with an error: throws do not depend on it ------

WAITS_MOST = 5.0  # seconds, for an answer: a silent broker is given up after two, the first time
COLD = 10.0  # ... of processes that have just begun, and load what an answer takes


class Refusing(socketserver.StreamRequestHandler):
    """Answers each command of the Redis protocol with an error (RESP2: ``-``)."""

    error: ClassVar[bytes]

    def handle(self) -> None:
        for line in self.rfile:
            if line.startswith(b"*"):
                self.wfile.write(b"-%b\r\n" % self.error)


@contextmanager
def that_refuses(port: int, error: bytes) -> Iterator[None]:
    handler = type("Refusing", (Refusing,), {"error": error})
    socketserver.ThreadingTCPServer.allow_reuse_address = True
    with socketserver.ThreadingTCPServer(("127.0.0.1", port), handler) as server:
        server.daemon_threads = True
        Thread(target=server.serve_forever, daemon=True).start()
        yield
        server.shutdown()


@contextmanager
def in_its_place(broker: Broker, error: bytes | None) -> Iterator[None]:
    """Nobody, or a server that is not ready or does not know the house."""
    broker.stop()
    if error is None:
        yield
    else:
        with that_refuses(broker.port, error):
            yield
    broker.start()


@pytest.mark.long
def test_throws_do_not_depend_on_the_broker(tmp_path: Path) -> None:
    """One after the other at one house: nothing that the broker answers may end a part of it."""
    broker = Broker()
    broker.start()
    server = os.environ["DATABASE_URL"]
    with running.apart(tmp_path, server, broker=broker.url, one_parent=True) as house:
        at = play.House(house.address)
        well = record(at)
        eventually(house.has_caught_up, log=house.log)
        booked = house.transfers(well)
        assert booked
        for wrong in (
            broker.told_wrong("REPLICAOF 127.0.0.1 1", "REPLICAOF NO ONE"),
            broker.told_wrong("CONFIG SET maxmemory 1", "CONFIG SET maxmemory 0"),
            broker.unable_to_save(),
            broker.loading(),
            broker.silent(),
            in_its_place(broker, None),
            in_its_place(broker, b"LOADING Redis is loading the dataset in memory"),
            in_its_place(broker, b"NOAUTH Authentication required."),
        ):
            for game in are_met(house, at, wrong):
                assert house.transfers(game) == booked
        with broker.silent(), in_time():
            Client(house.address, play.ATTENDANTS[0], PASSWORD)  # signs in
    broker.stop()


@pytest.mark.long
def test_throws_are_taken_by_a_house_that_starts_while_the_broker_is_silent(tmp_path: Path) -> None:
    """And are settled once, when it speaks."""
    broker = Broker()
    broker.start()
    server = os.environ["DATABASE_URL"]
    with (
        running.apart(tmp_path, server, broker=broker.url, one_parent=True) as house,
        ExitStack() as silence,
    ):
        house.kill()
        silence.enter_context(broker.silent())
        house.start()
        at = play.House(house.address)
        early = record(at, COLD)
        silence.close()
        eventually(house.has_caught_up, log=house.log)
        eventually(house.is_whole, log=house.log)
        late = record(at)
        eventually(house.has_caught_up, log=house.log)
        assert house.transfers(early) == house.transfers(late) != []
    broker.stop()


def are_met(house: House, at: play.House, wrong: AbstractContextManager[None]) -> list[str]:
    """Play while something is wrong, and return the games once it is over and all is settled."""
    written = house.log.stat().st_size
    with wrong:
        games = [record(at)]
        eventually(lambda: house.log.stat().st_size > written, log=house.log)  # the worker met it
        games.append(record(at))
        assert house.answers()
    eventually(house.has_caught_up, log=house.log)
    eventually(house.is_whole, log=house.log)
    return games


@contextmanager
def in_time(most: float = WAITS_MOST) -> Iterator[None]:
    began = time.monotonic()
    yield
    assert time.monotonic() - began < most


def record(at: play.House, most: float = WAITS_MOST) -> str:
    """A game with a round of throws, none of them refused or late. Return its id."""

    def ask(path: str, **fields: object) -> Any:
        with in_time(most):
            answer = at.recorder.post(path, {"command_id": str(uuid.uuid4()), **fields})
        assert not answer.refused, answer.body
        return answer.body

    table = at.free_table()
    seats = {"players": ["Ada", "Bo"], "stake": 20}
    game = str(ask("games/", do="open", table=table, game="stone-hand", **seats)["id"])
    for player, dice in (("Ada", [2, 2, 7]), ("Bo", [3, 3, 4])):
        ask(f"games/{game}/commands/", do="throw", player=player, dice=dice)
    ask(f"games/{game}/commands/", do="close")
    return game
