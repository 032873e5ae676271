"""
No option is only half there: each one of each game, whoever adds it, is read by its rules, offered,
said on the board, asked of the odds, varied by what-if, published, and described in both languages.
"""

from __future__ import annotations

import dataclasses
import re
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, Final, get_type_hints

import pytest
from django.urls import reverse
from django.utils import translation

from casino.engine.processes import paths
from casino.floor.tables.board.boards import options_in_words
from casino.play.dice.odds.queries import GAMES as ODDS
from casino.reports.what_if.changes import OPTIONS, Change
from casino.reports.what_if.replaying import replay
from casino.words.presenters.registered import OPENINGS
from tests.reports.what_if.test_what_if_replaying import values
from tests.support import builders
from tests.support.in_memory import BY_ID, at_random
from tests.support.playing import opened

if TYPE_CHECKING:
    from casino.words.presenters.opening_forms import Option

DOCS: Final = paths.PACKAGE.parent / "docs" / "games"
APART: Final = {"homes"}  # whose home throws hold is the house's rule, no choice of a game (H1)
EACH: Final = [(game, field.name) for game, kind in OPTIONS.items()
               for field in dataclasses.fields(kind) if field.name not in APART]  # fmt: skip
SEEDS: Final = 200  # games in which it has to show: most options do in the first few


def offered(game: str, name: str) -> Option:
    (option,) = [each for each in OPENINGS[game].options if each.name == name]
    return option


def others(game: str, name: str) -> list[Any]:
    """The values of an option but the usual one."""
    hint = get_type_hints(OPTIONS[game])[name]
    return [value for value in values(hint) if value != offered(game, name).default]


def options_of(game: str, **chosen: Any) -> Any:
    return OPTIONS[game](**chosen)


@pytest.mark.parametrize(("game", "name"), EACH)
def test_it_is_offered_with_all_its_values_and_its_default(game: str, name: str) -> None:
    option = offered(game, name)

    assert option.default == getattr(options_of(game), name)
    choices = {choice.value for choice in option.choices}
    for value in (option.default, *others(game, name)):
        assert value in choices or (type(value) is int and option.numbers is not None)
    assert re.fullmatch(r"[A-Z]+\d+\w?", option.rule)


@pytest.mark.parametrize(("game", "name"), EACH)
def test_the_rules_read_it_and_what_if_varies_it(game: str, name: str) -> None:
    """In some game of chance another value comes out otherwise, or can no more be decided."""
    for seed in range(SEEDS):
        record = at_random(game, seed, acts=60)
        for value in others(game, name):
            result = replay(BY_ID[game], record, Change(options={name: value}).opening)
            if result.changed or result.undecided is not None:
                return
    pytest.fail(f"No game comes out otherwise by {name}: who reads it?")


@pytest.mark.parametrize("language", ["en", "it"])
@pytest.mark.parametrize(("game", "name"), EACH)
def test_the_board_says_what_is_not_as_usual(game: str, name: str, language: str) -> None:
    """What a point is worth only of a game for money, which Dice Breaker is with an ante."""
    option = offered(game, name)
    money = {"ante": 1} if (game, name) == ("dice-breaker", "unit") else {}
    with translation.override(language):
        said = []
        for value in others(game, name):
            opened = SimpleNamespace(options=options_of(game, **money, **{name: value}))
            loaded: Any = SimpleNamespace(ruleset=BY_ID[game], facts=(opened,))
            (line,) = options_in_words(loaded)[len(money) :]
            assert (line["label"], line["rule"]) == (str(option.label), option.rule)
            said.append(line["value"])

    assert len(set(said)) == len(said)
    assert all(said)


@pytest.mark.parametrize(("game", "name"), EACH)
def test_the_odds_ask_for_it_and_say_why_where_it_changes_none(game: str, name: str) -> None:
    """That it then matters, or does not: `tests/play/odds/test_odds_questions.py`."""
    (field,) = [each for each in ODDS[game].fields if each.name == name]
    why = offered(game, name).odds

    assert field.is_option
    assert not why or why.endswith(".")


@pytest.mark.parametrize(("game", "name"), EACH)
def test_the_pages_of_the_game_describe_it(game: str, name: str) -> None:
    """The Italian one quotes the rules: by the number under which an option stands there."""
    page, italian = (
        folder.joinpath(f"{game}.md").read_text(encoding="utf-8") for folder in (DOCS, DOCS / "it")
    )

    assert f"`[{name}=" in page
    assert f"**{offered(game, name).rule}**" in italian


@pytest.mark.django_db
@pytest.mark.long("postgresql")
def test_it_stands_on_the_page_of_the_table_and_on_a_device_without_a_line() -> None:
    house = builders.house()
    builders.dice_for_every_game(house.establishment, sets=1)
    game = opened(house, game="river", options={"tie": "rolloff"})
    attendant = builders.signed_in(house.attendant)

    page = attendant.get(reverse("floor-game", args=[game])).text
    given = attendant.get(reverse("floor-offline", args=[game])).json()["given"]

    assert "Equal hands: <b>throw a d12 each, the highest wins</b>" in page
    assert [each["label"] for each in given["agreed"]] == ["Equal hands"]
