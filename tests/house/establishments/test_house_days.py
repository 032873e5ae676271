"""The gaming day: from one cut-off to the next, on the house's own clock (B4)."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta

import pytest

from casino.house.establishments.gaming_day import gaming_day
from casino.house.establishments.models import Establishment
from tests.support import builders
from tests.support.playing import NOW, done, game_of, opened

ROME = "Europe/Rome"

# fmt: off
DAYS = [
    # zone,               cut-off, instant,               gaming day
    ("UTC",               "06:00", "2026-11-20T05:59:59", "2026-11-19"),
    ("UTC",               "06:00", "2026-11-20T06:00:00", "2026-11-20"),
    ("UTC",               "06:00", "2026-11-20T23:59:59", "2026-11-20"),
    ("UTC",               "00:00", "2026-11-20T00:00:00", "2026-11-20"),
    ("UTC",               "00:00", "2026-11-19T23:59:59", "2026-11-19"),
    ("UTC",               "06:00", "2027-01-01T02:00:00", "2026-12-31"),
    # Winter in Rome is an hour ahead, summer two.
    (ROME,                "06:00", "2026-11-20T04:59:59", "2026-11-19"),
    (ROME,                "06:00", "2026-11-20T05:00:00", "2026-11-20"),
    (ROME,                "06:00", "2026-07-20T03:59:59", "2026-07-19"),
    (ROME,                "06:00", "2026-07-20T04:00:00", "2026-07-20"),
    # Other clocks: behind, half an hour off, nearly a day ahead.
    ("America/New_York",  "06:00", "2026-11-20T10:59:59", "2026-11-19"),
    ("America/New_York",  "06:00", "2026-11-20T11:00:00", "2026-11-20"),
    ("Asia/Kolkata",      "06:00", "2026-11-20T00:29:59", "2026-11-19"),
    ("Asia/Kolkata",      "06:00", "2026-11-20T00:30:00", "2026-11-20"),
    ("Pacific/Kiritimati","06:00", "2026-11-19T16:00:00", "2026-11-20"),
    ("Pacific/Kiritimati","06:00", "2026-11-19T15:59:59", "2026-11-19"),
    # 25 October 2026: at 03:00 Rome's clocks go back to 02:00 (01:00 UTC). 02:30 comes twice, and
    # the day begins with the first; the second 02:00 does not go back to yesterday.
    (ROME,                "02:30", "2026-10-25T00:29:59", "2026-10-24"),
    (ROME,                "02:30", "2026-10-25T00:30:00", "2026-10-25"),
    (ROME,                "02:30", "2026-10-25T01:00:00", "2026-10-25"),
    (ROME,                "02:30", "2026-10-25T01:29:59", "2026-10-25"),
    (ROME,                "02:30", "2026-10-25T01:30:00", "2026-10-25"),
    (ROME,                "02:00", "2026-10-24T23:59:59", "2026-10-24"),
    (ROME,                "02:00", "2026-10-25T00:00:00", "2026-10-25"),
    (ROME,                "02:00", "2026-10-25T01:00:00", "2026-10-25"),
    (ROME,                "03:00", "2026-10-25T01:59:59", "2026-10-24"),
    (ROME,                "03:00", "2026-10-25T02:00:00", "2026-10-25"),
    (ROME,                "06:00", "2026-10-25T04:59:59", "2026-10-24"),
    (ROME,                "06:00", "2026-10-25T05:00:00", "2026-10-25"),
    # 29 March 2026: at 02:00 they go on to 03:00 (01:00 UTC). 02:30 never comes: the day begins
    # with the first moment behind it.
    (ROME,                "02:30", "2026-03-29T00:59:59", "2026-03-28"),
    (ROME,                "02:30", "2026-03-29T01:00:00", "2026-03-29"),
    (ROME,                "02:00", "2026-03-29T00:59:59", "2026-03-28"),
    (ROME,                "02:00", "2026-03-29T01:00:00", "2026-03-29"),
    (ROME,                "03:00", "2026-03-29T00:59:59", "2026-03-28"),
    (ROME,                "03:00", "2026-03-29T01:00:00", "2026-03-29"),
    (ROME,                "06:00", "2026-03-29T03:59:59", "2026-03-28"),
    (ROME,                "06:00", "2026-03-29T04:00:00", "2026-03-29"),
    # In Cairo midnight itself is skipped (24 April 2026).
    ("Africa/Cairo",      "00:00", "2026-04-23T21:59:59", "2026-04-23"),
    ("Africa/Cairo",      "00:00", "2026-04-23T22:00:00", "2026-04-24"),
    ("Africa/Cairo",      "00:30", "2026-04-23T22:00:00", "2026-04-24"),
]
# fmt: on


def house_on(zone: str, cutoff: str) -> Establishment:
    return Establishment(name="House", time_zone=zone, day_cutoff=time.fromisoformat(cutoff))


@pytest.mark.parametrize(("zone", "cutoff", "at", "day"), DAYS)
def test_an_instant_belongs_to_a_gaming_day(zone: str, cutoff: str, at: str, day: str) -> None:
    instant = datetime.fromisoformat(at).replace(tzinfo=UTC)

    assert gaming_day(house_on(zone, cutoff), instant) == date.fromisoformat(day)


# fmt: off
NIGHTS = [
    (ROME, "2026-10-24"), (ROME, "2026-03-28"), ("America/New_York", "2026-10-31"),
    ("Africa/Cairo", "2026-04-23"), ("Africa/Cairo", "2026-10-29"),
    ("Australia/Lord_Howe", "2026-04-04"),  # half an hour
]
# fmt: on


@pytest.mark.parametrize(("zone", "night"), NIGHTS)
@pytest.mark.parametrize("cutoff", ["00:00", "00:30", "01:45", "02:00", "02:30", "03:00", "06:00"])
def test_days_follow_each_other_and_none_comes_back(zone: str, night: str, cutoff: str) -> None:
    house = house_on(zone, cutoff)
    begin = datetime.fromisoformat(night).replace(tzinfo=UTC) - timedelta(hours=24)

    days = [gaming_day(house, begin + timedelta(minutes=5 * step)) for step in range(12 * 72)]

    first, last = days[0], days[-1]
    assert days == sorted(days)
    assert set(days) == {first + timedelta(days=each) for each in range((last - first).days + 1)}


@pytest.mark.django_db
def test_an_event_keeps_the_day_it_was_recorded_on() -> None:
    house = builders.house(time_zone=ROME, day_cutoff=time(6))
    game = opened(house)  # 22:30 on the 20th
    done(house, game, "throw", player="Ada", dice=[2, 2, 7], now=NOW + timedelta(hours=7))
    house.establishment.day_cutoff = time(2)
    house.establishment.save()
    late = {"occurred_at": "2026-11-19T12:00:00Z"}  # told later; what counts is when it is heard
    done(house, game, "throw", player="Bo", dice=[2, 2, 4], now=NOW + timedelta(hours=7), **late)

    days = [event.provenance.gaming_day.day for event in game_of(house, game).events]

    assert days == [20, 20, 21, 21]
