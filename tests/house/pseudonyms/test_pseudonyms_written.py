"""What is shown as JSON text has the names that the same value has, whatever people write."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from casino.house.attendants.pseudonyms import tokens
from tests.support import builders

if TYPE_CHECKING:
    from tests.support.builders import House

pytestmark = pytest.mark.django_db

ODD = ('Ann "the Ace"', "Bo\\p-abcdefghjkmn", "Zoë\nLi", "p-like", "\u2028Sela", "{}")


@pytest.fixture
def house() -> House:
    return builders.house()


def spoken(value: Any, told: list[str]) -> Any:
    """A drawn value with tokens where it has their places."""
    match value:
        case list():
            return "".join(told[each] if isinstance(each, int) else each for each in value)
        case tuple():
            return [spoken(each, told) for each in value]
        case dict():
            return {spoken(list(key), told): spoken(each, told) for key, each in value.items()}
        case _:
            return value


def dict_of(pairs: list[tuple[list[Any], Any]]) -> dict[tuple[Any, ...], Any]:
    return {tuple(key): value for key, value in pairs}


@pytest.fixture
def told(house: House) -> list[str]:
    """Tokens of people and of texts in which some are named, and of nobody."""
    players = list(tokens.player_tokens(house.id, ODD, new=True).values())
    noted = [tokens.keep(house.id, f'{token}\n{token} "said" \\{token}') for token in players[:2]]
    return [*players, *noted, "p-zzzzzzzzzzzz", "t-" + "0" * 64]


NONE_KEPT = settings(
    max_examples=50,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
WORDS = st.lists(
    st.integers(0, 9) | st.sampled_from([" ", "x", "'s", "-", "\n", "\\", '"', "é"]), max_size=5
)
VALUES: Any = st.recursive(
    WORDS | st.none() | st.booleans(),
    lambda inner: (
        st.lists(inner, max_size=6).map(tuple)
        | st.lists(st.tuples(WORDS, inner), max_size=6).map(dict_of)
    ),
    max_leaves=40,
)


@pytest.mark.long("postgresql")
@NONE_KEPT
@given(value=VALUES)
def test_names_in_a_text_are_those_in_its_value(value: Any, house: House, told: list[str]) -> None:
    said = spoken(value, told)
    assert json.loads(tokens.text_with_names(house.id, said)) == tokens.resolve(house.id, said)


def test_a_state_is_written_as_it_is_shown(house: House) -> None:
    game = builders.opened(house)
    client = builders.client(house.attendant)
    shown = client.get(f"/api/v1/games/{game}/")
    response = client.get(
        f"/api/v1/games/{game}/", headers={"accept": "application/json; indent=2"}
    )
    assert shown.json() == response.json()
    assert b"\n" not in shown.content
    assert response.content.startswith(b"{\n  ")
