"""A game of another author's: the example, installed beside a house, played, and taken away."""

from __future__ import annotations

import json
import subprocess
from typing import TYPE_CHECKING, Any, Final

import pytest

from tests.processes import ROOT, environment
from tests.support import example
from tests.support.example import EXAMPLE, GAME

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.once
MISSING: Final = "The rules of ship-captain-crew, version 1, are not installed here."
WAIT: Final = f"wait, parked, for their package is not installed: {GAME}."
REGISTERED: Final = """
import json, django
django.setup()
from casino.house.acts.game_streams import catalogue
from casino.words.presenters import TITLES, quoted

print(json.dumps([str(TITLES["ship-captain-crew"]), catalogue.current("ship-captain-crew").version,
                  quoted.in_short("ship-captain-crew", "SC5")]))
"""


@pytest.fixture
def python(tmp_path: Path) -> Path:
    return example.environment(tmp_path)


def asked(python: Path, data: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    env = environment(HOME_THROW_DATA=str(data), DJANGO_SETTINGS_MODULE="casino.config.settings")
    return subprocess.run(
        [str(python), *arguments], cwd=ROOT, env=env, capture_output=True, text=True, check=False
    )


def answered(python: Path, data: Path, what: str) -> dict[str, Any]:
    done = asked(python, data, "-m", "tests.support.sixth", what, str(data))
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


@pytest.mark.processes
def test_the_example_is_found_and_its_own_tests_hold(python: Path, tmp_path: Path) -> None:
    """Its own tests are in its own folder: they are run as its author runs them."""
    found = asked(python, tmp_path, "-c", REGISTERED)
    tests = ("-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:django", "--noconftest",
             "-c", "/dev/null", f"--rootdir={EXAMPLE}", str(EXAMPLE / "tests"))  # fmt: skip
    held = asked(python, tmp_path, *tests)

    assert found.stderr == ""
    assert json.loads(found.stdout)[:2] == ["Ship, Captain and Crew", 1]
    assert held.returncode == 0, held.stdout + held.stderr


@pytest.mark.processes
@pytest.mark.long
def test_it_is_played_in_a_house_that_goes_on_when_it_is_gone(python: Path, tmp_path: Path) -> None:
    played = answered(python, tmp_path, "play")

    assert played["failed"] == []
    assert played["missing"] == {}
    assert played["pages"] > 100
    assert played["round"]["winners"] == ["Ada"]
    assert played["foreseen"] > 0
    assert played["readers"]
    assert '"differences": 0' in played["regrade"]
    assert '"why": "choice"' in played["whatif"]
    assert "Harbour" in played["exported"]

    example.taken_away(python)
    left = answered(python, tmp_path, "look")

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
    assert WAIT in left["dice"]

    example.installed(python)
    back = answered(python, tmp_path, "again")

    assert back["failed"] == []
    assert back["missing"] == {}
    assert back["ship"] == 200
    assert "surveillance" in back["waiting"]
    assert back["parked"].startswith("Nothing is parked.")
    assert back["throws"] == [played["throws"], played["throws"] + 5]
    assert "not installed" not in back["verify"]
    assert "BROKEN" not in back["verify"]
    assert '"differences": 0' in back["regrade"]
    assert '"why": "not_installed"' not in back["regrade"]
    assert "not installed" not in back["dice"]
