"""Words that all games share: reasons, outcomes, hands, lists of names."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from games.reporting import exactly

__all__ = ["HANDS", "OUTCOMES", "REASONS", "exactly", "hand", "names"]

if TYPE_CHECKING:
    from collections.abc import Sequence

REASONS: Final = {
    "cocked": gettext_lazy("cocked die"),
    "off_table": gettext_lazy("off the table"),
    "interference": gettext_lazy("interference"),
}
OUTCOMES: Final = {
    "stands": gettext_lazy("it stands"),
    "voided": gettext_lazy("voided"),
    "adjusted": gettext_lazy("to be adjusted"),
}
HANDS: Final = {
    "pair": gettext_lazy("pair"),
    "run": gettext_lazy("run"),
    "triple": gettext_lazy("triple"),
    "triad": gettext_lazy("triad"),
    "empty": pgettext_lazy("a throw that makes no hand", "empty"),
    "home": gettext_lazy("home throw"),
    "junk": gettext_lazy("junk"),
    "show_up": gettext_lazy("show-up"),
    "double_show_up": gettext_lazy("double show-up"),
    "three": gettext_lazy("three of a kind"),
    "four": gettext_lazy("four of a kind"),
    "five": gettext_lazy("five of a kind"),
    "nothing": pgettext_lazy("dice that make no hand", "nothing"),
    "two_pairs": gettext_lazy("two pairs"),
    "straight": gettext_lazy("straight"),
    "full_house": gettext_lazy("full house"),
}


def names(people: Sequence[str]) -> str:
    """A list of names in words: Ada, Bo and Cyd."""
    if len(people) < 2:  # noqa: PLR2004 - one name needs no "and"
        return "".join(people)
    return _("%(names)s and %(last)s") % {"names": ", ".join(people[:-1]), "last": people[-1]}


def hand(name: str, score: int | None = None) -> str:
    """``hand("pair", 7)`` is "pair 7"; an unknown hand keeps its own name."""
    text = str(HANDS.get(name, name.replace("_", " ")))
    return text if score is None else f"{text} {score}"


def the_dice_decide() -> str:
    """The next action when all have thrown and the event that follows is not recorded yet."""
    return _("The dice decide")
