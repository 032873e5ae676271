"""Cinnabar Gate's odds beside a twin that goes throw by throw, with hands from the rules' text."""

from __future__ import annotations

from collections import Counter, defaultdict
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any

import icepool
import pytest

from games.cinnabar_gate.messages import Options
from games.cinnabar_gate.odds import Throws
from games.cinnabar_gate.round_odds import CAP_MAX, NOBODY, PLAYERS, SHOWN, Rounds
from games.odds import chances_of_view

HOME = (1, 3, 6)
KINDS = ("home", "triple", "run", "pair", "junk", "empty")
FAR = 24  # without a cap the twin's pay rises no further; less than 10 ** -14 of rounds get there
Hand = tuple[str, int, int]  # kind, score, paired value
Chances = dict[Any, Fraction]

# rules.md, "Exact odds that must come out": straight, three junk chances always used
JUNK = Fraction(27, 50)
PER_CENT = {"triple": 3.1825, "run": 14.3213, "pair": 66.8326, "junk": 8.5031, "empty": 4.7738,
            "home": 2.3869}  # fmt: skip


def throws(*homes: tuple[int, int, int], keep_junk: int = 0, **options: Any) -> Throws:
    return Throws(Options(**options), homes, keep_junk=keep_junk)


def test_the_hand_taken_comes_out_as_published() -> None:
    """CG3, CG4, CG5."""
    taken = chances_of_view(throws(HOME, runs="straight").taken(3), lambda hand: hand.name)

    assert taken["junk"] == JUNK**4
    assert {name: round(float(each) * 100, 4) for name, each in taken.items()} == PER_CENT


@pytest.mark.parametrize("runs", ["wrap", "straight"])
def test_icepool_counts_the_same(runs: str) -> None:
    """A throw, and with icepool's own rerolling the hand that is taken."""
    die = icepool.d(8).pool(3).expand().map(lambda dice: seen(dice, wrap=runs == "wrap")[0])
    settled = die.reroll(["show_up", "double_show_up"], depth="inf")
    taken = settled
    for _ in range(3):
        taken = settled.map({"junk": taken})
    rules = throws(HOME, runs=runs)

    assert named(rules.single) == {each: die.probability(each) for each in die.outcomes()}
    assert named(rules.taken(3)) == {each: taken.probability(each) for each in taken.outcomes()}


def named(hands: Any) -> dict[str, Fraction]:
    return chances_of_view(hands, lambda hand: hand.name)


# --- The twin -----------------------------------------------------------------------------------


def seen(dice: Any, *, wrap: bool = True) -> Hand:
    faces = sorted(dice)
    if tuple(faces) == HOME:
        return "home", 0, 0
    counted = Counter(faces).most_common()
    if len(counted) == 1:
        return "triple", faces[0], 0
    if len(counted) == 2:
        return "pair", counted[1][0], counted[0][0]
    for middle in range(1, 9):
        around = {(middle - 2) % 8 + 1, middle, middle % 8 + 1}
        if set(faces) == around and (wrap or faces[2] - faces[0] == 2):
            return "run", middle, 0
    special = {
        (1, 4, 7): "empty",
        (2, 5, 8): "empty",
        (2, 4, 6): "show_up",
        (4, 6, 8): "double_show_up",
    }
    if kind := special.get(tuple(faces)):
        return kind, 0, 0
    return "junk", faces[1], 0


@cache
def every(*, wrap: bool) -> tuple[tuple[Hand, Fraction], ...]:
    counted = Counter(seen(dice, wrap=wrap) for dice in product(range(1, 9), repeat=3))
    return tuple((hand, Fraction(many, 512)) for hand, many in counted.items())


