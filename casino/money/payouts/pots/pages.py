"""Pages of open pots: what came in, what left, what lies in each (A1, A6)."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from django.urls import reverse

from casino.house.acts import accounts
from casino.kit.web.listings.pages import of_rows, page_with_list
from casino.kit.web.pages import office
from casino.money.payouts.pots import queries as pots
from casino.money.payouts.pots.listings import POTS, ROLLOVERS
from casino.money.payouts.pots.queries import CALLED_TERMS, TERM_SIGNS

if TYPE_CHECKING:
    from uuid import UUID

    from django.http import HttpResponse

    from casino.kit.web.pages import Page
    from casino.money.payouts.pots.queries import Equation


@office("look", section="pots")
def open_pots(page: Page) -> HttpResponse:
    """The page of all open pots and of the lots that wait in the rollover, with their totals."""
    found = pots.open_pots(page.house.pk)
    lots = pots.rollovers(page.house)
    in_pots = sum(pot.equation.balance for pot in found)
    booked = pots.in_rollovers(page.house.pk)
    context = {
        "lots": of_rows(page, ROLLOVERS, lots),
        "being_booked": sum(lot["amount"] for lot in lots) != booked,
        "in_pots": in_pots,
        "in_rollovers": booked,
        "of_players": in_pots + booked,
    }
    return page_with_list(
        page, replace(POTS, rows=lambda _viewer: found), "money/pots/index.html", context
    )


def of_game(page: Page, game: UUID) -> dict[str, Any]:
    """The equation of one game's pot, for the page of the game's payouts."""
    equation = pots.of_game(page.house.pk, game)
    return {
        "terms": terms(equation),
        "adds_up": equation.adds_up,
        "account": account(page, game),
        "lineage": reverse("pot-lineage", args=[game]),
    }


def terms(equation: Equation) -> list[dict[str, Any]]:
    return [
        {"name": term, "sign": TERM_SIGNS[term], "title": CALLED_TERMS[term], "coins": coins}
        for term, coins in equation.terms().items()
    ]


def account(page: Page, game: UUID) -> str | None:
    """The name of the pot's account; None if the person may not see its statement."""
    return accounts.pot(game).name if page.may("audit") else None
