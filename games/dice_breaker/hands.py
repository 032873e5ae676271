"""The hands of dice breaker: which hand dice make, and which is higher (DB4, DB5)."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, Literal, get_args

from games.dice import Dice

DICE: Final = 5  # of each player; a hand may have more dice, of which the best five count
SIDES: Final = 6

HandName = Literal[
    "nothing", "pair", "two_pairs", "three", "straight", "full_house", "four", "five"
]
TieBy = Literal["category", "face"]

LOW_TO_HIGH: Final[tuple[HandName, ...]] = get_args(HandName)
HIGHEST: Final = LOW_TO_HIGH[-1]  # without points: it wins the game


@dataclass(frozen=True, slots=True)
class Hand:
    """A hand. `faces`: the faces that make the hand, the most important first, without odd dice."""

    name: HandName
    faces: Dice = ()


def points(name: HandName) -> int:
    """The points of a hand (DB4); five of a kind has none, because it wins the game."""
    return 0 if name == HIGHEST else LOW_TO_HIGH.index(name)


def hand_of(dice: Iterable[int]) -> Hand:
    """The highest hand that any five of the dice make, however many there are (DB4, DB8, DB9)."""
    counts = Counter(dice)
    high = sorted(counts, reverse=True)
    fives, fours, threes, pairs = (
        [face for face in high if counts[face] >= many] for many in (5, 4, 3, 2)
    )
    other_pairs = [face for face in pairs if face not in threes[:1]]
    made: tuple[tuple[HandName, list[int]], ...] = (
        ("five", fives[:1]),
        ("four", fours[:1]),
        ("full_house", [*threes[:1], *other_pairs[:1]] if threes and other_pairs else []),
        ("straight", _straight(counts)),
        ("three", threes[:1]),
        ("two_pairs", pairs[:2] if pairs[1:] else []),
        ("pair", pairs[:1]),
    )
    return next((Hand(name, tuple(faces)) for name, faces in made if faces), Hand("nothing"))


def _straight(faces: Iterable[int]) -> list[int]:
    """The highest face of five in sequence, 2 to 6 or 1 to 5; none if there are no such five."""
    thrown = set(faces)
    tops = range(SIDES, DICE - 1, -1)
    return [top for top in tops if thrown.issuperset(range(top - DICE + 1, top + 1))][:1]


def strength(hand: Hand, tie_by: TieBy) -> tuple[int, Dice]:
    """
    A sort key for hands (DB5): greater is higher, and equal hands share.

    By category the name alone counts; by face also the faces that make the hand. Five of a kind is
    always as good as any other: two of them share (DB6).
    """
    by_face = tie_by == "face" and hand.name != HIGHEST
    return LOW_TO_HIGH.index(hand.name), hand.faces if by_face else ()
