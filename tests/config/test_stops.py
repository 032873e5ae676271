"""A stop always ends: each program of the house, asked to stop at any moment of its start."""

from __future__ import annotations

import json
import os
import secrets
import signal
import subprocess
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest

from tests import forms, template
from tests.processes import PATIENCE, ROOT, environment, eventually, lives

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

pytestmark = pytest.mark.processes
ON_SQLITE = forms.ENGINE == "sqlite"
PROGRAMS = ("up",) if ON_SQLITE else ("one_parent", "web", "worker", "beat")
IN_PEACE = {0, -signal.SIGTERM}
"""Who was not listening yet is ended by the signal."""


def stops(program: str, count: int, folder: Path, number: signal.Signals = signal.SIGTERM) -> None:
    """Fail if a stop ended by force, did not end, or left a process behind."""
    with a_house(folder) as house:
        run(program, count, folder, number, **house)


@contextmanager
def a_house(folder: Path) -> Iterator[dict[str, str]]:
    """A new house, as the environment of its programs."""
    if ON_SQLITE:
        template.put(folder / "data")
        yield {"HOME_THROW_DATA": str(folder / "data")}
        return
    made_of = os.environ.get(template.VARIABLE, "")
    with template.database(os.environ["DATABASE_URL"], made_of) as database:
        yield {
            "DATABASE_URL": database,
            "REDIS_URL": os.environ["REDIS_URL"],
            "SECRET_KEY": secrets.token_hex(32),
            "ALLOWED_HOSTS": "127.0.0.1",
            "STATIC_ROOT": os.environ.get("STATIC_ROOT") or str(folder / "static"),
            "SSL_REDIRECT": "0",
            "WEB_PROCESSES": "2",
        }


def run(
    program: str, count: int, folder: Path, number: signal.Signals, **of_the_house: str
) -> None:
    log = folder / "log"
    trial = (program, str(count), number.name)
    command = (sys.executable, "-m", "tests.config.stop_trials", *trial)
    env = environment(DJANGO_SETTINGS_MODULE="casino.config.settings", **of_the_house)
    with log.open("w") as errors:
        done = subprocess.run(
            command, cwd=ROOT, env=env, stdout=subprocess.PIPE, stderr=errors, check=False
        )
    trials = [json.loads(line) for line in done.stdout.splitlines()]
    ends = IN_PEACE if number == signal.SIGTERM else {-number}
    odd = [each for each in trials if each["status"] not in ends or each["left"]]

    assert len(trials) == count, log.read_text()
    assert not odd, f"{odd}\n{log.read_text()}"


def test_a_house_ends_that_is_stopped_while_it_starts(tmp_path: Path) -> None:
    stops(PROGRAMS[0], 3, tmp_path)


@pytest.mark.long
@pytest.mark.parametrize("program", PROGRAMS)
def test_it_ends_at_every_moment_of_its_start(program: str, tmp_path: Path) -> None:
    stops(program, 150, tmp_path)


HANDED = """
import os, signal, threading, time
import django
django.setup()
from celery import signals
from celery.worker import state
from django.conf import settings
from casino.config import celery
from tests.config.stop_trials import with_children

@signals.worker_ready.connect(weak=False)
def ready(**_signal):  # and a moment later its process is, too: before, it is handed nothing
    task = ("casino.health.tasks.sign_of_life", (), {"queue": settings.WATCH})
    threading.Timer(2, celery.app.send_task, task).start()

@signals.task_received.connect(weak=False)
def received(**_signal):
    worker, *children = with_children(os.getpid())
    for each in children:
        os.kill(each, signal.SIGSTOP)
    threading.Timer(0.5, stop, (worker, children)).start()

def stop(worker, children):
    os.kill(worker, signal.SIGTERM)
    while state.reserved_requests:  # until it has forgotten the task
        time.sleep(0.01)
    os.kill(worker, signal.SIGTERM)  # as one_parent does when another part has ended
    for each in children:
        os.kill(each, signal.SIGCONT)

celery.IDLE_WITHIN, celery.BUSY_WITHIN = 3, 15
celery.app.start(["--quiet", "worker", "--without-gossip", "--without-mingle", "--concurrency=1"])
"""


