"""What the start page shows: the day's figures, the machinery, running tables, last payouts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.urls import reverse
from django.utils.translation import gettext as _

from casino.floor import boards
from casino.health import WORKER_SILENT, worker_seen
from casino.play import queries
from casino.play.models import DayFigures, GameCard, Payout
from casino.play.settled import SETTLEMENT
from casino.players import veil
from ledger import journal, subscriptions
from ledger.models import Account, ParkedEvent

if TYPE_CHECKING:
    from datetime import date, datetime

    from casino.establishments.models import Establishment

PAYOUTS = 12


def shown(house: Establishment, day: date, now: datetime) -> dict[str, Any]:
    return {
        "figures": figures(house, day),
        "worker": worker(now),
        "settlement": settlement(house),
        "tables": tables(house),
        "payouts": payouts(house, day),
        "ledger_position": journal.head(establishment=house.pk),
    }


def figures(house: Establishment, day: date) -> list[dict[str, Any]]:
    so_far = DayFigures.objects.filter(establishment=house, gaming_day=day).first() or DayFigures()
    running = GameCard.objects.filter(establishment=house, status=GameCard.Status.OPEN).count()
    return [
        {"label": _("Rounds"), "value": so_far.rounds},
        {"label": _("Bought in"), "value": so_far.bought_in, "money": True},
        {"label": _("Staked"), "value": so_far.staked, "money": True,
         "note": _("paid into pools")},
        {"label": _("Paid"), "value": so_far.paid, "money": True, "note": _("out of pools")},
        {"label": _("Fees"), "value": so_far.fees, "money": True, "note": _("the house's")},
        {"label": _("Pots open"), "value": pots_open(house), "money": True,
         "note": _("players' money")},
        {"label": _("Tables running"), "value": running, "href": reverse("floor")},
    ]  # fmt: skip


def pots_open(house: Establishment) -> int:
    """What lies in pots now, as booked: a liability."""
    games = GameCard.objects.filter(establishment=house, status=GameCard.Status.OPEN)
    names = [str(game) for game in games.values_list("game", flat=True)]
    pots = Account.objects.filter(establishment=house.pk, kind="pot", name__in=names)
    return sum(credits - debits for debits, credits in pots.values_list("debits", "credits"))


def worker(now: datetime) -> dict[str, Any]:
    seen = worker_seen()
    return {"alive": seen is not None and now - seen < WORKER_SILENT, "seen_at": seen}


def settlement(house: Establishment) -> dict[str, Any]:
    parked = ParkedEvent.objects.filter(establishment=house.pk, subscription=SETTLEMENT)
    behind = subscriptions.lag(SETTLEMENT, establishment=house.pk)
    return {
        "behind": behind,
        "settled_through": journal.head(establishment=house.pk) - behind,
        "parked": parked.values("stream").distinct().count(),
    }


def tables(house: Establishment) -> list[dict[str, Any]]:
    cards = [boards.table_card(table) for table in house.tables.filter(in_use=True)]
    return [
        {**card["game"], "name": card["name"], "url": card["url"]} for card in cards if card["game"]
    ]


def payouts(house: Establishment, day: date) -> list[dict[str, Any]]:
    """The day's last payments, each with the sentence that says why."""
    rows = Payout.objects.filter(establishment=house, gaming_day=day).select_related("table")
    reasons = Reasons(house)
    return [
        {
            "at": row.booked_at,
            "from": reasons.called(row.payer),
            "to": reasons.called(row.payee),
            "amount": row.amount,
            "sentence": reasons.why(row),
            "rules": row.rules.split(),
            "table": row.table.name,
            "round": row.round,
            "url": reverse("floor-game", args=[row.game]),
            "state": row.state,
        }
        for row in rows[:PAYOUTS]
    ]


class Reasons:
    """Explanations of payouts, each round explained once."""

    def __init__(self, house: Establishment) -> None:
        self._house = house
        self._rounds: dict[tuple[Any, int], list[dict[str, Any]]] = {}

    def called(self, account: str) -> str:
        named = {"pot": _("pool"), "house": _("the house")}.get(account)
        return named or str(veil.unveil(self._house.pk, account))

    def why(self, row: Payout) -> str:
        if row.state == Payout.State.REVERSED:
            return _("Voided, and moved back.")
        payments = [
            payment
            for explained in self._explained(row)
            for payment in explained["payments"]
            if payment["amount"] == row.amount and payment["rules"] == row.rules.split()
        ]
        return str(payments[0]["because"]) if payments else ""

    def _explained(self, row: Payout) -> list[dict[str, Any]]:
        key = (row.game, row.round)
        if key not in self._rounds:
            loaded = queries.find([self._house.pk], row.game)
            self._rounds[key] = queries.explanation(loaded, row.round)
        return self._rounds[key]
