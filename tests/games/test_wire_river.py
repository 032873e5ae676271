"""Events as they are stored. What stands here was written once and must be read for ever."""

from typing import Any

import pytest

from games.fees import Fee
from games.messages import Fact
from games.payments import Payment
from games.river import RIVER, WIRE
from games.river import messages as river
from games.river.messages import (
    BidMade,
    BidPassed,
    DiceBought,
    DiceOffered,
    DiceRevealed,
    DiceSealed,
    DieThrown,
    GameEnded,
    GameOpened,
    HandsUnseen,
    LotSold,
    LotWithdrawn,
    Options,
    PlayerLeft,
    RoundStarted,
    RoundVoided,
    RoundWon,
    TieCalled,
)
from games.seats import Seat
from games.wire import SHARED, UnknownEventType
from tests.games import spec

PAID = (Payment("A", "pot", 7, ("RV3",)),)
PAID_JSON = [{"from": "A", "to": "pot", "amount": 7, "rules": ["RV3"]}]
FEE_JSON = {"kind": "seat", "percent": 0, "cap": None, "amount": 2, "minutes": 0}
OPTIONS_JSON = spec.with_later(Options, {"min_raise": 3, "tie": "rolloff"})

# fmt: off
STORED: list[tuple[Fact, str, dict[str, Any]]] = [
    (GameOpened(1, (Seat("A", 5), Seat("B", 6)), Options(3, "rolloff"), Fee("seat", amount=2),
                price=4, stake=5, stake_min=1, stake_max=9, table="t", dice_set="d", at=9),
     "river.game_opened",
     {"rules_version": 1, "players": [
         {"name": "A", "stake": 5, "house": False, "home_throw": None},
         {"name": "B", "stake": 6, "house": False, "home_throw": None}],
      "options": OPTIONS_JSON, "fee": FEE_JSON, "price": 4, "stake": 5,
      "stake_min": 1, "stake_max": 9, "table": "t", "dice_set": "d", "at": 9}),
    (RoundStarted(2, 7, ("A", "B"), PAID), "river.round_started",
     {"round": 2, "price": 7, "players": ["A", "B"], "payments": PAID_JSON}),
    (HandsUnseen(2, ("A",)), "river.hands_unseen", {"round": 2, "players": ["A"]}),
    (DiceBought("A", PAID), "river.dice_bought", {"player": "A", "payments": PAID_JSON}),
    (DiceSealed("A", "ab"), "river.dice_sealed", {"player": "A", "commitment": "ab"}),
    (DiceOffered((1, 2, 3, 4, 5)), "river.dice_offered", {"dice": [1, 2, 3, 4, 5]}),
    (BidMade("A", "d8", 3), "river.bid_made", {"player": "A", "die": "d8", "amount": 3}),
    (BidPassed("A", "d8"), "river.bid_passed", {"player": "A", "die": "d8"}),
    (LotSold("d8", 5, "A", 7, PAID), "river.lot_sold",
     {"die": "d8", "face": 5, "player": "A", "amount": 7, "payments": PAID_JSON}),
    (LotWithdrawn("d8"), "river.lot_withdrawn", {"die": "d8"}),
    (DiceRevealed("A", (1, 2, 8, 9, 1), "Perfect Flop", 5, (10, 9, 8), ("d12",), "00", late=True),
     "river.dice_revealed",
     {"player": "A", "dice": [1, 2, 8, 9, 1], "hand": "Perfect Flop", "rank": 5,
      "values": [10, 9, 8], "replaced": ["d12"], "salt": "00", "late": True}),
    (TieCalled(("A", "B")), "river.tie_called", {"players": ["A", "B"]}),
    (DieThrown("A", (12,)), "river.die_thrown", {"player": "A", "dice": [12]}),
    (RoundWon(2, ("A",), 5, PAID, ("RV6",)), "river.round_won",
     {"round": 2, "winners": ["A"], "rank": 5, "payments": PAID_JSON, "rules": ["RV6"]}),
    (RoundVoided(1, PAID, ("G9",)), "river.round_voided",
     {"round": 1, "payments": PAID_JSON, "rules": ["G9"]}),
    (PlayerLeft("A", PAID, ("RV7",)), "river.player_left",
     {"player": "A", "payments": PAID_JSON, "rules": ["RV7"]}),
    (GameEnded(3, ("G9",)), "river.game_ended", {"round": 3, "rules": ["G9"]}),
]
# fmt: on


@pytest.mark.parametrize(("event", "event_type", "data"), STORED)
def test_an_event_is_stored_so_and_read_back(
    event: Fact, event_type: str, data: dict[str, Any]
) -> None:
    assert RIVER.encode(event) == (event_type, data)
    assert RIVER.decode(event_type, data) == event


def test_every_event_class_has_a_wire_type_and_a_row() -> None:
    named = [each for each in vars(river).values() if isinstance(each, type)]
    events = {each for each in named if issubclass(each, Fact) and "__slots__" in vars(each)}
    own = {each for each in events if each.__module__ == river.__name__}

    assert own <= set(WIRE.types)
    assert {type(event) for event, _, _ in STORED} == set(WIRE.types) - set(SHARED)


def test_a_field_that_came_later_takes_its_default() -> None:
    read = RIVER.decode("river.dice_sealed", {"player": "A"})

    assert read == DiceSealed("A")


def test_an_event_that_nobody_knows_is_not_guessed_at() -> None:
    with pytest.raises(UnknownEventType):
        RIVER.decode("river.dice_peeked_at", {})
