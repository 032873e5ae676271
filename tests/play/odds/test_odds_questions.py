"""What may be asked about odds: every option of every game, and what cannot be meant."""

from __future__ import annotations

import json
from fractions import Fraction
from html import escape
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from casino.house.acts.game_streams.catalogue import RULESETS
from casino.kit.web.plots import charts, groups
from casino.play.dice.odds.queries import GAMES, answer
from casino.play.dice.odds.templatetags import odds
from casino.words.presenters.odds_tables import OptionValue, as_json, as_text, decimal, per_cent
from games.refusals import Malformed, Refused

Query = dict[str, list[str]]

# An option that matters only where something else is chosen, too.
BESIDE: dict[tuple[str, str], Query] = {
    ("stone-hand", "point_to"): {"mode": ["scoreboard"]},
    ("stone-hand", "sole"): {"players": ["2"]},
    ("river", "tie"): {"hole": ["1,1,1,1,11"]},
}
# Values that, of an option that matters, leave everything as it is.
NUMBERS = {"triad_pay": ["7"], "pay_cap": ["5"], "junk_rethrows": ["0", "1"], "ante": ["2"],
           "min_raise": ["2"], "target": ["40"]}  # fmt: skip
AS_DEFAULT = {("river", "tie", "rolloff"), ("cinnabar-gate", "variant", "arcade")}


def values(game: str) -> list[tuple[str, str, str]]:
    """Each value of each option, but the default."""
    return [
        (game, field.name, text)
        for field in GAMES[game].fields
        if isinstance(field.kind, OptionValue)
        for text in (*map(as_text, field.kind.values), *NUMBERS.get(field.name, ()))
        if text != as_text(field.default)
    ]


def test_every_game_on_offer_has_odds() -> None:
    assert set(GAMES) >= {ruleset.id for ruleset in RULESETS}


def test_every_option_of_the_game_is_a_field_that_says_whether_it_matters() -> None:
    for subject in GAMES.values():
        options = {field.name for field in subject.fields if field.is_option}
        assert options == set(answer(subject.game, {}).options)
        assert all(field.description for field in subject.fields)


@pytest.mark.rows(9, each="option")
@pytest.mark.parametrize(
    ("game", "option", "value"), [each for game in GAMES for each in values(game)]
)
def test_each_value_of_an_option_matters_or_is_said_not_to(
    game: str, option: str, value: str
) -> None:
    others = BESIDE.get((game, option), {})
    without, chosen = (answer(game, {**others, **more}) for more in ({}, {option: [value]}))

    assert as_text(chosen.options[option]) == value
    same = option in chosen.unmoved or (game, option, value) in AS_DEFAULT
    assert (contents(chosen.tables) == contents(without.tables)) == same


def contents(tables: Any) -> Any:
    """What tables say, but for the words beside the figures."""
    return [(table.name, table.rows) for table in tables]


# fmt: off
WRONG = [
    # game, what was asked, code or field, said
    ("chess", {}, "unknown_game", "stone-hand"),
    ("stone-hand", {"colour": ["red"]}, "colour", "is not asked for"),
    ("stone-hand", {"players": ["some"]}, "players", "whole number"),
    ("stone-hand", {"players": ["1"]}, "no_such_odds", "2 to 8"),
    ("stone-hand", {"players": ["2", "3"]}, "players", "2 times"),
    ("stone-hand", {"players": [""]}, "players", "empty"),
    ("stone-hand", {"players": ["9" * 40]}, "players", "whole number"),
    ("stone-hand", {"runs": ["bent"]}, "option_value", "options.runs"),
    ("stone-hand", {"rethrow": ["3"]}, "option_value", "options.rethrow"),
    ("stone-hand", {"home_throw": ["1,3"]}, "wrong_number_of_dice", "3 dice, not 2"),
    ("stone-hand", {"home_throw": ["1,3,9"]}, "no_such_face", "home_throw[2]"),
    ("stone-hand", {"home_throw": ["2,2,3"]}, "home_throw_scores", "2-2-3"),
    ("stone-hand", {"home_throw": ["a,b,c"]}, "home_throw", "faces like"),
    ("stone-hand", {"home_override": ["maybe"]}, "home_override", "true or false"),
    ("stone-hand", {"policy": ["bold"]}, "policy", "likelier or never"),
    ("cinnabar-gate", {"home_throw": ["2,4,6"]}, "home_throw_scores", "2-4-6"),
    ("cinnabar-gate", {"junk_rethrows": ["10"]}, "no_such_odds", "up to 9"),
    ("cinnabar-gate", {"keep_junk": ["7"]}, "no_such_odds", "0 to 6"),
    ("river", {"hole": ["4,6,8,10,13"]}, "no_such_face", "hole[4]"),
    ("river", {"hole": ["4,6,8,10"]}, "wrong_number_of_dice", "5 dice, not 4"),
    ("river", {"banker": ["1,2,3,4,5"]}, "no_such_odds", "hole"),
    ("threes-away", {"dice": ["1,2,3,4,5,6"]}, "wrong_number_of_dice", "1 to 5 dice"),
    ("threes-away", {"dice": ["1,2,3,4,7"]}, "no_such_face", "dice[4]"),
    ("threes-away", {"dice": ["1,2"], "kept": ["20"]}, "no_such_odds", "kept is 20"),
    ("threes-away", {"kept": ["2"]}, "no_such_odds", "just thrown"),
    ("threes-away", {"target": ["31"]}, "no_such_odds", "0 to 30"),
    ("threes-away", {"round": ["2"]}, "no_such_odds", "progressive"),
    (
        "threes-away", {"progressive": ["by_round"], "round": ["2"], "target": ["1"]},
        "no_such_odds", "one of the two",
    ),
    ("threes-away", {"zero": ["7"]}, "option_value", "options.zero"),
    ("dice-breaker", {"dice": ["8"]}, "no_such_odds", "1 to 7"),
]
# fmt: on


