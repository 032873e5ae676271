"""Pots as the house owes them: what came in, what left, what lies in each (A1, A6)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from django.urls import reverse
from django.utils.translation import gettext_lazy

from casino.operations import accounts
from casino.pots import queries as pots
from casino.pots.queries import rollovers
from casino.presenters import TITLES
from casino.web.pages import office

if TYPE_CHECKING:
    from uuid import UUID

    from django.http import HttpResponse

    from casino.pots.queries import Equation
    from casino.web.pages import Page

MINUS: Final = "\N{MINUS SIGN}"
SIGNS: Final = {
    "base": "", "contributions": "+", "rolled_in": "+", "won": MINUS, "rolled_out": MINUS,
    "fees": MINUS, "adjustments": "±", "balance": "=",
}  # fmt: skip
CALLED: Final = {
    "base": gettext_lazy("Base"),
    "contributions": gettext_lazy("Put in"),
    "rolled_in": gettext_lazy("Rolled in"),
    "won": gettext_lazy("Won"),
    "rolled_out": gettext_lazy("Rolled over"),
    "fees": gettext_lazy("Fee"),
    "adjustments": gettext_lazy("Adjusted"),
    "balance": gettext_lazy("Balance"),
}


@office("look", section="pots")
def open_pots(page: Page) -> HttpResponse:
    """Every open pot and every lot that waits in the rollover, with what they come to."""
    found = pots.open_pots(page.house.pk)
    tables = dict(page.house.tables.values_list("pk", "name"))
    whole = pots.together(pot.equation for pot in found)
    lots = rollovers(page.house)
    left, booked = sum(lot["amount"] for lot in lots), pots.in_rollovers(page.house.pk)
    context = {
        "heads": [{"sign": SIGNS[term], "title": CALLED[term]} for term in pots.TERMS],
        "pots": [
            {
                "pot": pot,
                "title": TITLES.get(pot.ruleset, pot.ruleset),
                "table": tables[pot.table],
                "terms": terms(pot.equation),
                "account": account(page, pot.game),
            }
            for pot in found
        ],
        "whole": terms(whole),
        "lots": lots,
        "left": left,
        "in_pots": whole.balance,
        "in_rollovers": booked,
        "of_players": whole.balance + booked,
    }
    return page.show("pots/index.html", context)


def of_game(page: Page, game: UUID) -> dict[str, Any]:
    """The equation of one game's pot, as its own page shows it."""
    equation = pots.of_game(page.house.pk, game)
    return {
        "terms": terms(equation),
        "adds_up": equation.adds_up,
        "account": account(page, game),
        "lineage": reverse("pot-lineage", args=[game]),
    }


def terms(equation: Equation) -> list[dict[str, Any]]:
    return [
        {"name": term, "sign": SIGNS[term], "title": CALLED[term], "coins": coins}
        for term, coins in equation.told().items()
    ]


def account(page: Page, game: UUID) -> str | None:
    """The name of the pot's account, for whoever may see its statement."""
    return accounts.pot(game).name if page.may("audit") else None
