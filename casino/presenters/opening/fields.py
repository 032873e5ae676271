"""What the form that opens a game asks for, as data: one `Opening` per game."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from games.fees import KINDS

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise

Value = str | int | bool  # as JSON has it

AMOUNT: Final = "amount"  # the choice behind which a number stands


@dataclass(frozen=True, slots=True)
class Choice:
    """``paid``: whether money is played where this is chosen."""

    value: Value
    label: _StrPromise | str
    help: _StrPromise | str = ""
    paid: bool = True

    @property
    def written(self) -> str:
        """The value as a form sends it."""
        return str(self.value).lower() if isinstance(self.value, bool) else str(self.value)


def flags(**labels: _StrPromise) -> tuple[Choice, ...]:
    """Yes and no in words: ``true=…, false=…``, the usual one first."""
    return tuple(Choice(name == "true", label) for name, label in labels.items())


@dataclass(frozen=True, slots=True)
class Numbers:
    """
    Whole numbers beside the choices, or instead of any.

    :param label: of the choice behind which they stand.
    :param money: whether they are coins.
    """

    least: int
    most: int
    label: _StrPromise | str = ""
    help: _StrPromise | str = ""
    money: bool = False


@dataclass(frozen=True, slots=True)
class Option:
    """
    A house option of a game: its name and number in the rules, and every value that it has.

    :param default: as the rules have it; not sent, where it is chosen.
    :param main: how the game is played: always in sight, and always sent.
    :param limited: the table's limits hold for its numbers (G10).
    :param odds: why it does not change the odds; empty: it does, as the game's odds say.
    """

    name: str
    rule: str
    label: _StrPromise
    default: Value
    choices: tuple[Choice, ...] = ()
    numbers: Numbers | None = None
    main: bool = False
    limited: bool = False
    help: _StrPromise | str = ""
    odds: str = ""

    @property
    def default_written(self) -> str:
        return Choice(self.default, self.label).written

    def posted(self, value: Value) -> dict[str, str]:
        """The fields of a form in which a value is chosen."""
        name, written = f"option-{self.name}", Choice(value, self.label).written
        if any(choice.written == written for choice in self.choices):
            return {name: written}
        chosen = {name: AMOUNT} if self.choices else {}
        return {**chosen, f"{name}-amount": written}


@dataclass(frozen=True, slots=True)
class Opening:
    """
    :param game: the ruleset's id.
    :param line: the game in a few words.
    :param stake_label: what each player brings to the table.
    :param each: stakes may differ from seat to seat.
    :param stake: what the field starts from, where the table has no least stake.
    :param limited: the table's limits hold for stakes (G10).
    :param price: the price that the field starts from; None: the game has none.
    :param homes: the game knows home throws.
    :param first: somebody may be named to throw first (G7); empty: nobody is.
    :param house_seat: the house may hold a seat (G8).
    :param sample_dice: on the game's card, as (sides, face); `owned`: of a different player each.
    """

    game: str
    line: _StrPromise
    options: tuple[Option, ...]
    sample_dice: tuple[tuple[int, int], ...]
    stake_label: _StrPromise
    each: bool = True
    stake: int = 25
    limited: bool = False
    price: int | None = None
    homes: bool = False
    first: bool = True
    house_seat: bool = True
    owned: bool = False
    fees: tuple[str, ...] = tuple(KINDS)

    @property
    def main(self) -> tuple[Option, ...]:
        return tuple(option for option in self.options if option.main)

    @property
    def folded(self) -> tuple[Option, ...]:
        return tuple(option for option in self.options if not option.main)
