"""Forms carry every command of the vocabulary."""

from __future__ import annotations

from typing import Any

import pytest
from django.http import QueryDict

from casino.floor.tables.board import posted
from games import vocabulary
from games.refusals import Malformed

ID = "7c9e6679-7425-40de-944b-e07fc1f90ae7"

# fmt: off
COMMANDS: list[tuple[str, dict[str, Any], dict[str, Any]]] = [
    # do            sent, beside do and command_id                what the command says
    ("throw_home",  {"dice": ["1", "3", "6"]},                    {"dice": [1, 3, 6]}),
    ("throw",       {"player": "Ada", "dice": ["2", "2", "7"]},
                    {"player": "Ada", "dice": [2, 2, 7]}),
    ("throw",       {"player": "Ada", "dice": ["3", "5"], "keep": ["3"], "bottoms": "on"},
                    {"player": "Ada", "dice": [3, 5], "keep": [3], "bottoms": True}),
    ("throw",       {"player": "Ada", "die": "Ada2", "value": "4", "spinning": "true",
                     "breaks.die": ["Bo1", "trump"], "breaks.value": ["6", "1"], "out": ["Bo3"],
                     "caught.die": "Ada5", "caught.by": "Bo"},
                    {"player": "Ada", "die": "Ada2", "value": 4, "spinning": True,
                     "breaks": [{"die": "Bo1", "value": 6}, {"die": "trump", "value": 1}],
                     "out": ["Bo3"], "caught": [{"die": "Ada5", "by": "Bo"}]}),
    ("throw",       {"player": "Ada", "die": "Ada2", "value": "4", "spinning": "false",
                     "breaks.die": ["", ""], "breaks.value": ["", ""], "out": ""},
                    {"player": "Ada", "die": "Ada2", "value": 4, "spinning": False}),
    ("break_start", {"player": "Ada", "value": "5"},              {"player": "Ada", "value": 5}),
    ("keep",        {"player": "Ada", "dice": ["3", "3"]},
                    {"player": "Ada", "dice": [3, 3]}),
    ("stand",       {"player": "Ada"},                            {"player": "Ada"}),
    ("no_throw",    {"player": "Ada", "reason": "cocked", "dice": "", "note": "on the rail"},
                    {"player": "Ada", "reason": "cocked", "note": "on the rail"}),
    ("start_round", {"price": ""},                                {}),
    ("start_round", {"price": "10"},                              {"price": 10}),
    ("seal",        {"player": "Ada", "commitment": "ab" * 32},
                    {"player": "Ada", "commitment": "ab" * 32}),
    ("offer",       {"dice.d4": "1", "dice.d6": "2", "dice.d8": "3", "dice.d10": "10",
                     "dice.d12": "12"},
                    {"dice": {"d4": 1, "d6": 2, "d8": 3, "d10": 10, "d12": 12}}),
    ("bid",         {"player": "Ada", "die": "d8", "amount": "7"},
                    {"player": "Ada", "die": "d8", "amount": 7}),
    ("pass",        {"player": "Ada", "die": "d8"},               {"player": "Ada", "die": "d8"}),
    ("sell",        {"player": "Ada", "die": "d8", "amount": "7"},
                    {"player": "Ada", "die": "d8", "amount": 7}),
    ("withdraw",    {"die": "d8"},                                {"die": "d8"}),
    ("reveal",      {"player": "Ada", "dice.d4": "1", "dice.d12": "9", "salt": "00ff"},
                    {"player": "Ada", "dice": {"d4": 1, "d12": 9}, "salt": "00ff"}),
    ("join",        {"player": " Dara ", "stake": "20"},
                    {"player": " Dara ", "stake": 20}),
    ("leave",       {"player": "Ada"},                            {"player": "Ada"}),
    ("buy_in",      {"player": "Ada", "amount": "20"},
                    {"player": "Ada", "amount": 20}),
    ("cash_out",    {"player": "Ada", "amount": "20"},
                    {"player": "Ada", "amount": 20}),
    ("void",        {"back_to": "7", "reason": "wrong"},
                    {"back_to": 7, "reason": "wrong"}),
    ("void",        {"back_to": ID, "reason": "wrong"},
                    {"back_to": ID, "reason": "wrong"}),
    ("approve",     {"request": "7"},                             {"request": 7}),
    ("reject",      {"request": "7", "reason": "it stands"},
                    {"request": 7, "reason": "it stands"}),
    ("change_dice", {"dice_set": "S2", "reason": "chipped"},
                    {"dice_set": "S2", "reason": "chipped"}),
    ("pause",       {"note": "tea"},                              {"note": "tea"}),
    ("resume",      {},                                           {}),
    ("handover",    {"to": "tomas"},                              {"to": "tomas"}),
    ("witness",     {"payout": "9"},                              {"payout": 9}),
    ("witness",     {"payout": "9.0"},                            {"payout": "9.0"}),
    ("dispute",     {"round": "2", "reason": "misread"},
                    {"round": 2, "reason": "misread"}),
    ("dispute",     {"payout": "9", "reason": "misread"},
                    {"payout": 9, "reason": "misread"}),
    ("resolve",     {"dispute": "14", "outcome": "stands", "reason": "seen"},
                    {"dispute": 14, "outcome": "stands", "reason": "seen"}),
    ("close",       {"reason": ""},                               {}),
]
# fmt: on


def form(sent: dict[str, Any]) -> QueryDict:
    fields = QueryDict(mutable=True)
    for name, value in sent.items():
        fields.setlist(name, value if isinstance(value, list) else [value])
    return fields


@pytest.mark.parametrize(("do", "sent", "expected"), COMMANDS)
def test_a_form_says_what_the_vocabulary_takes(
    do: str, sent: dict[str, Any], expected: dict[str, Any]
) -> None:
    raw = posted.command(form({"do": do, "command_id": ID, "csrfmiddlewaretoken": "x"} | sent))

    assert raw == {"do": do, "command_id": ID, **expected}
    vocabulary.shape(raw)


def test_every_command_has_a_row() -> None:
    assert {do for do, *_ in COMMANDS} == set(vocabulary.VOCABULARY) - {"open"}


# fmt: off
REFUSED = [
    # sent                                                      what is said
    ({"do": "throw", "player": "Ada", "dice": ["2", "x"]},      "dice[1] is a number, not 'x'."),
    ({"do": "buy_in", "player": "Ada", "amount": "-5"},         "amount is a number, not '-5'."),
    ({"do": "buy_in", "player": "Ada", "amount": "9" * 5000},   "amount is a number"),
    ({"do": "throw", "player": "Ada", "dice": "2", "bottoms": "?"}, "bottoms is true or false"),
    ({"do": "dance"},                                           "Unknown do 'dance'."),
    ({},                                                        "Unknown do ''."),
    ({"do": "throw", "player": "Ada"},                          "dice is missing."),
    ({"do": "throw", "player": "Ada", "die": "Ada1", "value": "2",
      "breaks.die": ["Bo1", "Bo2"], "breaks.value": "3"},       "breaks[1].value is missing."),
]
# fmt: on


@pytest.mark.parametrize(("sent", "expected"), REFUSED)
def test_what_a_form_cannot_mean_is_left_for_the_vocabulary(
    sent: dict[str, Any], expected: str
) -> None:
    with pytest.raises(Malformed) as refused:
        vocabulary.shape(posted.command(form(sent)))

    assert expected in str(refused.value)
