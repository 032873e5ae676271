"""Each kind of fee is known once, to the rules and in words: none is passed over in silence."""

from __future__ import annotations

from dataclasses import fields
from typing import Any, get_args

import pytest
from django.utils import translation

from casino.house.home_throws import house_rules
from casino.words.languages import locales
from casino.words.presenters import fees as words
from games import fees
from games.fees import Fee

EACH = [
    ({"kind": "rake", "percent": 5}, "a rake of 5 percent", "rake of 5 % of a pot that is won"),
    (
        {"kind": "rake", "percent": 5, "cap": 1},
        "a rake of 5 percent, at most 1 r",
        "rake of 5 % of a pot that is won, at most 1 r",
    ),
    ({"kind": "seat", "amount": 1}, "1 r for each seat and round", "1 r a seat and round"),
    ({"kind": "seat", "amount": 2}, "2 r for each seat and round", "2 r a seat and round"),
    (
        {"kind": "time", "amount": 1, "minutes": 1},
        "1 r from each player every minute",
        "1 r for each minute",
    ),
    (
        {"kind": "time", "amount": 2, "minutes": 30},
        "2 r from each player every 30 minutes",
        "2 r for each 30 minutes",
    ),
    (None, "no fee", "no fee"),
]
ITALIAN = [
    ({"kind": "rake", "percent": 5, "cap": 3},
     "una percentuale del 5 per cento, al massimo 3 r"),
    ({"kind": "seat", "amount": 1}, "1 r per ogni posto e ogni mano"),
    ({"kind": "time", "amount": 2, "minutes": 30}, "2 r da ogni giocatore ogni 30 minuti"),
    (None, "nessuna commissione"),
]  # fmt: skip


def test_rules_and_words_have_the_same_kinds() -> None:
    assert set(fees.KINDS) == set(words.KINDS) == set(get_args(fees.Name))
    assert {"kind", *words.AMOUNTS} == {each.name for each in fields(Fee)}


@pytest.mark.parametrize("kind", fees.KINDS)
def test_a_kind_asks_for_amounts_that_there_are_and_is_due_once(kind: str) -> None:
    of = fees.KINDS[kind]

    assert {*of.required, *of.optional} <= set(words.AMOUNTS)
    assert (of.of_pot is None) != (of.of_each is None)


def test_a_refusal_names_every_kind() -> None:
    with pytest.raises(fees.UnknownFee) as refused:
        fees.fee({"kind": "tips"}, without_money=None)

    assert all(kind in str(refused.value) for kind in fees.KINDS)


@pytest.mark.parametrize(("agreed", "in_rules", "announced"), EACH)
def test_a_fee_in_words(agreed: dict[str, Any] | None, in_rules: str, announced: str) -> None:
    with locales.use_within(locales.USUAL, "r", 0, code=""):
        assert house_rules.fee_text(agreed).replace("\N{NO-BREAK SPACE}", " ") == in_rules
    assert words.describe_fee(agreed, "{} r".format) == announced


@pytest.mark.parametrize(("agreed", "italian"), ITALIAN)
def test_a_fee_in_italian(agreed: dict[str, Any] | None, italian: str) -> None:
    with translation.override("it"), locales.use_within(locales.USUAL, "r", 0, code=""):
        assert house_rules.fee_text(agreed).replace("\N{NO-BREAK SPACE}", " ") == italian


def test_what_is_no_kind_is_never_taken_for_another() -> None:
    unknown: Any = {"kind": "tips", "amount": 1}
    agreed = Fee(**unknown)

    for asked in (
        lambda: fees.take_rake(10, agreed, unit=1),
        lambda: fees.due(agreed, ["Ada"], {"Ada": 5}, at=None, charged_at=None),
        lambda: fees.returnable(agreed, ()),
        lambda: words.short(agreed, pot="pot"),
        lambda: words.describe_fee(unknown, str),
        lambda: house_rules.fee_text(unknown),
    ):
        with pytest.raises(KeyError):
            asked()
