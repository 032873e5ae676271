"""
The multiple-transaction log (P2): players' cash of each gaming day, in and out, and each movement.

Cash that a void hands back reduces the sum of what it cancels. The threshold in force when a
payment was recorded applies to that payment: a player's day is flagged if the cash of the day
under one threshold was above that threshold. The line has that threshold.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Any, Final

from django.db.models import Case, Count, IntegerField, Max, Sum, Value, When
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from casino.floor.players.models import CashMove
from casino.house.acts import changes
from casino.house.attendants.pseudonyms import tokens
from casino.kit.approvals.queries import names as people
from casino.kit.documents.report import Column, Figure, Filter, Line, Report, Table
from casino.money.cash.accounts import queries as accounts
from casino.money.cash.accounts import statements
from casino.money.cash.prizes import OF_PLAYERS
from casino.money.payouts.queries import player_called
from casino.reports.registers import history
from ledger.accounts import CASH, AccountRef

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from django.db.models import QuerySet

    from casino.house.establishments.models import Establishment
    from casino.kit.documents.report import Query
    from ledger.wire import StoredEvent

FLAGGED: Final = "flagged"


def rows(query: Query) -> QuerySet[CashMove]:
    found = CashMove.objects.filter(
        establishment=query.house,
        gaming_day__range=(query.since, query.until),
        position__lte=query.through,
    )
    if name := query.chosen.get("player"):
        token = player_called(query.house.pk, name)
        found = found.filter(player=token) if token else found.none()
    return found


def days(query: Query) -> Iterator[dict[str, Any]]:
    """
    Sums by gaming day and player, with the `threshold` that flagged the day, or else the last one
    that applied.

    The database sums up a day by threshold. The parts of a day with several thresholds are put
    together here.
    """
    found = in_force(query)
    by = ("gaming_day", "player", "under")
    grouped = rows(query).order_by().annotate(under=index_of_threshold(found)).values(*by)
    summed = grouped.annotate(
        coins_in=Sum("cash_in"), coins_out=Sum("cash_out"), moves=Count("seq"), last=Max("position")
    )
    parts = summed.order_by(*by).iterator(chunk_size=history.CHUNK)
    for (day, player), of_day in groupby(parts, lambda row: (row["gaming_day"], row["player"])):
        whole = _whole_day(of_day, found)
        if whole[FLAGGED] or not query.chosen.get(FLAGGED):
            yield {"gaming_day": day, "player": player, **whole}


def _whole_day(parts: Iterable[dict[str, Any]], found: Sequence[InForce]) -> dict[str, Any]:
    coins_in = coins_out = moves = last = 0
    threshold: int | None = None
    flagged = False
    for part in parts:
        coins_in += int(part["coins_in"])
        coins_out += int(part["coins_out"])
        moves, last = moves + part["moves"], max(last, part["last"])
        applied = found[part["under"]]
        above = applied.above(coins_in, coins_out)
        if above or not flagged:
            threshold = applied.most
        flagged = flagged or above
    return {
        "coins_in": coins_in, "coins_out": coins_out, "moves": moves, "last": last,
        "threshold": threshold, FLAGGED: flagged,
    }  # fmt: skip


def day_lines(query: Query) -> Iterator[Line]:
    for part in history.chunks(days(query)):
        names = tokens.names(query.house.pk, {row["player"] for row in part})
        for row in part:
            yield Line(
                cells=(
                    row["gaming_day"],
                    names.get(row["player"], row["player"]),
                    int(row["coins_in"]),
                    int(row["coins_out"]),
                    row["moves"],
                    row["threshold"],
                    _("above the threshold") if row[FLAGGED] else "",
                ),
                position=row["last"],
                address=reverse("cash-of", args=[row["gaming_day"], row["player"]]),
            )


def threshold_lines(query: Query) -> Iterator[Line]:
    """The thresholds that were in force in the days, and since which entry."""
    for each in in_force(query):
        meaning = _("none: nobody is flagged") if each.most is None else ""
        yield Line(cells=(each.since, each.most, meaning), position=each.since)


def move_lines(query: Query) -> Iterator[Line]:
    """Each movement of cash; if only flagged days are wanted, only the movements of those days."""
    wanted = None
    if query.chosen.get(FLAGGED):
        wanted = {(row["gaming_day"], row["player"]) for row in days(query)}
    ordered = rows(query).order_by("gaming_day", "position", "seq")
    for part in history.chunks(ordered):
        names = tokens.names(query.house.pk, {row.player for row in part})
        staff = people({row.by for row in part})
        places = _places(query.house, part)
        for row in part:
            if wanted is None or (row.gaming_day, row.player) in wanted:
                yield Line(
                    cells=(
                        row.gaming_day,
                        row.at,
                        names.get(row.player, row.player),
                        row.cash_in,
                        row.cash_out,
                        statements.sentence(row.reason),
                        places[row.where],
                        staff[row.by],
                    ),
                    position=row.position,
                )


def _places(house: Establishment, part: Sequence[CashMove]) -> dict[str, str]:
    titles = accounts.titles(house, [AccountRef.parse(row.where) for row in part])
    return {str(account): title for account, title in titles.items()}


def figures(query: Query) -> Sequence[Figure]:
    sums = rows(query).order_by().aggregate(coins_in=Sum("cash_in"), coins_out=Sum("cash_out"))
    ledger_in, ledger_out = by_ledger(query)
    whole = not query.chosen.get("player")
    flagged = sum(row[FLAGGED] for row in days(query))
    coins_in, coins_out = int(sums["coins_in"] or 0), int(sums["coins_out"] or 0)
    return (
        Figure(
            name="cash_in", title=_("Cash in"), kind="money", value=coins_in,
            agrees=coins_in == ledger_in if whole else None,
        ),
        Figure(
            name="cash_out", title=_("Cash out"), kind="money", value=coins_out,
            agrees=coins_out == ledger_out if whole else None,
        ),
        Figure(
            name="threshold", title=_("Threshold, the last in force"), kind="money",
            value=in_force(query)[-1].most,
        ),
        Figure(name=FLAGGED, title=_("Days of players above it"), value=flagged),
    )  # fmt: skip


def by_ledger(query: Query) -> tuple[int, int]:
    """The coins moved from cash to players' accounts, and back, by the ledger's transfers."""
    coins_in = coins_out = 0
    cash, theirs = [kind.value for kind in CASH], [kind.value for kind in OF_PLAYERS]
    moved = history.transfers(query).annotate(undone=history.UNDONE).order_by()
    into = moved.filter(debit_kind__in=cash, credit_kind__in=theirs)
    out = moved.filter(debit_kind__in=theirs, credit_kind__in=cash)
    for undone, coins in into.values_list("undone").annotate(coins=Sum("amount")):
        if undone:
            coins_out -= int(coins)
        else:
            coins_in += int(coins)
    for undone, coins in out.values_list("undone").annotate(coins=Sum("amount")):
        if undone:
            coins_in -= int(coins)
        else:
            coins_out += int(coins)
    return coins_in, coins_out


def _above_threshold(_house: Establishment) -> Sequence[tuple[str, str]]:
    return [("yes", _("above the threshold"))]


REPORT: Final = Report(
    name="cash-log",
    title=gettext_lazy("Multiple-transaction log"),
    about=gettext_lazy(
        "Cash that each player brought and took on each gaming day: summed, flagged above the"
        " threshold that was in force then, and one by one."
    ),
    controls=("P2",),
    filters=(
        Filter(name="player", title=gettext_lazy("Player")),
        Filter(name=FLAGGED, title=gettext_lazy("Only"), choices=_above_threshold),
    ),
    figures=figures,
    tables=(
        Table(
            name="days",
            title=gettext_lazy("By player and day"),
            columns=(
                Column(name="gaming_day", title=gettext_lazy("Gaming day"), kind="day"),
                Column(name="player", title=gettext_lazy("Player")),
                Column(name="cash_in", title=gettext_lazy("Cash in"), kind="money", total=True),
                Column(name="cash_out", title=gettext_lazy("Cash out"), kind="money", total=True),
                Column(name="moves", title=gettext_lazy("Movements"), kind="number", total=True),
                Column(name="threshold", title=gettext_lazy("Threshold then"), kind="money"),
                Column(name="flagged", title=gettext_lazy("Flagged")),
            ),
            lines=day_lines,
            empty=gettext_lazy("No player brought or took cash in these days."),
        ),
        Table(
            name="thresholds",
            title=gettext_lazy("Thresholds in force"),
            columns=(
                Column(name="since", title=gettext_lazy("Since entry"), kind="number"),
                Column(name="threshold", title=gettext_lazy("Threshold"), kind="money"),
                Column(name="said", title=gettext_lazy("Meaning")),
            ),
            lines=threshold_lines,
            empty=gettext_lazy("No threshold is in force in these days."),
        ),
        Table(
            name="moves",
            title=gettext_lazy("One by one"),
            columns=(
                Column(name="gaming_day", title=gettext_lazy("Gaming day"), kind="day"),
                Column(name="at", title=gettext_lazy("Recorded"), kind="moment"),
                Column(name="player", title=gettext_lazy("Player")),
                Column(name="cash_in", title=gettext_lazy("Cash in"), kind="money", total=True),
                Column(name="cash_out", title=gettext_lazy("Cash out"), kind="money", total=True),
                Column(name="reason", title=gettext_lazy("Reason")),
                Column(name="where", title=gettext_lazy("Where")),
                Column(name="by", title=gettext_lazy("By")),
            ),
            lines=move_lines,
            size=lambda query: rows(query).count(),
            empty=gettext_lazy("No player brought or took cash in these days."),
        ),
    ),
)


# The cash threshold that was in force when a payment was recorded (P2), by the house's changes.


NAME: Final = "cash_threshold"
STREAM: Final = changes.record_stream("establishment")
CHANGED: Final = ("establishment.created", "establishment.changed")
EVER: Final = 2**53  # greater than every position


@dataclass(frozen=True, slots=True, kw_only=True)
class InForce:
    """
    A threshold, and since when it was in force.

    :param since: position of the event that set it; None: in force from the very beginning.
    :param most: whole coins; None: there was no threshold.
    """

    since: int | None
    most: int | None

    def above(self, coins_in: int, coins_out: int) -> bool:
        return self.most is not None and max(coins_in, coins_out) > self.most


def in_force(query: Query) -> Sequence[InForce]:
    """
    The thresholds that were in force in the days, through the position, oldest first. There is
    always at least one.

    A house is changed a few times a year: all its changes are read, in one query.
    """
    all_of_them = history.events(query.house, [STREAM], CHANGED, EVER)
    events = [each for each in all_of_them if each.position <= query.through]
    found = [InForce(since=None, most=_at_first(query, all_of_them))]
    for event in events:
        most = event.data["after"][NAME]
        if most != found[-1].most:
            found.append(InForce(since=event.position, most=most))
    first, last = history.stretch(query)
    begins = max(
        (place for place, each in enumerate(found) if each.since is None or each.since < first),
        default=0,
    )
    return [each for each in found[begins:] if each.since is None or each.since <= max(last, first)]


def _at_first(query: Query, events: Sequence[StoredEvent]) -> int | None:
    """The threshold before the first change; without any change, the house's present threshold."""
    if not events:
        present: int | None = query.house.cash_threshold
        return present
    data = events[0].data
    most: int | None = (data["before"] or data["after"])[NAME]
    return most


def index_of_threshold(found: Sequence[InForce]) -> Case:
    """An expression for rows with a `position`: the index in `found` of the threshold in force."""
    cases = [
        When(position__gt=each.since, then=Value(place))
        for place, each in reversed(list(enumerate(found)))
        if each.since is not None
    ]
    return Case(*cases, default=Value(0), output_field=IntegerField())
