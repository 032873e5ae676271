"""
The exact odds of threes away: a dynamic programme over the dice that are still to be thrown.

With `n` dice left at most n + (n - 1) + ... + 1 dice are thrown, so every chance is a whole number
of 6 ** (n (n + 1) / 2) parts; counting in those needs no fraction until the end. Among choices that
keep equally many dice, the lowest dice are best, whatever the aim. Bottoms (TA8) change nothing:
they are called before a throw, and the faces underneath are as likely as those on top.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import accumulate, combinations_with_replacement
from math import factorial, prod
from typing import Final, NamedTuple

from games.dice import Dice, faces
from games.odds import Extreme, NoSuchOdds, chances_of_view, greatest
from games.threes_away.hands import DICE, SIDES, ZERO, keeps, total, value_of_face

WORST: Final = DICE * SIDES  # no total is higher
TOTALS: Final = range(WORST + 1)
PLAYERS: Final = range(2, 13)


class Sorted(NamedTuple):
    """
    Throws that count the same: the totals of their lowest dice, and how many such throws there are.

    :param sums: the total of the one lowest die, of the two lowest, ...
    """

    sums: tuple[int, ...]
    ways: int


@dataclass(frozen=True, slots=True)
class Choice:
    """
    Dice that may be kept of a throw.

    :param expected: the total of the turn, if the rest is played for the least expected total.
    :param reaches: the chance to finish at or under the target, if the rest is played for that;
        None without a target.
    """

    keep: Dice
    left: int
    expected: Fraction
    reaches: Fraction | None


@dataclass(frozen=True, slots=True)
class Limit:
    """
    The total that may win a round (TA7), and how likely it is reached by one player and by
    `anybody`.
    """

    round: int
    most: int
    one: Fraction
    anybody: Fraction


@dataclass(frozen=True)
class Turns:
    """A turn of one player. :param zero: the face that counts nothing (TA1)."""

    zero: int = ZERO

    def throws(self, dice: int) -> Iterator[Sorted]:
        values = sorted(value_of_face(face, zero=self.zero) for face in faces(SIDES))
        for thrown in combinations_with_replacement(values, dice):
            alike = prod(factorial(thrown.count(value)) for value in set(thrown))
            yield Sorted(tuple(accumulate(thrown)), factorial(dice) // alike)

    @cached_property
    def _least(self) -> tuple[int, ...]:
        """For each number of dice left, the least expected total, in parts."""
        known = [0]
        for dice in range(1, DICE + 1):
            whole, one = parts(dice - 1), _to_common_parts(known)
            known.append(
                sum(ways * min(_later(sums, one, whole)) for sums, ways in self.throws(dice))
            )
        return tuple(known)

    def least(self, dice: int) -> Fraction:
        """The least total that so many dice can be expected to make."""
        return Fraction(self._least[dice], parts(dice))

    @cached_property
    def _reached(self) -> tuple[tuple[int, ...], ...]:
        """
        For each number of dice left and each target, the best chance to finish at or under it, in
        parts.
        """
        known: list[tuple[int, ...]] = [(1,) * len(TOTALS)]
        for dice in range(1, DICE + 1):
            raised = [_scale(row, parts(dice - 1) // parts(n)) for n, row in enumerate(known)]
            chances = [0] * len(TOTALS)
            for sums, ways in self.throws(dice):
                rests = [(kept, raised[dice - many]) for many, kept in enumerate(sums, 1)]
                for most in TOTALS:
                    within = (rest[most - kept] for kept, rest in rests if kept <= most)
                    chances[most] += ways * max(within, default=0)
            known.append(tuple(chances))
        return tuple(known)

    def reaches(self, dice: int, most: int) -> Fraction:
        """The best chance that so many dice total `most` or less."""
        if most not in TOTALS:
            return Fraction(most > WORST)
        return Fraction(self._reached[dice][most], parts(dice))

    @cached_property
    def _totals(self) -> tuple[tuple[int, ...], ...]:
        """
        For each number of dice left and each total, its chance when playing for the least total, in
        parts.
        """
        known: list[tuple[int, ...]] = [(1, *[0] * WORST)]
        for dice in range(1, DICE + 1):
            raised = [_scale(row, parts(dice - 1) // parts(n)) for n, row in enumerate(known)]
            whole, one = parts(dice - 1), _to_common_parts(list(self._least[:dice]))
            chances = [0] * len(TOTALS)
            for sums, ways in self.throws(dice):
                later = _later(sums, one, whole)
                many = later.index(min(later)) + 1
                for rest, each in enumerate(raised[dice - many]):
                    if each:
                        chances[sums[many - 1] + rest] += ways * each
            known.append(tuple(chances))
        return tuple(known)

    def totals(self, dice: int = DICE) -> dict[int, Fraction]:
        """
        The chances of the totals of a turn that is played for the least expected total.

        Of two choices with the same expectation, the one that keeps fewer dice is taken.
        """
        row = self._totals[dice]
        return {each: Fraction(ways, parts(dice)) for each, ways in enumerate(row) if ways}

    def choices(self, thrown: Dice, *, kept: int = 0, target: int | None = None) -> list[Choice]:
        """
        All that may be kept of a throw, the least expected total first.

        :param kept: the total of the dice kept before.
        :param target: a total to finish at or under.
        :raises NoSuchOdds: if the dice kept before cannot have that total.
        """
        self._possible(kept, DICE - len(thrown))
        found = [self._choice(keep, len(thrown), kept, target) for keep in keeps(thrown)]
        return sorted(found, key=lambda choice: (choice.expected, choice.left, choice.keep))

    def _choice(self, keep: Dice, thrown: int, kept: int, target: int | None) -> Choice:
        so_far, left = kept + total(keep, zero=self.zero), thrown - len(keep)
        reaches = None if target is None else self.reaches(left, target - so_far)
        return Choice(keep, left, so_far + self.least(left), reaches)

    def _possible(self, kept: int, dice: int) -> None:
        values = [value_of_face(face, zero=self.zero) for face in faces(SIDES)]
        sums = {sum(each) for each in combinations_with_replacement(values, dice)}
        if kept not in sums:
            counts = _list(sorted(sums))
            raise NoSuchOdds(
                f"kept is {kept}: 1 die kept before counts {counts}. TA1, TA2"
                if dice == 1
                else f"kept is {kept}: {dice} dice kept before count {counts}. TA1, TA2"
            )

    def lowest(self, players: int) -> dict[tuple[int, int], Fraction]:
        """
        The chances of the lowest total of a round and of how many share it, if all play for the
        least expected total.

        A bust (TA3) changes neither: who is stopped is above a finished total already.
        """
        ranks = {-each: likely for each, likely in self.totals().items()}
        return chances_of_view(greatest(ranks, ranks, players - 1), _total_and_number)

    def limits(self, progressive: str, rounds: int, players: int) -> list[Limit]:
        """The first rounds of a progressive game (TA7), all playing for the round's limit."""
        found = []
        for number in range(1, rounds + 1):
            most = limit(progressive, number)
            one = self.reaches(DICE, most)
            found.append(Limit(number, most, one, 1 - (1 - one) ** players))
        return found


