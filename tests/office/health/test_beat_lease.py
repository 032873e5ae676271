"""Of several beats one sends; the database says which, and for how long."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import pytest
from django.db import IntegrityError, connection, transaction

from casino.config import beat
from casino.config.celery import app
from casino.engine.logs.health.beat_lease import Lease
from casino.engine.logs.health.models import BeatLease

if TYPE_CHECKING:
    from celery.beat import ScheduleEntry
    from pytest_django import DjangoAssertNumQueries

pytestmark = pytest.mark.django_db


def run_out() -> None:
    """The holder was not heard of for a term."""
    with connection.cursor() as cursor:
        cursor.execute(
            "UPDATE health_beatlease SET renewed_at = '2026-01-01', ends_at = '2026-01-02'"
        )


def test_one_of_two_has_the_lease_and_keeps_it() -> None:
    one, other = Lease(renewed=0.0), Lease(renewed=0.0)

    assert [one.held(), other.held(), one.held(), other.held()] == [True, False, True, False]
    assert (one.fence, other.fence) == (1, None)


def test_who_is_not_heard_of_for_a_term_loses_it_to_the_other() -> None:
    dead, other = Lease(renewed=0.0), Lease(renewed=0.0)
    assert dead.held()
    run_out()

    assert other.held()
    assert other.fence == 2
    assert not dead.held()
    assert dead.fence is None


def test_a_lease_ends_by_itself_where_the_database_is_not_asked_again() -> None:
    lease = Lease(term=0.05, renewed=60.0)
    assert lease.held()

    time.sleep(0.06)

    assert not lease.held()


def test_what_is_given_back_is_there_for_the_other_at_once() -> None:
    one, other = Lease(renewed=0.0), Lease(renewed=0.0)
    assert one.held()
    one.give_back()

    assert other.held()
    assert other.fence == 2


def test_who_lost_it_cannot_give_back_what_another_has() -> None:
    stale, other = Lease(renewed=60.0), Lease(renewed=0.0)
    assert stale.held()
    run_out()
    assert other.held()
    ends = BeatLease.objects.get().ends_at

    stale.give_back()

    assert BeatLease.objects.get().ends_at == ends


def test_the_lease_lasts_a_term_by_the_clock_of_the_database() -> None:
    assert Lease(term=5.0).held()

    row = BeatLease.objects.get()
    assert (row.ends_at - row.renewed_at).total_seconds() == pytest.approx(5.0, abs=0.002)


def test_a_renewal_is_one_statement(
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    lease = Lease(renewed=0.0)
    with django_assert_num_queries(2):
        lease.held()
        lease.held()


@pytest.mark.parametrize("wrong", ["fence = 0", "ends_at = '2000-01-01'"])
def test_the_database_refuses_a_lease_that_cannot_be(wrong: str) -> None:
    assert Lease().held()
    with pytest.raises(IntegrityError), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(f"UPDATE health_beatlease SET {wrong}")  # noqa: S608 - ours, above


class Sent(beat.Leased):
    """What it would send, instead of a broker."""

    def __init__(self) -> None:
        super().__init__(app)
        self.lease = Lease(renewed=0.0)
        self.sent: list[str] = []

    producer: Any = None

    def apply_entry(self, entry: ScheduleEntry, producer: Any = None) -> None:
        del producer
        self.sent.append(str(entry.name))


def ticks(at: Sent) -> set[str]:
    at.sent.clear()
    for _ in range(2 * len(app.conf.beat_schedule)):
        at.tick()
    return set(at.sent)


def test_the_other_beat_sends_nothing_until_the_first_is_gone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    everything = set(app.conf.beat_schedule)
    one, other = Sent(), Sent()
    assert (ticks(one), ticks(other)) == (set(), set())
    later = time.monotonic() + 90.0
    monkeypatch.setattr("casino.config.beat.time.monotonic", lambda: later)

    assert (ticks(one), ticks(other)) == (everything, set())
    one.close()
    assert ticks(other) == everything