class Twin:
    """A round, turn by turn and throw by throw."""

    def __init__(self, **options: Any) -> None:
        self.options = Options(**options)
        self._turns: dict[Any, Chances] = {}

    def raised(self, pay: int, by: int) -> int:
        cap = self.options.pay_cap
        return min(pay + by, FAR) if cap == "none" else max(pay, min(pay + by, cap))

    def lowered(self, pay: int, hand: Hand) -> int:
        if hand[0] in {"home", "empty"} or hand[1] >= pay:
            return pay
        return hand[1] if self.options.pay_lowering == "to_score" else pay - 1

    def turn(self, pay: int, junk: int) -> Chances:
        """(pay, hand) after a turn that begins at `pay`; all chances to throw junk again used."""
        if (pay, junk) in self._turns:
            return self._turns[pay, junk]
        sums: Chances = defaultdict(Fraction)
        stays = Fraction(0)  # show-ups that change nothing any more
        for hand, each in every(wrap=self.options.runs == "wrap"):
            by = {"show_up": 1, "double_show_up": 2}.get(hand[0], 0)
            if by and self.raised(pay, by) == pay:
                stays += each
            elif by or (hand[0] == "junk" and junk):
                for outcome, likely in self.turn(self.raised(pay, by), junk - (not by)).items():
                    sums[outcome] += each * likely
            else:
                sums[self.lowered(pay, hand), hand] += each
        self._turns[pay, junk] = {key: each / (1 - stays) for key, each in sums.items()}
        return self._turns[pay, junk]

    def badness(self, hand: Hand) -> Any:
        score = -hand[1] if hand[0] == "junk" and self.options.junk_order == "high" else hand[1]
        return KINDS.index(hand[0]), score, hand[2] if self.options.pair_value else 0

    def hands(self, players: int) -> Chances:
        """(pay, what each holds by rank) when all have their hand."""
        found: Chances = {(8, ()): Fraction(1)}
        for _ in range(players):
            after: Chances = defaultdict(Fraction)
            for (pay, held), each in found.items():
                for (moved, hand), likely in self.ranked(pay).items():
                    after[moved, (*held, hand)] += each * likely
            found = after
        return found

    def ranked(self, pay: int) -> Chances:
        found: Chances = defaultdict(Fraction)
        for (moved, hand), each in self.turn(pay, self.options.junk_rethrows).items():
            found[moved, self.badness(hand)] += each
        return found

    def paid(self, players: int) -> tuple[Chances, Chances]:
        """CG6, CG7: the pay of rounds that are paid, and how many pay; 0: void."""
        pays: Chances = defaultdict(Fraction)
        payers: Chances = defaultdict(Fraction)
        for (pay, held), each in self.hands(players).items():
            many = self.payers(held)
            payers[many] += each
            if many:
                pays[pay] += each
        return dict(pays), dict(payers)

    def payers(self, held: tuple[Any, ...]) -> int:
        empties = sum(KINDS[hand[0]] == "empty" for hand in held)
        rest = [hand for hand in held if KINDS[hand[0]] != "empty"]
        if len(set(held)) == 1:
            return 0
        if empties and (self.options.empty == "only" or len(set(rest)) == 1):
            return empties
        return empties + (rest.count(max(rest)) if self.options.ties == "split" else 1)


def agree(ours: Fraction, theirs: Fraction, options: dict[str, Any]) -> bool:
    """Exactly with a cap; without one, but for what the twin does not follow."""
    return abs(ours - theirs) <= (0 if "pay_cap" in options else Fraction(1, 10**12))


# fmt: off
ROUNDS = [
    # players, options
    (2, {}),
    (2, {"runs": "straight"}),
    (2, {"pay_lowering": "by_one", "junk_rethrows": 0}),              # CG2
    (2, {"pay_lowering": "by_one", "pay_cap": 9}),                    # CG5
    (2, {"pay_cap": 5}),
    (2, {"junk_order": "high"}),                                      # CG3
    (2, {"pair_value": True}),
    (2, {"junk_rethrows": 0, "empty": "also"}),                       # CG4, CG6
    (2, {"junk_rethrows": 1, "ties": "split"}),                       # CG7
    (2, {"variant": "arcade", "arcade_points": 1, "winnings": "pocket"}),
    (3, {"pay_cap": 9, "junk_rethrows": 0, "empty": "also", "ties": "split"}),
]
# fmt: on


@pytest.mark.rows(1)
@pytest.mark.parametrize(("players", "options"), ROUNDS)
def test_a_round_is_that_of_all_its_throws(players: int, options: dict[str, Any]) -> None:
    ours = Rounds(throws(HOME, **options)).among(players)

    pays, payers = Twin(**options).paid(players)

    never = Fraction(0)
    assert {many for many, each in payers.items() if each} == set(ours.payers)
    assert all(agree(ours.payers[many], each, options) for many, each in payers.items())
    for pay in range(1, SHOWN + 1):
        assert agree(ours.pays.get(pay, never), pays.get(pay, never), options), pay
    assert ours.pay_sum is not None
    assert agree(ours.pay_sum, sum((pay * each for pay, each in pays.items()), never), options)


@pytest.mark.parametrize("ends", ["best", "worst"])
def test_the_hands_at_both_ends_are_those_of_all_deals(ends: str) -> None:
    twin = Twin(pay_cap=9)
    found: Chances = defaultdict(Fraction)
    for (_, held), each in twin.hands(2).items():
        if len(set(held)) > 1:
            found[KINDS[(min if ends == "best" else max)(held)[0]]] += each

    ours = named(getattr(Rounds(throws(HOME)).among(2), ends))

    assert ours == dict(found)  # the pay has no part in it


