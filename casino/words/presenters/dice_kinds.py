"""The kinds of dice sets that a house keeps, each in its box; each game names the kind it needs."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext_lazy as _

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise


@dataclass(frozen=True, slots=True)
class DiceKind:
    """
    A kind of dice set.

    :param name: the name of the form field that asks how many sets there are.
    :param letter: the letter with which the numbers of such sets begin.
    :param sides: the sides of each die; None: one die of each size, d4 d6 d8 d10 d12.
    :param count: how many dice are in a box.
    :param label: what is in a box, with a hole for the `games` that are played with it.
    :param colours: the colours of the dice in one box, if they are not all alike.
    """

    name: str
    letter: str
    sides: int | None
    count: int
    label: _StrPromise = field(compare=False)
    colours: str = ""


THREE_D8: Final = DiceKind("stone", "S", 8, 3, _("Sets of three d8, for %(games)s"))
