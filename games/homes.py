"""Home throws that an opening names (H1, H2): the house's own, or one for each player."""

from collections.abc import Callable, Sequence
from typing import Final, Literal

from games import stone
from games.dice import Dice, check_dice
from games.kinds import shorten
from games.refusals import Refused
from games.seats import Seat

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
    faces = check_dice(sorted(dice), n=stone.DICE, sides=stone.SIDES, rule="H1", field="home_throw")
    if not allowed(faces):
        raise HomeThrowScores(
            f"home_throw {'-'.join(map(str, faces))} is another scoring throw of this game. H1"
        )
    return faces
