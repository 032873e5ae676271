"""Events as they are stored. What stands here was written once and must be read for ever."""

from typing import Any

import pytest

from games.fees import Fee
from games.messages import Fact
from games.payments import Payment
from games.seats import Seat
from games.threes_away import THREES_AWAY, WIRE
from games.threes_away import messages as threes_away
from games.threes_away.messages import (
    DiceKept,
    DiceThrown,
    GameEnded,
    GameOpened,
    LateAntePaid,
    Options,
    PlayerLeft,
    RolloverArrived,
    RolloverDrawn,
    RoundRolledOver,
    RoundStarted,
    RoundTied,
    RoundVoided,
    RoundWon,
    TurnEnded,
)
from games.wire import SHARED
from tests.games import spec

PAID = (Payment("A", "pot", 1, ("TA1",)),)
PAID_JSON = [{"from": "A", "to": "pot", "amount": 1, "rules": ["TA1"]}]
OPTIONS_JSON = spec.with_later(Options, {
    "ante": 5, "zero": 6, "bust": "none", "tie_ante": False, "zero_tie_ante": "additional",
    "progressive": "triangular", "bottoms": True,
})  # fmt: skip
FEE_JSON = {"kind": "rake", "percent": 5, "cap": 3, "amount": 0, "minutes": 0}

# fmt: off
STORED: list[tuple[Fact, str, dict[str, Any]]] = [
    (GameOpened(1, (Seat("A", 9), Seat("B", 5, house=True)), "B",
                Options(5, 6, "none", tie_ante=False, progressive="triangular", bottoms=True),
                Fee("rake", percent=5, cap=3), 1, 50, "t", "d", 9, 7, 3),
     "threes_away.game_opened",
     {"rules_version": 1, "players": [
         {"name": "A", "stake": 9, "house": False, "home_throw": None},
         {"name": "B", "stake": 5, "house": True, "home_throw": None}],
      "first": "B", "options": OPTIONS_JSON, "fee": FEE_JSON, "stake_min": 1, "stake_max": 50,
      "table": "t", "dice_set": "d", "at": 9, "rollover": 7, "awaited": 3}),
    (RolloverDrawn(7, PAID), "threes_away.rollover_drawn", {"amount": 7, "payments": PAID_JSON}),
    (RolloverArrived(3, PAID), "threes_away.rollover_arrived",
     {"amount": 3, "payments": PAID_JSON}),
    (RoundStarted(2, ("B", "A"), ("C",), 3, PAID), "threes_away.round_started",
     {"round": 2, "order": ["B", "A"], "waiting": ["C"], "limit": 3, "payments": PAID_JSON}),
    (LateAntePaid("A", ("B", "A"), PAID), "threes_away.late_ante_paid",
     {"player": "A", "order": ["B", "A"], "payments": PAID_JSON}),
    (DiceThrown("A", (4, 4, 1), bottoms=True, keep=(4,)), "threes_away.dice_thrown",
     {"player": "A", "dice": [4, 4, 1], "bottoms": True, "keep": [4]}),
    (DiceKept("A", (4, 1), 6, with_throw=True), "threes_away.dice_kept",
     {"player": "A", "dice": [4, 1], "total": 6, "with_throw": True}),
    (TurnEnded("A", 6, bust=True, payments=PAID, rules=("TA3",)), "threes_away.turn_ended",
     {"player": "A", "total": 6, "bust": True, "payments": PAID_JSON, "rules": ["TA3"]}),
    (RoundWon(2, "A", 4, "A", PAID, ("TA1",)), "threes_away.round_won",
     {"round": 2, "winner": "A", "total": 4, "first": "A", "payments": PAID_JSON,
      "rules": ["TA1"]}),
    (RoundTied(2, ("A", "B"), 0, "A", ("A", "B"), ("C",), ("A", "B", "C"), ("TA6",)),
     "threes_away.round_tied",
     {"round": 2, "players": ["A", "B"], "total": 0, "first": "A", "among": ["A", "B"],
      "waiting": ["C"], "free": ["A", "B", "C"], "rules": ["TA6"]}),
    (RoundRolledOver(2, ("A",), 4, 1, "B", ("A", "B"), ("C",), ("TA7",)),
     "threes_away.round_rolled_over",
     {"round": 2, "players": ["A"], "total": 4, "limit": 1, "first": "B", "among": ["A", "B"],
      "waiting": ["C"], "rules": ["TA7"]}),
    (RoundVoided(2, "A", ("A",), PAID, ("G9",)), "threes_away.round_voided",
     {"round": 2, "first": "A", "free": ["A"], "payments": PAID_JSON, "rules": ["G9"]}),
    (PlayerLeft("A", "B", ("B", "C"), PAID, ("G1",)), "threes_away.player_left",
     {"player": "A", "first": "B", "order": ["B", "C"], "payments": PAID_JSON, "rules": ["G1"]}),
    (GameEnded(3, PAID, ("G9", "TA10")), "threes_away.game_ended",
     {"round": 3, "payments": PAID_JSON, "rules": ["G9", "TA10"]}),
]
# fmt: on


@pytest.mark.parametrize(("event", "event_type", "data"), STORED)
def test_an_event_is_stored_so_and_read_back(
    event: Fact, event_type: str, data: dict[str, Any]
) -> None:
    assert THREES_AWAY.encode(event) == (event_type, data)
    assert THREES_AWAY.decode(event_type, data) == event


def test_every_event_class_has_a_wire_type_and_a_row() -> None:
    named = [each for each in vars(threes_away).values() if isinstance(each, type)]
    events = {each for each in named if issubclass(each, Fact) and "__slots__" in vars(each)}
    own = {each for each in events if each.__module__ == threes_away.__name__}

    assert own <= set(WIRE.types)
    assert {type(event) for event, _, _ in STORED} == set(WIRE.types) - set(SHARED)


def test_a_field_that_came_later_takes_its_default() -> None:
    read = THREES_AWAY.decode("threes_away.dice_thrown", {"player": "A", "dice": [1, 1, 2, 3, 6]})

    assert read == DiceThrown("A", (1, 1, 2, 3, 6))
