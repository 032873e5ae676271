"""Events that every game may have, as they are stored: written once, to be read for ever."""

from typing import Any

import pytest

from games.messages import (
    BoughtIn,
    CashedOut,
    DiceChanged,
    Disputed,
    Fact,
    FeeTaken,
    HandedOver,
    HandoverOffered,
    NoThrowRecorded,
    Paused,
    PlayerJoined,
    Resolved,
    Resumed,
    TableClosed,
    Voided,
    VoidRejected,
    VoidRequested,
    Witnessed,
)
from games.payments import Payment
from games.stone_hand import WIRE
from games.wire import SHARED

PAID = (Payment("A", "house", 7, ("G6", "G2")),)
PAID_JSON = [{"from": "A", "to": "house", "amount": 7, "rules": ["G6", "G2"]}]

# fmt: off
STORED: list[tuple[Fact, str, dict[str, Any]]] = [
    (NoThrowRecorded("A", "cocked", (3,), "rim"), "game.no_throw_recorded",
     {"player": "A", "reason": "cocked", "dice": [3], "note": "rim"}),
    (CashedOut("A", 5), "game.cashed_out", {"player": "A", "amount": 5}),
    (Voided(3, "x", "Ann", "Mara", 5), "game.voided",
     {"back_to": 3, "reason": "x", "asked_by": "Ann", "approved_by": "Mara", "request": 5,
      "alone": False, "undo": False, "corrected": False}),
    (VoidRequested(5, 3, "x", "Ann", holds=True), "game.void_requested",
     {"request": 5, "back_to": 3, "reason": "x", "asked_by": "Ann", "holds": True,
      "instead": None, "only": False, "before": False}),
    (VoidRequested(5, 3, "x", "Ann", instead={"do": "throw", "player": "A", "dice": [1, 2, 3]}),
     "game.void_requested",
     {"request": 5, "back_to": 3, "reason": "x", "asked_by": "Ann", "holds": False,
      "instead": {"do": "throw", "player": "A", "dice": [1, 2, 3]}, "only": False,
      "before": False}),
    (VoidRejected(5, "Mara", "no"), "game.void_rejected",
     {"request": 5, "rejected_by": "Mara", "reason": "no"}),
    (FeeTaken(PAID, through=60), "game.fee_taken", {"payments": PAID_JSON, "through": 60}),
    (BoughtIn("A", 5, house=True), "game.bought_in", {"player": "A", "amount": 5, "house": True}),
    (PlayerJoined("D", 25), "game.player_joined", {"player": "D", "stake": 25, "house": False}),
    (TableClosed("late"), "game.table_closed", {"reason": "late"}),
    (Paused("dice on the floor", "7"), "game.paused", {"note": "dice on the floor", "by": "7"}),
    (Resumed("7"), "game.resumed", {"by": "7"}),
    (HandoverOffered("7", "8", 12, 3), "game.handover_offered",
     {"by": "7", "to": "8", "version": 12, "round": 3}),
    (HandedOver("7", "8", 12, 3, 13), "game.handed_over",
     {"by": "7", "to": "8", "version": 12, "round": 3, "offered": 13}),
    (DiceChanged("S2", "S1", "chipped", "7"), "game.dice_changed",
     {"dice_set": "S2", "before": "S1", "reason": "chipped", "by": "7"}),
    (Witnessed(12, 0, "7", "9", ("8",)), "game.witnessed",
     {"cause": 12, "seq": 0, "asked_by": "7", "approved_by": "9", "beneficiaries": ["8"]}),
    (Disputed(14, 3, 9, "cocked", "7", 12, 0), "game.disputed",
     {"dispute": 14, "round": 3, "first": 9, "reason": "cocked", "by": "7", "cause": 12, "seq": 0}),
    (Resolved(14, "stands", "seen on camera", "7", "9"), "game.resolved",
     {"dispute": 14, "outcome": "stands", "reason": "seen on camera",
      "asked_by": "7", "approved_by": "9", "beneficiaries": []}),
]
# fmt: on


@pytest.mark.parametrize(("event", "event_type", "data"), STORED)
def test_an_event_is_stored_so_and_read_back(
    event: Fact, event_type: str, data: dict[str, Any]
) -> None:
    assert WIRE.encode(event) == (event_type, data)
    assert WIRE.decode(event_type, data) == event


def test_every_shared_event_has_a_row() -> None:
    assert {type(event) for event, _, _ in STORED} == set(SHARED)
