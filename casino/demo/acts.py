"""
Acts at random: opening a game, and filling in a row of a game's `offers` at the table.

This module has the acts that all games share, and follows what each row allows. The acts of one
game come with the game's package.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, ClassVar, Final

from casino.words.presenters.registered import OfEach, games
from casino.words.presenters.registration import STAKES, opening_without_none

if TYPE_CHECKING:
    import random
    from collections.abc import Callable, Mapping, Sequence

    from casino.words.presenters.registration import RandomOpening, Way

Row = dict[str, Any]

SAME: Final = 1 / 3  # share of loaded dice that repeat the die before, so that hands come sooner
STAKES_BROUGHT: Final = (3, 8, 20)
MORE_MAX: Final = 2  # the most coins by which a bid exceeds the minimum


@dataclass(frozen=True)
class Somebody:
    """
    Acts at random in a game.

    :param state: the game as the API shows it.
    :param guests: the names of people who may join.
    :param alike: the share of dice that repeat the die before; 0 for fair dice.
    """

    state: Mapping[str, Any]
    chance: random.Random
    guests: Sequence[str]
    alike: float = SAME

    def may(self, row: Row) -> bool:
        """
        Whether the act is possible for the demo.

        A guest can join, a table can be taken over, a payout can be witnessed. A hand that was
        sealed long ago cannot be revealed, because the demo does not remember it.
        """
        if row["do"] == "join":
            return bool(self._newcomers(row))
        if row["do"] in {"handover", "witness"}:
            return bool(row.get("offered") or row.get("latest"))
        return not (row["do"] == "reveal" and row["late"] and row["committed"])

    def does(self, row: Row) -> Row:
        """A random command for the row, without its id."""
        way = ways(self.state["game"])[row["do"]]
        return {"do": row["do"], **way(self, row)}

    def rolled(self, count: int, sides: int) -> list[int]:
        dice: list[int] = []
        for _ in range(count):
            alike = dice and self.chance.random() < self.alike
            dice.append(dice[-1] if alike else self.chance.randint(1, sides))
        return dice

    def thrown(self, row: Row) -> Row:
        return {"player": row["player"], "dice": self.rolled(row["dice"], row["sides"])}

    def some(self, dice: Sequence[int]) -> list[int]:
        return self.chance.sample(dice, self.chance.randint(1, len(dice)))

    def little(self, row: Row) -> int:
        """An amount slightly above the minimum, in whole units where the row says so (G11)."""
        least, step = int(row["least"]), int(row.get("step", 1))
        more = min((int(row["most"]) - least) // step, MORE_MAX)
        return least + self.chance.randint(0, more) * step

    def _throw_home(self, row: Row) -> Row:
        return {"dice": self.rolled(row["dice"], row["sides"])}

    def _player(self, row: Row) -> Row:
        return {"player": row["player"]}

    def _nothing(self, _row: Row) -> Row:
        return {}

    def _no_throw(self, row: Row) -> Row:
        return {"player": row["player"], "reason": self.chance.choice(row["reasons"])}

    def _newcomers(self, row: Row) -> list[str]:
        strangers = [guest for guest in self.guests if guest not in self.state["stakes"]]
        return [*strangers, *row["back"]]

    def _join(self, row: Row) -> Row:
        return {"player": self.chance.choice(self._newcomers(row)), "stake": self._amount(row)}

    def _buy_in(self, row: Row) -> Row:
        return {"player": row["player"], "amount": self._amount(row)}

    def _amount(self, row: Row) -> int:
        """The coins that a player brings, within the table's limits."""
        coins = max(self.chance.choice(STAKES_BROUGHT), int(row.get("least", 0)))
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

    usual: ClassVar[Mapping[str, Callable[[Somebody, Row], Row]]] = {
        "throw": thrown,
        "throw_home": _throw_home,
        "stand": _player,
        "no_throw": _no_throw,
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


@cache
def ways(game: str) -> Mapping[str, Way]:
    """The functions that make each act of a game: the game's own, or else the usual ones."""
    return {**Somebody.usual, **games()[game].is_demonstrated().ways}


# --- Openings: options, fees and stakes -----------------------------------------------------------


HOUSE_SITS: Final = 1 / 4  # share of games with a seat of the house, if it may have one
OPENINGS: Final[Mapping[str, Callable[[random.Random], RandomOpening]]] = OfEach(
    lambda game: game.is_demonstrated().opening, having=lambda game: game.demo
)


FOR_POINTS: Final[Mapping[str, Mapping[str, Any] | None]] = OfEach(
    lambda game: game.is_demonstrated().for_points, having=lambda game: game.demo
)
SEATS_MOST: Final = 4


def any_opening(
    game: str, names: Sequence[str], chance: random.Random, *, first: Sequence[str] = ()
) -> RandomOpening:
    """
    A random command `open`, without its id, for a game on offer.

    :param names: the people who may sit down; two or more of them do.
    :param first: people who sit down before others.
    """
    count = chance.randint(2, min(SEATS_MOST, len(names)))
    opening = OPENINGS[game](chance)
    house_sits = opening.pop("house_may_sit", False) and chance.random() < HOUSE_SITS
    stake = opening.pop("stake", 0)
    seats = _seats(names, chance, count, first, stake)
    if house_sits:
        seats[0]["house"] = True
    return {"do": "open", "game": game, "players": seats, **opening_without_none(opening)}


def by_the_house(
    game: str, names: Sequence[str], chance: random.Random, *, first: Sequence[str] = ()
) -> RandomOpening:
    """A random command `open` by the published house rules, which add the options and the fee."""
    count = chance.randint(2, min(SEATS_MOST, len(names)))
    stake = chance.choice(STAKES)
    seats = _seats(names, chance, count, first, stake)
    return {"do": "open", "game": game, "players": seats}


def for_points(
    game: str, names: Sequence[str], chance: random.Random, *, first: Sequence[str] = ()
) -> RandomOpening:
    """A command `open` for points of the house's scoreboard, of a game that can give them."""
    seats = _seats(names, chance, SEATS_MOST, first, 0)
    return {"do": "open", "game": game, "players": seats, "options": dict(FOR_POINTS[game] or {})}


def _seats(
    names: Sequence[str], chance: random.Random, count: int, first: Sequence[str], stake: int
) -> list[dict[str, Any]]:
    others = [name for name in chance.sample(list(names), count) if name not in first]
    people = [*first[:SEATS_MOST], *others][: max(count, min(len(first), SEATS_MOST))]
    return [{"name": name, "stake": stake} for name in people]
