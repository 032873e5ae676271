"""Figures are rounded once, from the exact fraction: every figure of every game's odds."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from casino.kit.documents.writers.cells import format_cell
from casino.play.dice.odds import queries
from casino.words.languages import locales
from casino.words.presenters import odds_tables
from casino.words.presenters.registered import games


@pytest.mark.parametrize(
    ("chance", "shown"),
    [
        (Fraction(21_450_043, 10**9), "2.15 %"), (Fraction(21_450_000, 10**9), "2.14 %"),
        (Fraction(1, 3), "33.33 %"), (Fraction(5, 1000), "0.50 %"),
        (Fraction(45, 10_000), "0.45 %")
    ],
)  # fmt: skip
def test_a_chance_is_rounded_once(chance: Fraction, shown: str) -> None:
    assert odds_tables.per_cent(chance) == shown


@given(st.fractions(min_value=-1000, max_value=1000), st.integers(1, 12))
def test_a_fraction_is_shown_as_near_as_its_places_allow(value: Fraction, places: int) -> None:
    shown = Fraction(locales.with_places(value, places))

    assert shown == round(value, places)
    assert locales.decimal(value, places).lstrip(locales.MINUS).replace(",", "") == (
        locales.with_places(abs(value), places)
    )


@given(st.integers(0, 5000), st.integers(1, 5000))
def test_a_share_in_a_list_is_rounded_once(part: int, whole: int) -> None:
    share = Fraction(part, whole)

    shown = format_cell(share, "share").rstrip("%").rstrip().replace(",", "")

    assert Fraction(shown) == round(share * 100, 1)


@pytest.mark.parametrize("ruleset", sorted(games()))
def test_every_figure_of_the_odds_is_its_fraction_rounded_once(ruleset: str) -> None:
    answer = queries.answer(ruleset, {})
    shown = [
        cell
        for table in answer.tables
        for row in table.rows
        for cell in row
        if isinstance(cell, Fraction)
    ]

    assert shown
    for exact in shown:
        figure = odds_tables.per_cent(exact)
        if figure[0] not in "<>":
            number = figure.removesuffix(" %")
            places = len(number.partition(".")[2])
            assert Fraction(number) == round(exact * 100, places)
        assert Fraction(odds_tables.decimal(exact)) == round(exact, odds_tables.PLACES)
