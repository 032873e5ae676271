"""The night in which the house's clock is put on, or back: a day of 23 hours, or of 25 (B4)."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest
from django.core.exceptions import ValidationError
from django.utils import timezone

from casino.house.establishments import gaming_day
from casino.house.establishments.models import Establishment
from casino.office.dashboard.page import _clock
from casino.play.core import queries as figures
from casino.play.core.projections import quarter_of
from casino.reports.gaming_days import closing
from casino.words.languages import locales
from casino.words.languages.fields import MomentField
from tests.support import builders
from tests.support.dayend import closed, days_of
from tests.support.playing import done, game_of, opened, round_played, settled

ROME, NEW_YORK, CAIRO, LORD_HOWE = (
    "Europe/Rome", "America/New_York", "Africa/Cairo", "Australia/Lord_Howe",
)  # fmt: skip
HOUR = timedelta(hours=1)


def house_on(zone: str, cutoff: str) -> Establishment:
    return Establishment(name="House", time_zone=zone, day_cutoff=time.fromisoformat(cutoff))


# fmt: off
NIGHTS = [
    # zone,   cut-off, gaming day,  begins (UTC),       hours, the clock each four hours
    # 25 October 2026, 03:00 to 02:00: with the cut-off at six it is the 24th that has an hour more.
    (ROME,      "06:00", "2026-10-24", "2026-10-24T04:00", 25,  "06 10 14 18 22 02 05"),
    (ROME,      "06:00", "2026-10-25", "2026-10-25T05:00", 24,  "06 10 14 18 22 02 06"),
    (ROME,      "02:30", "2026-10-24", "2026-10-24T00:30", 24,  "02 06 10 14 18 22 02"),
    (ROME,      "02:30", "2026-10-25", "2026-10-25T00:30", 25,  "02 05 09 13 17 21 01"),
    (ROME,      "03:00", "2026-10-24", "2026-10-24T01:00", 25,  "03 07 11 15 19 23 02"),
    (ROME,      "02:00", "2026-10-25", "2026-10-25T00:00", 25,  "02 05 09 13 17 21 01"),
    # 29 March 2026, 02:00 to 03:00. There is no 02:30: the day begins at 03:00, half an hour early
    # by the time that has passed, and the one before has 23 hours and a half.
    (ROME,      "06:00", "2026-03-28", "2026-03-28T05:00", 23,  "06 10 14 18 22 03"),
    (ROME,      "06:00", "2026-03-29", "2026-03-29T04:00", 24,  "06 10 14 18 22 02 06"),
    (ROME,      "02:30", "2026-03-28", "2026-03-28T01:30", 23.5, "02 06 10 14 18 22 03"),
    (ROME,      "02:30", "2026-03-29", "2026-03-29T01:00", 23.5, "03 07 11 15 19 23 03"),
    (ROME,      "02:00", "2026-03-28", "2026-03-28T01:00", 24,  "02 06 10 14 18 22 03"),
    (ROME,      "03:00", "2026-03-28", "2026-03-28T02:00", 23,  "03 07 11 15 19 23"),
    # 1 November 2026 at 02:00, 14 March 2027 at 02:00.
    (NEW_YORK,  "05:00", "2026-10-31", "2026-10-31T09:00", 25,  "05 09 13 17 21 01 04"),
    (NEW_YORK,  "01:30", "2026-11-01", "2026-11-01T05:30", 25,  "01 04 08 12 16 20 00"),
    (NEW_YORK,  "02:30", "2027-03-13", "2027-03-13T07:30", 23.5, "02 06 10 14 18 22 03"),
    # 24 April 2026: midnight is skipped. 30 October: the last hour of the 29th comes twice.
    (CAIRO,     "00:00", "2026-04-23", "2026-04-22T22:00", 24,  "00 04 08 12 16 20 01"),
    (CAIRO,     "00:00", "2026-04-24", "2026-04-23T22:00", 23,  "01 05 09 13 17 21"),
    (CAIRO,     "00:00", "2026-10-29", "2026-10-28T21:00", 25,  "00 04 08 12 16 20 23"),
    # Half an hour: 4 October 2026 on, 4 April 2027 back.
    (LORD_HOWE, "06:00", "2026-10-03", "2026-10-02T19:30", 23.5, "06 10 14 18 22 02 06"),
    (LORD_HOWE, "06:00", "2027-04-03", "2027-04-02T19:00", 24.5, "06 10 14 18 22 01 05"),
]
# fmt: on


@pytest.mark.parametrize(("zone", "cutoff", "day", "begins", "hours", "shown"), NIGHTS)
def test_a_day_is_as_long_as_it_is(  # noqa: PLR0913, PLR0917 - one row
    zone: str, cutoff: str, day: str, begins: str, hours: float, shown: str
) -> None:
    house, which = house_on(zone, cutoff), date.fromisoformat(day)
    first, last = (
        gaming_day.begins(house, which),
        gaming_day.begins(house, which + gaming_day.A_DAY),
    )

    assert first == datetime.fromisoformat(begins).replace(tzinfo=UTC)
    assert (last - first) / HOUR == hours
    ticks = _clock(house, which).ticks()
    assert [at for at, _ in ticks] == [4.0 * each for each in range(len(ticks))]
    assert [told[:2] for _, told in ticks] == shown.split()


def test_quarters_of_an_hour_follow_each_other_through_the_night() -> None:
    """What a day has come to by then is counted by time passed: no quarter twice, none left out."""
    house = house_on(ROME, "06:00")
    begins = gaming_day.begins(house, date(2026, 10, 24))

    quarters = {quarter_of(begins + timedelta(minutes=each)) for each in range(25 * 60)}

    assert len(quarters) == 100
    assert min(quarters) == begins
    assert max(quarters) == begins + 25 * HOUR - figures.QUARTER


# fmt: off
GRACE = [
    # zone, cut-off, day,          grace (min), closes itself (UTC)
    (ROME, "06:00", "2026-10-24",   60,         "2026-10-25T06:00"),
    (ROME, "06:00", "2026-03-28",   60,         "2026-03-29T05:00"),
    (ROME, "02:30", "2026-10-24",   0,          "2026-10-25T00:30"),  # at the first 02:30
    (ROME, "02:30", "2026-10-24",   60,         "2026-10-25T01:30"),  # an hour later it is 02:30
    (ROME, "02:30", "2026-03-28",   30,         "2026-03-29T01:30"),
    (CAIRO, "00:00", "2026-10-28",  30,         "2026-10-28T21:30"),
]
# fmt: on


@pytest.mark.parametrize(("zone", "cutoff", "day", "grace", "at"), GRACE)
def test_a_day_closes_itself_so_long_after_its_cut_off(
    zone: str, cutoff: str, day: str, grace: int, at: str
) -> None:
    house = house_on(zone, cutoff)
    house.closing_grace = grace

    closes = closing.closes_at(house, date.fromisoformat(day))

    assert closes == datetime.fromisoformat(at).replace(tzinfo=UTC)


# fmt: off
SHOWN = [
    # zone,   instant (UTC),       as the house's clock shows it
    (ROME,     "2026-10-24T23:59", "01:59"),
    (ROME,     "2026-10-25T00:30", "02:30 CEST"),
    (ROME,     "2026-10-25T01:30", "02:30 CET"),
    (ROME,     "2026-10-25T02:00", "03:00"),
    (ROME,     "2026-03-29T00:59", "01:59"),
    (ROME,     "2026-03-29T01:00", "03:00"),
    (NEW_YORK, "2026-11-01T05:30", "01:30 EDT"),
    (NEW_YORK, "2026-11-01T06:30", "01:30 EST"),
]
# fmt: on


@pytest.mark.parametrize(("zone", "at", "shown"), SHOWN)
def test_of_an_hour_that_is_there_twice_it_is_told_which(zone: str, at: str, shown: str) -> None:
    instant = datetime.fromisoformat(at).replace(tzinfo=UTC)

    with timezone.override(ZoneInfo(zone)):
        assert locales.clock(instant) == shown
        assert locales.clock_to_seconds(instant) == shown.replace(shown[:5], f"{shown[:5]}:00")


@pytest.mark.parametrize("typed", ["2026-10-25T02:30", "2026-03-29T02:30"], ids=["twice", "never"])
def test_a_moment_that_is_there_twice_or_never_is_no_moment(typed: str) -> None:
    """Nobody guesses which was meant, of a game's new rules say."""
    with timezone.override(ZoneInfo(ROME)), pytest.raises(ValidationError) as refused:
        MomentField().clean(typed)

    assert typed in str(refused.value)
    assert ("comes twice" in str(refused.value)) == (typed == "2026-10-25T02:30")


@pytest.mark.long("postgresql")
@pytest.mark.django_db
@pytest.mark.parametrize(
    ("day", "length"),
    [(date(2026, 10, 24), 25), (date(2026, 3, 28), 23)],
    ids=["longer", "shorter"],
)
def test_a_night_is_played_booked_and_closed_through_the_change(day: date, length: int) -> None:
    house = builders.house(time_zone=ROME, day_cutoff=time(6))
    began = gaming_day.begins(house.establishment, day)
    game = opened(house, stake=500, now=began + 19 * HOUR)
    for hour in range(20, length):  # through both hours, or over the one that is not
        round_played(house, game, now=began + hour * HOUR)
    settled(house)
    round_played(house, game, now=began + length * HOUR)
    done(house, game, "pause", now=began + length * HOUR)

    closed_event = closed(house, day, now=began + length * HOUR)

    assert closed_event.data["totals"]["rounds"] == length - 20
    last = [event.provenance.gaming_day for event in game_of(house, game).events]
    assert last.count(day) + last.count(day + gaming_day.A_DAY) == len(last)
    assert days_of(list(game_of(house, game).events))[-1] == (day + gaming_day.A_DAY).day
    assert figures.so_far(house.id, day).rounds == length - 20
