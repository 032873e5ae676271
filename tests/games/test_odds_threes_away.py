"""Threes away's odds beside a twin that tries every keep of every throw, and beside icepool."""

from __future__ import annotations

from collections import Counter, defaultdict
from fractions import Fraction
from functools import cache
from itertools import combinations, product

import icepool
import pytest

from games.odds import NoSuchOdds
from games.threes_away.hands import DICE, total
from games.threes_away.odds import WORST, Turns, limit

ZEROS = range(1, 7)


def test_the_least_expected_total_comes_out_as_published() -> None:
    """TA1, TA2: rules.md, "Exact odds that must come out"."""
    turns = Turns()

    assert turns.least(DICE) == Fraction(504205555, 80621568)
    assert f"{float(turns.least(DICE)):.6f}" == "6.253979"
    assert turns.totals()[0] == Fraction(1405661, 136048896)


# --- The twin: all throws, all ways to keep -------------------------------------------------------


@cache
def thrown(dice: int) -> tuple[tuple[tuple[int, ...], int], ...]:
    counted = Counter(tuple(sorted(each)) for each in product(range(1, 7), repeat=dice))
    return tuple(counted.items())


def counts(dice: tuple[int, ...], zero: int) -> int:
    return sum(0 if face == zero else face for face in dice)


def ways_to_keep(dice: tuple[int, ...]) -> set[tuple[int, ...]]:
    return {keep for many in range(1, len(dice) + 1) for keep in combinations(dice, many)}


@cache
def least(dice: int, zero: int) -> Fraction:
    if not dice:
        return Fraction(0)
    each = (
        ways * min(counts(keep, zero) + least(dice - len(keep), zero) for keep in ways_to_keep(lie))
        for lie, ways in thrown(dice)
    )
    return sum(each, Fraction(0)) * Fraction(1, 6**dice)


@cache
def reaches(dice: int, most: int, zero: int) -> Fraction:
    if most < 0 or not dice:
        return Fraction(most >= 0)
    each = (
        ways
        * max(
            reaches(dice - len(keep), most - counts(keep, zero), zero) for keep in ways_to_keep(lie)
        )
        for lie, ways in thrown(dice)
    )
    return sum(each, Fraction(0)) * Fraction(1, 6**dice)


@cache
def totals(dice: int, zero: int) -> dict[int, Fraction]:
    """By the policy of the least; of equals the one that keeps fewer dice."""
    if not dice:
        return {0: Fraction(1)}
    found: dict[int, Fraction] = defaultdict(Fraction)
    for lie, ways in thrown(dice):
        keep = min(
            ways_to_keep(lie),
            key=lambda keep: (counts(keep, zero) + least(dice - len(keep), zero), len(keep)),
        )
        for rest, each in totals(dice - len(keep), zero).items():
            found[counts(keep, zero) + rest] += each * ways / 6**dice
    return found


@pytest.mark.parametrize("zero", ZEROS)
def test_every_face_may_be_the_zero(zero: int) -> None:
    """TA1, `zero`."""
    turns = Turns(zero)

    for dice in range(1, DICE + 1):
        assert turns.least(dice) == least(dice, zero)
        assert turns.totals(dice) == {t: p for t, p in totals(dice, zero).items() if p}


@pytest.mark.rows(6)
@pytest.mark.parametrize("zero", [1, 3, 6])
@pytest.mark.parametrize("dice", range(1, DICE + 1))
def test_the_best_chance_of_a_target_is_found(dice: int, zero: int) -> None:
    """TA2, TA7."""
    for most in range(6):
        assert Turns(zero).reaches(dice, most) == reaches(dice, most, zero)


def test_icepool_expects_the_same() -> None:
    known = [Fraction(0)]
    for dice in range(1, DICE + 1):
        pool = icepool.d(6).map({3: 0}).pool(dice).expand()  # sorted, the lowest first
        best = pool.map(
            lambda lie, known=known, dice=dice: min(
                sum(lie[:many]) + known[dice - many] for many in range(1, dice + 1)
            )
        )
        known.append(Fraction(best.mean()))

    assert [Turns().least(dice) for dice in range(DICE + 1)] == known


# --- What a player asks ---------------------------------------------------------------------------


@pytest.mark.parametrize("lie", [(1, 3, 3, 5, 6), (3, 3, 3, 3, 3), (2, 2, 6), (6,)])
def test_every_choice_is_told_and_the_best_is_first(lie: tuple[int, ...]) -> None:
    kept = 0 if len(lie) == DICE else 2
    found = Turns().choices(lie, kept=kept, target=4)

    assert {each.keep for each in found} == ways_to_keep(lie)
    assert found[0].expected == min(
        kept + counts(keep, 3) + least(len(lie) - len(keep), 3) for keep in ways_to_keep(lie)
    )
    for each in found:
        assert each.reaches == reaches(each.left, 4 - kept - counts(each.keep, 3), 3)


def test_the_keep_for_a_target_may_be_another_than_the_least() -> None:
    """To finish at two or under, 2 and 1 cannot both stay."""
    found = Turns().choices((1, 2, 3, 3, 3), target=0)

    assert found[0].keep == (1, 2, 3, 3, 3)
    assert max(found, key=lambda each: each.reaches or 0).keep == (3, 3, 3)


@pytest.mark.parametrize(("kept", "dice"), [(3, 4), (1, 5), (31, 2), (-1, 3)])
def test_what_cannot_have_been_kept_is_refused(kept: int, dice: int) -> None:
    with pytest.raises(NoSuchOdds, match="TA1"):
        Turns().choices((1,) * dice, kept=kept)


def test_bottoms_change_nothing() -> None:
    """TA8: over all throws the faces underneath count as those on top do."""
    for dice in (1, 2, 3):
        tops, bottoms = (
            Counter(total(lie, bottoms=under) for lie in product(range(1, 7), repeat=dice))
            for under in (False, True)
        )
        assert tops == bottoms


def test_a_bust_changes_no_lowest_total() -> None:
    """TA3: the second is stopped above the first's total, and its own is never finished."""
    one = Turns().totals()
    lowest: dict[tuple[int, int], Fraction] = defaultdict(Fraction)
    for (first, p), (second, q) in product(one.items(), repeat=2):
        if second > first:  # bust, at whichever die
            lowest[first, 1] += p * q
        else:
            lowest[second, 1 + (first == second)] += p * q

    assert Turns().lowest(2) == dict(lowest)


@pytest.mark.parametrize("players", [2, 5, 12])
def test_lowest_totals_add_up(players: int) -> None:
    assert sum(Turns().lowest(players).values()) == 1


# fmt: off
LIMITS = [
    # TA7: the limits of the first rounds
    ("by_round",   [0, 1, 2, 3, 4, 5, 6]),
    ("triangular", [1, 2, 2, 3, 3, 3, 4]),
]
# fmt: on


@pytest.mark.parametrize(("progressive", "limits"), LIMITS)
def test_a_progressive_round_has_its_limit(progressive: str, limits: list[int]) -> None:
    rounds = Turns().limits(progressive, len(limits), 3)

    assert [each.most for each in rounds] == limits
    for each in rounds:
        assert each.one == reaches(DICE, each.most, 3)
        assert each.anybody == 1 - (1 - each.one) ** 3
    assert limit(progressive, 10_000) == WORST
