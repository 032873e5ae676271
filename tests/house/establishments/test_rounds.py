"""A round goes to every house, some each time; with few houses all come at once."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from itertools import chain

import pytest
from django.conf import settings

from casino.house.establishments import rounds
from casino.house.establishments.models import Establishment
from casino.kit.web.jobs import tasks as jobs
from casino.proof.signing import tasks as integrity
from tests.support import builders

pytestmark = pytest.mark.django_db

NOW = datetime(2026, 11, 27, 9, 0, tzinfo=UTC)


@pytest.mark.parametrize(("most", "turns"), [(10, 1), (7, 1), (3, 3), (2, 4), (1, 7)])
def test_every_house_comes_once_in_a_round(most: int, turns: int) -> None:
    for number in range(7):
        builders.house(tables=0, dice_sets=0, name=f"House {number}")
    houses = list(Establishment.objects.order_by("pk").values_list("pk", flat=True))

    found = [
        rounds.of_houses(NOW + timedelta(seconds=30 * turn), every=30, most=most)
        for turn in range(turns)
    ]

    assert all(len(each) <= most for each in found)
    assert sorted(chain.from_iterable(found)) == houses


def test_where_there_is_no_house_none_comes() -> None:
    assert rounds.of_houses(NOW, every=30, most=10) == []


def test_a_round_takes_as_long_as_beat_has_it() -> None:
    """A turn follows from the time: with another pace than beat's, houses would be left out."""
    sent = settings.CELERY_BEAT_SCHEDULE

    assert sent["trees"]["schedule"] == integrity.TREES
    assert sent["copies"]["schedule"] == integrity.COPIES
    assert sent["jobs"]["schedule"] == jobs.EVERY
