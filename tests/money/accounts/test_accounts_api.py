"""The API of accounts and players: as the pages, with stable codes; another house's is 404."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING, Any

import pytest
import time_machine

from casino.house.attendants.models import Role
from tests.money.accounts.test_accounts_statements import moved
from tests.support import builders
from tests.support.cashier import box_counted, brought, close_games, fee_taken, prize_won
from tests.support.playing import NOW, balances, done, opened, settled, token

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.support.builders import House

pytestmark = [pytest.mark.django_db, pytest.mark.long("postgresql", but="citus")]


@pytest.fixture(autouse=True)
def tonight() -> Iterator[None]:
    with time_machine.travel(NOW, tick=False):
        yield


@pytest.fixture
def house() -> House:
    return builders.house(cash_threshold=30)


def got(house: House, rest: str, role: Role = Role.AUDITOR) -> Any:
    answer = house.client(role).get(house.url(rest))
    assert answer.status_code == 200, answer.content
    return answer.json()


def sent(house: House, rest: str, role: Role, **fields: Any) -> Any:
    body = {"command_id": str(uuid.uuid4()), **fields}
    return house.client(role).post(house.url(rest), body, format="json")


@pytest.mark.long("postgresql")
def test_the_chart(house: House) -> None:
    first = brought(house, 100)
    brought(house, 500)

    now = got(house, "accounts/")
    assert (now["cash_total"], now["players_total"], now["house_total"]) == (600, 0, 600)
    assert now["covered"]
    assert {each["kind"]: each["balance"] for each in now["cash"]} == {"cage": 600, "float": 0}
    then = got(house, f"accounts/?at={first.last_position}")
    assert (then["cash_total"], then["position"]) == (100, first.last_position)


@pytest.mark.long("postgresql")
def test_a_statement_and_its_pages(house: House) -> None:
    moved(house, 7)
    settled(house)

    first = got(house, "accounts/cage/main/?limit=3")
    assert first["balance"] == 7
    assert [line["balance"] for line in first["results"]] == [7, 6, 5]
    assert first["previous"] is None
    second = house.client(Role.AUDITOR).get(first["next"] + "&limit=3").json()
    assert [line["balance"] for line in second["results"]] == [4, 3, 2]
    back = house.client(Role.AUDITOR).get(second["previous"] + "&limit=3").json()
    assert back["results"] == first["results"]


@pytest.mark.long("postgresql")
def test_a_line_says_why(house: House) -> None:
    brought(house, 100)

    [line] = got(house, "accounts/cage/main/")["results"]

    assert line["reason"] == "capital"
    assert line["why"] == "The house's own money, brought into the cage."
    assert (line["other"], line["event_type"]) == ("bank:house", "cage.moved")


@pytest.mark.long("postgresql")
def test_accounts_of_a_kind(house: House) -> None:
    opened(house)
    settled(house)

    rows = got(house, "accounts/stake/")["results"]

    assert sorted((row["title"], row["balance"]) for row in rows) == [
        ("Stake of Ada, Stone Hand at Table 1", 20),
        ("Stake of Bo, Stone Hand at Table 1", 20),
    ]


@pytest.mark.parametrize("rest", ["accounts/", "accounts/cage/", "accounts/cage/main/", "cage/"])
@pytest.mark.parametrize("role", [Role.ATTENDANT, Role.SUPERVISOR])
def test_d1_books_are_for_managers_and_auditors(house: House, rest: str, role: Role) -> None:
    assert house.client(role).get(house.url(rest)).status_code == 403


@pytest.mark.parametrize(
    "rest",
    [
        "accounts/", "accounts/cage/main/", "cage/", "fee-boxes/", "players/", "exclusions/",
        "seats-refused/", "cash-log/", "unclaimed/",
    ],
)  # fmt: skip
def test_another_houses_things_are_not_there(house: House, rest: str) -> None:
    stranger = builders.house().client(Role.MANAGER)

    assert stranger.get(house.url(rest)).status_code == 404


def test_a_cage_movement_waits_for_its_approval(house: House) -> None:
    answer = sent(house, "cage/", Role.MANAGER, way="capital", amount=500, reason="Friday.")
    assert answer.status_code == 202
    assert balances(house) == {}

    request = answer.json()["request"]
    own = sent(house, f"approvals/{request}/approve/", Role.MANAGER)
    assert (own.status_code, own.json()["code"]) == (422, "own_request")
    assert sent(house, f"approvals/{request}/approve/", Role.SUPERVISOR).status_code == 200

    [row] = got(house, "cage/")["results"]
    assert (row["number"], row["way"], row["amount"], row["reason"]) == (
        1, "capital", 500, "Friday.",
    )  # fmt: skip


def test_sent_twice_it_is_asked_for_once(house: House) -> None:
    body = {"command_id": str(uuid.uuid4()), "way": "capital", "amount": 5, "reason": "Friday."}

    first, again = (sent(house, "cage/", Role.MANAGER, **body).json() for _ in range(2))

    assert first == again
    assert len(got(house, "approvals/")["results"]) == 1


@pytest.mark.long("postgresql")
def test_a5_a_fee_box_is_counted_by_two_and_shown_blind(house: House) -> None:
    fee_taken(house)
    [box] = got(house, "fee-boxes/", Role.ATTENDANT)["waiting"]
    assert box["expected"] is None
    assert got(house, "fee-boxes/", Role.AUDITOR)["waiting"][0]["expected"] == 6

    rest, sheet = f"fee-boxes/{house.table.pk}/counts/", {"1": 5}
    assert sent(house, rest, Role.ATTENDANT, sheet=sheet).json() == {"came_to": "sealed"}
    again = sent(house, rest, Role.ATTENDANT, sheet=sheet)
    assert (again.status_code, again.json()["code"]) == (422, "same_counter")
    assert sent(house, rest, Role.SUPERVISOR, sheet=sheet).json() == {"came_to": "agreed"}

    [day] = got(house, "fee-boxes/", Role.ATTENDANT)["days"]
    assert (day["taken"], day["counted"], day["over_short"]) == (6, 5, -1)


def test_a5_a_count_that_is_sent_again_gets_the_answer_that_it_got(house: House) -> None:
    fee_taken(house)
    rest = f"fee-boxes/{house.table.pk}/counts/"
    mine = {"command_id": str(uuid.uuid4()), "sheet": {"1": 6}}
    theirs = {"command_id": str(uuid.uuid4()), "sheet": {"1": 5}}
    sealed = sent(house, rest, Role.ATTENDANT, **mine).json()
    differed = sent(house, rest, Role.SUPERVISOR, **theirs).json()
    assert (sealed, differed) == ({"came_to": "sealed"}, {"came_to": "differed"})
    box_counted(house, {"1": 6})

    assert sent(house, rest, Role.ATTENDANT, **mine).json() == sealed
    assert sent(house, rest, Role.SUPERVISOR, **theirs).json() == differed


@pytest.mark.long("postgresql")
def test_p1_exclusions(house: House) -> None:
    barred = sent(
        house, "exclusions/", Role.SUPERVISOR, name="Ada", since="2020-01-01", reason="Asked."
    )
    assert barred.status_code == 201
    ada = barred.json()["player"]
    opening = builders.opening(house.table, players=["Ada", "Bo"])
    refused = house.client().post(builders.GAMES, opening, format="json")
    assert (refused.status_code, refused.json()["code"]) == (422, "excluded")
    assert "Ada is excluded since 01/01/2020" in refused.json()["detail"]

    [tried] = got(house, "seats-refused/")["results"]
    assert (tried["player"], tried["name"], tried["reads_alike"]) == (ada, "Ada", False)
    assert [row["excluded"] for row in got(house, "players/")["results"]] == [True, False]
    assert (
        sent(house, f"players/{ada}/readmit/", Role.SUPERVISOR, reason="Over.").status_code == 200
    )
    again = sent(house, f"players/{ada}/readmit/", Role.SUPERVISOR, reason="Over.")
    assert (again.status_code, again.json()["code"]) == (422, "not_excluded")


@pytest.mark.long("postgresql")
def test_p2_the_cash_log(house: House) -> None:
    game = opened(house, stake=31)
    settled(house)

    log = got(house, "cash-log/?day=2026-11-20", Role.SUPERVISOR)

    assert log["threshold"] == 30
    assert {(row["name"], row["cash_in"], row["flagged"]) for row in log["players"]} == {
        ("Ada", 31, True),
        ("Bo", 31, True),
    }
    ada = token(house, game, "Ada")
    one = got(house, f"cash-log/?day=2026-11-20&player={ada}")
    assert [move["player"] for move in one["moves"]] == [ada]
    assert house.client().get(house.url("cash-log/")).status_code == 403


@pytest.mark.long("postgresql")
def test_p3_unclaimed(house: House) -> None:
    brought(house, 1000)
    position = prize_won(house, 501)
    close_games(house)
    game = opened(house)
    done(house, game, "close")
    settled(house)

    owed = got(house, "unclaimed/", Role.SUPERVISOR)
    assert {(row["name"], row["amount"]) for row in owed["stakes"]} == {("Ada", 20), ("Bo", 20)}
    [prize] = owed["prizes"]
    assert (prize["position"], prize["takes_two"]) == (position, True)

    alone = sent(house, f"prizes/{position}/hand-out/", Role.ATTENDANT)
    assert (alone.status_code, alone.json()["code"]) == (422, "takes_two")
    answer = sent(house, f"prizes/{position}/ask/", Role.ATTENDANT, reason="He is here.")
    assert answer.status_code == 202
    late = sent(
        house, "late-cash-outs/", Role.ATTENDANT,
        game=str(game), player="Ada", amount=20, reason="Back.",
    )  # fmt: skip
    for each in (answer, late):
        request = each.json()["request"]
        assert sent(house, f"approvals/{request}/approve/", Role.SUPERVISOR).status_code == 200
    left = got(house, "unclaimed/")
    assert ([row["name"] for row in left["stakes"]], left["prizes"]) == (["Bo"], [])


def test_a_name_is_erased(house: House) -> None:
    game = opened(house, stake=0, options={"mode": "scoreboard"})
    ada = token(house, game, "Ada")
    close_games(house)

    refused = sent(house, f"players/{ada}/erase/", Role.SUPERVISOR, reason="She asked.")
    assert refused.status_code == 403
    assert sent(house, f"players/{ada}/erase/", Role.MANAGER, reason="She asked.").json() == {
        "id": ada, "name": None, "excluded": False, "perhaps_excluded": [],
    }  # fmt: skip


# fmt: off
MALFORMED = [
    ("cage/",       {"way": "up", "amount": 5, "reason": "x"},        "way"),
    ("cage/",       {"way": "capital", "amount": 0, "reason": "x"},   "amount"),
    ("cage/",       {"way": "capital", "amount": True, "reason": "x"}, "amount"),
    ("cage/",       {"way": "capital", "reason": "x"},                "amount"),
    ("cage/",       {"way": "capital", "amount": 5, "reason": "x", "by": "me"}, "by"),
    ("exclusions/", {"name": " ", "since": "2020-01-01", "reason": "x"}, "name"),
    ("exclusions/", {"name": "Ada", "since": "2020-W01-1", "reason": "x"}, "since"),
]
# fmt: on


@pytest.mark.long("postgresql")
@pytest.mark.parametrize(("rest", "fields", "field"), MALFORMED)
def test_what_is_malformed_names_its_field(
    house: House, rest: str, fields: dict[str, Any], field: str
) -> None:
    answer = sent(house, rest, Role.MANAGER, **fields)

    assert (answer.status_code, answer.json()["field"]) == (400, field)


@pytest.mark.long("postgresql")
def test_over_short_of_a_box_is_in_the_books(house: House) -> None:
    fee_taken(house)
    box_counted(house, {"1": 5})

    [row] = got(house, "accounts/over_short/")["results"]

    assert (row["title"], row["balance"]) == ("Over/short of Table 1", -1)
