"""The pages of gaming days: looked at by everybody, closed by managers, printed from one event."""

from __future__ import annotations

import uuid
from datetime import time, timedelta
from typing import TYPE_CHECKING

import pytest
import time_machine
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from casino.engine.processes.queues.house_subscriber import HOUSE
from casino.house.attendants.models import Role
from casino.house.establishments import gaming_day
from casino.play.core.subscriptions.tasks import advance
from casino.reports.gaming_days import tasks
from casino.reports.gaming_days.models import GamingDay
from tests.support import builders, module_data
from tests.support.dayend import TODAY, TOMORROW, closed, day_stream
from tests.support.playing import NOW, done, opened, round_played, settled, thrown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from django.http import HttpResponse

    from tests.support.builders import House

pytestmark = [pytest.mark.django_db, pytest.mark.long("postgresql")]

DAYS, DAY = "/days/", f"/days/{TODAY}/"


@pytest.fixture(autouse=True)
def _at_night() -> Iterator[None]:
    with time_machine.travel(NOW, tick=False):
        yield


def a_round() -> House:
    made = builders.house(day_cutoff=time(6))
    game = opened(made)
    round_played(made, game)
    settled(made)
    advance(HOUSE, made.id)
    return made


played = module_data.shared(a_round)
house = module_data.house_of_its_own


def looked(house: House, url: str, role: Role = Role.MANAGER) -> str:
    answer = builders.signed_in(house.people[role]).get(url)
    assert answer.status_code == 200, answer.content
    return str(answer.content.decode())


def sent(house: House, url: str, role: Role = Role.MANAGER) -> HttpResponse:
    client = builders.signed_in(house.people[role])
    answer: HttpResponse = client.post(url, {"command_id": str(uuid.uuid4())}, format="multipart")
    return answer


def test_the_start_page_says_how_the_day_stands(house: House) -> None:
    assert "Fri 20 November is open" in looked(house, reverse("start"))

    done_next_day = NOW + gaming_day.A_DAY
    with time_machine.travel(done_next_day, tick=False):
        game = opened(house, table=house.tables[1], now=done_next_day)
        thrown(house, game, "Ada", (2, 2, 7), now=done_next_day)
        page = looked(house, reverse("start"))
    assert "Fri 20 November is over" in page
    assert f"/days/{TODAY}/" in page


def test_a_house_where_nothing_happened_says_what_to_do() -> None:
    empty = builders.house()

    assert "open a table" in looked(empty, DAYS)


def test_a_day_that_has_just_begun_has_its_page_before_its_row_is_kept() -> None:
    """The start page leads there as soon as the ledger has the day."""
    just_begun = builders.house(day_cutoff=time(6))
    opened(just_begun)

    assert not GamingDay.objects.filter(establishment=just_begun.id).exists()
    assert DAY in looked(just_begun, reverse("start"))
    assert "Close 20 November" in looked(just_begun, DAY)
    assert sent(just_begun, DAY).status_code == 302


def test_the_checklist_names_what_it_would_leave_behind(house: House) -> None:
    page = looked(house, DAY)

    assert "1 goes on" in page
    assert "open liability: pots" in page
    assert "Close 20 November" in page
    assert "not known" in page  # devices


@pytest.mark.parametrize("role", [role for role in Role if role != Role.MANAGER])
def test_others_look_and_do_not_close(house: House, role: Role) -> None:
    """D1."""
    assert "Close 20 November" not in looked(house, DAY, role)

    assert sent(house, DAY, role).status_code == 403
    assert day_stream(house) == ["day.opened 20"]


def test_closing_asks_once_shows_progress_and_then_the_summary(house: House) -> None:
    answer = sent(house, DAY)

    assert answer.status_code == 302
    page = looked(house, DAY)
    assert "Being closed" in page
    assert 'hx-trigger="every' in page  # by itself: a refresh would keep the session open
    assert "http-equiv" not in page
    assert "still to be booked" in page or "Everything of it is booked" in page
    tasks.close_day(establishment=str(house.id))
    page = looked(house, DAY)
    assert "Open liability" in page
    assert str(house.manager) in page
    assert "leaf hash" in page


def test_a_double_tap_closes_once(house: House) -> None:
    client = builders.signed_in(house.manager)
    body = {"command_id": str(uuid.uuid4())}

    assert {client.post(DAY, body, format="multipart").status_code for _ in range(2)} == {302}
    assert day_stream(house) == ["day.opened 20", "day.closing 20"]


