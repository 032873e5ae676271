"""A game of another author's: the example, installed beside a house, played, and taken away."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING, Any, Final

import pytest

from tests.processes import ROOT, environment

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

pytestmark = pytest.mark.once
EXAMPLE: Final = ROOT / "examples" / "ship-captain-crew"
GAME: Final = "ship-captain-crew"
MISSING: Final = "The rules of ship-captain-crew, version 1, are not installed here."
UV: Final = (sys.executable, "-m", "uv", "--quiet", "--offline", "--no-config", "pip", "install")
REGISTERED: Final = """
import json, django
django.setup()
from casino.game_streams import catalogue
from casino.presenters import TITLES, quoted

print(json.dumps([str(TITLES["ship-captain-crew"]), catalogue.current("ship-captain-crew").version,
                  quoted.in_short("ship-captain-crew", "SC5")]))
"""


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The distribution, installed into a folder of its own: nothing is fetched."""
    folder = tmp_path_factory.mktemp("package")
    source = shutil.copytree(EXAMPLE, tmp_path_factory.mktemp("source") / "example")
    options = ("--no-deps", "--no-build-isolation", "--no-cache", "--target", str(folder))
    subprocess.run((*UV, *options, str(source)), check=True, cwd=source)
    return folder


def asked(
    package: Path | None, data: Path, arguments: Sequence[str]
) -> subprocess.CompletedProcess[str]:
    env = environment(
        HOME_THROW_DATA=str(data),
        DJANGO_SETTINGS_MODULE="casino.config.settings",
        PYTHONPATH=str(package or ""),
    )
    return subprocess.run(
        [sys.executable, *arguments], cwd=ROOT, env=env, capture_output=True, text=True,
        check=False,
    )  # fmt: skip


def answered(package: Path | None, data: Path, what: str) -> dict[str, Any]:
    done = asked(package, data, ("-m", "tests.support.sixth", what, str(data)))
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


@pytest.mark.processes
def test_the_example_is_found_and_its_own_tests_hold(package: Path, tmp_path: Path) -> None:
    """Its own tests are in its own folder: they are run as its author runs them."""
    found = asked(package, tmp_path, ("-c", REGISTERED))
    tests = ("-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:django", "--noconftest",
             "-c", "/dev/null", f"--rootdir={EXAMPLE}", str(EXAMPLE / "tests"))  # fmt: skip
    held = asked(package, tmp_path, tests)

    assert found.stderr == ""
    assert json.loads(found.stdout)[:2] == ["Ship, Captain and Crew", 1]
    assert held.returncode == 0, held.stdout + held.stderr


@pytest.mark.processes
@pytest.mark.long
def test_it_is_played_in_a_house_that_goes_on_when_it_is_gone(
    package: Path, tmp_path: Path
) -> None:
    played = answered(package, tmp_path, "play")

    assert played["failed"] == []
    assert played["missing"] == {}
    assert played["pages"] > 100
    assert played["round"]["winners"] == ["Ada"]
    assert played["foreseen"] > 0
    assert played["readers"]
    assert '"differences": 0' in played["regrade"]
    assert '"why": "choice"' in played["whatif"]
    assert "Harbour" in played["exported"]

    left = answered(None, tmp_path, "look")

    assert left["failed"] == []
    assert all(said == MISSING for said in left["missing"].values())
    assert [left[name][0] for name in ("ship", "thrown", "opening")] == [409, 409, 422]
    assert left["ship"][1]["detail"] == left["thrown"][1]["detail"] == MISSING
    assert left["opening"][1]["code"] == "unknown_game"
    assert left["old"] == 200
    assert set(left["lists"].values()) == {200}
    assert f"The game {GAME} is not installed." in left["verify"]
    assert "BROKEN" not in left["verify"]
    assert "exit" not in left["verify"]
    assert '"why": "not_installed"' in left["regrade"]
    assert '"differences": 0' in left["regrade"]
    assert '"what": "payouts"' not in left["regrade"]
    assert "Harbour" in left["exported"]
    assert '"games": 1' in left["whatif"]
