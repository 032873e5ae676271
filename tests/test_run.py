"""The two commands of the README: what they build, and what they refuse."""

import ast
import errno
import importlib.util
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest

from tests.processes import (
    ROOT,
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


@pytest.mark.long
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