def test_what_cannot_be_closed_says_why(house: House) -> None:
    closed(house)
    with time_machine.travel(NOW + timedelta(minutes=1), tick=False):
        answer = sent(house, f"/days/{TOMORROW}/")

    assert answer.status_code == 422
    assert b"it can be closed from then on" in answer.content


def test_the_summary_does_not_change_with_what_comes_later(house: House) -> None:
    """B4: frozen."""
    closed(house)
    before = looked(house, DAY)
    game = opened(house, table=house.tables[1], now=NOW + gaming_day.A_DAY)
    round_played(house, game, now=NOW + gaming_day.A_DAY)
    done(house, game, "close", now=NOW + gaming_day.A_DAY)
    settled(house)
    advance(HOUSE, house.id)

    after = looked(house, DAY)

    def of_the_day(page: str) -> str:
        return page[page.index('<dl class="facts">') : page.index("</main>")].partition("csrf")[0]

    assert of_the_day(after) == of_the_day(before)


def test_what_floats_hold_is_not_shown_to_whoever_counts_them(house: House) -> None:
    """B1."""
    closed(house)

    assert "Cash at the end" in looked(house, DAY, Role.MANAGER)
    assert "Cash at the end" in looked(house, DAY, Role.AUDITOR)
    assert "Cash at the end" not in looked(house, DAY, Role.SUPERVISOR)
    assert "Cash at the end" not in looked(house, DAY, Role.ATTENDANT)


def test_a_second_person_signs_by_name(house: House) -> None:
    closed(house)
    assert 'action="/days/2026-11-20/sign/"' not in looked(house, DAY, Role.MANAGER)
    assert 'action="/days/2026-11-20/sign/"' in looked(house, DAY, Role.SUPERVISOR)

    answer = sent(house, f"{DAY}sign/", Role.SUPERVISOR)

    assert answer.status_code == 302
    assert GamingDay.objects.get(establishment=house.id, day=TODAY).signed_by == str(
        house.supervisor.pk
    )
    assert f"<b>{house.supervisor}</b>" in looked(house, DAY)
    assert sent(house, f"{DAY}sign/", Role.ATTENDANT).status_code == 403


def test_the_list_has_every_day(house: House) -> None:
    closed(house)

    page = looked(house, DAYS)

    assert "Fri 20 November 2026" in page
    assert "Sat 21 November 2026" in page
    assert str(house.manager) in page


def test_late_entries_are_listed(house: House) -> None:
    """B4, E5."""
    game = opened(house, table=house.tables[1], now=NOW + gaming_day.A_DAY)
    thrown(house, game, "Ada", (2, 2, 7), now=NOW + gaming_day.A_DAY, occurred_at=NOW.isoformat())
    advance(HOUSE, house.id)

    page = looked(house, f"{DAYS}late/")

    assert "late: of 20 Nov" in page
    assert "late: of 20 Nov" in looked(house, f"/days/{TOMORROW}/")
    assert "late: of 20 Nov" not in looked(house, f"{DAYS}late/?kind=booked")
    assert builders.signed_in(house.attendant).get(f"{DAYS}late/").status_code == 403


@pytest.mark.parametrize("day", ["2026-11-19", "yesterday", "2026-13-01"])
def test_a_day_that_is_none_is_not_found(house: House, day: str) -> None:
    assert builders.signed_in(house.manager).get(f"/days/{day}/").status_code == 404


def test_another_houses_days_are_not_found(house: House) -> None:
    assert house.id
    stranger = builders.house()

    assert builders.signed_in(stranger.manager).get(DAY).status_code == 404


def test_pages_cost_the_same_however_long_the_day(house: House) -> None:
    game = opened(house, table=house.tables[1], stake=500)
    for _ in range(3):
        round_played(house, game)
    settled(house)
    advance(HOUSE, house.id)
    client = builders.signed_in(house.manager)
    client.get(DAY)
    with CaptureQueriesContext(connection) as few:
        client.get(DAY)
    for _ in range(20):
        round_played(house, game)
    settled(house)
    advance(HOUSE, house.id)
    with CaptureQueriesContext(connection) as many:
        client.get(DAY)
    assert len(many) <= len(few) + 1  # what day it is, is asked anew every few seconds
