"""
The house's rollover as it would have been, from the pots of games into those of later games. Pure.

A game that opens takes all coins that wait for its kind (TA10). If an earlier game would have left
or taken another amount, the difference is carried to the next game that opens.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable


@dataclass(frozen=True, slots=True)
class Left:
    """
    The difference that one game would have made to the rollover.

    :param kind: the ruleset of the game.
    :param position: the ledger position from which on the difference counts.
    :param coins: how many more coins than in fact; None: not known.
    :param game: the game that left them.
    """

    kind: str
    position: int
    coins: int | None
    game: str


@dataclass(slots=True)
class Rollovers:
    waiting: list[Left] = field(default_factory=list)

    def leave(self, left: Left) -> None:
        if left.coins != 0:
            self.waiting.append(left)

    def taken(self, kind: str, position: int) -> tuple[int | None, str]:
        """
        The coins that a game which opens at this position takes in addition to what it took in
        fact (None: not known), and the last game that left such a difference ("" if none).
        """
        mine = [each for each in self.waiting if each.kind == kind and each.position < position]
        self.waiting = [each for each in self.waiting if each not in mine]
        if not mine:
            return 0, ""
        coins = [each.coins for each in mine if each.coins is not None]
        return sum(coins) if len(coins) == len(mine) else None, mine[-1].game

    def as_json(self) -> list[list[Any]]:
        return [[each.kind, each.position, each.coins, each.game] for each in self.waiting]

    @classmethod
    def from_json(cls, values: Iterable[Iterable[Any]]) -> Rollovers:
        return cls([Left(*each) for each in values])
