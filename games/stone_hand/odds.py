"""The exact odds of stone hand: of a throw, and of the hand that a turn ends with."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Final, Literal

from games import stone
from games.dice import Dice, every_throw
from games.odds import SURE, chance, count_chances, gather, only
from games.stone import Hand
from games.stone_hand.hands import badness, classify, coins_of_triad, coins_owed
from games.stone_hand.messages import Options

Owed = int | Literal["all"]  # "all": whatever stake is left
Policy = Literal["likelier", "never"]
POLICIES: Final[tuple[Policy, ...]] = ("likelier", "never")


@dataclass(frozen=True, slots=True)
class Landed:
    """The hand that lies on the table, and what it costs a player who loses with it."""

    hand: Hand
    owes: Owed = 0


@dataclass(frozen=True)
class Throws:
    """
    The throws of a game, and what becomes of them.

    :param homes: the home throws in force, sorted, whether named or thrown for; there may be none.
    :param policy: whether players who may throw a hand again (SH11) do so: ``likelier``, if a new
        valid throw is likelier to be better than to be worse; or ``never``.
    :param stake: the coins that each has left, the most that anybody pays (G2); None: always
        enough.
    """

    options: Options
    homes: tuple[Dice, ...]
    policy: Policy = "likelier"
    stake: int | None = None
    _turns: dict[int, dict[tuple[Landed, int], Fraction]] = field(
        default_factory=dict, compare=False
    )

    @cached_property
    def single(self) -> dict[Landed, Fraction]:
        """The chances of one throw: 512 ways."""
        return count_chances(self._landing(dice) for dice in every_throw(stone.DICE, stone.SIDES))

    def _landing(self, dice: Dice) -> Landed:
        hand = classify(dice, self.homes, self.options)
        match hand.name:
            case "home" | "empty":
                return Landed(hand)
            case "triad" if self.options.triad_pay == "all" and self.stake is None:
                return Landed(hand, "all")
            case "triad":
                return Landed(hand, self._pay(coins_of_triad(dice, self.options, self.stake or 0)))
            case _:
                return Landed(hand, self._pay(coins_owed(hand, self.options)))

    def _pay(self, coins: int) -> int:
        """The coins as far as the player has them (G2)."""
        return coins if self.stake is None else min(coins, self.stake)

    @cached_property
    def valid(self) -> dict[Landed, Fraction]:
        """The chances of a throw after all empties have been thrown again (SH2)."""
        return only(self.single, lambda landed: landed.hand.name != "empty")

    def falls(self, name: stone.HandName) -> Fraction:
        """The chance that a valid throw is this hand."""
        return chance(self.valid, lambda landed: landed.hand.name == name)

    @cached_property
    def ranked(self) -> tuple[Landed, ...]:
        """The hands with a score, best first (SH3)."""
        held = (landed for landed in self.valid if landed.hand.score is not None)
        return tuple(sorted(held, key=lambda landed: badness(landed.hand)))

    @cached_property
    def rank(self) -> Mapping[Landed, int]:
        return {landed: place for place, landed in enumerate(self.ranked)}

    @cached_property
    def thrown_again(self) -> frozenset[Landed]:
        """
        The hands that the policy throws again (SH11). Of hands without a score, only a home throw
        is better.
        """
        if self.policy == "never":
            return frozenset()
        better, again = self.falls("home"), set()
        for landed in self.ranked:
            worse = SURE - better - self.valid[landed]
            if better > worse:
                again.add(landed)
            better += self.valid[landed]
        return frozenset(again)

    def turn(self, allowed: int) -> dict[tuple[Landed, int], Fraction]:
        """What a player ends up with (SH11), and after how many throws again of those `allowed`."""
        if allowed not in self._turns:
            self._turns[allowed] = gather(self._turn(allowed, 0, SURE))
        return self._turns[allowed]

    def _turn(
        self, allowed: int, again: int, reached: Fraction
    ) -> Iterator[tuple[tuple[Landed, int], Fraction]]:
        for landed, likely in self.valid.items():
            if again < allowed and landed in self.thrown_again:
                continue
            yield (landed, again), reached * likely
        if again < allowed and self.thrown_again:
            on = sum((self.valid[landed] for landed in self.thrown_again), start=Fraction(0))
            yield from self._turn(allowed, again + 1, reached * on)
