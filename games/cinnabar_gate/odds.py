"""The exact odds of Cinnabar Gate: of a throw, and of the hand that a player takes in the end."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from itertools import count
from typing import Final, Literal

from games import stone
from games.cinnabar_gate.hands import RAISES, badness, classify
from games.cinnabar_gate.messages import Options
from games.dice import Dice, every_throw
from games.odds import NEVER, SURE, chance, count_chances, gather, only
from games.stone import Hand

Policy = Literal["likelier", "never"]
POLICIES: Final[tuple[Policy, ...]] = ("likelier", "never")
JUNK_SCORES: Final = stone.SIDES - 2  # a middle number is 2 to 7
KEEP_JUNK: Final = range(JUNK_SCORES + 1)
JUNK_RETHROWS: Final = range(10)

Waiting = tuple[int, int]  # chances left to throw junk again, and (CG10) any hand again


@dataclass(frozen=True, slots=True)
class Taken:
    """
    A hand that is taken.

    :param throws: how many throws it took, show-ups not counted.
    :param again: how many chances of CG10 were used.
    """

    hand: Hand
    throws: int
    again: int


@dataclass(frozen=True)
class Throws:
    """
    The throws of a game, and the hands of players who keep to a policy.

    :param homes: the home throws in force, sorted, whether named or thrown for; there may be none.
    :param keep_junk: how many of the six scores of junk, best first, are taken at once; with 0
        every chance to throw junk again is used (CG4).
    :param policy: whether players who may throw any hand again (CG10) do so: ``likelier``, if what
        comes next, junk chances included, is likelier to be better than to be worse; or ``never``.
    """

    options: Options
    homes: tuple[Dice, ...]
    keep_junk: int = 0
    policy: Policy = "likelier"
    _taken: dict[int, dict[Hand, Fraction]] = field(default_factory=dict, compare=False)
    _turns: dict[int, dict[Taken, Fraction]] = field(default_factory=dict, compare=False)
    _worth: dict[int, frozenset[Hand]] = field(default_factory=dict, compare=False)

    @cached_property
    def single(self) -> dict[Hand, Fraction]:
        """
        The chances of one throw: 512 ways. Pairs of one score are one hand unless their value
        matters.
        """
        return count_chances(self._seen(dice) for dice in every_throw(stone.DICE, stone.SIDES))

    def _seen(self, dice: Dice) -> Hand:
        hand = classify(dice, self.homes, self.options)
        return hand if self.options.pair_value else replace(hand, paired=0)

    @cached_property
    def settled(self) -> dict[Hand, Fraction]:
        """The chances of a throw after all show-ups have been thrown again (CG5)."""
        return only(self.single, lambda hand: hand.name not in RAISES)

    @cached_property
    def ranked(self) -> tuple[Hand, ...]:
        """The hands that may be taken, best first (CG3)."""
        return tuple(sorted(self.settled, key=lambda hand: badness(hand, self.options)))

    @cached_property
    def rank(self) -> Mapping[Hand, int]:
        return {hand: place for place, hand in enumerate(self.ranked)}

    @cached_property
    def junk_again(self) -> frozenset[Hand]:
        """The junk hands that are thrown again while there is a chance."""
        best_first = sorted(range(2, stone.SIDES), reverse=self.options.junk_order == "high")
        again = best_first[self.keep_junk :]
        return frozenset(h for h in self.ranked if h.name == "junk" and h.score in again)

    def taken(self, chances: int) -> dict[Hand, Fraction]:
        """The chances of the hand that is taken, with so many chances to throw junk again (CG4)."""
        if not chances:
            return self.settled
        if chances not in self._taken:
            on = chance(self.settled, lambda hand: hand in self.junk_again)
            later = self.taken(chances - 1)
            self._taken[chances] = {
                hand: on * later[hand] + (NEVER if hand in self.junk_again else likely)
                for hand, likely in self.settled.items()
            }
        return self._taken[chances]

    def turn(self, allowed: int) -> dict[Taken, Fraction]:
        """What a player takes who may throw any hand again `allowed` times (CG4, CG10)."""
        if allowed not in self._turns:
            self._turns[allowed] = gather(self._turn(allowed))
        return self._turns[allowed]

    def _turn(self, allowed: int) -> Iterator[tuple[Taken, Fraction]]:
        reached: dict[Waiting, Fraction] = {(self.options.junk_rethrows, allowed): SURE}
        for throws in count(1):
            if not reached:
                return
            after: list[tuple[Waiting, Fraction]] = []
            for waiting, here in reached.items():
                for hand, likely in self.settled.items():
                    on = self._chances_left(hand, waiting)
                    if on is None:
                        yield Taken(hand, throws, allowed - waiting[1]), here * likely
                    else:
                        after.append((on, here * likely))
            reached = gather(after)

    def _chances_left(self, hand: Hand, waiting: Waiting) -> Waiting | None:
        """The chances that are left when the policy throws this hand again; None: it is taken."""
        junk, opal = waiting
        if junk and hand in self.junk_again:
            return junk - 1, opal
        if opal and self.policy == "likelier" and hand in self._worth_another(junk):
            return junk, opal - 1
        return None

    def _worth_another(self, junk: int) -> frozenset[Hand]:
        if junk not in self._worth:
            self._worth[junk] = frozenset(self._likelier_better(self.taken(junk)))
        return self._worth[junk]

    def _likelier_better(self, comes: Mapping[Hand, Fraction]) -> Iterator[Hand]:
        better = NEVER
        for hand in self.ranked:
            worse = SURE - better - comes[hand]
            if better > worse:
                yield hand
            better += comes[hand]
