"""The page of a pot's lineage: who put in what and when, what left, and the pots it rolled from."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.urls import reverse
from django.utils.translation import gettext as _

from casino.house.game_streams.loading import GameKey, load
from casino.house.pseudonyms import tokens
from casino.kit.web.pages import Page, office
from casino.money.pots import queries as pots
from casino.money.pots.queries import CALLED
from casino.play.core.models import GameCard
from casino.play.core.stories import round_url
from casino.proof.search import lineage
from casino.words.presenters import TITLES

if TYPE_CHECKING:
    from collections.abc import Mapping
    from uuid import UUID

    from django.http import HttpResponse

    from casino.proof.search.lineage import Moved, Pot
    from casino.proof.search.models import LotLine


@office("look", section="pots", from_replica=True)
def of_pot(page: Page, game: UUID) -> HttpResponse:
    """The tree of a pot: each contribution with its event, each lot with the pot that it left."""
    load(GameKey(page.house.pk, game))  # not found for a game of another house
    root = lineage.of_pot(page.house.pk, game)
    tables = dict(page.house.tables.values_list("pk", "name"))
    holds = pots.of_game(page.house.pk, game).balance
    takers = _takers(page, root)
    described = {
        "pot": {
            **_describe(root, tables),
            "left": [
                {**_lot(lot), "called": takers.get(lot.taker, "") if lot.taker else ""}
                for lot in root.left
            ],
        },
        "comes_to": sum(lineage.leaves(root)),
    }
    context = {
        **tokens.resolve(page.house.pk, described),
        "holds": holds,
        "adds_up": described["comes_to"] == holds,
        "since": root.since,
        "game": game,
    }
    return page.show("search/lineage.html", context)


def _describe(pot: Pot, tables: Mapping[UUID, str]) -> dict[str, Any]:
    card = pot.card
    return {
        "game": pot.game,
        "title": str(TITLES.get(card.ruleset, card.ruleset)) if card else "",
        "table": tables.get(card.table_id, "") if card else "",
        "opened": card and card.opened_at,
        "day": card and card.gaming_day,
        "running": card is not None and card.status == GameCard.Status.OPEN,
        "url": reverse("pot-lineage", kwargs={"game": pot.game}),
        "log": reverse("floor-log", args=[pot.game]),
        "put_in": pot.put_in,
        "rolled_in": pot.rolled_in,
        "went": pot.went,
        "rolled_out": pot.rolled_out,
        "holds": pot.holds,
        "voided": pot.voided,
        "players": [
            {"who": who, "put": put, "got": got} for who, (put, got) in pot.players().items()
        ],
        "moved": [_describe_move(pot, each) for each in pot.moved],
        "came": [
            {
                **_lot(branch.lot),
                "pot": _describe(branch.pot, tables) if branch.pot else None,
            }
            for branch in pot.came
        ],
        "left": [_lot(lot) for lot in pot.left],
        "awaited": [_lot(lot) for lot in pot.awaited],
    }


def _describe_move(pot: Pot, each: Moved) -> dict[str, Any]:
    return {
        "who": str(CALLED.get(each.who, each.who)),
        "came": each.coins > 0,
        "coins": abs(each.coins),
        "round": each.round,
        "cause": each.cause,
        "position": each.position,
        "rules": each.rules.split(),
        "at": each.at,
        "url": f"{round_url(pot.game, each.round)}?step={each.cause}",
        "event": reverse("game-at", kwargs={"game": pot.game, "number": each.cause}),
    }


def _lot(lot: LotLine) -> dict[str, Any]:
    return {
        "amount": lot.amount,
        "since": lot.since,
        "state": lot.state,
        "event": reverse("game-at", kwargs={"game": lot.game, "number": lot.event}),
        "source": reverse("pot-lineage", kwargs={"game": lot.game}),
        "taker": reverse("pot-lineage", kwargs={"game": lot.taker}) if lot.taker else "",
    }


def _takers(page: Page, root: Pot) -> dict[UUID, str]:
    """The games that took what this pot left, with their titles."""
    games = {lot.taker for lot in root.left if lot.taker}
    cards = GameCard.objects.filter(establishment=page.house, game__in=games)
    return {
        card.game: _("%(game)s at %(table)s")
        % {"game": TITLES[card.ruleset], "table": card.table.name}
        for card in cards.select_related("table")
    }
