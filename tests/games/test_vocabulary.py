"""What is a command, what is none, and what is one that cannot be meant."""

from collections.abc import Mapping
from typing import Any

import pytest

from games import vocabulary
from games.refusals import Malformed, Refused
from games.transcripts import loads

A: dict[str, Any] = {"do": "throw", "player": "A", "dice": [1, 2, 3]}
OPEN: dict[str, Any] = {"do": "open", "game": "stone-hand", "players": ["A", "B"]}
OUT: dict[str, Any] = {"do": "cash_out", "player": "A", "amount": 1}

# fmt: off
MALFORMED: list[tuple[Any, str | None]] = [
    ([],                                              None),
    ("throw",                                         None),
    (None,                                            None),
    ({},                                              "do"),
    ({"do": 1},                                       "do"),
    ({"do": "juggle"},                                "do"),
    ({"do": "throw"},                                 "player"),
    ({**A, "colour": "red"},                          "colour"),
    ({**A, "player": None},                           "player"),
    ({**A, "player": 1},                              "player"),
    ({**A, "dice": 123},                              "dice"),
    ({**A, "dice": ["1", 2, 3]},                      "dice[0]"),
    ({**A, "dice": [1, True, 3]},                     "dice[1]"),
    ({**A, "dice": [1, None, 3]},                     "dice[1]"),
    ({**A, "bottoms": 1},                             "bottoms"),
    ({**A, "die": "A1", "value": 3},                  "dice"),
    ({**A, "command_id": 7},                          "command_id"),
    ({**A, "occurred_at": 7},                         "occurred_at"),
    ({**OUT, "amount": "1"},                          "amount"),
    ({**OUT, "amount": True},                         "amount"),
    ({"do": "void", "back_to": 1},                    "reason"),
    ({"do": "void", "back_to": True, "reason": "x"},  "back_to"),
    ({"do": "void", "back_to": [1], "reason": "x"},   "back_to"),
    ({**OPEN, "players": "A"},                        "players"),
    ({**OPEN, "players": ["A", {"name": "B"}]},       "players[1]"),
    ({**OPEN, "players": [{"name": "A"}, "B"]},       "players[1]"),
    ({**OPEN, "players": [{"stake": 1}]},             "players[0].name"),
    ({**OPEN, "players": [{"name": "A", "hat": 1}]},  "players[0].hat"),
    ({**OPEN, "options": []},                         "options"),
    ({**OPEN, "fee": 3},                              "fee"),
    ({**OPEN, "fee": {"kind": "seat", "amount": "1"}}, "fee.amount"),
    ({**OPEN, "stake": None},                         "stake"),
    ({"do": "reveal", "player": "A", "dice": {"d5": 1}}, "dice.d5"),
]

WORTHLESS: list[tuple[dict[str, Any], str]] = [
    ({**OUT, "amount": 2.5},                          "not_whole"),
    ({**OUT, "amount": 0},                            "zero_amount"),
    ({**OUT, "amount": -1},                           "negative_amount"),
    ({**OUT, "amount": -0.5},                         "negative_amount"),
    ({**OUT, "amount": 2**53},                        "too_large"),
    ({**OUT, "amount": 1e400},                        "too_large"),
    ({**A, "dice": [1, 2, 2.5]},                      "no_such_face"),
    ({**A, "dice": [1, 2, 1e400]},                    "no_such_face"),
    ({**OUT, "amount": 10**400},                      "too_large"),
    ({**A, "player": ""},                             "empty_name"),
    ({**A, "player": " \t "},                         "empty_name"),
    ({**A, "player": "A\nB"},                         "bad_name"),
    ({**A, "player": "\ud800"},                       "bad_name"),
    ({**A, "player": "A" * 81},                       "bad_name"),
    ({**A, "player": "pot"},                          "reserved_name"),
    ({**A, "player": " house"},                       "reserved_name"),
    ({**A, "command_id": "one"},                      "bad_command_id"),
    ({**A, "occurred_at": "yesterday"},               "bad_time"),
    ({**A, "occurred_at": "2026-01-31T20:00:00"},     "bad_time"),
    ({**A, "occurred_at": "2026-02-30T20:00:00Z"},   "bad_time"),
    ({"do": "close", "reason": "\udc00"},             "bad_text"),
    ({"do": "void", "back_to": 2.5, "reason": "x"},   "not_whole"),
    ({"do": "void", "back_to": "two", "reason": "x"}, "bad_command_id"),
    ({"do": "void", "back_to": 2, "reason": "x", "approved_by": ""}, "empty_name"),
]

