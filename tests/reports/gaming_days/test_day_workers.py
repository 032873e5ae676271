"""A gaming day is closed by workers, whatever becomes of them: once, with everything in it (B4)."""

from __future__ import annotations

from datetime import date, time, timedelta
from typing import TYPE_CHECKING

import pytest
from django.utils import timezone

from casino.house.establishments import gaming_day
from casino.reports.gaming_days import closing
from ledger.models import Event
from tests.forms import LONG_FORM
from tests.processes import eventually
from tests.support import builders
from tests.support.dayend import begun, day_stream
from tests.support.playing import booked_events, opened, round_played
from tests.support.processes import Site, killed_at_work

if TYPE_CHECKING:
    from uuid import UUID

    from tests.support.builders import House

pytestmark = [pytest.mark.processes, pytest.mark.django_db(transaction=True)]

ROUNDS, TRIES = 40 if LONG_FORM else 8, 3
LONG_AGO = timezone.now() - timedelta(days=3)  # by the real clock, as the workers have it


@pytest.fixture
def house(place: Site) -> House:
    del place
    return founded()


def founded() -> House:
    return builders.house(day_cutoff=time(6), closing_grace=0)


def watched(place: Site) -> None:
    """What beat does each minute."""
    place.run(
        "import django; django.setup()\n"
        "from casino.reports.gaming_days.tasks import watch\nwatch.delay()\n"
    )


def played(house: House) -> UUID:
    """A long day of which nothing is settled."""
    game = opened(house, stake=1000, now=LONG_AGO)
    for _ in range(ROUNDS):
        round_played(house, game, now=LONG_AGO)
    return game


def that_day(house: House) -> date:
    return gaming_day.gaming_day(house.establishment, LONG_AGO)


def is_closed(house: House) -> bool:
    return gaming_day.day_state(house.id).closed is not None


def closed_once(house: House, game: UUID) -> None:
    day = that_day(house)
    closed_event = closing.event_of_close(house.id, day)
    assert closed_event is not None
    assert closed_event.data["totals"]["rounds"] == ROUNDS
    assert closed_event.data["totals"]["staked"] == 7 * ROUNDS
    assert {event.provenance.gaming_day for event in booked_events(house, game)} == {day}
    assert [each for each in day_stream(house) if each.endswith(f" {day:%d}")] == [
        f"day.{what} {day:%d}" for what in ("opened", "closing", "closed")
    ]
    last = Event.objects.filter(establishment=house.id, gaming_day__lte=day).order_by("-position")
    assert last[0].position < closed_event.position


@pytest.mark.long
def test_killed_while_it_drains_another_goes_on(place: Site) -> None:
    for number in range(TRIES):
        house = founded()
        game = played(house)
        begun(house, that_day(house), now=LONG_AGO)
        with place.worker(f"first-{number}") as first:
            watched(place)
            killed_at_work(first, house)
        if not is_closed(house):
            break  # else it was done before anybody saw it at work
    assert not is_closed(house)

    with place.worker("second"):
        watched(place)
        eventually(lambda: is_closed(house))

    closed_once(house, game)


@pytest.mark.long(but="citus")
def test_told_twice_by_the_watch_two_workers_close_it_once(place: Site, house: House) -> None:
    """The cut-off was long ago by the real clock: nobody closed the day, so it closes itself."""
    game = played(house)
    with place.worker("one"), place.worker("other"):
        for _ in range(3):
            watched(place)
        eventually(lambda: is_closed(house))

    closed_event = closing.event_of_close(house.id, that_day(house))
    assert closed_event is not None
    assert closed_event.data["automatic"] is True
    closed_once(house, game)
