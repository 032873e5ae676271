"""Events as they are stored. What stands here was written once and must be read for ever."""

from fractions import Fraction
from typing import Any

import pytest

from games.fees import Fee
from games.messages import Fact
from games.payments import Payment
from games.seats import Seat
from games.stone_hand import STONE_HAND, WIRE
from games.stone_hand import messages as stone_hand
from games.stone_hand.messages import (
    DiceThrown,
    FeeTaken,
    GameEnded,
    GameOpened,
    HandTaken,
    HomeDiceThrown,
    HomeThrowSettled,
    Options,
    PlayerLeft,
    RoundLost,
    RoundRestarted,
    RoundVoided,
    TableClosed,
    TieCalled,
)
from games.wire import SHARED, UnknownEventType
from tests.games import spec

PAID = (Payment("A", "pot", 7, ("SH4", "G2")),)
PAID_JSON = [{"from": "A", "to": "pot", "amount": 7, "rules": ["SH4", "G2"]}]
OPTIONS_JSON = spec.with_later(Options, {
    "mode": "pool", "runs": "wrap", "homes": "house", "tie_owes": "original", "triad_pay": 3,
    "triads": True, "sole": "pays", "leave": "forfeit", "rethrow": 2, "point_to": "best",
})  # fmt: skip
FEE_JSON = {"kind": "seat", "percent": 0, "cap": None, "amount": 2, "minutes": 0}

# fmt: off
STORED: list[tuple[Fact, str, dict[str, Any]]] = [
    (GameOpened(1, (Seat("A", 5), Seat("B", 5, house=True, home_throw=(1, 3, 6))), "B",
                Options(triad_pay=3, rethrow=2), ((1, 3, 6),), fee=Fee("seat", amount=2), at=9),
     "stone_hand.game_opened",
     {"rules_version": 1, "players": [
         {"name": "A", "stake": 5, "house": False, "home_throw": None},
         {"name": "B", "stake": 5, "house": True, "home_throw": [1, 3, 6]}],
      "first": "B", "options": OPTIONS_JSON, "homes": [[1, 3, 6]], "home_throw_policy": "fixed",
      "home_override": False, "fee": FEE_JSON, "stake_min": None, "stake_max": None, "table": "",
      "dice_set": "", "at": 9}),
    (HomeDiceThrown((2, 4, 6), "show_up"), "stone_hand.home_dice_thrown",
     {"dice": [2, 4, 6], "hand": "show_up"}),
    (HomeThrowSettled((1, 3, 6)), "stone_hand.home_throw_settled", {"home": [1, 3, 6]}),
    (DiceThrown("A", (2, 7, 2), "pair", 7, again=1, open=True), "stone_hand.dice_thrown",
     {"player": "A", "dice": [2, 7, 2], "hand": "pair", "score": 7, "again": 1, "open": True}),
    (HandTaken("A", implied=True), "stone_hand.hand_taken", {"player": "A", "implied": True}),
    (FeeTaken(PAID, through=60), "stone_hand.fee_taken", {"payments": PAID_JSON, "through": 60}),
    (RoundRestarted("A", ("B", "C")), "stone_hand.round_restarted",
     {"player": "A", "order": ["B", "C"]}),
    (TieCalled(("A", "B")), "stone_hand.tie_called", {"players": ["A", "B"]}),
    (RoundLost(2, "A", "pair", 9, "B", PAID, (("B", Fraction(33, 2)),), 0, ("A",), ("SH4",)),
     "stone_hand.round_lost",
     {"round": 2, "loser": "A", "hand": "pair", "owed": 9, "first": "B", "payments": PAID_JSON,
      "points": [["B", "33/2"]], "drinks": 0, "out": ["A"], "rules": ["SH4"]}),
    (RoundVoided(1, "A", PAID, (), ("SH7",)), "stone_hand.round_voided",
     {"round": 1, "first": "A", "payments": PAID_JSON, "out": [], "rules": ["SH7"]}),
    (PlayerLeft("A", "B", PAID, ("SH10",)), "stone_hand.player_left",
     {"player": "A", "first": "B", "payments": PAID_JSON, "rules": ["SH10"]}),
    (TableClosed("late"), "stone_hand.table_closed", {"reason": "late"}),
    (GameEnded(3, ("B",), PAID, ("SH9",)), "stone_hand.game_ended",
     {"round": 3, "winners": ["B"], "payments": PAID_JSON, "rules": ["SH9"]}),
]
# fmt: on


@pytest.mark.parametrize(("event", "event_type", "data"), STORED)
def test_an_event_is_stored_so_and_read_back(
    event: Fact, event_type: str, data: dict[str, Any]
) -> None:
    assert STONE_HAND.encode(event) == (event_type, data)
    assert STONE_HAND.decode(event_type, data) == event


def test_every_event_class_has_a_wire_type_and_a_row() -> None:
    named = [each for each in vars(stone_hand).values() if isinstance(each, type)]
    events = {each for each in named if issubclass(each, Fact) and "__slots__" in vars(each)}
    own = {each for each in events if each.__module__ == stone_hand.__name__}

    assert own <= set(WIRE.types)
    assert {type(event) for event, _, _ in STORED} == set(WIRE.types) - set(SHARED)


def test_a_field_that_came_later_takes_its_default() -> None:
    read = STONE_HAND.decode("stone_hand.hand_taken", {"player": "A"})

    assert read == HandTaken("A")


def test_an_event_that_nobody_knows_is_not_guessed_at() -> None:
    with pytest.raises(UnknownEventType):
        STONE_HAND.decode("stone_hand.dice_eaten", {})