def test_in_a_pool_home_throws_restart_and_empties_pay_at_once() -> None:
    """CG11: two players, turn by turn; the sole one that is left throws and pays."""
    twin = Twin(variant="pool", pay_cap=9)
    lone: Chances = defaultdict(Fraction)
    for (pay, hand), each in twin.turn(8, 3).items():
        lone[pay if hand[0] != "home" else 0] += each
    loses = [Fraction(0)] * 2
    pays: Chances = defaultdict(Fraction)

    def alone(place: int, chance: Fraction) -> None:
        loses[place] += chance * (1 - lone[0])
        for pay, each in lone.items():
            pays[pay] += chance * each

    for (pay, mine), each in twin.turn(8, 3).items():
        if mine[0] == "home":
            alone(1, each)
        elif mine[0] == "empty":
            loses[0] += each
            pays[pay] += each
        else:
            for (after, theirs), likely in twin.turn(pay, 3).items():
                both = each * likely
                if theirs[0] == "home":
                    alone(0, both)
                    continue
                ranks = twin.badness(mine), twin.badness(theirs)
                if ranks[0] == ranks[1]:
                    continue  # void: both alike. CG7
                loses[ranks[1] > ranks[0]] += both
                pays[after] += both
    pays.pop(0)

    ours = Rounds(throws(HOME, variant="pool", pay_cap=9)).among(2)

    assert ours.loses == tuple(loses)
    assert ours.pays == dict(pays)
    assert ours.pay_sum == sum(pay * each for pay, each in pays.items())


# --- What holds whatever is chosen --------------------------------------------------------------

OPTIONS = [
    {}, {"opal": 1}, {"opal": 2, "empty": "also"}, {"variant": "pool"}, {"ties": "split"},
    {"variant": "pool", "opal": 2, "ties": "split"}, {"pay_lowering": "by_one"}, {"pay_cap": 20},
]  # fmt: skip


@pytest.mark.rows(8)
@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize("players", [2, 5, PLAYERS[-1]])
def test_chances_add_up(players: int, options: dict[str, Any]) -> None:
    found = Rounds(throws(HOME, **options)).among(players)

    assert sum(found.payers.values()) == 1
    assert sum(found.loses) == sum(many * each for many, each in found.payers.items())
    assert sum(found.worst.values()) == found.paid == 1 - found.payers.get(NOBODY, 0)
    assert 0 <= found.paid - sum(found.pays.values()) < Fraction(1, 10_000)  # above what is shown
    if options.get("variant") != "pool":
        assert sum(found.wins) == sum(found.best.values()) == found.paid


def test_only_opal_and_a_pool_make_turns_differ() -> None:
    """CG10, CG11."""
    same = Rounds(throws(HOME)).among(4)
    opal = Rounds(throws(HOME, opal=2)).among(4)
    pool = Rounds(throws(HOME, variant="pool")).among(4)

    assert len(set(same.wins)) == len(set(same.loses)) == 1
    assert opal.wins[0] > opal.wins[1] == opal.wins[3]
    assert list(pool.loses) == sorted(pool.loses, reverse=True)


def test_opal_is_played_as_a_twin_plays_it() -> None:
    """CG10: with no junk chances and one of any hand, the first throws again what is worse."""
    settled = [(hand, each) for hand, each in every(wrap=True) if "show_up" not in hand[0]]
    total = sum(each for _, each in settled)
    twin = Twin()
    taken: Chances = defaultdict(Fraction)
    for hand, each in settled:
        rank = twin.badness(hand)
        better = sum((p for other, p in settled if twin.badness(other) < rank), Fraction(0))
        worse = sum((p for other, p in settled if twin.badness(other) > rank), Fraction(0))
        if better > worse:
            for other, likely in settled:
                taken[other[0], 1] += each * likely / total**2
        else:
            taken[hand[0], 0] += each / total

    ours = throws(HOME, opal=1, junk_rethrows=0).turn(1)

    assert chances_of_view(ours, lambda each: (each.hand.name, each.again)) == dict(taken)


def test_junk_may_be_kept() -> None:
    """CG4: the player may take it at any point; here by score, best first."""
    low = throws(keep_junk=1).taken(3)
    high = throws(keep_junk=1, junk_order="high").taken(3)
    kept = chances_of_view(throws(keep_junk=6).taken(3), lambda hand: hand)

    junk = {hand.score: each for hand, each in low.items() if hand.name == "junk"}
    assert max(junk, key=lambda score: junk[score]) == 2
    assert max((each, hand.score) for hand, each in high.items() if hand.name == "junk")[1] == 7
    assert kept == throws().taken(0)


def test_a_cap_too_high_to_be_followed_changes_the_mean_alone() -> None:
    """CG5: it is told as unknown, not as something near it."""
    none, high = (Rounds(throws(HOME, pay_cap=cap)).among(3) for cap in ("none", CAP_MAX + 1))

    assert high.pays == none.pays
    assert none.pay_sum is not None
    assert high.pay_sum is None
