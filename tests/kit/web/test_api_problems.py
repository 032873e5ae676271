"""What goes wrong says so in one form: RFC 9457, with a code that stays."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any
from unittest import mock

import pytest

from ledger import journal
from ledger.conflicts import StreamMoved
from ledger.models import CommandReceipt
from tests.support import builders
from tests.support.builders import GAMES, House, command, opened, opening, throw

if TYPE_CHECKING:
    from pytest_django import Settings

pytestmark = pytest.mark.django_db


@pytest.fixture
def house() -> House:
    return builders.house()


def is_problem(answer: Any, status: int, code: str) -> dict[str, Any]:
    document: dict[str, Any] = answer.json()
    assert answer.headers["Content-Type"] == "application/problem+json"
    assert (answer.status_code, document["status"], document["code"]) == (status, status, code)
    assert document["type"] == f"urn:home-throw:problem:{code}"
    assert document["title"]
    assert document["detail"]
    return document


# fmt: off
NOT_JSON = [
    b"", b"{", b"nothing", b'{"do": "throw"', b"\xff\xfe", b'"\xed\xa0\x80"',
    b'{"do": "stand", "player": "Ada", "player": "Bruno"}',  # twice the same key
    b'{"do": "buy_in", "player": "Ada", "amount": NaN}',
    b'{"do": "buy_in", "player": "Ada", "amount": Infinity}',
    b"\xef\xbb\xbf{}",
    b"[" * 100_000,
]
NO_COMMANDS = [
    # the body                                                   the field
    (7,                                                          None),
    ("throw",                                                    None),
    ({},                                                         "do"),
    ({"do": 1},                                                  "do"),
    ({"do": "fly"},                                              "do"),
    ({"do": "stand"},                                            "player"),
    ({"do": "stand", "player": None},                            "player"),
    ({"do": "stand", "player": "Ada"},                           "command_id"),
    ({"do": "stand", "player": "Ada", "colour": "red"},          "colour"),
    ({"do": "throw", "player": "Ada", "dice": "123"},            "dice"),
    ({"do": "throw", "player": "Ada", "dice": [1, 2, "3"]},      "dice[2]"),
    ({"do": "stand", "player": "Ada", "command_id": 4},          "command_id"),
    ({"do": "stand", "player": "Ada", "command_id": "none"},     "command_id"),
    ([{"do": "stand"}],                                          "[0].player"),
    ([[]],                                                       "[0]"),
]
NO_OPENINGS = [
    ({"table": None},                     "table"),
    ({"table": "by the window"},          "table"),
    ({"dice_set": 7},                     "dice_set"),
    ({"do": "throw"},                     "do"),
    ({"do": None},                        "do"),
    ({"stake": "25"},                     "stake"),
    ({"players": "Ada"},                  "players"),
    ({"tabel": "x"},                      "tabel"),
    ({"command_id": None},                "command_id"),
]
REFUSED = [
    # well-formed, but it cannot be meant
    (throw("Ada", 1, 2, 9),                                      "no_such_face"),
    (throw("Ada", 1, 2),                                         "wrong_number_of_dice"),
    (throw("Dora", 1, 2, 4),                                     "unknown_player"),
    (throw("", 1, 2, 4),                                         "empty_name"),
    (throw("pot", 1, 2, 4),                                      "reserved_name"),
    (command("cash_out", player="Ada", amount=2.5),              "not_whole"),
    (command("cash_out", player="Ada", amount=-1),               "negative_amount"),
    (command("cash_out", player="Ada", amount=1e300),            "too_large"),
    (command("stand", player="Ada", occurred_at="yesterday"),    "bad_time"),
    (command("void", back_to=2, reason="x", approved_by="Eve"),  "approval_is_an_act"),
    (command("seal", player="Ada"),                              "not_in_this_game"),
]
# fmt: on


@pytest.mark.long("postgresql")
@pytest.mark.parametrize("body", NOT_JSON)
def test_what_is_not_strictly_json_is_malformed(house: House, body: bytes) -> None:
    url = f"{GAMES}{opened(house)}/commands/"

    answer = house.client().post(url, body, content_type="application/json")

    is_problem(answer, 400, "malformed")


@pytest.mark.long("postgresql")
@pytest.mark.parametrize(("body", "field"), NO_COMMANDS)
def test_what_is_no_command_is_malformed_and_names_the_field(
    house: House, body: Any, field: str | None
) -> None:
    url = f"{GAMES}{opened(house)}/commands/"
    before = CommandReceipt.objects.count()

    problem = is_problem(house.client().post(url, body), 400, "malformed")

    assert problem.get("field") == field
    assert CommandReceipt.objects.count() == before


@pytest.mark.long("postgresql")
@pytest.mark.parametrize(("changed", "field"), NO_OPENINGS)
def test_what_opens_no_game_is_malformed_and_names_the_field(
    house: House, changed: dict[str, Any], field: str
) -> None:
    answer = house.client().post(GAMES, opening(house.table, **changed))

    assert is_problem(answer, 400, "malformed")["field"] == field


@pytest.mark.parametrize("missing", ["table", "command_id", "game", "players"])
def test_an_opening_lacks_nothing(house: House, missing: str) -> None:
    body = {name: value for name, value in opening(house.table).items() if name != missing}

    problem = is_problem(house.client().post(GAMES, body), 400, "malformed")

    assert problem["field"] == missing


def test_an_opening_is_one_object(house: House) -> None:
    is_problem(house.client().post(GAMES, [opening(house.table)]), 400, "malformed")


@pytest.mark.long("postgresql")
@pytest.mark.parametrize(("body", "code"), REFUSED)
def test_a_value_that_cannot_be_meant_is_refused_and_kept(
    house: House, body: dict[str, Any], code: str
) -> None:
    url = f"{GAMES}{opened(house)}/commands/"

    problem = is_problem(house.client().post(url, body), 422, code)

    assert problem["command_id"] == body["command_id"]
    kept = CommandReceipt.objects.get(command_id=body["command_id"])
    assert kept.refusal_code == code


@pytest.mark.parametrize("number", ["1" * 5000, "-" + "9" * 400, "1e999"])
def test_a_number_without_end_does_no_harm(house: House, number: str) -> None:
    url = f"{GAMES}{opened(house)}/commands/"
    sent = command("cash_out", player="Ada", amount=0)
    body = json.dumps(sent).replace('"amount": 0', f'"amount": {number}')

    answer = house.client().post(url, body, content_type="application/json")

    assert answer.status_code == 422


@pytest.mark.long("postgresql")
@pytest.mark.parametrize("text", ["\x00", "half \ud800", "\u2028", "p-aaaaaaaaaaaa", "x" * 2001])
@pytest.mark.parametrize("where", ["player", "note", "reason", "commitment"])
def test_no_text_is_a_fault_of_ours(house: House, text: str, where: str) -> None:
    body = {"player": "Ada", "reason": "cocked", where: text}
    sent = command("no_throw", **body)
    if where == "commitment":
        sent = command("seal", player="Ada", commitment=text)
    url = f"{GAMES}{opened(house)}/commands/"

    answer = house.client().post(url, json.dumps(sent), content_type="application/json")

    assert answer.status_code in ({400} if text in {"\x00", "half \ud800"} else {200, 422})


@pytest.mark.long("postgresql")
@pytest.mark.parametrize(
    ("path", "field"),
    [
        ("events/?after=x", "after"),
        ("events/?after=-1", "after"),
        ("events/?after=99999999999999999999", "after"),
        ("events/?limit=0", "limit"),
        ("events/?limit=501", "limit"),
        ("?limit=201", "limit"),
        ("?limit=many", "limit"),
        ("?cursor=x", "cursor"),
        ("?cursor=x:y:z", "cursor"),
        ("?status=sleeping", "status"),
        ("?status=", "status"),
        ("?table=9", "table"),
        ("?gaming_day=31.1.2026", "gaming_day"),
    ],
)
def test_a_query_that_makes_no_sense_is_malformed(house: House, path: str, field: str) -> None:
    game = f"{opened(house)}/" if path.startswith("events") else ""

    problem = is_problem(house.client().get(f"{GAMES}{game}{path}"), 400, "malformed")

    assert problem["field"] == field


@pytest.mark.parametrize("name", ["", "x" * 101, "tab\tlet", "Zo\xeb"])
def test_a_device_has_a_printable_name(house: House, name: str) -> None:
    answer = house.client().post(GAMES, opening(house.table), headers={"Home-Throw-Device": name})

    assert is_problem(answer, 400, "malformed")["field"] == "Home-Throw-Device"


@pytest.mark.parametrize(
    "path", ["", "v1/", "v1/games", "v1/games/7/", "v1/nowhere/", "v1/games/{game}/explain/x/"]
)
def test_there_is_nothing_at_other_addresses(house: House, path: str) -> None:
    for client in (house.client(), builders.client()):
        is_problem(client.get(f"/api/{path.format(game=opening)}"), 404, "not_found")


def test_a_method_that_an_address_does_not_know(house: House) -> None:
    answer = house.client().put(GAMES, {})

    is_problem(answer, 405, "method_not_allowed")
    assert "POST" in answer.headers["Allow"]


def test_an_answer_in_another_language_than_json(house: House) -> None:
    answer = house.client().get(GAMES, headers={"Accept": "text/html"})

    is_problem(answer, 406, "not_acceptable")


def test_a_body_that_is_not_json(house: House) -> None:
    answer = house.client().post(GAMES, "do=open", content_type="application/x-www-form-urlencoded")

    is_problem(answer, 415, "unsupported_media_type")


def test_a_body_without_end(house: House, settings: Settings) -> None:
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 100

    answer = house.client().post(GAMES, opening(house.table, players=["x" * 100]))

    is_problem(answer, 413, "too_large")


def test_a_game_that_moves_faster_than_a_command_is_decided(house: House) -> None:
    game = opened(house)
    moved = StreamMoved(f"game/{game}", expected=1, actual=2)

    with mock.patch.object(journal, "record", side_effect=moved):
        answer = house.client().post(f"{GAMES}{game}/commands/", throw("Ada", 2, 2, 3))

    is_problem(answer, 409, "stream_moved")
