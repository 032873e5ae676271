"""A game is one package (decision 0073): nothing else of the house knows it by its name."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Final

import pytest

from casino.words.presenters.registered import games

if TYPE_CHECKING:
    from collections.abc import Iterator

    from casino.words.presenters.registration import Game

pytestmark = pytest.mark.once

ROOT: Final = Path(__file__).resolve().parents[3]
WRITTEN: Final = {".py", ".html", ".js", ".css", ".svg", ".txt", ".toml", ".json", ".md", ".xml"}
# The line, without the blanks before it, and why it names none.
NO_GAMES: Final = {
    ("casino/settings/staff/sign_in/demo_staff.py", 'PASSWORD = "opal-river-8"'): "a password",
    ("casino/demo/house.py", "the way home from the river."): "a river",
    ("casino/demo/house.py", '"river green"'): "a colour",
}


def places(game: Game) -> tuple[Path, ...]:
    """Where a game of ours stands."""
    return tuple(ROOT.joinpath(*name.split(".")) for name in (game.rules, game.package))


def files() -> Iterator[Path]:
    own = [place for game in games().values() for place in places(game)]
    found = [*ROOT.joinpath("games").glob("*.py"), ROOT / "manage.py", ROOT / "run.py"]
    for folder in ("casino", "ledger", "templates"):
        found += ROOT.joinpath(folder).rglob("*")
    for path in sorted(found):
        if path.suffix in WRITTEN and not any(path.is_relative_to(place) for place in own):
            yield path


def pattern() -> re.Pattern[str]:
    """Ids, titles, modules and classes: their words, however they are joined."""
    names = {
        name
        for game in games().values()
        for name in (game.id, str(game.title), game.rules.rpartition(".")[2])
    }
    words = {"[-_ ]?".join(map(re.escape, re.split(r"[-_ ]", name.lower()))) for name in names}
    classes = {re.escape(game.presenting[1].lower()) for game in games().values()}
    return re.compile(rf"(?<![a-z])(?:{'|'.join(sorted(words | classes))})(?![a-z])", re.IGNORECASE)


def excused(path: str, line: str) -> bool:
    return any(path == where and said in line for where, said in NO_GAMES)


def test_no_other_file_names_a_game() -> None:
    named = pattern()
    found = [
        f"{where}:{number}: {line.strip()}"
        for path in files()
        for where in [path.relative_to(ROOT).as_posix()]
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1)
        if named.search(line) and not excused(where, line)
    ]

    assert found == []


def test_no_other_file_is_called_after_a_game() -> None:
    named = pattern()
    relative = [path.relative_to(ROOT).as_posix() for path in files()]

    assert len(relative) > 1000
    assert [path for path in relative if named.search(path)] == []


def test_whoever_is_excused_is_there() -> None:
    for where, said in NO_GAMES:
        assert said in ROOT.joinpath(where).read_text(encoding="utf-8"), where


@pytest.mark.parametrize(
    ("line", "names_one"),
    [
        ('"stone-hand": 1', True),
        ("from games.stone_hand import STONE_HAND", True),
        ("class StoneHand:", True),
        ("Stone hand: who throws", True),
        ("river.dice_offered", True),
        ("the driver", False),
        ("three stones in a hand", False),
    ],
)
def test_the_check_above_would_notice(line: str, names_one: bool) -> None:  # noqa: FBT001
    assert bool(pattern().search(line)) is names_one
