"""The start page: to each role its own, held against the same day last week, kept up to date."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from http import HTTPStatus
from typing import TYPE_CHECKING

import pytest
import time_machine
from django.test import Client
from hypothesis import given
from hypothesis import strategies as st

from casino.house.attendants.models import Role
from casino.house.establishments import gaming_day
from casino.play.core import queries as figures
from casino.play.core.models import DayFigures, QuarterFigures
from casino.play.core.projections import quarter_of
from tests.support import builders

if TYPE_CHECKING:
    from casino.house.attendants.models import Attendant
    from tests.support.builders import House

pytestmark = pytest.mark.django_db

ROUND = {"Ada": (2, 2, 7), "Bruno": (3, 4, 5), "Cleo": (5, 6, 7)}
SUNDAY = datetime(2026, 11, 15, 20, 5, tzinfo=UTC)
SHOWN = {
    Role.ATTENDANT: ["tables-head", "figures-head", "payouts-head", "machine-head"],
    Role.SUPERVISOR: ["waiting-head", "tables-head", "figures-head", "machine-head"],
    Role.MANAGER: ["figures-head", "waiting-head", "plots-head", "machine-head", "tables-head"],
    Role.AUDITOR: ["claims-head", "waiting-head", "machine-head", "exceptions-head"],
}


def signed_in(person: Attendant) -> Client:
    client = Client()
    client.force_login(person)
    return client


def play(house: House, rounds: int, game: str = "") -> str:
    game = game or builders.opened(house, stake=500)
    builders.put(
        house, game, *(builders.throw(name, *ROUND[name]) for _ in range(rounds) for name in ROUND)
    )
    builders.settled(house)
    return game


@given(st.datetimes(timezones=st.just(UTC)))
def test_a_quarter_of_an_hour_holds_its_moments(at: datetime) -> None:
    begins = quarter_of(at)

    assert begins <= at < begins + figures.QUARTER
    assert begins.minute % 15 == 0


@pytest.mark.long("postgresql")
def test_each_role_has_its_own_parts_in_its_own_order() -> None:
    house = builders.house()
    play(house, 1)

    for role, heads in SHOWN.items():
        page = signed_in(house.people[role]).get("/").text
        places = [page.find(f'id="{head}"') for head in heads]
        assert -1 not in places, (role, heads, places)
        assert places == sorted(places), (role, heads, places)


def test_a_day_is_the_sum_of_its_quarters() -> None:
    house = builders.house()
    play(house, 3)
    day = DayFigures.objects.get(establishment=house.establishment)
    quarters = QuarterFigures.objects.filter(establishment=house.establishment)

    for name in figures.NAMES:
        assert getattr(day, name) == sum(getattr(each, name) for each in quarters), name


@pytest.mark.long("postgresql", but="citus")
def test_today_stands_beside_the_same_time_a_week_ago() -> None:
    with time_machine.travel(SUNDAY, tick=False) as clock:
        house = builders.house()
        game = play(house, 2)
        clock.shift(timedelta(hours=2))
        play(house, 3, game)
        clock.move_to(SUNDAY + timedelta(days=7, hours=1))
        play(house, 4, game)
        now = SUNDAY + timedelta(days=7, hours=1)
        day = gaming_day.current(house.establishment, now)

        then = figures.week_ago(house.establishment, day, now)
        page = signed_in(house.manager).get("/").text

    assert then.figures is not None
    assert then.figures["rounds"] == 2
    assert then.until == datetime(2026, 11, 15, 21, 15, tzinfo=UTC)
    assert figures.so_far(house.id, day).rounds == 4
    assert "100&nbsp;%" in page or "100 %" in page


@pytest.mark.long("postgresql")
def test_a_house_without_such_a_day_says_so() -> None:
    house = builders.house()
    play(house, 1)
    now = datetime.now(UTC)
    day = gaming_day.current(house.establishment, now)

    assert figures.week_ago(house.establishment, day, now).figures is None
    assert "to compare with" in signed_in(house.manager).get("/").text


@pytest.mark.long("postgresql")
def test_a_day_without_play_is_a_gap_and_no_zero() -> None:
    with time_machine.travel(SUNDAY, tick=False) as clock:
        house = builders.house(coin_digits=2, currency_symbol="€")
        game = play(house, 2)
        for days in (1, 2, 3):  # nothing on the second day
            clock.shift(timedelta(days=1))
            if days != 2:
                play(house, days, game)
        clock.move_to(SUNDAY + timedelta(days=7))
        play(house, 1, game)
        day = gaming_day.current(house.establishment, datetime.now(UTC))
        page = signed_in(house.manager).get("/").text

    rounds = figures.last_days(house.id, day)["rounds"]
    assert rounds == [None] * 7 + [2, 1, None, 3] + [None] * 3
    assert figures.days_before(day)[7].isoformat() == "2026-11-15"
    spark = page.partition('class="spark"')[2].partition("</svg>")[0]
    assert spark.count("<polyline") == 1  # the day behind the gap is a dot
    assert "<title>Rounds, Mon 16 November: 1</title>" in spark
    assert "Rounds, Tue 17 November" not in spark
    table = page.partition("Show as table: the 14 days before")[2].partition("</table>")[0]
    row = re.search(r"Tue 17 November</td>(.*?)</tr>", table)
    assert row is not None
    assert re.findall(r">([^<]+)</td>", row[1]) == ["\N{EN DASH}"] * 5


@pytest.mark.long("postgresql")
def test_a_chart_of_the_day_has_money_as_the_house_writes_it() -> None:
    with time_machine.travel(SUNDAY, tick=False):
        house = builders.house(coin_digits=2, currency_symbol="€")
        play(house, 2)
        page = signed_in(house.manager).get("/").text

    plot = page.partition('data-chart-name="staked"')[2].partition("</details>")[0]
    assert re.search(r"<title>20:15, Sun 15 November: 0\.\d\d\s€</title>", plot)
    assert re.search(r'<td class="num">0\.\d\d\s€</td>', plot)
    assert plot.count(">€</text>") == 1
    assert re.search(r'plot-tick plot-end"[^>]*>0\.00</text>', plot)


@pytest.mark.long("postgresql")
def test_the_course_of_a_day_is_level_where_nothing_was_played() -> None:
    with time_machine.travel(SUNDAY, tick=False) as clock:
        house = builders.house()
        game = play(house, 2)
        clock.shift(timedelta(hours=2))
        play(house, 3, game)
        now = SUNDAY + timedelta(hours=3)
        day = gaming_day.current(house.establishment, now)

    course = figures.course(house.establishment, day, ["rounds"], until=now)["rounds"]

    rounds = [total for _, total in course.points]
    hours = [hour for hour, _ in course.points]
    assert rounds == [0, 0, 2, 2, 5, 5]
    assert hours == sorted(hours)


@pytest.mark.long("postgresql")
def test_who_has_it_already_gets_nothing_until_something_happens() -> None:
    house = builders.house()
    game = play(house, 1)
    orso = signed_in(house.manager)
    page = orso.get("/", headers={"HX-Request": "true"})
    mark = {"HX-Request": "true", "If-None-Match": page.headers["ETag"]}
    with time_machine.travel(datetime(2026, 11, 22, 20, tzinfo=UTC), tick=False):
        mark["If-None-Match"] = orso.get("/", headers={"HX-Request": "true"}).headers["ETag"]
        assert orso.get("/", headers=mark).status_code == HTTPStatus.NOT_MODIFIED

        builders.put(house, game, builders.throw("Ada", 1, 1, 5))

        news = orso.get("/", headers=mark)
    assert news.status_code == HTTPStatus.OK
    assert "<html" not in news.text
    assert 'id="figures-head"' in news.text
