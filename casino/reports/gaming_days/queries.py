"""The queries of pages and the API about gaming days, and the summary of a closed day."""

from __future__ import annotations

from base64 import b64encode
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING, Any

from django.db.models import OuterRef, Subquery, Sum
from django.utils.translation import gettext_lazy as _

from casino.house.acts.game_streams.loading import load_all
from casino.house.establishments import gaming_day
from casino.house.establishments.table_names import in_list_order, in_order
from casino.kit.approvals.models import RequestRow
from casino.kit.approvals.queries import names
from casino.money.cash import fees
from casino.money.cash.models import CountRow, TableDay
from casino.play.core.models import GameCard
from casino.play.settlement import settled
from casino.play.settlement.models import Payout
from casino.proof.disputes.models import DisputeRow
from casino.proof.signing import queries as integrity
from casino.reports.gaming_days import closing
from casino.reports.gaming_days.models import GamingDay, LateEntry
from casino.words.presenters import TITLES, event_types
from ledger import subscriptions
from ledger.accounts import Kind
from ledger.models import ParkedEvent

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from datetime import datetime

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


# The summary of a closed day for screen and print: from its event ``day.closed``, with names.


PLAY = (
    ("rounds", _("Rounds")),
    ("throws", _("Throws")),
    ("games", _("Games opened")),
    ("voids", _("Voids")),
    ("rounds_of_earlier_days_voided", _("Rounds of earlier days voided")),
)
MONEY = (
    ("bought_in", _("Bought in")),
    ("cashed_out", _("Cashed out")),
    ("house_staked", _("Brought by the house's seats")),
    ("house_took", _("Taken by the house's seats")),
    ("staked", _("Staked, into pots")),
    ("paid", _("Paid, out of pots")),
    ("drawn", _("Drawn from rollovers")),
    ("rolled_over", _("Left in rollovers")),
    ("held", _("Held back")),
    ("released", _("Released")),
    ("prizes_won", _("Prizes won")),
    ("prizes_paid", _("Prizes paid")),
)
FEES = (
    ("fees_decided", _("Expected, by the rules")),
    ("fees", _("Taken, as booked")),
    ("fees_counted", _("Counted out of the boxes")),
)
OWED = (
    (Kind.STAKE, _("Stakes")),
    (Kind.POT, _("Pots")),
    (Kind.ROLLOVER, _("Rollovers")),
    (Kind.HELD, _("Held")),
    (Kind.PRIZES_OWED, _("Prizes owed")),
)
CASH = ((Kind.FLOAT, _("At the tables")), (Kind.CAGE, _("In the cage")))
ALWAYS = frozenset(
    {"rounds", "throws", "games", "voids", "bought_in", "cashed_out", "staked", "paid"}
    | {name for name, _title in FEES}
)
"""Figures that are shown even if they are 0; the others only if they are not."""


def summary_of_day(house: Establishment, row: GamingDay, event: StoredEvent) -> dict[str, Any]:
    """The parts of the summary, for the template."""
    data = event.data
    tables = {str(pk): name for pk, name in house.tables.values_list("pk", "name")}
    people = names({who for who in (data["by"], row.signed_by) if who})
    kinds = data["carried"]["kinds"]
    return {
        "closed_by": "" if data["automatic"] else people[data["by"]],
        "signed_by": people.get(row.signed_by, ""),
        "checkpoint": _checkpoint(event),
        "play": list(_figures(data["totals"], PLAY)),
        "money": list(_figures(data["totals"], MONEY)),
        "fees": list(_figures(data["totals"], FEES)),
        "over_short": [
            {"table": tables.get(name, name), "amount": coins}
            for name, coins in data["over_short"].items()
        ],
        "over_short_total": data["totals"]["over_short"],
        "owed": [{"label": title, "amount": kinds.get(kind, 0)} for kind, title in OWED],
        "owed_total": sum(kinds.get(kind, 0) for kind, _title in OWED),
        "cash": [{"label": title, "amount": kinds.get(kind, 0)} for kind, title in CASH],
        "cash_total": sum(kinds.get(kind, 0) for kind, _title in CASH),
        "games": [
            {
                **game,
                "table": tables.get(game["table"], ""),
                "title": TITLES.get(game["ruleset"], game["ruleset"]),
                "opened": date.fromisoformat(game["opened"]) if game["opened"] else None,
            }
            for game in data["open_games"]
        ],
        "rollovers": [
            {"title": TITLES.get(name, name), "amount": coins}
            for name, coins in data["rollovers"].items()
        ],
        "left": list(things_undone(data, tables)),
        "acts": [
            {"what": event_types.title(kind), "count": count}
            for kind, count in data["acts"].items()
        ],
        "position": event.position,
        "leaf_hash": event.leaf_hash.hex(),
    }


def _figures(
    totals: Mapping[str, int], titles: Iterable[tuple[str, Any]]
) -> Iterator[dict[str, Any]]:
    for name, title in titles:
        if totals[name] or name in ALWAYS:
            yield {"name": name, "label": title, "value": totals[name]}


def things_undone(data: Mapping[str, Any], tables: Mapping[str, str]) -> Iterator[dict[str, Any]]:
    """What was left undone when the day was closed."""
    uncounted = data["uncounted"]
    for title, ids in (
        (_("Tables not counted"), uncounted["tables"]),
        (_("Fee boxes not counted"), uncounted["boxes"]),
    ):
        if ids:
            yield {
                "title": title,
                "what": ", ".join(sorted((tables.get(each, each) for each in ids), key=in_order)),
            }
    for title, count in (
        (_("Requests waiting for a second person"), len(data["carried"]["requests"])),
        (_("Open disputes"), len(data["carried"]["disputes"])),
        (_("Payouts held"), len(data["held"])),
        (_("Events that could not be booked"), data["parked"]["count"]),
        (_("Games that were not understood"), len(data["unreadable"])),
        (_("Late entries"), data["late"]),
    ):
        if count:
            yield {"title": title, "what": count}


def day_of(text: str) -> date | None:
    """Parse the gaming day of an address; None if it is not a date."""
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None


def _checkpoint(event: StoredEvent) -> dict[str, Any] | None:
    """The first checkpoint that covers the close (B4)."""
    found = integrity.covering(event.establishment, event.position)
    if found is None:
        return None
    return {"size": found.size, "short_root": b64encode(bytes(found.root)).decode()[:12]}
