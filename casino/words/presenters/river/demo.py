"""River in the demo house: how it is opened and played at random, and its house rules there."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING, Final

from casino.words.presenters.registration import FEES, STAKES, Demonstrated
from games.river.commitments import commitment
from games.river.hands import SIDES

if TYPE_CHECKING:
    import random

    from casino.words.presenters.registration import RandomOpening, Row, Somebody

RULES: Final = {
    "options": {"tie": "high_value"},
    "fee": {"kind": "time", "amount": 1, "minutes": 30},
    "text": "Played at the Loft only, after ten. Dice stay under the cup until the last call.",
}


def opening(chance: random.Random) -> RandomOpening:
    return {
        "stake": chance.choice(STAKES),
        "price": chance.choice((None, 1, 2)),
        "options": {"tie": chance.choice(("split", "high_value", "rolloff"))},
        "fee": chance.choice(FEES),
    }


def _start_round(somebody: Somebody, row: Row) -> Row:
    if row["price"] is not None and somebody.chance.random() < 1 / 2:
        return {}
    return {"price": somebody.little(row)}


def _seal(somebody: Somebody, row: Row) -> Row:
    if somebody.chance.random() < 1 / 2:
        return {"player": row["player"]}
    dice, salt = _hole(somebody, row["player"])
    return {"player": row["player"], "commitment": commitment(salt, tuple(dice.values()))}


def _reveal(somebody: Somebody, row: Row) -> Row:
    dice, salt = _hole(somebody, row["player"])
    row_known: Row = {"player": row["player"], "dice": dice}
    return {**row_known, "salt": salt} if row["committed"] else row_known


def _hole(somebody: Somebody, player: str) -> tuple[dict[str, int], str]:
    """A player's hole dice of this round and their salt; each call returns the same ones."""
    game, this = somebody.state["id"], somebody.state["round"]
    drawn = sha256(f"{game}/{this}/{player}".encode()).digest()
    faces = zip(SIDES, drawn[16:], strict=False)
    return {f"d{sides}": 1 + byte % sides for sides, byte in faces}, drawn[:16].hex()


def _offer(somebody: Somebody, row: Row) -> Row:
    faces = {size: somebody.chance.randint(1, sides) for size, sides in row["sides"].items()}
    return {"dice": faces}


def _add_price(somebody: Somebody, row: Row) -> Row:
    return {"player": row["player"], "die": row["die"], "amount": somebody.little(row)}


def _pass(_somebody: Somebody, row: Row) -> Row:
    return {"player": row["player"], "die": row["die"]}


def _withdraw(_somebody: Somebody, row: Row) -> Row:
    return {"die": row["die"]}


DEMO: Final = Demonstrated(
    opening=opening,
    ways={
        "start_round": _start_round,
        "seal": _seal,
        "offer": _offer,
        "bid": _add_price,
        "sell": _add_price,
        "pass": _pass,
        "withdraw": _withdraw,
        "reveal": _reveal,
    },
    rules=RULES,
)
