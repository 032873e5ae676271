"""G4 on a device: what an undo takes back is said, its seconds count, a payout is looked at."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from casino.floor.tables.offline import foresee
from casino.words.languages.amounts import money
from casino.words.presenters import PRESENTERS
from games import vocabulary
from games.stone_hand import STONE_HAND
from tests.floor.board.test_floor_drawing import given_with
from tests.games.spec import opening

THROWN = "2026-11-22T20:14:%02dZ"
EVENING = 1_795_378_440  # 20:14:00 of that day, in seconds since 1970
LOSES = ("player=Ada&dice=2&dice=2&dice=7", "player=Bo&dice=2&dice=2&dice=4")


def known(
    *, seconds: int = 30, options: dict[str, Any] | None = None, **more: Any
) -> foresee.Known:
    """A game of Ada and Bo that the house has opened."""
    raw = {**opening(), "players": ["Ada", "Bo"]}
    raw |= {"options": options} if options else {}
    command = STONE_HAND.parse("open", vocabulary.read(raw))
    facts = STONE_HAND.decider.decide(command, STONE_HAND.decider.initial)
    events = [
        {
            "number": number, "type": kind, "data": data, "clock": "20:14", "second": EVENING,
            "command_id": "00000000-0000-0000-0000-000000000001",
        }
        for number, fact in enumerate(facts, 1)
        for kind, data in [STONE_HAND.encode(fact)]
    ]  # fmt: skip
    undo = {"seconds": seconds, "open": False, "left": 0, "at": None}
    given = given_with(undo=undo, **more)
    return foresee.update_known(
        None, {"events": events, "given": given, "words": {}}, STONE_HAND, PRESENTERS[STONE_HAND.id]
    )


def put(before: foresee.Known, form: str, *, second: int) -> foresee.Put:
    pairs = (pair.split("=") for pair in form.split("&"))
    entry = foresee.Form(tuple((name, value) for name, value in pairs))
    return foresee.put(before, foresee.Entry(entry, THROWN % second, "20:14"))


def lost(before: foresee.Known) -> foresee.Known:
    """The game after a round that Ada loses, entered in the minute's second 5."""
    for number, dice in enumerate(LOSES, 2):
        command = f"00000000-0000-0000-0000-00000000000{number}"
        told = put(before, f"do=throw&{dice}&command_id={command}", second=5)
        assert told.code == "", told.sentence
        before = told.known
    return before


def undo_of(after: foresee.Known, *, second: int) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = foresee.board(after, 1, EVENING + second)["can"].get("void", [])
    return rows


def test_what_it_takes_back_is_said_and_its_time_runs_out_on_the_device() -> None:
    after = lost(known())

    [row] = undo_of(after, second=35)

    assert row["what"] == f"Bo's 2-2-4 and 1 payment, {money(7)}"
    assert (row["runs_out"]["at"], row["runs_out"]["sent"]) == (EVENING + 5, False)
    assert undo_of(after, second=36) == []


@pytest.mark.parametrize(("second", "code"), [(35, ""), (36, "undo_too_late")])
def test_an_undo_that_waits_for_the_line_is_judged_by_when_it_was_tapped(
    second: int, code: str
) -> None:
    after = lost(known())
    [row] = undo_of(after, second=6)

    told = put(after, f"do=void&back_to={row['back_to']}&reason=misread&alone=true", second=second)

    assert told.code == code


def test_a_house_that_lets_nobody_undo_has_a_second_look_at_what_is_paid() -> None:
    before = known(seconds=0, second_look=True)
    first = put(before, f"do=throw&{LOSES[0]}", second=1).known
    second = put(first, f"do=throw&{LOSES[1]}", second=2).known

    assert foresee.second_look(before, first) == ""
    assert foresee.second_look(first, second) == f"Ada pays {money(7)}"
    for given in ({"second_look": False}, {"undo": {"seconds": 30}}):
        other = replace(second, given={**second.given, **given})  # type: ignore[typeddict-item]
        assert foresee.second_look(first, other) == ""


def test_what_an_earlier_house_gave_offers_no_undo_of_what_ended_its_round() -> None:
    before = known()
    old = {name: value for name, value in before.given.items() if name != "undo"}

    after = lost(replace(before, given=old))  # type: ignore[arg-type]

    assert undo_of(after, second=6) == []


POINTS = [
    # points so far, missing for the lamp; then after a round that Bo, the best, wins
    ("17", "3", "18", "A lamp: 2 more"),
    ("19", "1", "20", "A lamp: reached, as foreseen"),
    ("17/2", "5/2", "9½", "A lamp: 1½ more"),
]


@pytest.mark.parametrize(("booked", "missing", "then", "lamp"), POINTS)
def test_points_of_the_house_s_scoreboard_go_on_as_foreseen(
    booked: str, missing: str, then: str, lamp: str
) -> None:
    board = {"Bo": (booked, "A lamp", missing)}
    before = known(options={"mode": "scoreboard"}, board=board)
    [_ada, bo] = foresee.board(before, 0)["on_board"]
    assert bo["booked"] == ""

    after = lost(before)

    [ada, bo] = foresee.board(after, 2)["on_board"]
    assert (ada["points"], ada["booked"]) == ("0", "")
    assert (bo["name"], bo["points"], bo["next"]) == ("Bo", then, lamp)
    assert bo["booked"] == {"17": "17", "19": "19", "17/2": "8½"}[booked]
