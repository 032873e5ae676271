"""Sentences of the rules in a house whose coin has decimals: amounts are written with them."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from django.apps import apps
from django.utils import translation

from casino.house.establishments.columns import AmountField
from casino.words.languages import locales
from casino.words.languages.messages import translate

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture(autouse=True)
def _house_with_cents() -> Iterator[None]:
    locales.use("en-GB", "€", 2)
    with translation.override("en"):
        yield
    locales.use(locales.USUAL)


# fmt: off
SAID = [
    ("amount is 5: Ada has 1234. G2",             "amount is 0.05: Ada has 12.34. G2"),
    ("price is 1234: Ada and Bo at the table can pay it, two or more play. RV1",
     "price is 12.34: Ada and Bo at the table can pay it, two or more play. RV1"),
    ("The pay began at 8; Ada lowered it to 7 (CG2), Bo raised it to 8 (CG5).",
     "The pay began at 0.08; Ada lowered it to 0.07 (CG2), Bo raised it to 0.08 (CG5)."),
    ("The pay began at 800, at 100 a point; Ada lowered it to 700 (CG2).",
     "The pay began at 8.00, at 1.00 a point; Ada lowered it to 7.00 (CG2)."),
    ("The pay stayed at 800, at 100 a point (CG2).",
     "The pay stayed at 8.00, at 1.00 a point (CG2)."),
    ("SH4: the loser pays the score, at 100 a point, 700, into the pool.",
     "SH4: the loser pays the score, at 1.00 a point, 7.00, into the pool."),
    ("amount is 1234: a multiple of the unit, 100. G11",
     "amount is 12.34: a multiple of the unit, 1.00. G11"),
    ("Ada pays 3 to Bo, all that was left of 700 owed (G2).",
     "Ada pays 0.03 to Bo, all that was left of 7.00 owed (G2)."),
    ("The cage holds 0, not 5: count it.",        "The cage holds 0.00, not 0.05: count it."),
    # A word beside the figure would be wrong: people do not count in the smallest coin.
    ("fee: the house takes a rake of 5 percent, at most 300 coins here (rules 1), nothing else. A5",
     ("fee: the house takes a rake of 5 percent, at most 3.00\N{NO-BREAK SPACE}€ here (rules 1),"
      " nothing else. A5")),
    # Points, drinks, scores and rule numbers are no money.
    ("The pay began at 8 points; Ada lowered it to 7 points (CG2).",
     "The pay began at 8 points; Ada lowered it to 7 points (CG2)."),
    ("SH12: Ada owes every other player a drink, 3 in all.",
     "SH12: Ada owes every other player a drink, 3 in all."),
    ("Ada has 33 points, 33 being enough, and wins (DB6).",
     "Ada has 33 points, 33 being enough, and wins (DB6)."),
]
# fmt: on


@pytest.mark.parametrize(("told", "said"), SAID)
def test_an_amount_in_a_sentence_has_its_decimals(told: str, said: str) -> None:
    assert translate(told) == said


def test_a_house_without_decimals_says_what_the_rules_say() -> None:
    locales.use("en-GB", "r", 0)

    assert [translate(told) for told, _said in SAID] == [told for told, _said in SAID]


CASINO = Path(locales.__file__).resolve().parents[1]
AMOUNTS = {
    each.attname
    for model in apps.get_models()
    for each in model._meta.fields
    if isinstance(each, AmountField)
}


def bare_amounts(function: ast.AST) -> Iterator[str]:
    """Columns of money that fill a hole of a message, with nothing that writes them as money."""
    formats = [each for each in ast.walk(function) if isinstance(each, ast.BinOp)]
    filling = {
        id(each.right) if isinstance(each.right, ast.Dict) else getattr(each.right, "id", "")
        for each in formats
        if isinstance(each.op, ast.Mod)
    }
    named = {
        id(each.value)
        for each in ast.walk(function)
        if isinstance(each, ast.Assign) and getattr(each.targets[0], "id", None) in filling
    }
    for each in ast.walk(function):
        if isinstance(each, ast.Dict) and id(each) in filling | named:
            for value in each.values:
                if isinstance(value, ast.Call) and getattr(value.func, "id", "") == "abs":
                    value = value.args[0]  # noqa: PLW2901 - what it is the amount of
                if isinstance(value, ast.Attribute) and value.attr in AMOUNTS:
                    yield ast.unparse(value)


def test_no_message_of_a_page_has_an_amount_without_its_coin() -> None:
    found = [
        (path.name, amount)
        for path in CASINO.rglob("*.py")
        if ") % " in (text := path.read_text())
        for each in ast.walk(ast.parse(text))
        if isinstance(each, ast.FunctionDef)
        for amount in bare_amounts(each)
    ]
    assert found == []
