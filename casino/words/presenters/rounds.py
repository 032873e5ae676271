"""
A game as its screen shows it beside the log: the rounds of its events, the table after each of
them, and its figures, such as the pot.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from casino.words.languages.amounts import money
from games.messages import OutsideRules, Resolved, Voided, VoidRejected, VoidRequested, Witnessed
from games.reporting import exactly

if TYPE_CHECKING:
    from collections.abc import Container, Iterator, Mapping, Sequence
    from fractions import Fraction

    from casino.words.presenters.presenter import Course, Presenter
    from games.game import Ruleset
    from games.messages import Fact


@dataclass(frozen=True, slots=True)
class Chapters:
    """
    The rounds of a game.

    :param of: for each event, in order, the round it belongs to.
    :param ended: how many rounds have ended, without voided ones.
    """

    of: Sequence[int]
    ended: int

    @property
    def last(self) -> int:
        return max(self.of)

    def numbers(self, round_no: int) -> list[int]:
        """The numbers of a round's events, including cancelled ones and the voids themselves."""
        return [number for number, each in enumerate(self.of, 1) if each == round_no]


def chapters(facts: Sequence[Fact]) -> Chapters:
    """
    The rounds of a game's events.

    A void, its request and rejection belong to the round that the void goes back to.
    """
    of: list[int] = []
    standing: list[tuple[int, int]] = []  # event number, rounds that had ended before it
    ended = 0
    for number, fact in enumerate(facts, 1):
        if isinstance(fact, Voided):
            while standing and standing[-1][0] >= fact.back_to:
                ended = standing.pop()[1]
        else:
            standing.append((number, ended))
        of.append(_round_of(fact, of, ended))
        ended += fact.ends_round
    return Chapters(of, ended)


def _round_of(fact: Fact, of: Sequence[int], ended: int) -> int:
    match fact:
        case VoidRequested(back_to=back_to):
            return of[back_to - 1]
        case VoidRejected(request=earlier) | Resolved(dispute=earlier) | Witnessed(cause=earlier):
            return of[earlier - 1]
        case _:
            return getattr(fact, "round", None) or ended + 1


def is_cancelled(number: int, fact: Fact, standing: Container[int]) -> bool:
    """Whether a void cancelled an event; events beside the play are never cancelled."""
    return number not in standing and not isinstance(fact, OutsideRules)


def states(
    ruleset: Ruleset, facts: Sequence[Fact], numbers: Sequence[int]
) -> Iterator[tuple[int, Any]]:
    """The game's own state after each of the events with these numbers, voids included."""
    wanted, state = set(numbers), ruleset.decider.initial
    for number, fact in enumerate(facts, 1):
        state = ruleset.decider.evolve(state, fact)
        if number in wanted:
            yield number, state.inner


def seats(past: Course, presenter: Presenter) -> list[dict[str, Any]]:
    """The seats at an earlier moment of a game: players, stakes, points and hands."""
    view = past.view
    money = presenter.for_money(past)
    return [
        {
            "name": player,
            "stake": stake if money else None,
            "points": view["points"].get(player),
            "drinks": view["drinks"].get(player),
            "owner": None,
            **presenter.hand_of(past, view, player),
        }
        for player, stake in view["stakes"].items()
    ]


# The figures of a game, such as its pot: their labels, and whether they are money.


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
    return figures_of_state(presenter, game.state.inner)


def figures_of_state(presenter: Presenter, state: Any) -> list[dict[str, Any]]:
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
