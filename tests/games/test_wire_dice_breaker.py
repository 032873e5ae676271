"""Events as they are stored. What stands here was written once and must be read for ever."""

from fractions import Fraction
from typing import Any

import pytest

from games.dice_breaker import DICE_BREAKER, WIRE
from games.dice_breaker import messages as dice_breaker
from games.dice_breaker.messages import (
    AntesPaid,
    Broken,
    Caught,
    DieRested,
    DieThrown,
    FinalHand,
    GameEnded,
    GameOpened,
    Options,
    PlayerLeft,
    RoundScored,
    RoundVoided,
    StartBroken,
    StartSettled,
    StartTied,
)
from games.fees import Fee
from games.messages import Fact
from games.payments import Payment
from games.seats import Seat
from games.wire import SHARED, UnknownEventType
from tests.games import spec

PAID = (Payment("A", "pot", 7, ("DB11",)),)
PAID_JSON = [{"from": "A", "to": "pot", "amount": 7, "rules": ["DB11"]}]
OPTIONS_JSON = spec.with_later(
    Options, {"mode": "battle", "tie_by": "face", "target": 21, "ante": 7}
)

# fmt: off
STORED: list[tuple[Fact, str, dict[str, Any]]] = [
    (GameOpened(1, (Seat("A", 9), Seat("B", 9, house=True)), "B", Options("battle", "face", 21, 7),
                Fee("seat", amount=2), 5, 9, "t", "d", 3),
     "dice_breaker.game_opened",
     {"rules_version": 1, "players": [
         {"name": "A", "stake": 9, "house": False, "home_throw": None},
         {"name": "B", "stake": 9, "house": True, "home_throw": None}],
      "first": "B", "options": OPTIONS_JSON,
      "fee": {"kind": "seat", "percent": 0, "cap": None, "amount": 2, "minutes": 0},
      "stake_min": 5, "stake_max": 9, "table": "t", "dice_set": "d", "at": 3}),
    (AntesPaid(PAID), "dice_breaker.antes_paid", {"payments": PAID_JSON}),
    (StartBroken("A", 3), "dice_breaker.start_broken", {"player": "A", "value": 3}),
    (StartTied(("A", "B")), "dice_breaker.start_tied", {"players": ["A", "B"]}),
    (StartSettled("A"), "dice_breaker.start_settled", {"player": "A"}),
    (DieThrown("A", "A1", None, "out", "pair", (Broken("B2", 6),), ("A1", "B1"),
               (Caught("trump", "B"),), spinning=True),
     "dice_breaker.die_thrown",
     {"player": "A", "die": "A1", "value": None, "lies": "out", "hand": "pair",
      "breaks": [{"die": "B2", "value": 6}], "out": ["A1", "B1"],
      "caught": [{"die": "trump", "by": "B"}], "spinning": True}),
    (DieRested("A"), "dice_breaker.die_rested", {"player": "A"}),
    (RoundScored(2, (FinalHand("A", "pair", (1, 1, 2)), FinalHand("B", "nothing", ())), ("A",), "A",
                 (("A", Fraction(1, 2)),), ("A", "B"), ("DB4", "DB5")),
     "dice_breaker.round_scored",
     {"round": 2, "hands": [{"player": "A", "hand": "pair", "dice": [1, 1, 2]},
                            {"player": "B", "hand": "nothing", "dice": []}],
      "winners": ["A"], "first": "A", "scores": [["A", "1/2"]], "play_off": ["A", "B"],
      "rules": ["DB4", "DB5"], "counted": False}),
    (RoundVoided(2, PAID, ("G9",)), "dice_breaker.round_voided",
     {"round": 2, "payments": PAID_JSON, "rules": ["G9"]}),
    (PlayerLeft("A", None, PAID, ("G1",)), "dice_breaker.player_left",
     {"player": "A", "first": None, "payments": PAID_JSON, "rules": ["G1"]}),
    (GameEnded(3, ("A", "B"), PAID, ("DB6",)), "dice_breaker.game_ended",
     {"round": 3, "winners": ["A", "B"], "payments": PAID_JSON, "rules": ["DB6"]}),
]
# fmt: on


@pytest.mark.parametrize(("event", "event_type", "data"), STORED)
def test_an_event_is_stored_so_and_read_back(
    event: Fact, event_type: str, data: dict[str, Any]
) -> None:
    assert DICE_BREAKER.encode(event) == (event_type, data)
    assert DICE_BREAKER.decode(event_type, data) == event


def test_every_event_class_has_a_wire_type_and_a_row() -> None:
    named = [each for each in vars(dice_breaker).values() if isinstance(each, type)]
    own = {each for each in named if issubclass(each, Fact)}
    own = {each for each in own if each.__module__ == dice_breaker.__name__}

    assert own <= set(WIRE.types)
    assert {type(event) for event, _, _ in STORED} == set(WIRE.types) - set(SHARED)


def test_a_field_that_came_later_takes_its_default() -> None:
    data = {"player": "A", "die": "A1", "value": 3, "lies": "arena", "hand": "nothing"}

    read = DICE_BREAKER.decode("dice_breaker.die_thrown", data)

    assert read == DieThrown("A", "A1", 3, "arena", "nothing")


def test_an_event_that_nobody_knows_is_not_guessed_at() -> None:
    with pytest.raises(UnknownEventType):
        DICE_BREAKER.decode("dice_breaker.die_eaten", {})
