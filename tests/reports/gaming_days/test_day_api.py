"""Gaming days on the API: listed, closed, signed, what one came to (B4)."""

from __future__ import annotations

import uuid
from datetime import time
from typing import TYPE_CHECKING, Any

import pytest
import time_machine

from casino.engine.processes.queues.house_subscriber import HOUSE
from casino.house.attendants.models import Role
from casino.house.establishments import gaming_day
from casino.play.core.subscriptions.tasks import advance
from casino.reports.gaming_days import tasks
from tests.support import builders, module_data
from tests.support.dayend import TODAY, TOMORROW, closed, day_stream
from tests.support.playing import NOW, opened, round_played, settled, thrown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.support.builders import House

pytestmark = [pytest.mark.django_db, pytest.mark.long("postgresql", but="citus")]


@pytest.fixture(autouse=True)
def _at_night() -> Iterator[None]:
    with time_machine.travel(NOW, tick=False):
        yield


def a_round() -> House:
    made = builders.house(day_cutoff=time(6))
    round_played(made, opened(made))
    settled(made)
    advance(HOUSE, made.id)
    return made


played = module_data.shared(a_round)
house = module_data.house_of_its_own


def sent(house: House, rest: str, role: Role = Role.MANAGER, **body: Any) -> Any:
    fields = {"command_id": str(uuid.uuid4()), **body}
    return house.client(role).post(house.url(f"days/{rest}"), fields)


@pytest.mark.long("postgresql")
def test_days_are_listed_newest_first(house: House) -> None:
    closed(house)

    rows = house.client(Role.ATTENDANT).get(house.url("days/")).json()["results"]

    assert [(row["day"], row["state"]) for row in rows] == [
        (str(TOMORROW), "open"),
        (str(TODAY), "closed"),
    ]
    assert rows[1]["by"] == str(house.manager.pk)
    assert rows[1]["rounds"] == 1


def test_a_day_is_closed_and_comes_to_something(house: House) -> None:
    answer = sent(house, f"{TODAY}/close/")

    assert answer.status_code == 200, answer.content
    assert answer.json()["state"] == "closing"
    tasks.close_day(establishment=str(house.id))
    body = house.client(Role.AUDITOR).get(house.url(f"days/{TODAY}/")).json()
    assert body["state"] == "closed"
    assert body["behind"] == 0
    assert body["summary"]["totals"]["staked"] == 7
    assert body["summary"]["position"] == body["closing_position"]


def test_the_same_request_closes_once(house: House) -> None:
    command_id = str(uuid.uuid4())

    codes = {sent(house, f"{TODAY}/close/", command_id=command_id).status_code for _ in range(2)}

    assert codes == {200}
    assert day_stream(house) == ["day.opened 20", "day.closing 20"]


def test_another_request_under_its_id_is_a_conflict(house: House) -> None:
    command_id = str(uuid.uuid4())
    sent(house, f"{TODAY}/close/", command_id=command_id)
    advance(HOUSE, house.id)

    answer = sent(house, f"{TOMORROW}/close/", command_id=command_id)

    assert answer.status_code == 409
    assert answer.json()["code"] == "command_reused"


@pytest.mark.long("postgresql")
def test_what_is_refused_says_why_and_says_it_again(house: House) -> None:
    closed(house)
    command_id = str(uuid.uuid4())
    for _ in range(2):
        answer = sent(house, f"{TODAY}/close/", command_id=command_id)
        assert answer.status_code == 422
        assert answer.json()["code"] == "day_closed_already"
    assert sent(house, f"{TOMORROW}/close/").json()["code"] == "day_not_begun"


@pytest.mark.long("postgresql")
def test_a_second_name(house: House) -> None:
    """C1."""
    assert sent(house, f"{TODAY}/sign/", Role.SUPERVISOR).json()["code"] == "day_not_closed"
    closed(house)

    assert sent(house, f"{TODAY}/sign/").json()["code"] == "own_closing"
    signed = sent(house, f"{TODAY}/sign/", Role.SUPERVISOR)
    assert signed.json()["signed_by"] == str(house.supervisor.pk)


# fmt: off
ROLES = [
    # address,            method, who may
    ("days/",             "get",  set(Role)),
    (f"days/{TODAY}/",    "get",  {Role.MANAGER, Role.AUDITOR}),
    ("late/",             "get",  {Role.MANAGER, Role.AUDITOR}),
]
# fmt: on


@pytest.mark.parametrize(("address", "method", "who"), ROLES)
def test_who_may_look(house: House, address: str, method: str, who: set[Role]) -> None:
    """D1; B1: the summary says what floats hold."""
    for role in Role:
        answer = getattr(house.client(role), method)(house.url(address))
        assert (answer.status_code == 200) is (role in who), role


@pytest.mark.parametrize("role", [role for role in Role if role != Role.MANAGER])
def test_managers_close(house: House, role: Role) -> None:
    """D1."""
    assert sent(house, f"{TODAY}/close/", role).status_code == 403


@pytest.mark.long("postgresql")
@pytest.mark.parametrize("day", ["2026-11-19", "yesterday"])
def test_a_day_that_is_none_is_not_found(house: House, day: str) -> None:
    assert house.client(Role.MANAGER).get(house.url(f"days/{day}/")).status_code == 404
    assert sent(house, f"{day}/close/").status_code == 404


def test_another_houses_days_are_not_there(house: House) -> None:
    stranger = builders.house().client(Role.MANAGER)

    for rest in ("days/", f"days/{TODAY}/", "late/"):
        assert stranger.get(house.url(rest)).status_code == 404
    body = {"command_id": str(uuid.uuid4())}
    assert stranger.post(house.url(f"days/{TODAY}/close/"), body).status_code == 404
    assert day_stream(house) == ["day.opened 20"]


@pytest.mark.long("postgresql")
def test_late_entries(house: House) -> None:
    """E5."""
    later = NOW + gaming_day.A_DAY
    game = opened(house, table=house.tables[1], now=later)
    thrown(house, game, "Ada", (2, 2, 7), now=later, occurred_at=NOW.isoformat())
    advance(HOUSE, house.id)

    [row] = house.client(Role.AUDITOR).get(house.url("late/")).json()["results"]

    assert (row["kind"], row["meant_for"], row["seconds"]) == ("late", str(TODAY), 86400)


@pytest.mark.long("postgresql")
def test_the_house_says_what_day_it_is(house: House) -> None:
    closed(house)

    assert house.client().get(house.url()).json()["gaming_day"] == str(TOMORROW)