BROKEN = ["{", "", "{'do': 1}", '{"do": "close", "do": "close"}', '{"do": NaN}', '{"a": Infinity}',
          "[" * 200_000, '{"do": "close"} {}', "\ufeff{}"]
# fmt: on


@pytest.mark.parametrize(("raw", "field"), MALFORMED)
def test_a_wrong_shape_is_malformed_and_its_field_named(raw: Any, field: str | None) -> None:
    with pytest.raises(Malformed) as malformed:
        vocabulary.shape(raw)

    assert malformed.value.field == field
    assert field is None or field in str(malformed.value)


@pytest.mark.parametrize(("raw", "code"), WORTHLESS)
def test_a_wrong_value_is_refused_by_name(raw: dict[str, Any], code: str) -> None:
    vocabulary.shape(raw)

    with pytest.raises(Refused) as refused:
        vocabulary.read(raw)

    assert refused.value.code == code
    changed = [name for name in raw if raw[name] not in (A.get(name), OUT.get(name), "x")]
    assert any(name in str(refused.value) for name in changed)


@pytest.mark.parametrize("text", BROKEN)
def test_what_readers_of_json_disagree_about_is_malformed(text: str) -> None:
    with pytest.raises(Malformed):
        vocabulary.shape(loads(text))


def test_two_point_nought_is_two() -> None:
    assert vocabulary.read({**A, "dice": [2.0, 1, 1]})["dice"] == (2, 1, 1)
    assert vocabulary.read({**OUT, "amount": 1e2})["amount"] == 100


def test_a_number_too_long_to_read_is_too_large() -> None:
    raw = loads('{"do": "cash_out", "player": "A", "amount": ' + "9" * 100_000 + "}")

    with pytest.raises(Refused) as refused:
        vocabulary.read(raw)

    assert refused.value.code == "too_large"


def test_a_face_or_a_line_too_long_to_read_is_none_there_is() -> None:
    """G3, G4: a whole number of any length is one, and refused for what it says."""
    digits = "9" * 100_000
    thrown = loads(f'{{"do": "throw", "player": "A", "dice": [1, 1, {digits}]}}')
    voided = loads(f'{{"do": "void", "back_to": {digits}, "reason": "x"}}')

    assert vocabulary.read(thrown)["dice"][2] > 8
    assert vocabulary.read(voided)["back_to"] > 2**53


def test_a_time_is_read_with_its_offset() -> None:
    read = vocabulary.read({**A, "occurred_at": "1970-01-01T01:00:01.9+01:00"})

    assert read["occurred_at"] == 1


# fmt: off
NAMED: list[tuple[Mapping[str, Any], Mapping[str, Any]]] = [
    (A, {**A, "player": "<A>"}),
    ({**OPEN, "first": "A"}, {**OPEN, "players": ["<A>", "<B>"], "first": "<A>"}),
    ({**OPEN, "players": [{"name": "A", "stake": 3}]},
     {**OPEN, "players": [{"name": "<A>", "stake": 3}]}),
    ({"do": "throw", "player": "A", "die": "A1", "value": 2, "out": ["B5", "trump", "latent1"],
      "breaks": [{"die": "B2", "value": 3}], "caught": [{"die": "A3", "by": "B"}]},
     {"do": "throw", "player": "<A>", "die": "<A>1", "value": 2,
      "out": ["<B>5", "trump", "latent1"],
      "breaks": [{"die": "<B>2", "value": 3}], "caught": [{"die": "<A>3", "by": "<B>"}]}),
    ({"do": "bid", "player": "A", "die": "d4", "amount": 3},
     {"do": "bid", "player": "<A>", "die": "d4", "amount": 3}),
    ({"do": "void", "back_to": 1, "reason": "A", "approved_by": "A"},
     {"do": "void", "back_to": 1, "reason": "A", "approved_by": "A"}),
]
# fmt: on


@pytest.mark.parametrize(("raw", "mapped"), NAMED)
def test_players_are_found_wherever_a_command_names_them(
    raw: Mapping[str, Any], mapped: Mapping[str, Any]
) -> None:
    vocabulary.shape(raw)

    assert vocabulary.map_players(raw, lambda name: f"<{name}>") == mapped


def test_words_of_ones_own_are_found_and_reasons_from_a_list_are_not() -> None:
    fields = {"do": "no_throw", "player": "A", "reason": "cocked", "note": "on the rim"}
    void = {"do": "void", "back_to": 1, "reason": "misread", "approved_by": "M"}

    assert vocabulary.map_texts(fields, lambda _: "ref") == {**fields, "note": "ref"}
    assert vocabulary.map_texts(void, lambda _: "ref") == {**void, "reason": "ref"}
    assert vocabulary.map_staff(void, lambda _: "id") == {**void, "approved_by": "id"}
