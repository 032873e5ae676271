"""Three eight-sided dice: the hands that games of them share."""

from dataclasses import dataclass
from typing import Final, Literal

from games.dice import Dice

SIDES: Final = 8
DICE: Final = 3

Runs = Literal["wrap", "straight"]
HandName = Literal[
    "pair", "run", "triple", "triad", "empty", "home", "junk", "show_up", "double_show_up"
]

TRIADS: Final = frozenset({(1, 4, 7), (2, 5, 8)})
SHOW_UPS: Final[dict[Dice, HandName]] = {(2, 4, 6): "show_up", (4, 6, 8): "double_show_up"}
STRAIGHTS: Final[dict[Dice, int]] = {
    (low, low + 1, low + 2): low + 1 for low in range(1, SIDES - 1)
}
WRAPS: Final[dict[Dice, int]] = {(1, 7, 8): 8, (1, 2, 8): 1}  # 7-8-1 and 8-1-2, as they lie sorted


@dataclass(frozen=True, slots=True)
class Hand:
    """A hand. `score` is None for hands without one; `paired` is the value of a pair."""

    name: HandName
    score: int | None = None
    paired: int = 0


def of_a_kind(dice: Dice) -> Hand | None:
    """The triple or pair that the dice make, if any."""
    low, middle, high = sorted(dice)
    if low == high:
        return Hand("triple", low)
    if middle in (low, high):
        return Hand("pair", high if middle == low else low, paired=middle)
    return None


def run(dice: Dice, runs: Runs) -> Hand | None:
    faces = tuple(sorted(dice))
    middle = STRAIGHTS.get(faces) or (WRAPS.get(faces) if runs == "wrap" else None)
    return None if middle is None else Hand("run", middle)


def scoring(dice: Dice, runs: Runs) -> Hand | None:
    """The pair, run or triple that the dice make, if any: the hands with a score in every game."""
    return of_a_kind(dice) or run(dice, runs)


def may_be_home(dice: Dice, runs: Runs) -> bool:
    """Whether the faces may be a home throw: they are no scoring throw and no triad."""
    return scoring(dice, runs) is None and tuple(sorted(dice)) not in TRIADS


def junk(dice: Dice, runs: Runs) -> Hand:
    """The hand of an attendant's throw for the home throw: the first junk hand becomes it (H2)."""
    faces = tuple(sorted(dice))
    named = scoring(dice, runs)
    if named is not None:
        return named
    if faces in TRIADS:
        return Hand("triad")
    return Hand(SHOW_UPS.get(faces, "junk"))
