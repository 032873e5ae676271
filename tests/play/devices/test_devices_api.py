"""The API of late entries and gaps: what waits is listed and answered as on the page (E5)."""

from __future__ import annotations

from http import HTTPStatus
from typing import TYPE_CHECKING, Any
from uuid import UUID, uuid4

import pytest

from casino.house.attendants.models import Role
from tests.play.devices.test_devices_late import thrown
from tests.support import builders
from tests.support.tablet import Tablet, form, throw

if TYPE_CHECKING:
    from tests.support.builders import House

pytestmark = pytest.mark.django_db


@pytest.fixture
def house() -> House:
    return builders.house()


@pytest.fixture
def game(house: House) -> UUID:
    return UUID(builders.opened(house))


@pytest.fixture
def tablet(house: House, game: UUID) -> Tablet:
    """Mira's, whose lease has lapsed."""
    mira = Tablet(house.attendant, game, term=1)
    mira.take_over()
    Tablet(house.supervisor, game).take_over()
    return mira


def listed(house: House, what: str = "late-entries/", query: str = "") -> list[dict[str, Any]]:
    answer = house.client(Role.AUDITOR).get(house.url(f"{what}{query}"))
    assert answer.status_code == HTTPStatus.OK, answer.json()
    rows: list[dict[str, Any]] = answer.json()["results"]
    return rows


def send(
    house: House, row: dict[str, Any], do: str, *, what: str = "late-entries", **body: Any
) -> Any:
    address = house.url(f"{what}/{row['game']}/{row['number']}/{do}/")
    return house.client(Role.SUPERVISOR).post(address, {"command_id": str(uuid4()), **body})


@pytest.mark.long("postgresql")
def test_what_waits_is_listed_in_words_and_as_a_command(
    house: House, game: UUID, tablet: Tablet
) -> None:
    tablet.put(throw("Ada", 2, 2, 7))
    tablet.put("do=throw&player=Bruno&dice=x", **{"as": "late"})

    unread, row = listed(house, query="?state=waiting")

    assert (row["entry"], row["why"], row["state"]) == ("Ada throws", "lapsed", "waiting")
    assert row["command"]["do"] == "throw"
    assert (row["command"]["player"], row["command"]["dice"]) == ("Ada", [2, 2, 7])
    assert row["made_by"] == {"id": str(house.attendant.pk), "name": str(house.attendant)}
    assert row["decided_by"] is None
    assert unread["command"] is None
    assert "Bruno" in unread["entry"]
    one = house.client(Role.MANAGER).get(house.url(f"late-entries/{game}/{row['number']}/"))
    assert one.json() == row


def test_put_it_is_recorded_once_however_often_the_request_is_sent(
    house: House, game: UUID, tablet: Tablet
) -> None:
    tablet.put(throw("Ada", 2, 2, 7))
    [row] = listed(house)
    command_id = str(uuid4())

    answers = [send(house, row, "put", command_id=command_id) for _ in range(2)]
    another = send(house, row, "put")

    assert {answer.status_code for answer in answers} == {HTTPStatus.NO_CONTENT}
    assert (another.status_code, another.json()["code"]) == (422, "not_waiting")
    assert thrown(house, game) == ["Ada"]
    [after] = listed(house, query="?state=put")
    assert after["decided_by"]["name"] == str(house.supervisor)


@pytest.mark.long("postgresql")
def test_what_the_rules_refuse_stays_listed_and_may_be_put_again(
    house: House, game: UUID, tablet: Tablet
) -> None:
    tablet.put(throw("Bruno", 2, 2, 4))
    [row] = listed(house)
    command_id = str(uuid4())

    first, again = (send(house, row, "put", command_id=command_id) for _ in range(2))

    assert (first.status_code, first.json()["code"]) == (422, "not_your_turn")
    assert "Ada" in first.json()["detail"]
    assert again.json() == first.json()
    [waiting] = listed(house)
    assert (waiting["state"], waiting["tries"]) == ("waiting", 1)
    assert waiting["refused"] == first.json()["detail"]
    builders.put(house, str(game), builders.throw("Ada", 2, 2, 7))
    assert send(house, row, "put").status_code == HTTPStatus.NO_CONTENT
    assert thrown(house, game) == ["Ada", "Bruno"]


@pytest.mark.long("postgresql")
def test_dismissed_it_says_who_did_so_and_why(house: House, tablet: Tablet) -> None:
    tablet.put(form("close"))
    [row] = listed(house)

    without = send(house, row, "dismiss", reason=" ")
    done = send(house, row, "dismiss", reason="The table went on.")

    assert (without.status_code, without.json()["code"]) == (422, "reason_needed")
    assert done.status_code == HTTPStatus.NO_CONTENT
    [after] = listed(house)
    assert (after["state"], after["reason"]) == ("dismissed", "The table went on.")
    assert after["decided_by"]["id"] == str(house.supervisor.pk)


@pytest.mark.long("postgresql")
def test_gaps_are_listed_and_closed_for_a_reason(house: House, tablet: Tablet) -> None:
    tablet.seq += 2
    tablet.put(throw("Ada", 2, 2, 7))
    [gap] = listed(house, "gaps/", "?state=open")
    assert (gap["first"], gap["last"], gap["missing"]) == (1, 2, 2)

    done = send(house, gap, "close", what="gaps", reason="Its disk was wiped.")

    assert done.status_code == HTTPStatus.NO_CONTENT
    assert listed(house, "gaps/", "?state=open") == []
    [closed] = listed(house, "gaps/", "?state=closed")
    assert (closed["open"], closed["reason"]) == (False, "Its disk was wiped.")
    assert closed["closed_by"]["name"] == str(house.supervisor)


@pytest.mark.long("postgresql")
def test_all_of_a_game_are_put_in_their_order_until_one_is_refused(
    house: House, game: UUID, tablet: Tablet
) -> None:
    tablet.put(throw("Ada", 2, 2, 7))
    tablet.put(throw("Ada", 2, 2, 4))  # Bo throws
    command_id = str(uuid4())
    address = house.url(f"late-entries/{game}/put/")
    earlier, later = sorted(row["number"] for row in listed(house))

    answers = [
        house.client(Role.SUPERVISOR).post(address, {"command_id": command_id}).json()
        for _ in range(2)
    ]

    assert answers[0]["recorded"] == [earlier]
    assert (answers[0]["stopped"]["number"], answers[0]["stopped"]["code"]) == (
        later, "not_your_turn",
    )  # fmt: skip
    assert "throws, not Ada" in answers[0]["stopped"]["detail"]
    assert answers[1] == answers[0]
    assert [row["number"] for row in listed(house, query="?state=waiting")] == [later]


@pytest.mark.parametrize("path", ["late-entries/{game}/9/", "late-entries/{other}/1/put/",
                                  "gaps/{other}/1/close/"])  # fmt: skip
def test_what_the_house_does_not_have_is_not_found(house: House, game: UUID, path: str) -> None:
    address = house.url(path.format(game=game, other=uuid4()))
    client = house.client(Role.SUPERVISOR)
    body = {"command_id": str(uuid4())} | ({"reason": "None."} if "gaps" in path else {})

    answer = client.get(address) if path.endswith("9/") else client.post(address, body)

    assert answer.status_code == HTTPStatus.NOT_FOUND
