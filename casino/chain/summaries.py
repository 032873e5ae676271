"""
The summary of a house: made by workers, read by the pages of its chain.

A sweep finds the houses whose subscriber has read further than their summary knows, in one query,
and workers make these anew, each at most once in `PACE`. Only houses with something unread can be
among them (`ledger.lag`), and a house stays one until its summary is of all its events. Without
an event a summary is due again after a while, which doubles each time that nothing was different,
and when a gaming day begins: what a sweep finds is what has happened, not how many houses there
are. What only the clock changes (a day that is over, the age of a checkpoint) is not stored, but
told from stored moments when a page is read. A summary that is overdue for longer than `OLD` says
so: a worker that keeps its promise is never so late.
"""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any, Final

from django.db.models import Count, Exists, F, OuterRef, Q, Sum
from django.utils import timezone

from casino.chain.models import ChainHouse, HouseSummary
from casino.engine.processes.queues.house_subscriber import HOUSE
from casino.house.establishments import gaming_day
from casino.house.establishments.models import Establishment
from casino.kit.approvals import queries as approvals
from casino.money.cash.models import Owed
from casino.money.payouts import queries as payouts
from casino.play.core import queries
from casino.play.core.models import GameCard
from casino.play.core.subscriptions.tasks import SUBSCRIBERS
from casino.play.dice.surveillance import queries as surveillance
from casino.play.settlement import payout_holds
from casino.proof.disputes import queries as disputes
from casino.proof.signing import parked
from casino.proof.signing import queries as integrity
from ledger import checkpoints, journal
from ledger.accounts import Kind
from ledger.models import Subscription, Unread

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime
    from uuid import UUID

    from django.db.models import QuerySet

PACE: Final = timedelta(seconds=10)
REFRESH: Final = timedelta(minutes=5)
UNSIGNED: Final = timedelta(seconds=30)
"""After so long a house is looked at again if some of its events were not signed."""
SELDOM: Final = timedelta(hours=1)
"""After so long at most, however quiet a house is."""
OLD: Final = timedelta(minutes=10)
SWEPT: Final = 500  # houses that one sweep puts on the list
POTS: Final = (Kind.POT, Kind.ROLLOVER)


def refresh(establishment: UUID) -> bool:
    """Make the summary of a house anew; False if the house belongs to no chain."""
    house = Establishment.objects.filter(pk=establishment, chain_house__isnull=False).first()
    if house is None:
        HouseSummary.objects.filter(establishment=establishment).delete()
        return False
    now = timezone.now()
    before = HouseSummary.objects.filter(establishment=house).first()
    found = figures(house, now)
    HouseSummary.objects.update_or_create(
        establishment=house,
        defaults={**found, "summed_at": now, "due_at": _due(house, found, before, now)},
    )
    return True


def _due(
    house: Establishment, found: Mapping[str, Any], before: HouseSummary | None, now: datetime
) -> datetime:
    """When a summary with these figures is to be made again, if nothing happens in the house."""
    after = PACE if found["lag"] else REFRESH
    if found["position"] >= found["signed_size"]:
        after = min(after, UNSIGNED)
    same = before and all(getattr(before, name) == value for name, value in found.items())
    if same and before and before.summed_at and before.due_at:
        after = min(SELDOM, max(after, 2 * (before.due_at - before.summed_at)))
    tomorrow = gaming_day.begins(house, found["gaming_day"] + gaming_day.A_DAY)
    return min(now + after, tomorrow) if tomorrow > now else now + after


def figures(house: Establishment, now: datetime) -> dict[str, Any]:
    """The figures of a house now. Each query is of this house, and none reads the whole ledger."""
    return {
        **_day(house, now),
        **_money(house),
        **_waiting(house),
        **_ledger(house),
        "running": GameCard.objects.filter(
            establishment=house, status=GameCard.Status.OPEN
        ).count(),
    }


