"""The cash of tables through the API: the same acts, the same answers, nothing shown too early."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING, Any

import pytest

from casino.house.attendants.models import Role
from tests.support import builders, cashing
from tests.support.playing import opened

if TYPE_CHECKING:
    from tests.support.builders import Body, House

pytestmark = pytest.mark.django_db


@pytest.fixture
def house() -> House:
    return cashing.house()


def answer(at: House, rest: str, role: Role = Role.ATTENDANT) -> Any:
    got = at.client(role).get(at.url(rest))
    assert got.status_code == 200, got.content
    return got.json()


def put(at: House, role: Role, do: str, *, expect: int = 200, **fields: Any) -> Body:
    values = {"command_id": str(uuid.uuid4()), "do": do, **fields}
    got = at.client(role).post(at.url(f"tables/{at.table.pk}/custody/"), values)
    assert got.status_code == expect, got.content
    body: Body = got.json()
    return body


def both(at: House, purpose: str, sheet: dict[str, int]) -> Body:
    put(at, Role.ATTENDANT, "count", purpose=purpose, sheet=sheet)
    return put(at, Role.SUPERVISOR, "count", purpose=purpose, sheet=sheet)


def test_b1_two_people_open_a_table(house: House) -> None:
    first = put(house, Role.ATTENDANT, "count", purpose="open", sheet={"25": 2})
    assert first["stands"] == "counting"
    assert first["count"]["counted_by_you"] is True

    then = put(house, Role.SUPERVISOR, "count", purpose="open", sheet={"25": 2})
    assert then["stands"] == "open"
    assert then["shift"]["attendant"] == str(house.attendant.pk)
    assert (then["shift"]["opener"], then["shift"]["opener_sheet"]) == (50, {"25": 2})


def test_b1_the_same_person_counts_once(house: House) -> None:
    put(house, Role.ATTENDANT, "count", purpose="open", sheet={"25": 2})

    response = put(house, Role.ATTENDANT, "count", expect=422, purpose="open", sheet={"25": 2})

    assert response["code"] == "same_counter"


WHO_SEES = [
    (Role.ATTENDANT, None, None),
    (Role.SUPERVISOR, 90, None),
    (Role.MANAGER, 90, None),
    (Role.AUDITOR, 90, 90),
]


@pytest.mark.long("postgresql")
@pytest.mark.parametrize(("role", "before", "while_counting"), WHO_SEES)
def test_b1_nobody_is_told_what_they_are_to_count(
    house: House, role: Role, before: int | None, while_counting: int | None
) -> None:
    cashing.opened(house)
    opened(house)
    address = f"tables/{house.table.pk}/custody/"
    assert answer(house, address, role)["expected"] == before

    cashing.counted(house, builders.employed(house.establishment, Role.ATTENDANT), {})

    assert answer(house, address, role)["expected"] == while_counting
    [listed, _] = answer(house, "custody/", role)["results"]
    assert listed["expected"] == while_counting
    cashing.shown(house)
    [shift] = answer(house, "shifts/", role)["results"]
    assert (shift["bought_in"] is None) == (while_counting is None)
    [day] = answer(house, "inventory/", role)["results"]
    assert (day["closer"] is None) == (while_counting is None)


SEALED = [(Role.ATTENDANT, True), (Role.MANAGER, True), (Role.AUDITOR, False)]


@pytest.mark.long("postgresql")
@pytest.mark.parametrize(("role", "sealed"), SEALED)
def test_b1_what_lay_there_is_not_told_to_whoever_may_be_the_second_to_count(
    house: House, role: Role, *, sealed: bool
) -> None:
    cashing.opened(house)
    cashing.counted(house, builders.employed(house.establishment, Role.ATTENDANT), {})
    cashing.shown(house)

    [now, _] = answer(house, "custody/", role)["results"]
    body = {now["shift"][name] for name in ("opener", "fills", "credits")}
    [opening] = (
        each for each in answer(house, "counts/", role)["results"] if each["state"] == "agreed"
    )
    [shift] = answer(house, "shifts/", role)["results"]

    assert (body == {None}) is sealed
    assert (now["shift"]["opener_sheet"] is None) is sealed
    assert (opening["sheet"] == {}) is (opening["counted"] is None) is sealed
    assert (shift["opener"] is None) is sealed


@pytest.mark.long("postgresql")
def test_b1_a_pair_that_differs_is_shown_to_nobody_while_both_count_again(house: House) -> None:
    put(house, Role.ATTENDANT, "count", purpose="open", sheet={"25": 2})
    put(house, Role.SUPERVISOR, "count", purpose="open", sheet={"25": 3})
    [running] = answer(house, "counts/", Role.MANAGER)["results"]
    assert (running["state"], running["differed"], running["sheet"]) == ("running", [], {})

    both(house, "open", {"25": 2})

    [agreed] = answer(house, "counts/", Role.MANAGER)["results"]
    assert (agreed["state"], agreed["attempts"], agreed["counted"]) == ("agreed", 2, 50)
    assert [each["sheet"] for each in agreed["differed"][0]] == [{"25": 2}, {"25": 3}]


@pytest.mark.long("postgresql")
def test_b1_a_count_tells_what_is_over_or_short(house: House) -> None:
    cashing.opened(house)

    both(house, "check", {"25": 1, "5": 4})

    [check, opening] = answer(house, "counts/")["results"]
    assert (check["counted"], check["expected"], check["over_short"]) == (45, 50, -5)
    assert (opening["purpose"], opening["over_short"]) == ("open", None)


@pytest.mark.long("postgresql")
def test_b3_a_table_is_handed_over_under_the_round_that_is_played(house: House) -> None:
    cashing.opened(house)
    opened(house)
    both(house, "change", {"25": 3, "5": 3})

    signed = put(house, Role.ATTENDANT, "sign_over", seen=1)
    assert (signed["signed"]["version"], signed["signed"]["round"]) == (1, 1)
    assert put(house, Role.SUPERVISOR, "take_over", expect=422, seen=9)["code"] == "round_moved"
    taken = put(house, Role.SUPERVISOR, "take_over", seen=1)
    assert taken["shift"]["attendant"] == str(house.supervisor.pk)


def test_b2_a_slip_from_the_question_to_the_signature(house: House) -> None:
    cashing.opened(house)
    response = house.client().post(
        house.url("slips/"),
        {
            "command_id": str(uuid.uuid4()),
            "kind": "fill",
            "table": str(house.table.pk),
            "sheet": {"25": 3},
            "reason": "Low on 25s.",
        },
    )
    assert response.status_code == 201, response.content
    assert answer(house, "slips/")["results"] == []

    approval = house.url(f"approvals/{response.json()['request']}/approve/")
    done = house.client(Role.MANAGER).post(approval, {"command_id": str(uuid.uuid4())})
    assert done.status_code == 200, done.content
    assert put(house, Role.ATTENDANT, "receive", slip=1)["slips"] == []

    [slip] = (
        answer(house, "slips/?day=2026-11-21&table=" + str(house.table.pk))["results"]
        or (answer(house, "slips/")["results"])
    )
    assert (slip["number"], slip["amount"], slip["reason"]) == (1, 75, "Low on 25s.")
    assert answer(house, "slips/1/") == slip


def test_b1_a_count_is_called_off(house: House) -> None:
    put(house, Role.ATTENDANT, "count", purpose="open", sheet={"25": 2})

    assert put(house, Role.ATTENDANT, "call_off", reason="No.")["stands"] == "closed"


def test_b1_the_inventory_of_a_day_adds_up(house: House) -> None:
    cashing.opened(house)
    opened(house)
    cashing.slipped(house, "fill", {"25": 1})
    cashing.both_count(house, {"100": 1}, "check")
    cashing.shown(house)

    [row] = answer(house, "inventory/?since=2026-11-20&until=2026-11-20", Role.AUDITOR)["results"]

    assert (row["opener"], row["fills"], row["bought_in"]) == (50, 25, 40)
    assert (row["over_short"], row["closer"], row["taken"]) == (-15, 100, 0)


# fmt: off
MALFORMED: list[tuple[dict[str, Any], str]] = [
    ({"do": "dance"},                                                     "do"),
    ({"do": "count", "purpose": "open"},                                  "sheet"),
    ({"do": "count", "purpose": "later", "sheet": {}},                    "purpose"),
    ({"do": "count", "purpose": "open", "sheet": {"25": "2"}},            "sheet"),
    ({"do": "count", "purpose": "open", "sheet": [25]},                   "sheet"),
    ({"do": "count", "purpose": "open", "sheet": {}, "expected": 1},      "expected"),
    ({"do": "sign_over", "seen": -1},                                     "seen"),
    ({"do": "sign_over", "seen": True},                                   "seen"),
    ({"do": "receive", "slip": 0},                                        "slip"),
    ({"do": "call_off", "reason": 7},                                     "reason"),
    ({"do": "call_off", "reason": "", "command_id": "x"},                 "command_id"),
]
# fmt: on


@pytest.mark.long("postgresql")
@pytest.mark.parametrize(("body", "field"), MALFORMED)
def test_what_is_no_act_is_malformed(house: House, body: dict[str, Any], field: str) -> None:
    fields = {"command_id": str(uuid.uuid4()), **body}

    got = house.client().post(house.url(f"tables/{house.table.pk}/custody/"), fields)

    assert (got.status_code, got.json()["field"]) == (400, field)


def test_another_houses_cash_is_not_there(house: House) -> None:
    other = cashing.house()
    cashing.opened(other)
    client = house.client(Role.MANAGER)

    for address in ("custody/", f"tables/{other.table.pk}/custody/", "slips/", "counts/",
                    "shifts/", "inventory/"):  # fmt: skip
        assert client.get(other.url(address)).status_code == 404
    assert client.get(house.url(f"tables/{other.table.pk}/custody/")).status_code == 404
    for address in ("slips/", "counts/", "shifts/", "inventory/"):
        assert client.get(house.url(f"{address}?table={other.table.pk}")).json()["results"] == []


def test_d1_an_auditor_looks_and_does_nothing(house: House) -> None:
    put(house, Role.AUDITOR, "count", expect=403, purpose="open", sheet={})
    assert answer(house, "custody/", Role.AUDITOR)["results"]
