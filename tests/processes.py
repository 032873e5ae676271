"""Real processes of the house, for tests: started, asked until they answer, ended in any case."""

import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
PATIENCE = 180.0  # seconds; what takes so long is broken, however busy the machine is
HOUSE = ("DATABASE_URL", "DATABASE_OWNER_URL", "REDIS_URL", "SECRET_KEY", "ALLOWED_HOSTS", "DEBUG")

Process = subprocess.Popen[str]


def environment(**settings: str) -> dict[str, str]:
    """The machine's environment without what makes a house of it, and these settings."""
    kept = {name: value for name, value in os.environ.items() if name not in HOUSE}
    return {**kept, **settings, "PYTHONUNBUFFERED": "1"}


@contextmanager
def started(
    *command: str, env: Mapping[str, str], output: Path, cwd: Path = ROOT
) -> Iterator[Process]:
    with output.open("a") as written:
        process = subprocess.Popen(
            command, cwd=cwd, env=env, stdout=written, stderr=subprocess.STDOUT, text=True
        )
    try:
        yield process
    finally:
        process.kill()
        process.wait()


@contextmanager
def up(data: Path, *options: str) -> Iterator[tuple[Process, int]]:
    """``manage.py up`` on this data and a free port, until it answers."""
    port = free_port()
    command = (sys.executable, "manage.py", "up", f"--port={port}", *options)
    env = environment(HOME_THROW_DATA=str(data))
    output = data.with_suffix(".log")
    with started(*command, env=env, output=output) as process:
        eventually(lambda: get(port, "/healthz")[0] == http.client.OK, process, output)
        yield process, port


def stop(process: Process, with_signal: signal.Signals = signal.SIGINT) -> tuple[int, float]:
    """Exit status, and how many seconds it took."""
    began = time.monotonic()
    process.send_signal(with_signal)
    return process.wait(PATIENCE), time.monotonic() - began


def eventually(
    holds: Callable[[], bool],
    process: Process | None = None,
    log: Path | None = None,
    patience: float = PATIENCE,
) -> None:
    """Ask until it holds: often on an idle machine, seldom where an answer takes long."""
    end = time.monotonic() + patience
    asked = time.monotonic()
    while not holds():
        ended = process is not None and process.poll() is not None
        if ended or time.monotonic() > end:
            raise AssertionError(f"It did not come to hold.\n{log.read_text() if log else ''}")
        time.sleep(max(0.05, 4 * (time.monotonic() - asked)))
        asked = time.monotonic()


def lives(pid: int) -> bool:
    """Whether a process runs: one that has ended may wait for its parent to ask how."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def get(port: int, path: str, **headers: str) -> tuple[int, dict[str, Any]]:
    """Status and JSON of an answer; 0 where nobody answers yet."""
    web = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    try:
        web.request(
            "GET", path, headers={name.replace("_", "-"): is_ for name, is_ in headers.items()}
        )
        answer = web.getresponse()
        body = answer.read()
    except (OSError, http.client.HTTPException):
        return 0, {}
    finally:
        web.close()
    is_json = answer.headers.get_content_type() == "application/json"
    return answer.status, json.loads(body) if is_json else {}


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
