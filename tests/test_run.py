"""The two commands: what they build, what they refuse, how the house starts and stops."""

import ast
import errno
import importlib.util
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from threading import Event
from types import ModuleType, SimpleNamespace

import pytest

from casino.config import embedded
from casino.demo.client import Client
from casino.sign_in.demo_staff import PASSWORD, STAFF
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
RUN = ROOT / "run.py"
NOWHERE = f"nowhere==1 \\\n    --hash=sha256:{'0' * 64}\n"


@pytest.fixture
def copy(tmp_path: Path) -> ModuleType:
    """run.py in a folder of its own, with two little locks beside it."""
    folder = tmp_path / "home throw"  # a space, as folders of people have
    folder.mkdir()
    shutil.copy(RUN, folder)
    (folder / "requirements.lock").write_text("# nothing\n")
    (folder / "requirements-dev.lock").write_text("# nothing more\n")
    return loaded(folder)


def loaded(folder: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location("run", folder / "run.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def said(*command: str, env: dict[str, str] | None = None) -> tuple[int, str]:
    done = subprocess.run(
        command, cwd=ROOT, env=env, capture_output=True, text=True, check=False, timeout=120
    )
    return done.returncode, done.stderr.strip()


# --- run.py -----------------------------------------------------------------------------------


def test_an_old_python_can_read_the_file() -> None:
    ast.parse(RUN.read_text(), feature_version=(3, 6))


def test_an_old_python_gets_one_sentence() -> None:
    pretending = f"""
import runpy, sys
sys.version_info = (3, 9, 2)
runpy.run_path({str(RUN)!r}, run_name="__main__")
"""
    code, sentence = said(sys.executable, "-c", pretending)

    assert code == 1
    assert sentence == "Home Throw needs Python 3.11 or later; this is 3.9."


def test_an_environment_is_good_for_its_locks_place_and_python(copy: ModuleType) -> None:
    copy.build("requirements.lock")
    assert copy.installed() == ["requirements.lock"]

    (copy.ROOT / "requirements.lock").write_text("# something\n")
    assert copy.installed() == []

    copy.build("requirements.lock")
    assert copy.installed() == ["requirements.lock"]
    stamp = json.loads(copy.STAMP.read_text())
    copy.STAMP.write_text(json.dumps({**stamp, "python": "3.11.0 of somebody else"}))
    assert copy.installed() == []


def test_a_development_environment_serves_both_and_a_plain_one_grows(copy: ModuleType) -> None:
    copy.build("requirements.lock")
    built = copy.PYTHON.lstat().st_ino

    copy.build("requirements-dev.lock")
    assert copy.installed() == ["requirements.lock", "requirements-dev.lock"]
    assert copy.PYTHON.lstat().st_ino == built

    (copy.ROOT / "requirements-dev.lock").write_text("# other tools\n")
    assert copy.installed() == ["requirements.lock"]


def test_a_moved_folder_is_built_anew(copy: ModuleType) -> None:
    copy.build("requirements.lock")
    moved = copy.ROOT.rename(copy.ROOT.with_name("moved"))

    assert loaded(moved).installed() == []


def test_an_interrupted_install_does_not_look_complete(
    copy: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(_lock: str) -> None:
        raise KeyboardInterrupt

    copy.build("requirements.lock")
    monkeypatch.setattr(copy, "install", interrupted)
    with pytest.raises(SystemExit, match="begins the installation again"):
        copy.prepare("requirements-dev.lock")

    assert copy.installed() == []


def test_what_cannot_be_installed_is_said_in_one_sentence(
    copy: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("PIP_INDEX_URL", "PIP_EXTRA_INDEX_URL", "PIP_FIND_LINKS", "PIP_CONFIG_FILE"):
        monkeypatch.setenv(name, os.devnull)
    monkeypatch.setenv("PATH", os.devnull)  # no uv
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    (copy.ROOT / "requirements.lock").write_text(NOWHERE)

    with pytest.raises(SystemExit, match=r"Could not install requirements.lock"):
        copy.prepare("requirements.lock")
    assert copy.installed() == []


# fmt: off
DAMAGED = [
    ("amqp==5.4.2 \\\n    --hash=sha256:12ab", 2),                    # cut off
    ("amqp==5.4.2 \\\n", 1),
    ("<<<<<<< ours\namqp==5.4.2\n=======\namqp==5.4.3\n>>>>>>>\n", 1),  # a merge that was left
    ("# all well\n<!doctype html>\n", 2),                            # another file altogether
]
# fmt: on


@pytest.mark.parametrize(("lock", "line"), DAMAGED)
def test_a_damaged_lock_is_named_and_installs_nothing(
    copy: ModuleType, lock: str, line: int
) -> None:
    (copy.ROOT / "requirements.lock").write_text(lock)

    with pytest.raises(SystemExit, match=rf"requirements.lock is damaged, at line {line}\. Fetch"):
        copy.prepare("requirements.lock")
    assert not copy.VENV.exists()


def test_a_lock_that_is_not_there_is_named(copy: ModuleType) -> None:
    (copy.ROOT / "requirements.lock").unlink()

    with pytest.raises(SystemExit, match=r"requirements.lock is missing"):
        copy.prepare("requirements.lock")


@pytest.mark.parametrize("lock", ["requirements.lock", "requirements-dev.lock"])
def test_the_locks_are_whole(lock: str) -> None:
    loaded(ROOT).check(lock)


FULL = "ERROR: Could not install packages due to an OSError: [Errno 28] No space left on device"


def test_a_disk_that_fills_up_while_installing_is_one_sentence(
    copy: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_command: list[str]) -> "subprocess.CompletedProcess[str]":
        return subprocess.CompletedProcess([], 1, "", FULL)

    def cannot_be_written(_lock: str) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(copy.STAMP))

    with monkeypatch.context() as patched:
        patched.setattr(copy, "quietly", full)
        with pytest.raises(SystemExit, match="The disk is full"):
            copy.prepare("requirements.lock")
        patched.setattr(copy, "build", cannot_be_written)
        with pytest.raises(SystemExit, match="The disk is full"):
            copy.prepare("requirements.lock")

    copy.prepare("requirements.lock")
    assert copy.installed() == ["requirements.lock"]


@pytest.mark.parametrize(("free", "written"), [(2**20, "1"), (2**40, None)])
def test_no_module_is_left_half_compiled_where_the_disk_is_nearly_full(
    copy: ModuleType, monkeypatch: pytest.MonkeyPatch, free: int, written: str | None
) -> None:
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "")  # put back afterwards
    monkeypatch.delenv("PYTHONDONTWRITEBYTECODE")
    monkeypatch.setattr(copy.os, "execv", lambda *_: None)
    monkeypatch.setattr(copy.shutil, "disk_usage", lambda _: SimpleNamespace(free=free))
    monkeypatch.chdir(copy.ROOT)

    copy.hand_over([])

    assert os.environ.get("PYTHONDONTWRITEBYTECODE") == written


@pytest.mark.rows(2)
@pytest.mark.parametrize("what", ["a folder", "a file", "a link to nowhere", "no program"])
def test_half_an_environment_is_made_whole(copy: ModuleType, what: str) -> None:
    if what == "a folder":
        copy.VENV.mkdir()
    elif what == "a file":
        copy.VENV.write_text("no environment")
    elif what == "a link to nowhere":
        copy.VENV.symlink_to(copy.ROOT / "nowhere")
    else:
        copy.prepare("requirements.lock")
        copy.PYTHON.unlink()

    copy.prepare("requirements.lock")

    assert copy.installed() == ["requirements.lock"]
    assert copy.PYTHON.exists()


def test_an_environment_that_has_lost_a_package_is_none(copy: ModuleType) -> None:
    copy.prepare("requirements.lock")
    [packages] = copy.VENV.glob("lib/python*/site-packages")
    (packages / "nowhere-1.dist-info").mkdir()
    copy.prepare("requirements-dev.lock")  # with this one, so to speak
    assert copy.installed() == ["requirements.lock", "requirements-dev.lock"]

    (packages / "nowhere-1.dist-info").rmdir()
    assert copy.installed() == []


def test_a_folder_that_cannot_be_written_is_named(
    copy: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(copy, "VENV", Path("/proc/home-throw"))  # not even root may

    with pytest.raises(SystemExit, match=r"Cannot write /proc/home-throw: .*Put Home Throw into"):
        copy.prepare("requirements.lock")


@pytest.mark.parametrize("nonsense", [["--prot", "1"], ["--port", "soon"], ["tset"]])
def test_what_is_not_understood_builds_nothing(copy: ModuleType, nonsense: list[str]) -> None:
    with pytest.raises(SystemExit):
        copy.main(nonsense)

    assert not copy.VENV.exists()


# --- manage.py up -----------------------------------------------------------------------------


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


def let_fail_and_wait(go: Event) -> None:
    go.set()
    time.sleep(PATIENCE)  # until the signal comes


def test_a_part_that_dies_ends_the_process_and_is_named() -> None:
    go, background = Event(), embedded.Background()

    def fails() -> None:
        go.wait()
        raise RuntimeError("no more ticks")

    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        thread = background.start("beat", fails)
        with pytest.raises(KeyboardInterrupt):
            let_fail_and_wait(go)
    finally:
        signal.signal(signal.SIGTERM, before)

    with pytest.raises(embedded.PartDied, match="The beat died, so everything was stopped"):
        background.stop(thread)
