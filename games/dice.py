"""Dice: all throws that there are, each once, and checks of the faces that somebody entered."""

from collections.abc import Iterable, Iterator
from itertools import product

from games.refusals import NoSuchFace, WrongNumberOfDice

Dice = tuple[int, ...]


def faces(sides: int) -> range:
    return range(1, sides + 1)


def every_throw(n: int, sides: int) -> Iterator[Dice]:
    """The sample space of `n` dice: sides ** n throws, all equally likely."""
    return product(faces(sides), repeat=n)


def check_dice(dice: Iterable[int], *, n: int, sides: int, rule: str, field: str = "dice") -> Dice:
    """
    :raises WrongNumberOfDice: if there are not exactly `n`.
    :raises NoSuchFace: if one shows a face that a die of `sides` sides does not have.
    """
    seen = tuple(dice)
    if n == 1 and len(seen) != 1:
        raise WrongNumberOfDice(f"{field}: 1 die is thrown, not {len(seen)}. {rule}")
    if len(seen) != n:
        raise WrongNumberOfDice(f"{field}: {n} dice are thrown, not {len(seen)}. {rule}")
    return check_faces(seen, sides=sides, rule=rule, field=field)


def check_faces(dice: Dice, *, sides: int, rule: str, field: str = "dice") -> Dice:
    for place, face in enumerate(dice):
        if face not in faces(sides):
            raise NoSuchFace(
                f"{field}[{place}]: a die shows 1 to {sides}, not {str(face)[:20]}. {rule}"
            )
    return dice
