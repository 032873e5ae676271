"""What the start page shows: the day's figures, the machinery, running tables, last payouts."""

from __future__ import annotations

from datetime import datetime
from operator import itemgetter
from typing import TYPE_CHECKING, Any
from uuid import UUID

from django.db.models import Sum
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from casino.cash import fees
from casino.days import queries as days
from casino.devices import queries as devices
from casino.health import WORKER_SILENT, worker_seen
from casino.integrity import epochs
from casino.integrity import queries as integrity
from casino.payouts.explained import Explained
from casino.payouts.queries import held
from casino.play import queries, stops
from casino.play.cards import cards as table_cards
from casino.play.cards import games_at
from casino.play.loading import GameKey, load
from casino.play.models import DayFigures, GameCard, Payout
from casino.play.settled import SETTLEMENT
from casino.play.telling import TITLES
from casino.players import veil
from casino.proofs import published
from ledger import checkpoints, journal, subscriptions
from ledger.models import Account, ParkedEvent

if TYPE_CHECKING:
    from datetime import date

    from casino.establishments.models import Establishment

PAYOUTS = 12
CALLED = {
    "pot": gettext_lazy("pot"),
    "house": gettext_lazy("the house"),
    "rollover": gettext_lazy("the rollover"),
}


def shown(house: Establishment, day: date, now: datetime) -> dict[str, Any]:
    rolled = rollovers(house)
    return {
        "restored": epochs.notice(house, now),
        "days": days.state(house, now),
        "figures": figures(house, day) + rolled_over(rolled),
        "rollovers": rolled,
        "worker": worker(now),
        "settlement": settlement(house),
        "tables": tables(house),
        "payouts": payouts(house, day),
        "late": devices.waiting(house.pk),
        "boxes": [table.name for table, _coins in fees.uncounted(house)],
        "ledger_position": journal.head(establishment=house.pk),
    }


def figures(house: Establishment, day: date) -> list[dict[str, Any]]:
    so_far = DayFigures.objects.filter(establishment=house, gaming_day=day).first() or DayFigures()
    running = GameCard.objects.filter(establishment=house, status=GameCard.Status.OPEN).count()
    return [
        {"label": _("Rounds"), "value": so_far.rounds},
        {"label": _("Bought in"), "value": so_far.bought_in, "money": True},
        {"label": _("Staked"), "value": so_far.staked, "money": True,
         "note": _("paid into pots")},
        {"label": _("Paid"), "value": so_far.paid, "money": True, "note": _("out of pots")},
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
    held = pots.aggregate(held=Sum("credits") - Sum("debits"))["held"]
    return int(held or 0)


def rollovers(house: Establishment) -> list[dict[str, Any]]:
    """What pots left for the next game of their kind, lot by lot, the oldest first."""

    def at_table(game: str) -> str:
        return house.tables.get(pk=load(GameKey(house.pk, UUID(game))).place["table"]).name

    shown = [
        {
            "kind": kind["game"],
            "title": TITLES.get(kind["game"], kind["game"]),
            "amount": lot["amount"],
            "since": datetime.fromisoformat(lot["since"]),
            "table": at_table(lot["game"]),
            "url": reverse("floor-game", args=[lot["game"]]),
            "awaited_at": lot["claimed_by"] and at_table(lot["claimed_by"]),
            "awaited_url": lot["claimed_by"] and reverse("floor-game", args=[lot["claimed_by"]]),
        }
        for kind in queries.rolled_over(house.pk)
        for lot in kind["lots"]
    ]
    return sorted(shown, key=itemgetter("since"))


def rolled_over(lots: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """As a figure, where there is something."""
    if not lots:
        return []
    coins = sum(lot["amount"] for lot in lots)
    return [
        {"label": _("Rolled over"), "value": coins, "money": True, "note": _("players' money")},
    ]


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
        "stopped": stops.stop_now(house.pk) is not None,
        "held": held(house.pk),
    }


def proof(house: Establishment, now: datetime) -> dict[str, Any]:
    """Whether the ledger is signed, and what no copy outside covers: for managers and auditors."""
    outside = integrity.outside(house.pk)
    age, exposed_for = outside.age(now), outside.exposed_for(now)
    return {
        "in_the_way": integrity.in_the_way(house),
        "signed": checkpoints.latest(house.pk),
        "outside": outside,
        "age": published.length(age) if age is not None else "",
        "exposed_for": published.length(exposed_for) if exposed_for is not None else "",
    }


def tables(house: Establishment) -> list[dict[str, Any]]:
    """The tables with a running game."""
    in_use = list(house.tables.filter(in_use=True))
    cards = table_cards(house, in_use, games_at(house.pk, in_use))
    return [
        {**game, "name": card["name"], "url": reverse("floor-game", args=[game["id"]])}
        for card in cards
        if (game := card["game"])
    ]


def payouts(house: Establishment, day: date) -> list[dict[str, Any]]:
    """The day's last payments, each with the sentence that says why."""
    rows = Payout.objects.filter(establishment=house, gaming_day=day).select_related("table")
    explained = Explained(house)
    shown = [
        {
            "at": row.booked_at,
            "from": str(CALLED.get(row.payer, row.payer)),
            "to": str(CALLED.get(row.payee, row.payee)),
            "amount": row.amount,
            "sentence": explained.why(row),
            "rules": row.rules.split(),
            "table": row.table.name,
            "round": row.round,
            "url": address(row),
            "state": row.state,
        }
        for row in rows[:PAYOUTS]
    ]
    named: list[dict[str, Any]] = veil.unveil(house.pk, shown)
    return named


def address(row: Payout) -> str:
    """Where a payout is explained; of one that was voided, what was recorded."""
    if row.state == Payout.State.REVERSED:
        return reverse("floor-log", args=[row.game])
    return reverse("floor-round", args=[row.game, row.round])
