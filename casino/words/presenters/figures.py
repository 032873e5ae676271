"""The figures of a game, such as its pot: their labels, and whether they are money."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from casino.words.languages.amounts import money
from games.reporting import exactly

if TYPE_CHECKING:
    from collections.abc import Mapping
    from fractions import Fraction

    from casino.words.presenters.presenter import Presenter
    from casino.words.presenters.shapes import Course

# Label and whether it is money, in the order of display; the pot comes before them.
FIGURES: Final = {
    "pay": (_("Pay"), True),
    "scores": (_("Pay"), False),
    "price": (_("Price"), True),
    "ante": (_("Ante"), True),
    "limit": (_("Wins up to"), False),
    "target": (_("Plays to"), False),
    "carried": (_("Rolled over"), True),
    "awaited": (_("On its way"), True),
}


def figures(presenter: Presenter, game: Course) -> list[dict[str, Any]]:
    """The current figures of a game for the head of its screen, the pot first."""
    return of_state(presenter, game.state.inner)


def of_state(presenter: Presenter, state: Any) -> list[dict[str, Any]]:
    """The figures of a game's own state, which may be that after an earlier step."""
    given: Mapping[str, object] = presenter.figures(state)
    called = {"pot": (str(presenter.POT).capitalize(), True), **FIGURES}
    return [
        {"name": name, "label": str(label), "amount": given[name], "money": is_money}
        for name, (label, is_money) in called.items()
        if given.get(name) is not None
    ]


def prize_words(prize: str, amount: int) -> str:
    return f"{prize} ({money(amount)})" if amount else prize


def missing_words(prize: str, missing: Fraction, ahead: Fraction) -> str:
    """
    What a player wins next on a scoreboard, and with how many points more.

    :param ahead: as many of their points are only foreseen.
    """
    if missing <= 0 < missing + ahead:
        return gettext("%(prize)s: reached, as foreseen") % {"prize": prize}
    if missing <= 0:
        return gettext("%(prize)s: with the next point") % {"prize": prize}
    more = ngettext("%(prize)s: %(points)s more", "%(prize)s: %(points)s more",
                    int(missing))  # fmt: skip
    return more % {"prize": prize, "points": exactly(missing)}
