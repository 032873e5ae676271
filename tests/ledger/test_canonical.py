"""RFC 8785, as far as the ledger uses it."""

import json
import unicodedata
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.canonical import INTEGER_MAX, Json, NotCanonical, decode, encode, moment, read_moment

# fmt: off
SPELLINGS: list[tuple[Json, str]] = [
    ({"b": 1, "a": [True, None, "x"]},   '{"a":[true,null,"x"],"b":1}'),
    ({},                                 "{}"),
    ((1, 2),                             "[1,2]"),
    (-INTEGER_MAX,                       "-9007199254740991"),
    # RFC 8785, section 3.2.2.2: the string of the example, and the short escapes.
    ("\u20ac$\u000f\nA'B\"\\\\\"/",      '"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"'),
    ("\b\t\f\r\x7f",                     '"\\b\\t\\f\\r\x7f"'),
    # RFC 8785, section 3.2.3: sorted by UTF-16 code units: the emoji's surrogates (d83d) come
    # before U+FB33, whose code point is smaller.
    ({"\u20ac": "Euro Sign", "\r": "Carriage Return", "\ufb33": "Hebrew Letter Dalet With Dagesh",
      "1": "One", "\U0001f600": "Emoji: Grinning Face", "\x80": "Control",
      "\u00f6": "Latin Small Letter O With Diaeresis"},
     ('{"\\r":"Carriage Return","1":"One","\x80":"Control",'
     '"\u00f6":"Latin Small Letter O With Diaeresis","\u20ac":"Euro Sign",'
     '"\U0001f600":"Emoji: Grinning Face","\ufb33":"Hebrew Letter Dalet With Dagesh"}')),
]

REFUSED: list[tuple[Any, str]] = [
    ({"data": {"amount": 1.5}},          r"\$\.data\.amount: a float"),
    ({"dice": [1, 2**53]},               r"\$\.dice\[1\]: 9007199254740992"),
    ({"dice": [1, -(2**53)]},            r"\$\.dice\[1\]"),
    ({"name": "\ud83d"},                 r"\$\.name: a lone surrogate"),
    ({"name": "a\0b"},                   r"\$\.name: holds a NUL"),
    ({"a": {7: "x"}},                    r"\$\.a: the key 7 is not a string"),
    ({"\udc00": 1},                      r"lone surrogate"),
    ({"at": datetime(2026, 1, 1, tzinfo=UTC)}, r"\$\.at: a datetime"),
    ({"of": {1, 2}},                     r"\$\.of: a set"),
    (b"bytes",                           r"\$: a bytes"),
]
# fmt: on


@pytest.mark.parametrize(("value", "spelling"), SPELLINGS)
def test_there_is_one_spelling(value: Json, spelling: str) -> None:
    assert encode(value) == spelling.encode()


@pytest.mark.parametrize(("value", "reason"), REFUSED)
def test_what_has_no_spelling_is_refused_by_its_place(value: Any, reason: str) -> None:
    with pytest.raises(NotCanonical, match=reason):
        encode(value)


def test_letters_are_kept_as_they_are_and_not_normalised() -> None:
    composed, decomposed = "é", unicodedata.normalize("NFD", "é")

    assert encode(composed) != encode(decomposed)


@pytest.mark.parametrize(
    "body", ['{"a":1,"a":1}', '{"b":1,"a":1}', '{"a": 1}', "1.0", "1e3", "NaN", "{", '"\\u0041"']
)
def test_another_spelling_is_not_read(body: str) -> None:
    with pytest.raises(NotCanonical):
        decode(body.encode())


texts = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"))
values = st.recursive(
    st.none() | st.booleans() | st.integers(-INTEGER_MAX, INTEGER_MAX) | texts,
    lambda inner: st.lists(inner) | st.dictionaries(texts, inner),
)


@given(values)
def test_what_is_written_is_read_again(value: Any) -> None:
    assert decode(encode(value)) == json.loads(encode(value)) == value


# fmt: off
MOMENTS = [
    (datetime(2026, 11, 21, 0, 55, 50, tzinfo=UTC),        "2026-11-21T00:55:50.000000Z"),
    (datetime(2026, 11, 21, 0, 55, 50, 7, tzinfo=UTC),     "2026-11-21T00:55:50.000007Z"),
    (datetime(2026, 11, 21, 2, 55, 50, tzinfo=timezone(timedelta(hours=2))),
                                                           "2026-11-21T00:55:50.000000Z"),
]
# fmt: on


@pytest.mark.parametrize(("at", "text"), MOMENTS)
def test_a_moment_is_a_string_of_one_width(at: datetime, text: str) -> None:
    assert moment(at) == text
    assert read_moment(text) == at


def test_a_moment_without_a_zone_is_refused() -> None:
    with pytest.raises(NotCanonical):
        moment(datetime(2026, 1, 1))  # noqa: DTZ001  the forbidden thing
