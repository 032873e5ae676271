"""Bodies of acts: what is wrong says what it has to be, and nobody is told who may not act."""

from __future__ import annotations

import json
import uuid
from typing import TYPE_CHECKING, Any

import pytest

from casino.house.attendants.models import Role
from casino.play.exclusions.models import Exclusion
from ledger import journal
from tests.support import builders

if TYPE_CHECKING:
    from tests.support.builders import House

pytestmark = pytest.mark.django_db

WHY = "To see what is said."
TABLE, DICE = "tables/{table}/custody/", "dice/{dice}/inspections/"


@pytest.fixture
def house() -> House:
    return builders.house()


def sent(house: House, rest: str, body: Any, role: Role = Role.MANAGER) -> Any:
    address = house.url(rest.format(table=house.table.pk, dice=house.dice.pk))
    if isinstance(body, str):
        return house.client(role).post(address, body, content_type="application/json")
    return house.client(role).post(address, body)


def act(**fields: Any) -> dict[str, Any]:
    return {"command_id": str(uuid.uuid4()), **fields}


# fmt: off
COINS = "amount is a whole number from 1 to 9007199254740991."
WAY, NO_FIELD = "way is one of capital, to_bank.", "colour: there is no such field."
TEXT = "reason is a text of at most 500 characters."
NAME = "name is a text of 1 to 80 characters, not all of them spaces."
DATE = "since is a date, as 2026-11-21."
SHEET = "sheet is an object, each of its values a whole number from 0 to 1000000."
PLACE = r"payout is a text of at most 14 characters that match ^[0-9]{1,9}\.[0-9]{1,4}$."
DO = "do is one of count, call_off, sign_over, take_over, receive."
CAGE = {"way": "capital", "amount": 5, "reason": WHY}
EXCLUDE = {"name": "Ada", "since": "2026-11-21", "reason": WHY}
INSPECT = {"in_order": True, "finding": WHY}
COUNT = {"do": "count", "purpose": "open", "sheet": {}}
ADJUST = {"game": str(uuid.UUID(int=1)), "from": "Ada", "to": "house", "amount": 1, "reason": WHY}
CONFIGURE = {"thing": "table", "values": {}}
HAS_TO_BE = [
    # where,           a sound body, but                             what is said
    ("cage/",          CAGE | {"amount": 0},                         COINS),
    ("cage/",          CAGE | {"amount": "5"},                       COINS),
    ("cage/",          CAGE | {"amount": True},                      COINS),
    ("cage/",          CAGE | {"amount": 2**53},                     COINS),
    ("cage/",          CAGE | {"way": "up"},                         WAY),
    ("cage/",          CAGE | {"reason": 7},                         TEXT),
    ("cage/",          CAGE | {"reason": "x" * 501},                 TEXT),
    ("cage/",          CAGE | {"command_id": 1},                     "command_id is a UUID."),
    ("cage/",          CAGE | {"colour": 1},                         NO_FIELD),
    ("cage/",          {"way": "capital", "reason": WHY},            "amount is missing."),
    (DICE,             INSPECT | {"in_order": "yes"},                "in_order is true or false."),
    (DICE,             INSPECT | {"in_order": 1},                    "in_order is true or false."),
    ("exclusions/",    EXCLUDE | {"name": " "},                      NAME),
    ("exclusions/",    EXCLUDE | {"name": "x" * 81},                 NAME),
    ("exclusions/",    EXCLUDE | {"since": "2026-W47-6"},            DATE),
    ("exclusions/",    EXCLUDE | {"since": "2026-02-30"},            DATE),
    ("adjustments/",   ADJUST | {"payout": "12"},                    PLACE),
    (TABLE,            COUNT | {"sheet": {"5": "1"}},                SHEET),
    (TABLE,            COUNT | {"sheet": [5]},                       SHEET),
    (TABLE,            {"do": "dance"},                              DO),
    (TABLE,            {"purpose": "open"},                          DO),
    ("configuration/", CONFIGURE | {"values": []},                   "values is an object."),
]
CONFIGURED = [
    # What a column takes is the house's to say: 422.
    ("house",       {"large_prize": True},   "values.large_prize is a whole number."),
    ("house",       {"cash_threshold": "5"}, "values.cash_threshold is a whole number or null."),
    ("table",       {"in_use": 1},           "values.in_use is true or false."),
    ("house_rules", {"fee": "none"},         "values.fee is an object or null."),
]
HALF = "\ud800"  # JSON can name half a character; nothing keeps one
KEPT_NOWHERE = [
    ("cage/",          CAGE | {"reason": HALF},                      "reason"),
    ("cage/",          CAGE | {"reason": "a\0"},                     "reason"),
    ("cage/",          CAGE | {HALF: 1},                             r"\ud800"),
    ("exclusions/",    EXCLUDE | {"name": HALF},                     "name"),
    (TABLE,            COUNT | {"sheet": {HALF: 1}},                 "sheet"),
    ("configuration/", CONFIGURE | {"values": {"name": HALF}},       "values"),
]
# fmt: on