def _day(house: Establishment, now: datetime) -> dict[str, Any]:
    known = gaming_day.day_state(house.pk)
    day = gaming_day.gaming_day(house, now)
    day = max(day, known.day) if known.day else day
    oldest = known.open[0] if known.open else None
    so_far = queries.so_far(house.pk, day)
    names = ("games", "rounds", "throws", "bought_in", "staked", "paid", "fees")
    return {
        "gaming_day": day,
        "opens_at": gaming_day.begins(house, oldest) if oldest else None,
        "late_from": gaming_day.begins(house, oldest + gaming_day.A_DAY) if oldest else None,
        "closing": known.draining is not None,
        "last_closed": known.closed,
        **{name: getattr(so_far, name) for name in names},
    }


def _money(house: Establishment) -> dict[str, Any]:
    sums = Owed.objects.filter(establishment=house).aggregate(
        owed=Sum("amount"), pots=Sum("amount", filter=Q(kind__in=POTS))
    )
    return {name: int(coins or 0) for name, coins in sums.items()}


def _waiting(house: Establishment) -> dict[str, Any]:
    return {
        "alarms": surveillance.waiting(house.pk),
        "approvals": approvals.all_waiting(house.pk).count(),
        "disputes": disputes.waiting(house.pk),
        "held": payouts.count_held(house.pk),
        "parked": parked.waiting(house.pk),
        "stopped": payout_holds.stop_now(house.pk) is not None,
        "unsound": integrity.broken(house.pk).exists(),
    }


def _ledger(house: Establishment) -> dict[str, Any]:
    head = journal.head(establishment=house.pk)
    names = [each.name for each in SUBSCRIBERS]
    rows = Subscription.objects.filter(establishment=house.pk, name__in=names)
    places = list(rows.values_list("position", flat=True))
    slowest = min(places, default=-1) if len(places) == len(names) else -1
    signed = checkpoints.latest(house.pk)
    return {
        "position": head,
        "lag": max(0, head - slowest),
        "signed_size": signed.size if signed else 0,
        "signed_at": signed.signed_at if signed else None,
    }


def to_be_made(now: datetime) -> QuerySet[HouseSummary]:
    """The summaries that are missing something, or whose time is over, the oldest first."""
    rows = HouseSummary.objects.only("summed_at")
    over = rows.filter(Q(due_at__isnull=True) | Q(due_at__lte=now))
    ahead = rows.filter(summed_at__gt=now + PACE)  # a clock was put back
    further = Subscription.objects.filter(
        establishment=OuterRef("establishment_id"), name=HOUSE.name
    ).exclude(position=OuterRef("position"))
    moved = rows.filter(
        Exists(further),
        establishment__in=Unread.objects.values("establishment"),
        summed_at__lt=now - PACE,
    )
    return over.union(ahead, moved).order_by(F("summed_at").asc(nulls_first=True))


def behind(heads: Mapping[UUID, int]) -> set[UUID]:
    """The houses whose summary is not of all events yet. :param heads: each house's last event."""
    rows = HouseSummary.objects.filter(establishment__in=heads)
    return {house for house, at in rows.values_list("pk", "position") if at < heads[house]}


def overdue(now: datetime) -> Q:
    """Summaries that should have been made long ago, or never were."""
    return Q(due_at__isnull=True) | Q(due_at__lt=now - OLD)


def without_a_row() -> QuerySet[ChainHouse]:
    """Houses of chains whose summary was deleted: it is made again from nothing."""
    return ChainHouse.objects.filter(establishment__summary__isnull=True)


CURRENCY: Final = tuple(
    f"establishment__{name}" for name in ("currency_code", "currency_symbol", "coin_digits")
)
"""What tells a currency from others: a code, or a sign, and with how many decimals it counts."""
SUMMED: Final = ("staked", "paid", "fees", "pots", "owed", "rounds", "throws", "games")


def per_currency(rows: QuerySet[HouseSummary]) -> list[dict[str, Any]]:
    """Sums over houses, each currency by itself: coins of different currencies are never added."""
    sums = {f"sum_{name}": Sum(name) for name in SUMMED}
    found: Any = rows.order_by().values(*CURRENCY).annotate(houses=Count("pk"), **sums)
    return list(found.order_by(*CURRENCY))
