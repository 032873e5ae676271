"""Events as they are stored. What stands here was written once and must be read for ever."""

from fractions import Fraction
from typing import Any

import pytest

from games.cinnabar_gate import CINNABAR_GATE, WIRE
from games.cinnabar_gate import messages as cinnabar_gate
from games.cinnabar_gate.messages import (
    DiceThrown,
    GameEnded,
    GameOpened,
    HandTaken,
    HomeDiceThrown,
    HomeThrowSettled,
    Options,
    PayMoved,
    PlayerLeft,
    RoundRestarted,
    RoundSettled,
    RoundVoided,
    TieCalled,
)
from games.fees import Fee
from games.messages import Fact
from games.payments import Payment
from games.seats import Seat
from games.wire import SHARED
from tests.games import spec

PAID = (Payment("A", "B", 7, ("CG6", "G2")),)
PAID_JSON = [{"from": "A", "to": "B", "amount": 7, "rules": ["CG6", "G2"]}]
OPTIONS_JSON = spec.with_later(Options, {
    "variant": "arcade", "runs": "wrap", "homes": "house", "pay_lowering": "to_score",
    "junk_order": "low", "pair_value": False, "junk_rethrows": 3, "pay_cap": 12, "empty": "only",
    "ties": "rethrow", "winnings": "stake", "opal": 2, "arcade_points": 1,
})  # fmt: skip
FEE_JSON = {"kind": "seat", "percent": 0, "cap": None, "amount": 2, "minutes": 0}

# fmt: off
STORED: list[tuple[Fact, str, dict[str, Any]]] = [
    (GameOpened(1, (Seat("A", 5), Seat("B", 6, house=True, home_throw=(1, 3, 6))), "B", 5,
                Options(variant="arcade", pay_cap=12, opal=2, arcade_points=1), ((1, 3, 6),),
                fee=Fee("seat", amount=2), at=9),
     "cinnabar_gate.game_opened",
     {"rules_version": 1, "players": [
         {"name": "A", "stake": 5, "house": False, "home_throw": None},
         {"name": "B", "stake": 6, "house": True, "home_throw": [1, 3, 6]}],
      "first": "B", "stake": 5, "options": OPTIONS_JSON, "homes": [[1, 3, 6]],
      "home_throw_policy": "fixed", "home_override": False, "fee": FEE_JSON, "stake_min": None,
      "stake_max": None, "table": "", "dice_set": "", "at": 9}),
    (HomeDiceThrown((2, 4, 6), "show_up"), "cinnabar_gate.home_dice_thrown",
     {"dice": [2, 4, 6], "hand": "show_up"}),
    (HomeThrowSettled((1, 3, 6)), "cinnabar_gate.home_throw_settled", {"home": [1, 3, 6]}),
    (DiceThrown("A", (5, 3, 1), "junk", 3, junk=2, again=1, open=True),
     "cinnabar_gate.dice_thrown",
     {"player": "A", "dice": [5, 3, 1], "hand": "junk", "score": 3, "junk": 2, "again": 1,
      "open": True}),
    (HandTaken("A", implied=True), "cinnabar_gate.hand_taken", {"player": "A", "implied": True}),
    (PayMoved("A", 3, ("CG2",)), "cinnabar_gate.pay_moved",
     {"player": "A", "pay": 3, "rules": ["CG2"]}),
    (RoundRestarted("A", ("B", "C"), 8), "cinnabar_gate.round_restarted",
     {"player": "A", "order": ["B", "C"], "pay": 8}),
    (TieCalled("worst", ("B", "C"), ("A",)), "cinnabar_gate.tie_called",
     {"end": "worst", "players": ["B", "C"], "best": ["A"]}),
    (RoundSettled(2, ("B",), ("A",), 9, "B", PAID, (("B", Fraction(9, 2)),), ("A",), ("CG6",)),
     "cinnabar_gate.round_settled",
     {"round": 2, "winners": ["B"], "losers": ["A"], "pay": 9, "first": "B",
      "payments": PAID_JSON, "points": [["B", "9/2"]], "out": ["A"], "rules": ["CG6"]}),
    (RoundVoided(1, "A", PAID, (), ("CG7",)), "cinnabar_gate.round_voided",
     {"round": 1, "first": "A", "payments": PAID_JSON, "out": [], "rules": ["CG7"]}),
    (PlayerLeft("A", "B"), "cinnabar_gate.player_left", {"player": "A", "first": "B"}),
    (GameEnded(3, ("B",), PAID, ("CG11",)), "cinnabar_gate.game_ended",
     {"round": 3, "winners": ["B"], "payments": PAID_JSON, "rules": ["CG11"]}),
]
# fmt: on


@pytest.mark.parametrize(("event", "event_type", "data"), STORED)
def test_an_event_is_stored_so_and_read_back(
    event: Fact, event_type: str, data: dict[str, Any]
) -> None:
    assert CINNABAR_GATE.encode(event) == (event_type, data)
    assert CINNABAR_GATE.decode(event_type, data) == event


def test_every_event_class_has_a_wire_type_and_a_row() -> None:
    named = [each for each in vars(cinnabar_gate).values() if isinstance(each, type)]
    events = {each for each in named if issubclass(each, Fact) and "__slots__" in vars(each)}
    own = {each for each in events if each.__module__ == cinnabar_gate.__name__}

    assert own <= set(WIRE.types)
    assert {type(event) for event, _, _ in STORED} == set(WIRE.types) - set(SHARED)


def test_an_opening_without_options_has_their_defaults() -> None:
    read = CINNABAR_GATE.decode(
        "cinnabar_gate.game_opened", {"rules_version": 1, "players": [], "first": "A"}
    )

    assert isinstance(read, GameOpened)
    assert read.options == Options()
