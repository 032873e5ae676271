"""A house that starts by `run.py` or `manage.py up`: it answers, stops, and says what is wrong."""

import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from threading import Event, Thread

import pytest

from casino.config import embedded
from casino.demo.client import Client
from casino.settings.staff.sign_in.demo_staff import PASSWORD, STAFF
from tests import template
from tests.processes import (
    PATIENCE,
    ROOT,
    environment,
    eventually,
    free_port,
    get,
    started,
    stop,
    up,
)

pytestmark = pytest.mark.once


def said(*command: str, env: dict[str, str] | None = None) -> tuple[int, str]:
    done = subprocess.run(
        command, cwd=ROOT, env=env, capture_output=True, text=True, check=False, timeout=120
    )
    return done.returncode, done.stderr.strip()


def refused(data: str | Path, *options: str) -> str:
    env = environment(HOME_THROW_DATA=str(data))
    code, sentence = said(sys.executable, "manage.py", "up", *options, env=env)
    assert code == 1
    assert "Traceback" not in sentence
    assert len(sentence.splitlines()) == 1
    return sentence


@pytest.fixture
def taken() -> Iterator[int]:
    with socket.create_server(("127.0.0.1", 0)) as other:
        yield other.getsockname()[1]


@pytest.mark.processes
def test_a_taken_port_is_named_and_the_way_out(tmp_path: Path, taken: int) -> None:
    sentence = refused(tmp_path / "data", f"--port={taken}")

    assert f"port {taken}" in sentence
    assert "--port" in sentence


@pytest.mark.processes
def test_data_that_cannot_be_written_is_named() -> None:
    sentence = refused("/proc/home-throw")

    assert "Cannot write to /proc/home-throw" in sentence
    assert "HOME_THROW_DATA" in sentence


# run.py in the environment of these tests, which is not made by it.
OF_THIS_PYTHON = """
import sys
from pathlib import Path
import run
run.prepare = lambda lock: None
run.PYTHON = Path(sys.executable)
run.main(sys.argv[1:])
"""


@pytest.mark.processes
def test_a_house_of_run_py_starts_answers_and_stops(tmp_path: Path) -> None:
    """The README's command, on a database that is there; the long form has a demo house made."""
    data, port = tmp_path / "data", free_port()
    template.put(data)
    command = (sys.executable, "-c", OF_THIS_PYTHON, f"--port={port}", "--lan")
    log = data.with_suffix(".log")
    with started(*command, env=environment(HOME_THROW_DATA=str(data)), output=log) as process:
        eventually(lambda: get(port, "/healthz")[0] == 200, process, log)
        assert get(port, "/sign-in/")[0] == 200
        assert get(port, "/healthz/web", Host=socket.gethostname())[0] == 200
        assert get(port, "/healthz/web", Host="elsewhere.example")[0] == 400
        refusal = refused(data, "--port=0")
        assert "already runs" in refusal
        assert f"http://127.0.0.1:{port}/" in refusal
        status, seconds = stop(process)

    assert (status, seconds < 5) == (0, True)
    assert f"http://{socket.gethostname()}:{port}/" in log.read_text()
    assert "Traceback" not in log.read_text()


@pytest.mark.long
@pytest.mark.processes
def test_the_house_starts_answers_stops_and_keeps_its_data(tmp_path: Path) -> None:
    data = tmp_path / "data"
    with up(data) as (process, port):
        refusal = refused(data, "--port=0")
        assert "already runs" in refusal
        assert f"http://127.0.0.1:{port}/" in refusal
        assert get(port, "/sign-in/")[0] == 200
        Client(f"http://127.0.0.1:{port}/", STAFF[0].username, PASSWORD)  # its people are there
        status, seconds = stop(process)
    assert (status, seconds < 5) == (0, True)
    key = (data / "secret-key").read_text()

    with up(data, "--empty") as (process, _port):
        assert stop(process, signal.SIGTERM)[0] == 0
    written = data.with_suffix(".log").read_text()
    assert written.count("Sign in to") == 2  # the demo house is still there, and made once
    assert "Traceback" not in written
    assert (data / "secret-key").read_text() == key


@pytest.mark.long
@pytest.mark.processes
def test_other_devices_are_let_in_only_when_asked(tmp_path: Path) -> None:
    name = socket.gethostname()
    template.put(tmp_path / "data")
    with up(tmp_path / "data", "--empty") as (process, port):
        assert get(port, "/healthz/web", Host=name)[0] == 400
        stop(process)
    with up(tmp_path / "data", "--empty", "--lan", "--demo") as (process, port):
        assert get(port, "/healthz/web", Host=name)[0] == 200
        assert get(port, "/healthz/web", Host="elsewhere.example")[0] == 400
        stop(process)
    assert f"http://{name}:{port}/" in (tmp_path / "data.log").read_text()


DYING = """
import os, sys
os.environ["DJANGO_SETTINGS_MODULE"] = "casino.config.settings"
import django
from django.core.management import execute_from_command_line
django.setup()
from casino.config import beat, embedded
def fail(*_): raise RuntimeError("no more ticks")
beat.Clock.tick = fail
execute_from_command_line(["manage.py", "up", "--port=0", "--empty"])
"""


@pytest.mark.long
@pytest.mark.processes
def test_a_thread_that_dies_takes_the_house_down_loudly(tmp_path: Path) -> None:
    template.put(tmp_path / "data")
    env = environment(HOME_THROW_DATA=str(tmp_path / "data"))
    log = tmp_path / "log"
    with started(sys.executable, "-c", DYING, env=env, output=log) as process:
        assert process.wait(60) == 1

    assert "no more ticks" in log.read_text()
    assert log.read_text().strip().endswith("The beat died, so everything was stopped.")


def let_fail_and_end(go: Event, thread: Thread) -> None:
    go.set()
    thread.join(PATIENCE)  # it sends the signal first: seen within this or, at the latest, after it


def test_a_part_that_dies_ends_the_process_and_is_named() -> None:
    go, background = Event(), embedded.Background()

    def fails() -> None:
        go.wait()
        raise RuntimeError("no more ticks")

    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        thread = background.start("beat", fails)
        with pytest.raises(KeyboardInterrupt):
            let_fail_and_end(go, thread)
    finally:
        signal.signal(signal.SIGTERM, before)

    with pytest.raises(embedded.PartDied, match="The beat died, so everything was stopped"):
        background.stop(thread)
