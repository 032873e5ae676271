"""The hands of stone hand: which hand a throw is, what it costs and which is worse."""

from typing import Final

from games import stone
from games.dice import Dice
from games.stone import Hand
from games.stone_hand.messages import DiceThrown, Options

TYPES_BEST_TO_WORST: Final = ("triple", "run", "pair")
TRIPLE_TIMES: Final = 3


def classify(dice: Dice, homes: tuple[Dice, ...], options: Options) -> Hand:
    """
    The hand of a throw (SH2, SH3, SH6, SH7). A home throw that stands by the override of the house
    (H1) counts as home, not as the hand that it also is.
    """
    faces = tuple(sorted(dice))
    if faces in homes:
        return Hand("home")
    if (scoring := stone.scoring(dice, options.runs)) is not None:
        return scoring
    return Hand("triad") if options.triads and faces in stone.TRIADS else Hand("empty")


def hand_on_record(thrown: DiceThrown) -> Hand:
    """The hand of a throw as it was recorded; it is not judged again."""
    paired = sorted(thrown.dice)[1] if thrown.hand == "pair" else 0
    return Hand(thrown.hand, thrown.score, paired)


def badness(hand: Hand) -> tuple[int, int, int]:
    """A sort key for hands (SH3): the greatest is the worst, and equal hands are identical."""
    return TYPES_BEST_TO_WORST.index(hand.name), hand.score or 0, hand.paired


def coins_owed(hand: Hand, options: Options) -> int:
    """The coins that a hand costs (SH4, G11): the score in units, three times it for a triple."""
    return (hand.score or 0) * (TRIPLE_TIMES if hand.name == "triple" else 1) * options.unit


def coins_of_triad(dice: Dice, options: Options, stake: int) -> int:
    """
    The coins that a triad costs (SH6, G11): the middle number or a fixed one, in units, or all
    there are.
    """
    match options.triad_pay:
        case "middle":
            return sorted(dice)[1] * options.unit
        case "all":
            return stake
        case number:
            return number * options.unit
