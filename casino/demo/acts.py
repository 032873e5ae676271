"""
What somebody at a table might do next: any row of a game's `offers`, filled in by chance.

Knows no game, only the words of the vocabulary and what each row says may stand in them.
"""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING, Any, ClassVar, Final

from games.river.commitments import commitment

if TYPE_CHECKING:
    import random
    from collections.abc import Callable, Mapping, Sequence

Row = dict[str, Any]

SAME: Final = 1 / 3  # of loaded dice show what the one before shows: hands come about in good time
HIT: Final = 1 / 5  # of dice in the arena are hit by a throw
COMES_TO_REST: Final = ("breaks", "breaks", "breaks", "out", "caught")  # of five dice that are hit
STAKES: Final = (3, 8, 20)
MORE_MAX: Final = 2  # coins that a bid goes beyond the least that will do
HOLE: Final = (4, 6, 8, 10, 12)  # sides


@dataclass(frozen=True)
class Somebody:
    """
    :param state: a game as the API shows it.
    :param guests: who may come and sit down.
    :param alike: the share of dice that show what the one before shows; fair dice have none.
    """

    state: Mapping[str, Any]
    chance: random.Random
    guests: Sequence[str]
    alike: float = SAME

    def may(self, row: Row) -> bool:
        """
        Whether there is somebody to join, a table to take over or a payout to have seen, and a hand
        sealed long ago is still remembered.
        """
        if row["do"] == "join":
            return bool(self._newcomers(row))
        if row["do"] in {"handover", "witness"}:
            return bool(row.get("offered") or row.get("latest"))
        return not (row["do"] == "reveal" and row["late"] and row["committed"])

    def does(self, row: Row) -> Row:
        """A command that the row means, without its id."""
        return {"do": row["do"], **self.ways[row["do"]](self, row)}

    def rolled(self, count: int, sides: int) -> list[int]:
        dice: list[int] = []
        for _ in range(count):
            alike = dice and self.chance.random() < self.alike
            dice.append(dice[-1] if alike else self.chance.randint(1, sides))
        return dice

    def _throw(self, row: Row) -> Row:
        if "die" in row:
            return self._at_the_arena(row)
        dice = self.rolled(row["dice"], row["sides"])
        told: Row = {"player": row["player"], "dice": dice}
        if row.get("keep") and self.chance.random() < 1 / 2:
            told["keep"] = self._some(dice)
        if row.get("bottoms") and self.chance.random() < 1 / 2:
            told["bottoms"] = True
        return told

    def _at_the_arena(self, row: Row) -> Row:
        """A die thrown, and where those that it hit come to rest; seldom out, or in a hand."""
        die = self.chance.choice(row["die"])
        told: dict[str, list[Any]] = {"breaks": [], "out": [], "caught": []}
        for hit in row["hits"]:
            if hit != die and self.chance.random() < HIT:
                rest = self.chance.choice(COMES_TO_REST)
                told[rest].append(self._hit(rest, hit, row))
        spins = row["may_spin"] and (row["spinning"] or self.chance.random() < HIT)
        return {
            "player": row["player"],
            "die": die,
            "value": self.chance.randint(1, row["sides"]),
            **{rest: dice for rest, dice in told.items() if dice},
            **({"spinning": True} if spins else {}),
        }

    def _hit(self, rest: str, die: str, row: Row) -> Any:
        match rest:
            case "breaks":
                return {"die": die, "value": self.chance.randint(1, row["sides"])}
            case "caught":
                return {"die": die, "by": self.chance.choice(row["catchers"])}
            case _:
                return die

    def _some(self, dice: Sequence[int]) -> list[int]:
        return self.chance.sample(dice, self.chance.randint(1, len(dice)))

    def _keep(self, row: Row) -> Row:
        return {"player": row["player"], "dice": self._some(row["of"])}

    def _throw_home(self, row: Row) -> Row:
        return {"dice": self.rolled(row["dice"], row["sides"])}

    def _player(self, row: Row) -> Row:
        return {"player": row["player"]}

    def _nothing(self, _row: Row) -> Row:
        return {}

    def _no_throw(self, row: Row) -> Row:
        return {"player": row["player"], "reason": self.chance.choice(row["reasons"])}

    def _break_start(self, row: Row) -> Row:
        return {"player": row["player"], "value": self.chance.randint(1, row["sides"])}

    def _start_round(self, row: Row) -> Row:
        if row["price"] is not None and self.chance.random() < 1 / 2:
            return {}
        return {"price": self._little(row)}

    def _seal(self, row: Row) -> Row:
        if self.chance.random() < 1 / 2:
            return {"player": row["player"]}
        dice, salt = self._hole(row["player"])
        return {"player": row["player"], "commitment": commitment(salt, tuple(dice.values()))}

    def _reveal(self, row: Row) -> Row:
        dice, salt = self._hole(row["player"])
        told: Row = {"player": row["player"], "dice": dice}
        return {**told, "salt": salt} if row["committed"] else told

    def _hole(self, player: str) -> tuple[dict[str, int], str]:
        """A player's hole dice of this round and their salt, the same ones whenever asked."""
        game, this = self.state["id"], self.state["round"]
        drawn = sha256(f"{game}/{this}/{player}".encode()).digest()
        faces = zip(HOLE, drawn[16:], strict=False)
        return {f"d{sides}": 1 + byte % sides for sides, byte in faces}, drawn[:16].hex()

    def _offer(self, row: Row) -> Row:
        faces = {size: self.chance.randint(1, sides) for size, sides in row["sides"].items()}
        return {"dice": faces}

    def _priced(self, row: Row) -> Row:
        return {"player": row["player"], "die": row["die"], "amount": self._little(row)}

    def _little(self, row: Row) -> int:
        """Little more than the least that will do."""
        return self.chance.randint(row["least"], min(row["most"], row["least"] + MORE_MAX))

    def _pass(self, row: Row) -> Row:
        return {"player": row["player"], "die": row["die"]}

    def _withdraw(self, row: Row) -> Row:
        return {"die": row["die"]}

    def _newcomers(self, row: Row) -> list[str]:
        strangers = [guest for guest in self.guests if guest not in self.state["stakes"]]
        return [*strangers, *row["back"]]

    def _join(self, row: Row) -> Row:
        return {"player": self.chance.choice(self._newcomers(row)), "stake": self._brought(row)}

    def _buy_in(self, row: Row) -> Row:
        return {"player": row["player"], "amount": self._brought(row)}

    def _brought(self, row: Row) -> int:
        """What comes to the table, within what it takes."""
        coins = max(self.chance.choice(STAKES), int(row.get("least", 0)))
        return min(coins, int(row.get("most", coins)))

    def _cash_out(self, row: Row) -> Row:
        return {"player": row["player"], "amount": self.chance.randint(1, row["most"])}

    def _void(self, row: Row) -> Row:
        back_to = self.chance.choice(row["alone"] or range(row["from"], row["to"] + 1))
        return {"back_to": back_to, "reason": "Misread."}

    def _request(self, row: Row) -> Row:
        return {"request": row["request"]}

    def _handover(self, row: Row) -> Row:
        return {"to": row["offered"]["to"]}

    def _change_dice(self, row: Row) -> Row:
        return {"dice_set": row["dice_set"], "reason": "Chipped."}

    def _witness(self, row: Row) -> Row:
        return {"payout": self.chance.choice(row["latest"])}

    def _dispute(self, row: Row) -> Row:
        return {"round": max(row["rounds"], 1), "reason": "Misread."}

    def _resolve(self, row: Row) -> Row:
        outcome = self.chance.choice(row["outcomes"])
        return {"dispute": row["dispute"], "outcome": outcome, "reason": "Seen on the camera."}

    ways: ClassVar[Mapping[str, Callable[[Somebody, Row], Row]]] = {
        "throw": _throw,
        "throw_home": _throw_home,
        "keep": _keep,
        "stand": _player,
        "no_throw": _no_throw,
        "break_start": _break_start,
        "start_round": _start_round,
        "seal": _seal,
        "offer": _offer,
        "bid": _priced,
        "sell": _priced,
        "pass": _pass,
        "withdraw": _withdraw,
        "reveal": _reveal,
        "join": _join,
        "leave": _player,
        "buy_in": _buy_in,
        "cash_out": _cash_out,
        "close": _nothing,
        "void": _void,
        "approve": _request,
        "reject": _request,
        "pause": _nothing,
        "resume": _nothing,
        "handover": _handover,
        "change_dice": _change_dice,
        "witness": _witness,
        "dispute": _dispute,
        "resolve": _resolve,
    }
