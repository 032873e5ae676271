"""What clients were told, held against the ledger: whatever does not fit is said."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING, Any

import pytest

from tests.faults import acknowledged
from tests.support import builders

if TYPE_CHECKING:
    from tests.support.builders import House

pytestmark = pytest.mark.django_db
Line = dict[str, Any]


@pytest.fixture
def house() -> House:
    return builders.house()


def told(house: House, path: str, body: Any) -> Line:
    """A line of a client's journal."""
    answer = house.client().post(path, body)
    return {
        "path": path, "body": body, "tries": 1, "asked": 0.0, "answered": 1.0, "repeats": 0,
        "status": answer.status_code, "answer": answer.json(), "others": [],
    }  # fmt: skip


def evening(house: House) -> list[Line]:
    """A game opened, a throw taken, one refused, and a list that stops at its second command."""
    opened = told(house, builders.GAMES, with_id(builders.opening(house.table)))
    path = f"{builders.GAMES}{opened['answer']['id']}/commands/"
    good, bad = throw("Ada"), throw("Nobody")
    return [
        opened,
        told(house, path, with_id(good)),
        told(house, path, with_id(bad)),
        told(house, path, [with_id(throw("Bruno")), with_id(bad), with_id(throw("Cleo"))]),
    ]


def throw(player: str) -> Line:
    return {"do": "throw", "player": player, "dice": [2, 2, 7]}


def with_id(command: Line) -> Line:
    return {**command, "command_id": str(uuid.uuid4())}


def found(house: House, lines: list[Line]) -> list[str]:
    return list(acknowledged.compared(house.id, lines))


def test_what_was_told_as_it_is_on_record_is_in_order(house: House) -> None:
    lines = evening(house)

    assert [line["status"] for line in lines] == [201, 200, 422, 422]
    assert found(house, lines) == []
    counted = acknowledged.figures(lines)
    assert (counted["acknowledged"], counted["refused"]) == (3, 2)


def test_what_is_not_on_record_is_said(house: House) -> None:
    _, thrown, refused, listed = evening(house)

    lost = {**thrown, "body": with_id(thrown["body"])}
    assert len(found(house, [lost])) == 1
    otherwise = {**refused, "answer": {**refused["answer"], "code": "no_such_face"}}
    assert len(found(house, [otherwise])) == 1
    taken = {**thrown, "status": 422, "answer": {"code": "not_your_turn"}}
    assert len(found(house, [taken])) == 1
    first, second, _ = listed["body"]
    put_behind = {**listed, "body": [second, first, first], "answer": refused["answer"]}
    assert found(house, [put_behind])


@pytest.mark.parametrize("field", ["event_id", "type", "number", "leaf_hash", "position"])
def test_an_event_that_was_told_otherwise_is_said(house: House, field: str) -> None:
    _, thrown, *_ = evening(house)
    event, *others = thrown["answer"]["events"]
    changed = {**event, field: 99 if field in {"number", "position"} else "x"}

    assert (
        len(
            found(house, [{**thrown, "answer": {**thrown["answer"], "events": [changed, *others]}}])
        )
        == 1
    )


def test_another_answer_to_the_same_question_is_said(house: House) -> None:
    _, thrown, *_ = evening(house)

    assert len(found(house, [{**thrown, "others": [[200, {}]]}])) == 1
    assert len(found(house, [{"path": "x", "failure": "unheard", "tries": 9}])) == 1
    assert found(house, [{**thrown, "status": 404}])