@pytest.mark.parametrize(("game", "query", "where", "sentence"), WRONG)
def test_what_cannot_be_meant_says_what_and_where(
    game: str, query: Query, where: str, sentence: str
) -> None:
    with pytest.raises((Malformed, Refused)) as wrong:
        answer(game, query)

    failure: Any = wrong.value
    assert where == (failure.field if isinstance(failure, Malformed) else failure.code)
    assert sentence in str(failure)


def test_a_home_throw_may_be_none_several_or_stand_by_override() -> None:
    """H1."""
    query: list[Query] = [
        {"home_throw": ["none"]},
        {"home_throw": ["1,3,6", "7,4,2"]},
        {"home_throw": ["2,2,3"], "home_override": ["true"]},
    ]
    single = [dict(zip(*[table_of(each).column(name) for name in ("hand", "throws")], strict=True))
              for each in query]  # fmt: skip

    assert "home" not in single[0]
    assert single[1]["home"] == 12
    assert (single[2]["home"], single[2]["pair"]) == (3, 165)


def table_of(query: Query, name: str = "throw") -> Any:
    return next(table for table in answer("stone-hand", query).tables if table.name == name)


# fmt: off
TOLD = [
    (Fraction(0),             "0 %"),
    (Fraction(1),             "100 %"),
    (Fraction(21, 512),       "4.10 %"),
    (Fraction(1, 2000),       "0.0500 %"),
    (Fraction(1, 10**7),      "< 0.0001 %"),
    (1 - Fraction(1, 10**7),  "> 99.99 %"),
]
# fmt: on


@pytest.mark.parametrize(("chance", "words"), TOLD)
def test_what_is_not_certain_is_never_told_as_certain(chance: Fraction, words: str) -> None:
    assert per_cent(chance) == words


def test_decimals_are_those_of_the_fraction() -> None:
    assert decimal(Fraction(504205555, 80621568), 6) == "6.253979"
    assert decimal(Fraction(1, 3)) == "0.333333333333"
    assert decimal(Fraction(1, 10**30)) == "0.000000000000"


@pytest.mark.parametrize("game", list(GAMES))
def test_an_answer_is_json_and_its_chances_exact(game: str) -> None:
    document = json.loads(json.dumps(as_json(answer(game, {}))))

    for table in document["tables"]:
        kinds = {column["name"]: column["kind"] for column in table["columns"]}
        for row in table["rows"]:
            assert set(row) == set(kinds)
            for name, cell in row.items():
                if kinds[name] in {"chance", "mean", "figure"} and cell is not None:
                    exact = Fraction(cell["exact"])
                    assert decimal(exact) == cell["decimal"]
                    assert kinds[name] != "chance" or 0 <= exact <= 1


@pytest.mark.parametrize("game", list(GAMES))
def test_every_plot_shows_what_its_table_says(game: str) -> None:
    drawn = 0
    for table in answer(game, {}).tables:
        svg = str(odds.plot(table))
        if table.plot is None:
            assert not svg
            continue
        drawn += 1
        data = odds.of(table)
        assert svg.count("<svg") == 1
        assert svg.count("<text") >= len(data.names) // 2
        for name in data.seen.names if table.plot.form == "columns" else data.names:
            assert f" {escape(name)}: " in svg  # each group is a spot with its figures
        assert "style=" not in svg  # the content policy would drop it
        assert "nan" not in svg
    assert drawn >= 2


@pytest.mark.parametrize("game", list(GAMES))
def test_nothing_of_a_plot_lies_outside_of_it(game: str) -> None:
    for table in answer(game, {}).tables:
        if table.plot is None:
            continue
        root = ET.fromstring(str(odds.plot(table)))[0]  # noqa: S314 - our own
        height = float(root.attrib["viewBox"].split()[3])
        for text in root.iter("text"):
            wide = groups.LETTER * len(text.text or "")
            kind, x = text.attrib["class"], float(text.attrib["x"])
            left = x - (wide if "plot-end" in kind else wide / 2 if "plot-mid" in kind else 0)
            assert left >= -0.1, (table.name, text.text)
            assert left + wide <= charts.WIDTH + 1, (table.name, text.text)
            assert 0 < float(text.attrib["y"]) <= height
        for bar in root.iter("rect"):
            assert float(bar.attrib["x"]) + float(bar.attrib["width"]) <= charts.WIDTH
