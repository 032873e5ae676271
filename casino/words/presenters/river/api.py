"""River for programs: its part of the API's description, and the dice in its events."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from casino.words.presenters.registration import (
    ApiField,
    Described,
    Die,
    Example,
    RecordedDice,
    all_of,
)
from games.river.hands import SIDES
from games.river.rules import ROLL_OFF_SIDES

if TYPE_CHECKING:
    from collections.abc import Mapping

    from casino.words.presenters.registration import EventData, Reader

COMMITMENT: Final = "6b1f0d3c5a9e47820c41d7be93f2a65810dd4c7b2e9f03a1586cb7e4d92f10a3"
SALT: Final = "9f86d081884c7d659a2feaa0c55ad015"
BANKER: Final = {"d4": 2, "d6": 5, "d8": 7, "d10": 1, "d12": 9}
HOLE: Final = {"d4": 1, "d6": 1, "d8": 2, "d10": 8, "d12": 12}

# fmt: off
API: Final = Described(
    name="River",
    state=(
        ApiField("price", "anything", "of five dice in this round."),
        ApiField("in_round", "names"),
        ApiField(
            "sealed", "anything", "who has sealed, and whether with a commitment. Never dice."
        ),
        ApiField("offer", "anything", "the banker's dice."),
        ApiField("lot", "anything", "what is being sold, and the bids so far."),
        ApiField("lots", "rows", "what was sold in this round."),
        ApiField("won", "anything", "dice won at auction, by player."),
        ApiField("revealed", "names"),
        ApiField("unseen", "names", "whose hands may still be recorded."),
    ),
    throw=(ApiField("rank", "number or null", "the row of the hand, 1 is the highest."),),
    explained=(
        ApiField("lots", "rows", "how the banker's dice were sold."),
        ApiField("unseen", "names"),
    ),
    notes={"throw.player": "null is the banker."},
    openings=(
        Example(0x104, "River: five dice at 10 coins", {
            "price": 10, "options": {"tie": "rolloff", "min_raise": 2},
            "players": [{"name": "Ada", "stake": 80}, {"name": "Bruno", "stake": 60}],
        }),
    ),
    commands=(
        Example(0x20C, "River: the dice are sold", {"do": "start_round", "price": 10}),
        Example(0x20D, "River: a hand is sealed, with a commitment", {
            "do": "seal", "player": "Ada", "commitment": COMMITMENT,
        }),
        Example(0x20E, "River: the banker's dice", {"do": "offer", "dice": BANKER}),
        Example(0x20F, "River: a bid", {"do": "bid", "player": "Ada", "die": "d8", "amount": 4}),
        Example(0x210, "River: no further bid of this player", {
            "do": "pass", "player": "Bruno", "die": "d8",
        }),
        Example(0x211, "River: the hammer", {
            "do": "sell", "die": "d8", "player": "Ada", "amount": 4,
        }),
        Example(0x212, "River: a lot without a bid", {"do": "withdraw", "die": "d10"}),
        Example(0x213, "River: the reveal", {
            "do": "reveal", "player": "Ada", "dice": HOLE, "salt": SALT,
        }),
    ),
)
# fmt: on


# The dice that events of River record; sealed dice have no faces until they are revealed.


def _one_of_each(data: EventData) -> tuple[Die, ...]:
    return tuple(Die(sides, face) for sides, face in zip(SIDES, data["dice"], strict=True))


def _dice_on_offer(data: EventData) -> RecordedDice:
    return RecordedDice(_one_of_each(data))


def _dice_under_seal(data: EventData) -> RecordedDice:
    return RecordedDice(
        tuple(Die(sides, None) for sides in SIDES), player=data["player"], seals=True
    )


def _dice_of_revelation(data: EventData) -> RecordedDice:
    return RecordedDice(_one_of_each(data), player=data["player"], opens=True)


THROWS: Final[Mapping[str, Reader]] = {
    "river.dice_offered": _dice_on_offer,
    "river.dice_sealed": _dice_under_seal,
    "river.dice_revealed": _dice_of_revelation,
    "river.die_thrown": all_of(ROLL_OFF_SIDES),
}
