"""
A PostgreSQL whose disk is full in truth, under a whole house: nothing is lost, nothing half done,
and it goes on as soon as there is room, with nobody starting anything again.

How the house answers to each fault of a database is in `tests/engine/test_storage_full.py`.
"""

from __future__ import annotations

import http.client
import json
import os
import uuid
from typing import TYPE_CHECKING, Any

import pytest

from tests.faults import houses
from tests.processes import eventually

if TYPE_CHECKING:
    from pathlib import Path

    from tests.faults.houses import House

pytestmark = [
    pytest.mark.processes,
    pytest.mark.long,
    # The links between its programs are cut where they are, as the house ends.
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
    pytest.mark.skipif(os.geteuid() != 0, reason="mounting a disk takes root"),
]

WEB = houses.WEBS[0]
TRIES = 500  # commands, which a full disk has no room for


def ask(house: House, who: str, method: str, path: str, body: Any = None) -> tuple[int, Any]:
    web = http.client.HTTPConnection("127.0.0.1", house.webs[0].port, timeout=30)
    headers = {"Authorization": f"Token {who}", "Content-Type": "application/json"}
    try:
        web.request(method, path, None if body is None else json.dumps(body), headers)
        answer = web.getresponse()
        said = answer.read()
        in_words = answer.headers.get_content_subtype().endswith("json")
        assert in_words, (answer.status, said, house.parts[WEB].last_words())
        return answer.status, json.loads(said)
    finally:
        web.close()


def put(house: House, path: str, **body: Any) -> tuple[dict[str, Any], int, Any]:
    """A command with an id of its own; its answer."""
    raw = {"command_id": str(uuid.uuid4()), **body}
    return raw, *ask(house, house.known["attendants"][0], "POST", path, raw)


def opened(house: House) -> str:
    _, status, answer = put(
        house, "/api/v1/games/", game="threes-away", table=house.known["houses"][0]["tables"][0],
        players=["Ada", "Bo"], stake=500,
    )  # fmt: skip
    assert status == 201, answer
    return f"/api/v1/games/{answer['id']}/"


def state(house: House, game: str) -> Any:
    return ask(house, house.known["attendants"][0], "GET", game)[1]


def is_caught_up(house: House, game: str) -> bool:
    """Whether all is settled. A database that has just found space again may be starting anew."""
    status, seen = ask(house, house.known["attendants"][0], "GET", game)
    assert status in {200, 503}, seen
    return status == 200 and bool(seen["settled_through"] >= seen["position"])


def test_a_full_postgresql_is_said_loses_nothing_and_goes_on(tmp_path: Path) -> None:
    with houses.production(tmp_path) as house:
        assert house.disk is not None
        game = opened(house)
        eventually(lambda: is_caught_up(house, game))
        taken = 0
        with house.disk.full():
            for taken in range(TRIES):  # noqa: B007 - how many were
                raw, status, answer = put(
                    house, f"{game}commands/", do="buy_in", player="Ada", amount=1
                )
                if status != 200:
                    break
            assert (status, answer["code"]) == (503, "storage_full")
            assert answer["detail"].startswith("The disk that holds the book is full.")
            assert "This was not recorded." in answer["detail"]
            ill, told = ask(house, "", "GET", "/healthz")
            assert (ill, told["parts"]["storage"]["ok"]) == (503, False)
            seen = state(house, game)  # what is there can be read

        again, _ = ask(house, house.known["attendants"][0], "POST", f"{game}commands/", raw)
        twice, _ = ask(house, house.known["attendants"][0], "POST", f"{game}commands/", raw)
        eventually(lambda: is_caught_up(house, game))

        assert (again, twice) == (200, 200)
        assert seen["version"] == 2 + taken
        assert state(house, game)["version"] == 2 + taken + 1
        assert state(house, game)["stakes"]["Ada"] == 500 - 1 + taken + 1
        checked = house.run("-m", "tests.faults.audit", "checked", str(tmp_path), house.ids[0])
        problems = json.loads(checked.stdout)["problems"]
        assert set(problems) <= {"checkpoints"}, problems  # nobody here has asked for one
        assert not any(part.deaths for part in house.parts.values())
