"""
What may be done by keyboard: one table, from which pages write the list under ``?``.

The scripts read their keys from the same list (`static/js/keyways.js`): what is written there is
what works. A row whose script a page does not have is not shown on that page. The names of keys are
those of ``KeyboardEvent.key``; a capital letter means Shift.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext_lazy

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise

SHOWN: Final = {
    "ArrowUp": "↑", "ArrowDown": "↓", "ArrowLeft": "←", "ArrowRight": "→", "Escape": "Esc",
    "Control+k": "Ctrl K", "Meta+k": "⌘ K",
}  # fmt: skip
"""How keys are written whose names are not on them; others as a capital letter or as they are."""
DIGITS: Final = "0 1 2 3 4 5 6 7 8 9"


@dataclass(frozen=True, slots=True)
class Keyway:
    """
    Something that is done by keys.

    :param name: the name by which a script asks for it.
    :param keys: any of these does it, separated by spaces.
    :param only: those of the keys that are shown; "": all of them.
    """

    name: str
    keys: str
    title: _StrPromise
    only: str = ""

    @property
    def shown(self) -> list[str]:
        """The keys as they are written on keyboards."""
        return [_write_key(key) for key in (self.only or self.keys).split()]


@dataclass(frozen=True, slots=True)
class Keyset:
    """The keys of one place, under a heading."""

    name: str
    title: _StrPromise
    keyways: tuple[Keyway, ...]


def _write_key(key: str) -> str:
    return SHOWN.get(key) or (key.upper() if len(key) == 1 else key)


KEYSETS: Final[tuple[Keyset, ...]] = (
    Keyset("table", gettext_lazy("At the table"), (
        Keyway("dice-back", "Backspace - Delete", gettext_lazy("take the last die back"),
               only="Backspace -"),
        Keyway("enter", "Enter", gettext_lazy("the main key of the moment")),
        Keyway("stand", "s +", gettext_lazy("stand: take the hand")),
        Keyway("undo", "u /", gettext_lazy("undo the last throw")),
        Keyway("no-throw", "n *",
               gettext_lazy("no throw, then 1 cocked, 2 off the table, 3 interference")),
        Keyway("void", "v", gettext_lazy("void from an entry further back")),
        Keyway("void-further", "ArrowDown", gettext_lazy("to an older entry")),
        Keyway("void-nearer", "ArrowUp", gettext_lazy("to a newer entry")),
        Keyway("pause", "p", gettext_lazy("break: pause the table")),
        Keyway("buy-in", "i", gettext_lazy("who is out buys in")),
    )),
    Keyset("hall", gettext_lazy("In the hall"), (
        Keyway("hall-number", DIGITS, gettext_lazy("open the table of this number"), only="1 … 9"),
        Keyway("hall-open", "Enter", gettext_lazy("open it at once")),
        Keyway("hall-before", "ArrowLeft", gettext_lazy("to the table before")),
        Keyway("hall-next", "ArrowRight", gettext_lazy("to the next table")),
        Keyway("hall-up", "ArrowUp", gettext_lazy("to the table above")),
        Keyway("hall-down", "ArrowDown", gettext_lazy("to the table below")),
        Keyway("hall-needs", "n", gettext_lazy("only tables that need somebody")),
    )),
    Keyset("lists", gettext_lazy("In lists and rounds"), (
        Keyway("find-here", "/", gettext_lazy("to the search box of this page")),
        Keyway("row-next", "j", gettext_lazy("to the next row")),
        Keyway("row-before", "k", gettext_lazy("to the row before")),
        Keyway("row-open", "Enter", gettext_lazy("open the row")),
        Keyway("step-before", "ArrowLeft", gettext_lazy("one step back")),
        Keyway("step-next", "ArrowRight", gettext_lazy("one step on")),
    )),
    Keyset("everywhere", gettext_lazy("Everywhere"), (
        Keyway("find", "Control+k Meta+k", gettext_lazy("find or do anything")),
        Keyway("find-slash", "/", gettext_lazy("the same, on a page without a search box")),
        Keyway("keys", "?", gettext_lazy("this list")),
        Keyway("close", "Escape", gettext_lazy("close what is open")),
    )),
)  # fmt: skip
