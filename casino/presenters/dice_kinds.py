"""The kinds of dice sets that a house keeps, each in its box; games say of which kind they need."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext_lazy as _

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise


@dataclass(frozen=True, slots=True)
class DiceKind:
    """
    :param name: of the field that asks how many there are.
    :param letter: that the numbers of such sets begin with.
    :param sides: None: one die of each size, d4 d6 d8 d10 d12.
    :param label: what lies in a box, with a hole for the `games` that are played with it.
    :param colours: of the dice in one box, where they are not all alike.
    """

    name: str
    letter: str
    sides: int | None
    count: int
    label: _StrPromise = field(compare=False)
    colours: str = ""


THREE_D8: Final = DiceKind("stone", "S", 8, 3, _("Sets of three d8, for %(games)s"))