@pytest.mark.long
@pytest.mark.skipif(ON_SQLITE, reason="there workers are threads")
def test_a_worker_ends_that_has_just_handed_a_task_to_a_slow_process(tmp_path: Path) -> None:
    with a_house(tmp_path) as house:
        done = subprocess.run(
            (sys.executable, "-c", HANDED),
            cwd=ROOT,
            env=environment(DJANGO_SETTINGS_MODULE="casino.config.settings", **house),
            capture_output=True,
            text=True,
            check=False,
            timeout=PATIENCE,
        )

    assert done.returncode == 0, done.stderr


HANGS = """
import signal, sys, time
from casino.config import one_parent

def deaf():
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    print("deaf", flush=True)
    time.sleep(600)

def ends():
    signal.pause()

one_parent.WITHIN, one_parent.import_all, one_parent.beat = 0.2, lambda: None, deaf
one_parent.web = one_parent.long_worker = ends
one_parent.worker = lambda processes: ends()
sys.argv = ["one_parent"]
sys.exit(one_parent.main())
"""


@pytest.mark.once
def test_a_part_that_never_ends_is_killed_and_named() -> None:
    command = (sys.executable, "-c", HANGS)
    env = environment(DJANGO_SETTINGS_MODULE="casino.config.settings")
    with subprocess.Popen(
        command, cwd=ROOT, env=env, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as house:
        assert house.stdout is not None
        assert house.stdout.readline() == "deaf\n"
        house.send_signal(signal.SIGTERM)
        _out, said = house.communicate(timeout=PATIENCE)

    assert house.returncode == 1
    # On a busy machine a part that listens may not have ended either.
    assert "The beat had not ended 0.2 s after it was asked to. It is killed." in said.splitlines()


WAIT = """
import os, signal, sys
from casino.config import one_parent

def waits():
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    os.write(1, f"{os.getpid()}\\n".encode())
    signal.pause()

one_parent.import_all = lambda: None
one_parent.web = one_parent.long_worker = one_parent.beat = waits
one_parent.worker = lambda processes: waits()
sys.argv = ["one_parent"]
one_parent.main()
"""


@pytest.mark.once
@pytest.mark.skipif(sys.platform != "linux", reason="only Linux signals the end of a parent")
def test_parts_end_when_their_parent_is_killed() -> None:
    env = environment(DJANGO_SETTINGS_MODULE="casino.config.settings")
    with subprocess.Popen(
        (sys.executable, "-c", WAIT), cwd=ROOT, env=env, text=True, stdout=subprocess.PIPE
    ) as house:
        assert house.stdout is not None
        parts = [int(house.stdout.readline()) for _ in range(4)]
        house.kill()

    eventually(lambda: not any(map(lives, parts)))


@pytest.mark.long
@pytest.mark.parametrize("program", PROGRAMS)
def test_nothing_is_left_of_a_program_that_is_killed(program: str, tmp_path: Path) -> None:
    stops(program, 3, tmp_path, signal.SIGKILL)


@pytest.mark.once
def test_a_program_that_hangs_ends_itself_and_says_where_it_was() -> None:
    hangs = (
        "from casino.engine.processes import stopping\nstopping.exit_within(0.1)\nwhile True: pass"
    )
    done = subprocess.run(
        (sys.executable, "-c", hangs), cwd=ROOT, capture_output=True, text=True, check=False
    )

    assert done.returncode == 1
    assert "Timeout" in done.stderr
    assert "line 3" in done.stderr


NOT_HEARD = """
import os, queue, signal, time, types
from casino.config import gunicorn

parent = types.SimpleNamespace(SIG_QUEUE=queue.SimpleQueue())
signal.signal(signal.SIGTERM, lambda number, _frame: parent.SIG_QUEUE.put_nowait(number))
{heard}os.kill(os.getpid(), signal.SIGTERM)
gunicorn.post_fork(parent, None)
os.kill(os.getpid(), signal.SIGTERM)
time.sleep(600)
"""


@pytest.mark.once
@pytest.mark.parametrize(("heard", "status"), [("", 0), ("# ", -signal.SIGTERM)])
def test_a_web_process_that_does_not_listen_yet_ends(heard: str, status: int) -> None:
    """Before it was told so, the signal is in the queue that it has from its parent."""
    env = environment(DJANGO_SETTINGS_MODULE="casino.config.settings")
    command = (sys.executable, "-c", NOT_HEARD.format(heard=heard))
    done = subprocess.run(command, cwd=ROOT, env=env, check=False, timeout=PATIENCE)

    assert done.returncode == status
