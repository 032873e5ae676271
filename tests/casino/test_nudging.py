"""Workers are woken by what is committed and nothing else; a broker that is away stops nobody."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from django.db import transaction
from kombu.exceptions import OperationalError as BrokerDown
from structlog.testing import capture_logs

from casino import nudging
from casino.play import tasks
from tests.casino import builders
from tests.casino.dayend import begun
from tests.casino.playing import PAIR_7, opened, thrown

if TYPE_CHECKING:
    import uuid
    from collections.abc import Callable

    from pytest_django import DjangoCaptureOnCommitCallbacks

    from tests.casino.builders import House

pytestmark = pytest.mark.django_db


def test_a_worker_is_woken_once_it_is_committed(
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    woken: list[str] = []

    with django_capture_on_commit_callbacks(execute=True):
        nudging.after_commit(lambda: woken.append("now"))
        assert woken == []

    assert woken == ["now"]


def test_what_is_rolled_back_wakes_nobody(
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    woken: list[str] = []

    with django_capture_on_commit_callbacks(execute=True), transaction.atomic():
        nudging.after_commit(lambda: woken.append("never"))
        transaction.set_rollback(True)

    assert woken == []


@pytest.mark.parametrize("down", [BrokerDown("away"), ConnectionRefusedError("away")])
def test_a_broker_that_is_away_is_noted_and_stops_nobody(
    down: Exception, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    def wake() -> None:
        raise down

    with capture_logs() as said, django_capture_on_commit_callbacks(execute=True):
        nudging.after_commit(wake)

    assert [each["event"] for each in said] == ["nudge_lost"]


@pytest.fixture
def woken(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The houses whose followers are woken, in order."""
    houses: list[str] = []
    monkeypatch.setattr(tasks.NUDGES, "send", houses.append)
    return houses


WAKES: dict[str, Callable[[House, uuid.UUID], object]] = {
    "a game that opens": lambda house, _: opened(house, table=house.tables[1]),
    "a throw": lambda house, game: thrown(house, game, "Ada", PAIR_7),
    "an act of the house": lambda house, _: begun(house),
}


@pytest.mark.parametrize("happens", WAKES.values(), ids=WAKES)
def test_what_is_recorded_wakes_those_who_follow_the_house(
    woken: list[str],
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
    happens: Callable[[House, uuid.UUID], object],
) -> None:
    house = builders.house()
    game = opened(house)

    with django_capture_on_commit_callbacks(execute=True):
        happens(house, game)

    assert set(woken) == {str(house.id)}
