"""The hands of Cinnabar Gate: which a throw is, which is worse, and what each does to the pay."""

from typing import Final

from games import stone
from games.cinnabar_gate.messages import DiceThrown, Options
from games.dice import Dice
from games.stone import Hand, Runs

BEST_TO_WORST: Final = ("home", "triple", "run", "pair", "junk", "empty")
RAISES: Final = {"show_up": 1, "double_show_up": 2}
PAY_AT_START: Final = 8


def classify(dice: Dice, homes: tuple[Dice, ...], options: Options) -> Hand:
    """
    The hand of a throw (CG3 to CG5). A home throw that stands by the override of the house (H1)
    counts as home, not as the hand that it also is.
    """
    faces = tuple(sorted(dice))
    if faces in homes:
        return Hand("home")
    if (scoring := stone.scoring(dice, options.runs)) is not None:
        return scoring
    if faces in stone.TRIADS:
        return Hand("empty")
    if faces in stone.SHOW_UPS:
        return Hand(stone.SHOW_UPS[faces])
    return Hand("junk", faces[1])


def may_be_home(faces: Dice, runs: Runs) -> bool:
    """Whether faces may be a home throw (H1): in this game 2-4-6 and 4-6-8 may not either."""
    return stone.may_be_home(faces, runs) and faces not in stone.SHOW_UPS


def hand_on_record(thrown: DiceThrown) -> Hand:
    """The hand of a throw as it was recorded; it is not judged again."""
    paired = sorted(thrown.dice)[1] if thrown.hand == "pair" else 0
    return Hand(thrown.hand, thrown.score, paired)


def shows_up(hand: Hand) -> bool:
    """Whether a hand is a show-up (CG5): 2-4-6 and 4-6-8 raise the pay and are thrown again."""
    return hand.name in RAISES


def badness(hand: Hand, options: Options) -> tuple[int, int, int]:
    """
    A sort key for hands (CG3): the greatest is the worst, and equal hands are tied. Show-ups are
    never compared, because they are thrown again.
    """
    score = hand.score or 0
    if hand.name == "junk" and options.junk_order == "high":
        score = -score
    return BEST_TO_WORST.index(hand.name), score, hand.paired if options.pair_value else 0


def lower_pay(pay: int, hand: Hand, options: Options) -> int:
    """The pay after a hand is taken (CG2); home throw and empty have no score and leave it."""
    if hand.score is None or hand.score >= pay:
        return pay
    return hand.score if options.pay_lowering == "to_score" else pay - 1


def raise_pay(pay: int, hand: Hand, options: Options) -> int:
    """The pay after a show-up (CG5); a cap stops it from rising, but never lowers it."""
    after = pay + RAISES.get(hand.name, 0)
    return after if options.pay_cap == "none" else max(pay, min(after, options.pay_cap))
