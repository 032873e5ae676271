"""Amounts and hands, as the pages write them."""

import pytest

from casino.kit.web.templatetags.hands import hand
from casino.kit.web.templatetags.points import points
from casino.words.languages.amounts import Coins

# fmt: off
AMOUNTS = [
    (12,      "r", "12\N{NO-BREAK SPACE}r"),
    (0,       "r", "0\N{NO-BREAK SPACE}r"),
    (1250,    "r", "1,250\N{NO-BREAK SPACE}r"),
    (1234567, "r", "1,234,567\N{NO-BREAK SPACE}r"),
    (-7,      "r", "\N{MINUS SIGN}7\N{NO-BREAK SPACE}r"),
    (12,      "",  "12"),
    (None,    "r", "\N{EN DASH}"),
]

HANDS = [
    ("pair",  7,    "pair 7"),
    ("run",   3,    "run 3"),
    ("empty", None, "empty"),
    ("home",  None, "home throw"),
    ("double_show_up", None, "double show-up"),
    ("full_house", None, "full house"),
    (None,    None, ""),
]
# fmt: on


@pytest.mark.parametrize(("amount", "currency", "written"), AMOUNTS)
def test_an_amount_is_written_with_its_currency(
    amount: int | None, currency: str, written: str
) -> None:
    assert Coins(currency).written(amount) == written


@pytest.mark.parametrize(("name", "score", "expected"), HANDS)
def test_a_hand_is_named_as_at_the_table(
    name: str | None, score: int | None, expected: str
) -> None:
    assert hand(name, score) == expected


# fmt: off
POINTS = [
    (0,      "0 points"),
    (1,      "1 point"),
    (7,      "7 points"),
    ("7/2",  "3½ points"),
    ("1/2",  "½ points"),
    ("16/5", "3 1/5 points"),
]
# fmt: on


@pytest.mark.parametrize(("scored", "expected"), POINTS)
def test_shared_points_are_said_exactly(scored: int | str, expected: str) -> None:
    assert points(scored) == expected
