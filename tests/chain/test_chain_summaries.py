"""The summary of a house: what it says, when it is made, and that a page makes none."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest
import time_machine
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from casino.chain import operations, summaries, tasks
from casino.chain.listings import HouseItem, in_state, items, needing, of_chain
from casino.chain.models import HouseSummary
from casino.house.establishments import gaming_day
from casino.house.establishments.gaming_day import A_DAY
from casino.house.establishments.models import Change
from casino.play.core.models import DayFigures
from casino.play.core.subscriptions import quiet
from casino.play.core.subscriptions import tasks as tasks_of
from casino.play.dice.surveillance.models import Alarm
from ledger import journal, lag, subscriptions
from ledger.checkpoints import INTEGRITY
from ledger.models import ParkedEvent, Subscription
from tests.support import builders, watching
from tests.support.builders import throw
from tests.support.chained import chained, joined

if TYPE_CHECKING:
    from tests.support.builders import House

pytestmark = pytest.mark.django_db


def summary(house: House) -> HouseSummary:
    return HouseSummary.objects.get(establishment=house.id)


def played(house: House) -> None:
    game = builders.opened(house)
    builders.put(house, game, throw("Ada", 2, 2, 7), throw("Bruno", 2, 3, 4))
    builders.settled(house)


def swept(*, later: timedelta = summaries.PACE * 2) -> None:
    """What beat and a worker do after some time."""
    for row in HouseSummary.objects.exclude(summed_at=None):
        assert row.summed_at is not None
        HouseSummary.objects.filter(pk=row.pk).update(
            summed_at=row.summed_at - later, due_at=row.due_at and row.due_at - later
        )
    tasks.watch()
    for _each in range(HouseSummary.objects.count() + 1):
        tasks.summarise_next()


def test_a_summary_is_made_once_the_house_s_worker_has_read_further() -> None:
    here = chained(houses=2)
    builders.settled(here.houses[1])
    summaries.refresh(here.houses[1].id)
    played(here.house)
    later = timezone.now() + summaries.PACE + timedelta(seconds=1)
    assert [row.pk for row in summaries.to_be_made(later)] == [here.house.id]
    assert not summaries.to_be_made(timezone.now()).exists()
    swept()

    found = summary(here.house)
    day = DayFigures.objects.get(establishment=here.house.id)
    assert found.position == journal.head(establishment=here.house.id)
    assert (found.throws, found.games, found.running, found.lag) == (2, 1, 1, 0)
    assert (found.staked, found.rounds) == (day.staked, day.rounds)
    assert found.owed == 75


def test_one_that_is_not_signed_is_looked_at_sooner() -> None:
    here = chained(houses=1)
    builders.settled(here.house)
    summaries.refresh(here.house.id)
    now = timezone.now()
    assert not summaries.to_be_made(now + summaries.PACE * 2).exists()
    assert summaries.to_be_made(now + summaries.UNSIGNED * 2).exists()
    assert summaries.to_be_made(now - summaries.PACE * 2).exists()  # a clock was put back


@pytest.mark.long("postgresql", but="citus")
def test_a_quiet_house_is_looked_at_more_and_more_seldom() -> None:
    start = datetime(2026, 11, 4, 20, 0, tzinfo=UTC)  # a gaming day begins at six in the morning
    waits = []
    with time_machine.travel(start, tick=False) as clock:
        here = chained(houses=1)
        builders.settled(here.house)
        summaries.refresh(here.house.id)
        for _look in range(12):
            due = due_of(here.house)
            waits.append(due - timezone.now())
            clock.move_to(due)
            assert [row.pk for row in summaries.to_be_made(due)] == [here.house.id]
            summaries.refresh(here.house.id)
        played(here.house)
        summaries.refresh(here.house.id)
        waits.append(due_of(here.house) - timezone.now())

    first = summaries.UNSIGNED
    assert waits[:3] == [first, first * 2, first * 4]
    assert waits[-2:] == [summaries.SELDOM, first]


def test_one_that_was_made_while_workers_were_behind_is_made_again_at_once() -> None:
    """Its position is the ledger's last, so nothing else would say that its figures are old."""
    here = chained(houses=1)
    builders.put(here.house, builders.opened(here.house), throw("Ada", 2, 2, 7))
    with time_machine.travel(timezone.now(), tick=False):
        summaries.refresh(here.house.id)
        assert summary(here.house).lag > 0
        assert due_of(here.house) - timezone.now() == summaries.PACE


def test_a_gaming_day_that_begins_is_a_new_summary() -> None:
    here = chained(houses=1)
    house = here.house.establishment
    tomorrow = gaming_day.begins(house, gaming_day.gaming_day(house, timezone.now()) + A_DAY)
    with time_machine.travel(tomorrow - timedelta(seconds=9), tick=False):
        summaries.refresh(here.house.id)
    assert due_of(here.house) == tomorrow


def due_of(house: House) -> datetime:
    due = summary(house).due_at
    assert due is not None
    return due


def test_a_house_stays_on_the_list_until_its_summary_is_of_all_its_events() -> None:
    """What a sweep asks is of the houses on the list of `ledger.lag`, and of no other."""
    here = chained(houses=2)
    played(here.house)
    for each in here.houses:
        while tasks_of.advance_all(each.id):
            pass
        Subscription.objects.update_or_create(
            establishment=each.id, name=INTEGRITY.name, defaults={"position": 10**6}
        )
    summaries.refresh(here.houses[1].id)
    assert summaries.behind(lag.read_list(quiet.READERS)) == {here.house.id}
    quiet.rest()
    assert here.house.id in lag.unread_houses()
    swept()
    assert summaries.behind(lag.read_list(quiet.READERS)) == set()


