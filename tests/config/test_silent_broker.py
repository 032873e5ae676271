"""A broker that takes connections and never answers: programs wait for it, and end."""

from __future__ import annotations

import secrets
import signal
import sys
import time
from contextlib import ExitStack, contextmanager
from itertools import product
from typing import TYPE_CHECKING

import pytest

from tests.browser.running import ONE_PARENT
from tests.config.test_stops import IN_PEACE, ON_SQLITE, a_house
from tests.processes import environment, eventually, free_port, started, stop
from tests.support.processes import BEAT, CELERY, Broker

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

pytestmark = pytest.mark.processes
WORKER = (*CELERY, "worker", "--without-gossip", "--without-mingle", "--concurrency=1")
PROGRAMS = {  # as docs/how-to/production.md starts them; how many of them take messages
    "worker": ((*WORKER, "--exclude-queues=long"), 1),
    "long worker": ((*WORKER, "--queues=long"), 1),
    "beat": (BEAT, 0),
    **({} if ON_SQLITE else {"one parent": ((sys.executable, *ONE_PARENT[1:]), 2)}),
}
SILENCES = (0.0, 1.0, 3.0, 4.5, 6.0, 20.0)  # seconds: a worker notices it after five
STARTS = 12.0  # seconds in which a program has come to where it needs the broker


@contextmanager
def a_broker(folder: Path) -> Iterator[tuple[Broker, dict[str, str]]]:
    """A broker, and the environment of programs of a new house at it."""
    broker = Broker()
    broker.start()
    try:
        with a_house(folder) as house:
            own = {
                "SECRET_KEY": secrets.token_hex(32), **house, "REDIS_URL": broker.url,
                "DJANGO_SETTINGS_MODULE": "casino.config.settings",
                "WEB_BIND": f"127.0.0.1:{free_port()}",
            }  # fmt: skip
            yield broker, environment(**own)
    finally:
        broker.stop()


def works(broker: Broker, takers: int) -> bool:
    """Whether so many wait for messages at the broker; where none does, whether one is there."""
    if not takers:
        return bool(broker.told("LLEN", "watch"))
    return str(broker.told("CLIENT", "LIST")).count("brpop") >= takers


@pytest.mark.parametrize(
    ("program", "silence"),
    [
        ("worker", 2.0),  # a worker does something at the broker every two seconds
        *(pytest.param(*each, marks=pytest.mark.long) for each in product(PROGRAMS, SILENCES)),
    ],
)
def test_a_stop_ends_by_itself(program: str, silence: float, tmp_path: Path) -> None:
    command, takers = PROGRAMS[program]
    log = tmp_path / "log"
    with a_broker(tmp_path) as (broker, env), started(*command, env=env, output=log) as process:
        eventually(lambda: works(broker, takers), process, log)
        with broker.silent():
            time.sleep(silence)
            status, _seconds = stop(process, signal.SIGTERM)

    assert status == 0, log.read_text()
    assert not takers or "broker_given_up" in log.read_text()


@pytest.mark.long
@pytest.mark.parametrize("program", PROGRAMS)
@pytest.mark.parametrize("speaks", [True, False])
def test_who_starts_waits_and_still_hears_a_stop(
    program: str, speaks: bool, tmp_path: Path,  # noqa: FBT001
) -> None:  # fmt: skip
    command, takers = PROGRAMS[program]
    log = tmp_path / "log"
    with a_broker(tmp_path) as (broker, env), ExitStack() as silence:
        silence.enter_context(broker.silent())
        with started(*command, env=env, output=log) as process:
            time.sleep(STARTS)
            assert process.poll() is None, log.read_text()
            if speaks:
                silence.close()
                eventually(lambda: works(broker, takers), process, log)
            status, _seconds = stop(process, signal.SIGTERM)

    assert status in ({0} if speaks else IN_PEACE), log.read_text()
