"""Games are found by their entry points, wherever they come from (decision 0073)."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tomllib
from typing import TYPE_CHECKING, Final

import pytest

from casino.engine.processes import entry_points
from casino.floor.tables.offline import pure
from casino.words.presenters import PRESENTERS, TITLES
from casino.words.presenters.registered import dice_kinds, examples, games, with_home_throws
from tests import forms
from tests.processes import ROOT

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.once

# Another author's: the rules of one of ours under another name. What it has is no more than it has
# to have.
REGISTERED: Final = """
from pathlib import Path
from casino.words.presenters.registration import THREE_D8, Chosen, Game

GAME = Game(
    id="sixth", title="The Sixth", package=__name__, rules="sixth.rules", rulesets=("SIXTH",),
    options="Options", letters="SX", page=Path(__file__).parent / "rules.md", dice=THREE_D8,
    presenter="shown:Sixth", opening="shown:OPENING", throws="shown:THROWS",
    chosen=Chosen(ranking=frozenset()),
)
"""
RULES: Final = """
from dataclasses import replace
from games.stone_hand import STONE_HAND
from games.stone_hand.messages import Options
SIXTH = replace(STONE_HAND, id="sixth")
"""
SHOWN: Final = """
from dataclasses import replace
from casino.words.presenters.registration import all_of
from casino.words.presenters.stone_hand.opening import OPENING as ours
from casino.words.presenters.stone_hand.presenter import StoneHand

class Sixth(StoneHand):
    pass

OPENING = replace(ours, game="sixth")
THROWS = {"sixth.dice_thrown": all_of(8)}
"""
ASKED: Final = """
import json, django
django.setup()
from django.contrib.staticfiles import finders
from django.template.loader import select_template
from casino.floor.tables.board import drawing_data
from casino.house.acts.game_streams import catalogue
from casino.play.dice.odds.queries import GAMES
from casino.floor.tables.offline import pure
from casino.words.presenters import PRESENTERS, TITLES, quoted
from casino.play.dice.surveillance.stream_monitor import readers
print(json.dumps({
    "titles": [str(each) for each in TITLES.values()],
    "rules": catalogue.current("sixth").id,
    "presenter": type(PRESENTERS["sixth"]).__name__,
    "part": select_template(drawing_data.templates_of_parts("sixth")["help"]).template.source,
    "static": finders.find("presenters/sixth/table.css") is not None,
    "rule": quoted.in_short("sixth", "SX1"),
    "throws": "sixth.dice_thrown" in readers(),
    "odds": "sixth" in GAMES,
    "pure": pure()[-1],
}))
"""


def written(folder: Path, entry: str = "sixth:GAME", registered: str = REGISTERED) -> Path:
    """A distribution that is installed: packages, and what says so beside them."""
    files = {
        "sixth/__init__.py": registered,
        "sixth/rules.py": RULES,
        "sixth/shown.py": SHOWN,
        "sixth/rules.md": "# The Sixth\n\n- **SX1** Whoever is last begins. Then the next.\n",
        "sixth/templates/presenters/sixth/_help.html": "help of the sixth",
        "sixth/static/presenters/sixth/table.css": "",
        "sixth-1.0.dist-info/METADATA": "Metadata-Version: 2.1\nName: sixth\nVersion: 1.0\n",
        "sixth-1.0.dist-info/entry_points.txt": f"[{entry_points.GAMES}]\nsixth = {entry}\n",
    }
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return folder


LOADED: Final = """
import casino.config.settings
from casino.words.presenters.registered import games
games()
"""


def answered(folder: Path, asked: str = ASKED) -> subprocess.CompletedProcess[str]:
    env = {
        **os.environ,
        "DJANGO_SETTINGS_MODULE": "casino.config.settings",
        "PYTHONPATH": str(folder),
        "HOME_THROW_DATA": str(folder / "data"),
    }
    return subprocess.run(
        [sys.executable, "-c", asked], cwd=ROOT, env=env, capture_output=True, text=True,
        check=False,
    )  # fmt: skip


def test_ours_are_those_of_the_project_in_the_order_of_the_house() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]

    assert set(games()) == set(project["entry-points"][entry_points.GAMES])
    assert [game.place for game in games().values()] == sorted(
        game.place for game in games().values()
    )
    assert list(TITLES) == list(PRESENTERS) == list(games())


def test_what_a_game_says_of_itself_is_there() -> None:
    for game in games().values():
        assert [each.id for each in game.all_rulesets()] == [game.id]
        assert game.opening_form().game == game.has_odds().game == game.id
        assert game.has_odds().options is game.all_options()
        assert all(each.partition(".")[0] in game.rules for each in game.shows())
        assert game.page.is_file()
        assert game.is_demonstrated().rules
        assert game.is_described() is not None
        assert set(game.on_devices) <= set(pure())


def test_those_who_are_told_what_may_stand_there_are_told_different_games() -> None:
    assert examples() == next(iter(games()))
    assert len(set(examples(2).split(", "))) == 2
    assert sum(map(len, dice_kinds().values())) == len(games())
    assert with_home_throws()


@pytest.mark.processes
def test_a_game_of_another_author_is_found_and_shown(tmp_path: Path) -> None:
    done = answered(written(tmp_path))

    assert done.stderr == ""
    assert json.loads(done.stdout) == {
        "titles": [*(str(title) for title in TITLES.values()), "The Sixth"],
        "rules": "sixth",
        "presenter": "Sixth",
        "part": "help of the sixth",
        "static": True,
        "rule": "Whoever is last begins.",
        "throws": True,
        "odds": False,
        "pure": "sixth.shown",
    }


# fmt: off
WRONG = [
    # entry point,  registered,                                 what is said
    ("seventh:GAME", REGISTERED,                                "names no module that is there"),
    ("sixth:GAMES",  REGISTERED,                                "sixth = 'sixth:GAMES': "),
    ("sixth:Path",   REGISTERED,                                "sixth = 'sixth:Path' is no Game"),
    ("sixth:GAME",   REGISTERED.replace('"SX"', '"SH"'),        "has the letters 'SH'"),
    ("sixth:GAME",   REGISTERED.replace('"sixth"', '"river"'),  "has the id 'river'"),
]
# fmt: on


@pytest.mark.rows(2)
@pytest.mark.processes
@pytest.mark.parametrize(("entry", "registered", "said"), WRONG)
def test_what_is_wrong_with_a_registration_is_said(
    tmp_path: Path, entry: str, registered: str, said: str
) -> None:
    # A start of Django takes thrice as long, and fails at the same two lines.
    asked = ASKED if forms.LONG_FORM else LOADED
    done = answered(written(tmp_path, entry, registered), asked)

    assert done.returncode == 1
    assert said in done.stderr.strip().splitlines()[-1]
