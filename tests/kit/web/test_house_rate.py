"""What one house sends does not hold up the others: too much of it is answered 429."""

from __future__ import annotations

from typing import TYPE_CHECKING
from uuid import uuid4

import pytest

from casino.kit.web import limits
from tests.support import builders
from tests.support.builders import opening

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_django import Settings

    from tests.support.builders import House

A, B = uuid4(), uuid4()
GAMES = "/api/v1/games/"


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def measures(clock: Clock) -> limits.Measures:
    return limits.Measures(clock)


@pytest.fixture(autouse=True)
def _full() -> Iterator[None]:
    yield
    limits.MEASURES.forget()


def taken(measures: limits.Measures, clock: Clock, *, seconds: int, a_second: int) -> int:
    """How many of so many entries a second were taken."""
    count = 0
    for _ in range(seconds * a_second):
        clock.now += 1 / a_second
        count += not measures.take(A, 1, 10)
    return count


def test_after_a_burst_a_house_gets_its_rate(measures: limits.Measures, clock: Clock) -> None:
    assert taken(measures, clock, seconds=5, a_second=1000) == pytest.approx(50 + 50, abs=1)
    assert taken(measures, clock, seconds=10, a_second=1000) == pytest.approx(100, abs=1)


def test_of_another_house_nothing_is_taken(measures: limits.Measures, clock: Clock) -> None:
    taken(measures, clock, seconds=5, a_second=1000)

    assert measures.take(A, 1, 10) > 0
    assert measures.take(B, 1, 10) == 0


def test_a_list_is_taken_whole_and_owed(measures: limits.Measures, clock: Clock) -> None:
    assert measures.take(A, 500, 10) == 0

    wait = measures.take(A, 1, 10)
    assert wait == pytest.approx(45.1)
    clock.now += wait
    assert measures.take(A, 1, 10) == 0


def test_without_a_rate_nobody_waits(measures: limits.Measures) -> None:
    assert not any(measures.take(A, 500, 0) for _ in range(100))


def test_what_is_remembered_has_an_end(
    measures: limits.Measures, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "HOUSES", 10)
    for _ in range(100):
        measures.take(uuid4(), 1, 10)

    assert len(measures._left) == 10


@pytest.mark.django_db
def test_a_program_is_told_when_to_send_again_and_nothing_was_done(settings: Settings) -> None:
    settings.HOUSE_RATE = 1
    mad, calm = builders.house(tables=1), builders.house(tables=1)
    client = builders.client(mad.attendant)
    game = client.post(GAMES, opening(mad.table)).json()["id"]
    address = f"{GAMES}{game}/commands/"
    wrong = [{"do": "throw_home", "dice": [1, 2, 3], "command_id": str(uuid4())}]

    for _ in range(10):
        answer = client.post(address, wrong)
    again = client.post(GAMES, opening(mad.table))

    for each in (answer, again):
        assert (each.status_code, each.json()["code"]) == (429, "throttled")
        assert 0 < int(each.headers["Retry-After"]) <= 10
    assert _opens(calm) == 201


def _opens(house: House) -> int:
    answer = builders.client(house.attendant).post(GAMES, opening(house.table))
    return int(answer.status_code)
