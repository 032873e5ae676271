"""The sentence behind a payout: the throws it rests on, in the words of the game's own rules."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext as _

from casino.languages.said import said
from casino.play.loading import GameKey, load, load_all
from casino.play.models import Payout

if TYPE_CHECKING:
    from collections.abc import Iterable
    from uuid import UUID

    from casino.establishments.models import Establishment


class Explained:
    """Why payouts were made: their games loaded in one query, each round explained once."""

    def __init__(self, house: Establishment, rows: Iterable[Payout]) -> None:
        self._house = house.pk
        self._games = load_all(house.pk, {row.game for row in rows})
        self._rounds: dict[tuple[UUID, int], list[dict[str, Any]]] = {}

    def why(self, row: Payout) -> str:
        """A sentence with the players' tokens in it."""
        if row.state == Payout.State.REVERSED:
            return _("Voided, and moved back.")
        ends = {"from": row.payer, "to": row.payee, "amount": row.amount}
        payments = (payment for each in self._told(row) for payment in each["payments"])
        for payment in payments:
            if all(payment[name] == value for name, value in ends.items()):
                return said(str(payment["because"]))
        return ""

    def how(self, row: Payout) -> str:
        """How its round ended: the throws that decided it. A sentence with tokens in it."""
        return " ".join(said(str(each["because"])) for each in self._told(row))

    def _told(self, row: Payout) -> list[dict[str, Any]]:
        key = (row.game, row.round)
        if key not in self._rounds:
            game = self._games.get(row.game) or load(GameKey(self._house, row.game))
            self._rounds[key] = game.ruleset.explain(game.history, row.round)
        return self._rounds[key]