def limit(progressive: str, number: int) -> int:
    """
    TA7: the highest total that can win the round of this number.

    ``by_round`` 0, 1, 2, ...; ``triangular`` once 1, twice 2, three times 3, ...
    """
    if progressive == "by_round":
        return min(number - 1, WORST)
    most = 1
    while most * (most + 1) // 2 < number:
        most += 1
    return min(most, WORST)


def parts(dice: int) -> int:
    """The number of parts of a chance with so many dice left."""
    return int(SIDES ** (dice * (dice + 1) // 2))


def _to_common_parts(known: list[int]) -> list[int]:
    """The expectations of fewer dice, all in the parts of the largest number of dice."""
    most = len(known) - 1
    return [each * (parts(most) // parts(dice)) for dice, each in enumerate(known)]


def _scale(row: Sequence[int], by: int) -> list[int]:
    return [each * by for each in row]


def _later(sums: tuple[int, ...], expected: list[int], whole: int) -> list[int]:
    """The expected totals when one, two, ... of the lowest dice are kept."""
    dice = len(sums)
    return [kept * whole + expected[dice - many] for many, kept in enumerate(sums, 1)]


def _total_and_number(extreme: Extreme) -> tuple[int, int]:
    return -extreme.rank, extreme.size


def _list(sums: Sequence[int]) -> str:
    return ", ".join(map(str, sums)) if len(sums) > 1 else f"{sums[0]} only"
