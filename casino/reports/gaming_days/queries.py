"""The queries of pages and the API about gaming days."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.db.models import OuterRef, Subquery, Sum

from casino.house.acts.game_streams.loading import load_all
from casino.house.establishments import gaming_day
from casino.house.establishments.table_names import in_list_order
from casino.kit.approvals.models import RequestRow
from casino.money.cash import fees
from casino.money.cash.models import CountRow, TableDay
from casino.play.core.models import GameCard
from casino.play.settlement import settled
from casino.play.settlement.models import Payout
from casino.proof.disputes.models import DisputeRow
from casino.reports.gaming_days import closing
from casino.reports.gaming_days.models import GamingDay, LateEntry
from ledger import subscriptions
from ledger.models import ParkedEvent

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date, datetime

    from django.db.models import QuerySet

    from casino.house.establishments.models import Establishment
    from ledger.wire import StoredEvent


@dataclass(frozen=True, slots=True, kw_only=True)
class Days:
    """
    The state of a house's current gaming days.

    :param today: the day of an entry that is recorded now.
    :param to_close: the oldest open day; None: no day is open, or it has not begun by the clock.
    :param over: whether the day to close is over, because the next has begun.
    :param draining: the day that is being closed.
    :param behind: how many events settlement must still read before that day is fully booked.
    :param closes_itself: when the day to close is closed automatically; None: only people close it.
    """

    today: date
    to_close: date | None
    over: bool
    draining: date | None
    behind: int
    closes_itself: datetime | None


def state(house: Establishment, now: datetime) -> Days:
    known = gaming_day.day_state(house.pk)
    today = gaming_day.gaming_day(house, now)
    today = max(today, known.day) if known.day else today
    oldest = known.open[0] if known.open and known.draining is None else None
    to_close = oldest if oldest and oldest <= gaming_day.gaming_day(house, now) else None
    return Days(
        today=today,
        to_close=to_close,
        over=to_close is not None and to_close < today,
        draining=known.draining,
        behind=closing.behind(house.pk) if known.draining else 0,
        closes_itself=closing.closes_at(house, to_close) if to_close else None,
    )


def rows(house: Establishment) -> QuerySet[GamingDay]:
    """The days of a house, newest first."""
    return GamingDay.objects.filter(establishment=house).order_by("-day")


def late(house: Establishment, day: date | None = None) -> QuerySet[LateEntry]:
    """Late entries and entries with differing clocks, newest first; of all days, or of one."""
    found = LateEntry.objects.filter(establishment=house).order_by("-position")
    return found.filter(gaming_day=day) if day else found


def event_of_close(house: Establishment, row: GamingDay) -> StoredEvent | None:
    """The event ``day.closed`` of a day, from the ledger; None if the day is not closed."""
    return closing.event_of_close(house.pk, row.day) if row.closed_position is not None else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Open:
    """What a day would carry over if it were closed now; none of it prevents the closing."""

    tables_uncounted: Sequence[str]
    boxes_uncounted: Sequence[str]
    games: int
    pots: int
    stakes: int
    held: int
    held_coins: int
    disputes: int
    requests: int
    parked: int
    behind: int
    late: int


def open_things(house: Establishment, day: date) -> Open:
    """What a day would carry over now, from rows, in a few queries."""
    running = list(
        GameCard.objects.filter(establishment=house, status=GameCard.Status.OPEN).values_list(
            "game", "pot"
        )
    )
    withheld = Payout.objects.filter(establishment=house, state=Payout.State.HELD)
    return Open(
        tables_uncounted=_tables_not_counted(house, day),
        boxes_uncounted=[table.name for table, _coins in fees.boxes_to_count(house)],
        games=len(running),
        pots=sum(pot for _, pot in running),
        stakes=settled.all_booked_stakes(
            house.pk, load_all(house.pk, [game for game, _ in running]).values()
        ),
        held=withheld.count(),
        held_coins=withheld.aggregate(coins=Sum("held"))["coins"] or 0,
        disputes=DisputeRow.objects.filter(
            establishment=house, outcome=DisputeRow.Outcome.OPEN
        ).count(),
        requests=RequestRow.objects.filter(
            establishment=house, state=RequestRow.State.WAITING
        ).count(),
        parked=ParkedEvent.objects.filter(
            establishment=house.pk, subscription=settled.SETTLEMENT
        ).count(),
        behind=subscriptions.lag(settled.SETTLEMENT, establishment=house.pk),
        late=late(house, day).exclude(kind=LateEntry.Kind.SKEW).count(),
    )


def _tables_not_counted(house: Establishment, day: date) -> list[str]:
    """Tables with cash or movements of cash, not counted that day except to open them (B1)."""
    agreed = CountRow.objects.filter(
        establishment=house, gaming_day=day, state=CountRow.State.AGREED
    )
    counted = set(agreed.exclude(purpose=CountRow.Purpose.OPEN).values_list("table", flat=True))
    rows = TableDay.objects.filter(establishment=house)
    until = rows.filter(table=OuterRef("pk"), gaming_day__lte=day).order_by("-gaming_day")
    newest = dict(
        house.tables.exclude(pk__in=counted).values_list(
            "pk", Subquery(until.values("gaming_day")[:1])
        )
    )
    days_of_them = {each for each in newest.values() if each is not None}
    found = rows.filter(table__in=newest, gaming_day__in=days_of_them).select_related("table")
    left = [
        row.table
        for row in found
        if row.gaming_day == newest[row.table_id] and (row.gaming_day == day or row.standing)
    ]
    return [table.name for table in in_list_order(left)]
