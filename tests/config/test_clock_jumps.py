"""A clock that is put back or on while the house plays: nothing is lost, nothing waits for it."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
import time_machine
from django.conf import settings as configured

from casino.engine.logs.health import models
from casino.engine.processes.queues.house_subscriber import HOUSE
from casino.house.attendants import lockout
from casino.house.establishments import gaming_day
from casino.kit.web.jobs import running
from casino.kit.web.jobs import tasks as job_tasks
from casino.kit.web.jobs.models import Occasion
from casino.office.monitoring import checks as health
from casino.play.core.subscriptions.tasks import advance
from casino.play.devices import leases
from casino.proof.disputes.regrade import runs as regrades
from casino.proof.disputes.regrade.reading import Period
from casino.proof.signing.models import Verification
from casino.proof.verification import runs as verifications
from casino.reports.gaming_days import closing
from casino.reports.gaming_days.models import LateEntry
from ledger import journal
from tests.support import books, builders
from tests.support.dayend import TODAY, TOMORROW, act, closed, days_of
from tests.support.playing import (
    NOW,
    PAIR_4,
    PAIR_7,
    booked_events,
    done,
    game_of,
    opened,
    round_played,
    settled,
    thrown,
)
from tests.support.proven import happened, keyed, signed
from tests.support.regrading import differences

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_django import Settings

    from casino.house.attendants.lockout import Target
    from casino.proof.disputes.regrade.models import Regrade
    from tests.support.builders import House

pytestmark = pytest.mark.django_db

SECOND, MINUTE = timedelta(seconds=1), timedelta(minutes=1)
HOUR, DAY = timedelta(hours=1), timedelta(days=1)
JUMPS = [-DAY, -HOUR, -MINUTE, HOUR]


@pytest.fixture
def house() -> House:
    return builders.house()


# --- While playing ------------------------------------------------------------------------------


@pytest.mark.long("postgresql")
@pytest.mark.parametrize("jump", JUMPS, ids=str)
def test_a_game_goes_on_in_the_order_in_which_it_was_recorded(
    house: House, jump: timedelta
) -> None:
    """E3: recorded_at is what the server's clock said; the order is the ledger's."""
    game = opened(house)
    thrown(house, game, "Ada", PAIR_7, now=NOW)
    at = NOW + jump
    thrown(house, game, "Bo", PAIR_4, now=at)
    round_played(house, game, now=at + SECOND)
    settled(house)
    done(house, game, "close", now=at + MINUTE)
    settled(house)

    events = game_of(house, game).events
    assert [event.position for event in events] == sorted(event.position for event in events)
    throws = [event for event in events if event.event_type.endswith("thrown")]
    assert [event.provenance.recorded_at for event in throws] == [NOW, at, *[at + SECOND] * 2]
    books.hold_at_every_moment(house)
    books.are_the_rules_result(house, [game])
    assert differences(house) == []


@pytest.mark.long("postgresql")
@pytest.mark.parametrize("jump", JUMPS, ids=str)
def test_what_a_right_device_tells_a_wrong_server_is_flagged(house: House, jump: timedelta) -> None:
    """E3: more than five seconds apart. Nothing is refused for it, but a day ahead of the house."""
    game = opened(house)

    thrown(house, game, "Ada", PAIR_7, now=NOW + jump, occurred_at=NOW.isoformat())
    advance(HOUSE, house.id)

    rows = LateEntry.objects.filter(establishment=house.id, kind=LateEntry.Kind.SKEW)
    assert [row.seconds for row in rows] == [round(jump.total_seconds())]


@pytest.mark.rows(postgresql=1)
@pytest.mark.parametrize("back", [HOUR, 9 * HOUR, 3 * DAY], ids=str)
def test_a_clock_put_back_over_the_cut_off_books_nothing_into_a_closed_day(
    house: House, back: timedelta
) -> None:
    """B4: neither what is played then nor what settlement books for it."""
    game = opened(house)
    round_played(house, game)
    morning = NOW + 9 * HOUR  # half an hour behind the cut-off
    event = closed(house, now=morning)

    before = journal.head(establishment=house.id)
    round_played(house, game, now=morning - back)
    settled(house)

    after = journal.read(establishment=house.id, after=before, limit=100)
    assert {event.provenance.gaming_day for event in after} == {TOMORROW}
    assert days_of(booked_events(house, game)) == [20, 21]
    assert event.data["totals"]["rounds"] == 1
    assert gaming_day.current(house.establishment, morning - back) == TOMORROW


@pytest.mark.long("postgresql")
def test_it_is_signed_and_verified_by_position(
    house: House, settings: Settings, tmp_path: Path
) -> None:
    """A later checkpoint may have been signed at an earlier time."""
    settings.LEDGER_KEYS_DIR = tmp_path / "keys"
    builders.on_record(house.establishment)
    keyed(house)
    happened(house, 3, now=NOW)
    signed(house, now=NOW)
    happened(house, 3, now=NOW - HOUR)

    later = signed(house, now=NOW - HOUR)

    assert later.signed_at < NOW
    run = a_verification(house)
    while running.advance(verifications.VERIFICATION, house.id, run.id, seconds=60):
        pass
    run.refresh_from_db()
    assert (run.state, run.findings) == (Verification.State.SOUND, 0)


# --- What comes round ---------------------------------------------------------------------------


def a_verification(house: House, **more: Any) -> Verification:
    occasion = Occasion.ON_DEMAND
    return verifications.begin(house=house.establishment, now=NOW, occasion=occasion, **more)


def a_regrade(house: House, **more: Any) -> Regrade:
    return regrades.begin(house=house.establishment, now=NOW, period=Period(), **more)


@pytest.mark.parametrize(
    ("begin", "stalled"),
    [(a_verification, running.jobs_without_step), (a_regrade, running.jobs_without_step)],
    ids=["verification", "regrade"],
)
def test_what_a_killed_worker_left_does_not_wait_until_the_clock_is_where_it_was(
    house: House, begin: Any, stalled: Any
) -> None:
    opened(house)
    run = begin(house)

    assert list(stalled(NOW - MINUTE)) == []
    assert list(stalled(NOW - HOUR)) == [run]


@pytest.mark.long("postgresql")
@pytest.mark.parametrize("nightly", [verifications.nightly, regrades.nightly])
def test_a_clock_that_was_a_year_ahead_for_a_moment_keeps_no_night_from_being_checked(
    house: House, nightly: Any
) -> None:
    opened(house)
    ahead = nightly(house.establishment, NOW + 365 * DAY)
    type(ahead).objects.update(state="failed")

    tonight = nightly(house.establishment, NOW)

    assert tonight.day == TODAY - DAY
    assert nightly(house.establishment, NOW) is None


@pytest.mark.long("postgresql")
def test_a_clock_put_back_after_the_start_begins_no_second_verification(house: House) -> None:
    """Each minute another, until the clock was where it had been."""
    opened(house)
    with time_machine.travel(NOW + 2 * DAY, tick=False) as clock:
        job_tasks.watch()  # the night's
        Verification.objects.update(state="sound")
        job_tasks.watch()
        Verification.objects.update(state="sound")
        begun = Verification.objects.count()

        clock.shift(-HOUR)
        job_tasks.watch()

    assert Verification.objects.count() == begun


@pytest.mark.long("postgresql")
def test_a_worker_that_died_before_the_clock_was_put_back_is_not_taken_for_alive() -> None:
    for queue in configured.QUEUES:
        models.sign(queue=queue, worker="gone", at=NOW)
    back = NOW - HOUR

    assert not health.worker(back).ok
    assert not models.play_worker(back)["alive"]
    for queue in configured.QUEUES:
        models.sign(queue=queue, worker="here", at=back - SECOND)
    assert health.worker(back).says == "Every queue was served within the last 1 s."


@pytest.mark.long("postgresql")
def test_a_device_is_heard_of_again_at_once(house: House) -> None:
    """And who watches is not told that it is in touch until the clock is where it was."""
    game = opened(house)
    leases.heard(house.id, game, "tablet-1", NOW)
    back = NOW - HOUR

    assert leases.note_poll(house.id, game, "tablet-2", back) > 0
    leases.note_poll(house.id, game, "tablet-1", back)
    assert leases.silent_for(house.id, game, back + 3 * SECOND) == 3
    assert leases.note_poll(house.id, game, "tablet-2", back + SECOND) == 0


# --- People -------------------------------------------------------------------------------------


@pytest.fixture
def locked(house: House) -> Target:
    target = lockout.second_factor(house.attendant, "")[0]
    for _ in range(lockout.TRIES):
        lockout.spend(target, NOW)
    return target


@pytest.mark.long("postgresql")
def test_a_lock_ends_as_long_after_as_it_would_have(locked: Target) -> None:
    back = NOW - HOUR

    with pytest.raises(lockout.LockedOut) as first:
        lockout.spend(locked, back)
    with pytest.raises(lockout.LockedOut):
        lockout.spend(locked, back + lockout.WITHIN - SECOND)

    assert first.value.minutes == lockout.MINUTES
    assert lockout.spend(locked, back + lockout.WITHIN) is False


@pytest.mark.long("postgresql")
def test_a_clock_put_back_gives_nobody_more_tries(house: House) -> None:
    target = lockout.second_factor(house.attendant, "")[0]
    for number in range(lockout.TRIES):
        lockout.spend(target, NOW - number * HOUR)

    with pytest.raises(lockout.LockedOut):
        lockout.spend(target, NOW - 6 * HOUR)


@pytest.mark.long("postgresql")
@pytest.mark.parametrize("jump", [-HOUR, HOUR], ids=str)
def test_who_is_signed_in_stays_signed_in(house: House, jump: timedelta) -> None:
    with time_machine.travel(NOW, tick=False) as clock:
        mira = builders.signed_in(house.attendant)
        assert mira.get("/floor/").status_code == 200
        clock.shift(jump)

        assert mira.get("/floor/").status_code == 200


@pytest.mark.long("postgresql")
def test_what_a_clock_that_ran_ahead_has_begun_is_closed_once_it_has_begun(house: House) -> None:
    """B4: the day does not go back. Nothing is lost by it but that the evening is tomorrow's."""
    opened(house)
    game = opened(house, table=house.tables[1], now=NOW + DAY)
    round_played(house, game, now=NOW)
    closed(house)

    with pytest.raises(closing.NotBegun):
        closing.close(act(house, now=NOW + MINUTE), TOMORROW)

    assert closed(house, TOMORROW, now=NOW + DAY).data["totals"]["rounds"] == 1