@pytest.mark.rows(postgresql=4)
@pytest.mark.parametrize(("rest", "fields", "says"), HAS_TO_BE)
def test_a_malformed_value_is_told_what_it_has_to_be(
    house: House, rest: str, fields: dict[str, Any], says: str
) -> None:
    problem = sent(house, rest, act(**fields)).json()

    assert (problem["status"], problem["code"]) == (400, "malformed")
    assert problem["detail"] == says
    assert says.startswith(problem["field"])


@pytest.mark.parametrize(("thing", "values", "says"), CONFIGURED)
def test_a_column_of_another_kind_is_told_its_kind(
    house: House, thing: str, values: dict[str, Any], says: str
) -> None:
    problem = sent(house, "configuration/", act(thing=thing, values=values)).json()

    assert (problem["status"], problem["detail"]) == (422, says)


@pytest.mark.parametrize(("rest", "fields", "field"), KEPT_NOWHERE)
def test_what_is_no_character_is_malformed_wherever_it_stands(
    house: House, rest: str, fields: dict[str, Any], field: str
) -> None:
    answer = sent(house, rest, json.dumps(act(**fields)))

    assert (answer.status_code, answer.json()["field"]) == (400, field)


def test_a_command_with_half_a_character_for_a_field_is_malformed(house: House) -> None:
    body = json.dumps(builders.command("stand", player="Ada", **{HALF: 1}))
    address = f"{builders.GAMES}{builders.opened(house)}/commands/"

    answer = house.client().post(address, body, content_type="application/json")

    assert (answer.status_code, answer.json()["field"]) == (400, r"\ud800")


# fmt: off
NOT_THEIRS = [
    # what is sent to,                     who may not
    ("cage/",                              Role.AUDITOR),
    ("slips/",                             Role.AUDITOR),
    (TABLE,                                Role.AUDITOR),
    ("fee-boxes/{table}/counts/",          Role.AUDITOR),
    ("adjustments/",                       Role.AUDITOR),
    ("late-cash-outs/",                    Role.AUDITOR),
    ("prizes/1/hand-out/",                 Role.AUDITOR),
    ("prizes/1/ask/",                      Role.AUDITOR),
    ("payouts/resume/",                    Role.ATTENDANT),
    (DICE,                                 Role.ATTENDANT),
    ("exclusions/",                        Role.ATTENDANT),
    ("players/p-aaaaaaaaaaaa/readmit/",    Role.ATTENDANT),
    ("players/p-aaaaaaaaaaaa/erase/",      Role.SUPERVISOR),
    ("configuration/",                     Role.SUPERVISOR),
    ("days/2026-11-21/close/",             Role.SUPERVISOR),
    ("days/2026-11-21/sign/",              Role.ATTENDANT),
    ("regrades/",                          Role.SUPERVISOR),
]
# fmt: on


@pytest.mark.long("postgresql")
@pytest.mark.parametrize(("rest", "role"), NOT_THEIRS)
@pytest.mark.parametrize("body", [{}, [], {"wrong": 1}])
def test_d1_who_may_not_is_told_so_whatever_they_send(
    house: House, rest: str, role: Role, body: Any
) -> None:
    head = journal.head(establishment=house.id)

    answer = sent(house, rest, body, role)

    assert (answer.status_code, answer.json()["code"]) == (403, "permission_denied")
    assert journal.head(establishment=house.id) == head


def test_p1_an_exclusion_is_answered_before_the_list_has_it(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "casino.engine.processes.queues.house_subscriber.BATCHES", 0
    )  # the subscriber is far behind
    body = act(name="Ada", since="2020-01-01", reason="Asked.")

    first, again = (sent(house, "exclusions/", body, Role.SUPERVISOR) for _ in range(2))

    assert not Exclusion.objects.exists()
    assert first.status_code == 201, first.content
    exclusion = first.json()
    assert (exclusion["name"], exclusion["since"], exclusion["until"]) == (
        "Ada",
        "2020-01-01",
        None,
    )
    assert (exclusion["reason"], exclusion["by"]) == ("Asked.", str(house.supervisor.pk))
    assert again.json() == exclusion
