"""Three eight-sided dice: the hands that games of them share, and the home throws of an opening."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from games.dice import Dice, check_dice
from games.kinds import shorten
from games.refusals import Refused
from games.seats import Seat

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


# Home throws that an opening names (H1, H2): the house's own, or one for each player.


Homes = Literal["house", "players"]
Policy = Literal["fixed", "attendant"]
POLICIES: Final[tuple[Policy, ...]] = ("fixed", "attendant")


class UnknownPolicy(Refused):
    code = "unknown_policy"


class HomeThrowScores(Refused):
    code = "home_throw_scores"


class HomeThrowMisplaced(Refused):
    code = "home_throw_misplaced"


def policy(name: str) -> Policy:
    for known in POLICIES:
        if name == known:
            return known
    raise UnknownPolicy(f"home_throw_policy is {shorten(name)}: fixed or attendant. H1, H2")


def home_throws_in_force(  # noqa: PLR0913 - all that the opening says about home throws
    players: Sequence[Seat],
    home_throw: Dice | None,
    sought: Policy,
    *,
    whose: Homes,
    allowed: Callable[[Dice], bool],
    rule: str,
) -> tuple[Dice, ...]:
    """
    The home throws in force, sorted, each once; none yet if the attendant is to throw for it (H2).

    :param whose: the option `homes`. With ``players`` each home throw counts for everybody.
    :param allowed: whether sorted faces may be a home throw of the game.
    :param rule: the game's rule about home throws, for the refusals.
    """
    if sought == "attendant" and (home_throw is not None or whose == "players"):
        raise HomeThrowMisplaced(
            "home_throw_policy is attendant: the attendant throws for the home throw, nobody"
            " names one. H2"
        )
    if home_throw is not None and whose == "players":
        raise HomeThrowMisplaced(
            f"home_throw: with homes=players each player names their own. {rule}"
        )
    for seat in players:
        if seat.home_throw is not None and whose == "house":
            raise HomeThrowMisplaced(
                f"home_throw of {seat.name}: with homes=house one home throw holds for the table."
                f" {rule}"
            )
    named_homes = [seat.home_throw for seat in players] + [home_throw]
    return tuple(dict.fromkeys(home(each, allowed) for each in named_homes if each is not None))


def home(dice: Dice, allowed: Callable[[Dice], bool]) -> Dice:
    faces = check_dice(sorted(dice), n=DICE, sides=SIDES, rule="H1", field="home_throw")
    if not allowed(faces):
        raise HomeThrowScores(
            f"home_throw {'-'.join(map(str, faces))} is another scoring throw of this game. H1"
        )
    return faces