def test_a_house_of_no_chain_has_none() -> None:
    house = builders.house()
    played(house)
    assert not summaries.refresh(house.id)
    assert not HouseSummary.objects.exists()


def test_one_that_was_deleted_is_made_again_from_nothing() -> None:
    here = chained(houses=1)
    played(here.house)
    HouseSummary.objects.all().delete()
    swept()
    assert summary(here.house).throws == 2


def test_an_alarm_and_who_waits_are_counted() -> None:
    here = chained(houses=1)
    watching.loaded_dice(here.house)
    summaries.refresh(here.house.id)

    open_alarms = Alarm.objects.filter(establishment=here.house.id, open=True).count()
    assert summary(here.house).alarms == open_alarms > 0
    assert [row.pk for row in needing(of_chain(here.chain), "alarms")] == [here.house.id]
    assert [row.pk for row in needing(of_chain(here.chain), "any")] == [here.house.id]
    assert not needing(of_chain(here.chain), "approvals").exists()


def test_it_asks_of_its_own_house_alone_and_as_much_in_a_long_ledger() -> None:
    here = chained(2)
    played(here.house)
    summaries.refresh(here.house.id)

    def asked() -> list[str]:
        with CaptureQueriesContext(connection) as queries:
            summaries.refresh(here.house.id)
        return [each["sql"] for each in queries if "SAVEPOINT" not in each["sql"]]

    few = asked()
    spelled = {str(here.house.id), here.house.id.hex}
    assert [sql for sql in few if not any(each in sql for each in spelled)] == []
    for _number in range(3):
        builders.on_record(here.house.establishment)
    assert len(asked()) == len(few) <= 20


def test_workers_read_a_chain_s_ledger_and_make_nothing_of_it() -> None:
    """Sweeps go by the ledgers there are, and a chain's is one of them."""
    here = chained(1)
    assert subscriptions.lagging(tasks_of.SUBSCRIBERS)
    for each in subscriptions.lagging(tasks_of.SUBSCRIBERS):
        while tasks_of.advance_all(each.establishment):
            pass
    assert subscriptions.lagging(tasks_of.SUBSCRIBERS) == []
    assert not ParkedEvent.objects.exists()
    assert not Change.objects.filter(establishment=here.chain.pk).exists()


STATES = [
    # nothing yet; begun and not over; over; being closed; closed before the next begins
    ({"summed_at": None}, "new"),
    ({}, "open"),
    ({"late_from": timedelta(minutes=-1)}, "late"),
    ({"closing": True}, "closing"),
    ({"opens_at": timedelta(hours=1)}, "closed"),
]


@pytest.mark.long("postgresql", but="citus")
@pytest.mark.parametrize(("values", "state"), STATES)
def test_the_state_is_told_by_the_clock_of_whoever_reads(
    values: dict[str, object], state: str
) -> None:
    here, now = chained(houses=1), timezone.now()
    usual = {"opens_at": timedelta(hours=-5), "late_from": timedelta(hours=5)}
    moments = {
        name: now + each if isinstance(each, timedelta) else each
        for name, each in {**usual, **values}.items()
    }
    HouseSummary.objects.update(**moments)

    [item] = items(None, list(of_chain(here.chain)))  # type: ignore[arg-type]
    assert item.state == state
    states = ("new", "open", "late", "closing", "closed")
    assert [each for each in states if in_state(of_chain(here.chain), each).exists()] == [state]


@pytest.mark.long("postgresql", but="citus")
def test_a_summary_that_is_old_says_so() -> None:
    here = chained(houses=1)
    row = summary(here.house)
    coins = items(None, [row])[0].coins  # type: ignore[arg-type]
    assert not HouseItem(row, timezone.now(), coins).old
    assert row.due_at is not None
    assert HouseItem(row, row.due_at + summaries.OLD * 2, coins).old
    HouseSummary.objects.update(due_at=timezone.now() - summaries.OLD * 2)
    assert needing(of_chain(here.chain), "old").exists()


def test_a_house_that_left_is_seen_by_nobody_of_the_chain() -> None:
    here = chained(houses=2)
    operations.leave(here.chain, here.house.establishment, reason="", now=timezone.now())
    assert [row.pk for row in of_chain(here.chain)] == [here.houses[1].id]
    assert not of_chain(None).exists()


@pytest.mark.long("postgresql", but="citus")
def test_coins_of_different_currencies_are_never_added() -> None:
    here = chained(houses=0)
    for code, symbol, digits, staked in (
        ("EUR", "€", 2, 100), ("EUR", "€", 2, 50), ("", "r", 0, 7), ("", "r", 2, 9),
    ):  # fmt: skip
        house = builders.house(currency_code=code, currency_symbol=symbol, coin_digits=digits)
        joined(here.chain, house)
        HouseSummary.objects.filter(establishment=house.id).update(staked=staked)

    found = summaries.per_currency(of_chain(here.chain))
    assert [(*list(each.values())[1:3], each["houses"],
             each["sum_staked"]) for each in found] == [
        ("r", 0, 1, 7), ("r", 2, 1, 9), ("€", 2, 2, 150),
    ]  # fmt: skip
