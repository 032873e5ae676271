"""The house options of a game, as an opening chooses them: JSON values into a dataclass."""

from collections.abc import Mapping
from types import NoneType
from typing import Any, Final, TypeVar, get_args, get_type_hints

from games.kinds import shorten, whole
from games.payments import COINS_MAX
from games.refusals import NotWholeUnits, OptionValue, TooLarge, UnknownOption

Options = TypeVar("Options")
COINS: Final = range(1, COINS_MAX + 1)
UNITS: Final = range(1, 10**12 + 1)  # no score times a unit is more than JSON readers read exactly


def chosen(
    kind: type[Options],
    requested: Mapping[str, Any],
    *,
    game: str,
    ranges: Mapping[str, range] | None = None,
) -> Options:
    """
    The options that were asked for, the others at their default.

    :param kind: a dataclass whose fields are bools, Literals, or whole numbers; of these each has
        its range in `ranges`. A Literal beside a number, as in ``int | Literal["all"]``, is both.
    :raises UnknownOption: if the game has no such option.
    :raises OptionValue: if it has no such value.
    """
    hints = get_type_hints(kind)
    values: dict[str, Any] = {}
    for name, value in requested.items():
        if name not in hints:
            raise UnknownOption(f"options.{shorten(name)}: {game} has no such option.")
        values[name] = _value(name, value, hints[name], (ranges or {}).get(name))
    return kind(**values)


def in_coins(counted: int, unit: int, *, option: str) -> int:
    """
    The coins of an option that the rules count in units (G11).

    :raises TooLarge: if they are more than every JSON reader reads exactly.
    """
    if counted * unit > COINS_MAX:
        together = counted * unit
        raise TooLarge(
            f"options.{option} is {counted}: with options.unit {unit} that is {together}, at most"
            f" {COINS_MAX}. G11"
        )
    return counted * unit


def check_whole_units(amount: int, unit: int, *, field: str) -> None:
    """:raises NotWholeUnits: if a price or a bid is not a number of whole units (G11)."""
    if amount % unit:
        raise NotWholeUnits(f"{field} is {amount}: a multiple of the unit, {unit}. G11")


def _value(name: str, value: object, hint: Any, numbers: range | None) -> object:
    number = whole(value) if isinstance(value, float) else value
    allowed = (True, False) if hint is bool else _literals(hint)
    if any(type(number) is type(each) and number == each for each in allowed):
        return number
    if numbers is not None and type(number) is int and number in numbers:
        return number
    words = [shorten(each) for each in allowed]
    if numbers is not None:
        words.append(f"a whole number from {numbers[0]} to {numbers[-1]}")
    raise OptionValue(f"options.{name} is {shorten(value)}: choose {', '.join(words)}.")


def _literals(hint: Any) -> tuple[object, ...]:
    """The values of a Literal, or of the Literal in a union."""
    return tuple(
        value
        for each in get_args(hint)
        if each not in {int, NoneType}
        for value in (get_args(each) or (each,))
    )
