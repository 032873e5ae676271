"""
The summary of a gaming day on one page, which a manager prints when the house is closed (B4).

It is read from the events that closed the days. For several days it has sums, and the balances at
the end of the last day. An open day is reported up to the position, and marked as open.
"""

from __future__ import annotations

import threading
from collections import Counter, OrderedDict
from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from casino.house.acts.game_streams.loading import read_with_own_cache
from casino.house.establishments import gaming_day
from casino.kit.approvals.queries import names
from casino.kit.documents.report import Column, Figure, Line, Query, Report, Table
from casino.reports.gaming_days import closing, queries
from casino.reports.gaming_days.figures import Figures
from casino.reports.gaming_days.models import GamingDay
from casino.reports.registers import history
from casino.words.presenters import TITLES, event_types
from ledger.accounts import Kind
from ledger.models import Event

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from uuid import UUID

    from casino.house.establishments.models import Establishment
    from ledger.wire import StoredEvent

NOT_BEGUN: Final = gettext_lazy("Nothing was recorded on these days.")
SO_FAR: Final = gettext_lazy("open, so far")
WHAT: Final = Column(name="what", title=gettext_lazy("What"))
NAME: Final = Column(name="name", title=gettext_lazy("Name"), files_only=True)
AMOUNT: Final = Column(name="amount", title=gettext_lazy("Amount"), kind="money")
SUMMED: Final = Column(name="amount", title=gettext_lazy("Amount"), kind="money", total=True)
NUMBER: Final = Column(name="number", title=gettext_lazy("Number"), kind="number")


def totals(query: Query) -> Counter[str]:
    found: Counter[str] = Counter()
    for each in days(query):
        found.update(each.data["totals"])
    return found


def _figures(titles: Iterable[tuple[str, Any]]) -> Callable[[Query], Iterator[Line]]:
    def lines(query: Query) -> Iterator[Line]:
        if not days(query):
            return
        found = totals(query)
        for name, title in titles:
            if found[name] or name in queries.ALWAYS:
                yield Line(cells=(name, str(title), found[name]))

    return lines


def _kinds(titles: Iterable[tuple[Kind, Any]]) -> Callable[[Query], Iterator[Line]]:
    """The balances at the end of the last day, by kind of account."""

    def lines(query: Query) -> Iterator[Line]:
        for each in days(query)[-1:]:
            kinds = each.data["carried"]["kinds"]
            for kind, title in titles:
                yield Line(cells=(kind.value, str(title), kinds.get(kind, 0)))

    return lines


def days_of(query: Query) -> Iterator[Line]:
    """Each day: who closed it, and who had signed it by the position; or that it is open."""
    signed = _signatures(query)
    closed = [each.closed for each in days(query) if each.closed is not None]
    people = names({event.data["by"] for event in closed} | set(signed.values()))
    for each in days(query):
        event, data = each.closed, each.data
        by = signed.get(event.stream_version) if event is not None else None
        yield Line(
            cells=(
                each.day,
                event.provenance.recorded_at if event is not None else None,
                _person_of_close(data, people) if event is not None else str(SO_FAR),
                people[by] if by else None,
                data["events"],
                event.leaf_hash.hex() if event is not None else "",
            ),
            position=event.position if event is not None else None,
            address=reverse("day", args=[data["day"]]),
        )


def _person_of_close(data: Mapping[str, Any], people: Mapping[str, str]) -> str:
    automatic = _("nobody: it closed itself after the cut-off")
    return automatic if data["automatic"] else people[data["by"]]


def _signatures(query: Query) -> dict[int, str]:
    """Who had signed the closed days by the position, by the version of the closing event."""
    events = [each.closed for each in days(query) if each.closed is not None]
    if not events:
        return {}
    found = history.events(
        query.house, [gaming_day.STREAM], ["day.signed"], query.through, since=events[0].position
    )
    return {each.data["closed_version"]: each.data["approved_by"] for each in found}


def over_short(query: Query) -> Iterator[Line]:
    found: Counter[str] = Counter()
    for each in days(query):
        found.update(each.data["over_short"])
    called = tables(query)
    for name, coins in sorted(found.items()):
        yield Line(cells=(called.get(name, name), coins))


def rollovers(query: Query) -> Iterator[Line]:
    for each in days(query)[-1:]:
        for name, coins in each.data["rollovers"].items():
            yield Line(cells=(str(TITLES.get(name, name)), coins), address=reverse("pots"))


def acts(query: Query) -> Iterator[Line]:
    found: Counter[str] = Counter()
    for each in days(query):
        found.update(each.data["acts"])
    for kind, count in sorted(found.items()):
        yield Line(cells=(event_types.title(kind), count))


def lines_of_open_things(query: Query) -> Iterator[Line]:
    for each in days(query)[-1:]:
        for line in queries.things_undone(each.data, tables(query)):
            yield Line(cells=(str(line["title"]), str(line["what"])))


def games(query: Query) -> Iterator[Line]:
    called = tables(query)
    for each in days(query)[-1:]:
        for game in each.data["open_games"]:
            opened = game["opened"]
            yield Line(
                cells=(
                    str(TITLES.get(game["ruleset"], game["ruleset"] or game["game"])),
                    _("goes on") if game["running"] else _("over"),
                    called.get(game["table"], ""),
                    date.fromisoformat(opened) if opened else None,
                    game["round"],
                    game["pot"],
                    game["stakes"],
                    game["held"],
                ),
                address=reverse("floor-log", args=[game["game"]]),
            )


def tables(query: Query) -> dict[str, str]:
    return {str(pk): name for pk, name in query.house.tables.values_list("pk", "name")}


def figures(query: Query) -> list[Figure]:
    """The figures of the days, compared with those of the ledger itself."""
    of_days = days(query)
    if not of_days:
        return []
    found, fees = totals(query), history.net_moved(query, Kind.FEES)
    counted = sum(each.data["events"] for each in of_days)
    return [
        *_open(query),
        Figure(name="rounds", title=_("Rounds"), value=found["rounds"]),
        Figure(name="staked", title=_("Staked"), value=found["staked"], kind="money"),
        Figure(name="paid", title=_("Paid"), value=found["paid"], kind="money"),
        Figure(
            name="fees", title=_("Fees"), value=found["fees"], kind="money",
            agrees=found["fees"] == fees,
        ),
        Figure(name="over_short", title=_("Over/short"), value=found["over_short"], kind="money"),
        Figure(
            name="events", title=_("Events of these days"), value=counted,
            agrees=counted == _count_events(query),
        ),
    ]  # fmt: skip


def _open(query: Query) -> list[Figure]:
    """The first figure if a day is open, so that nobody takes its figures so far for final ones."""
    if all(each.closed is not None for each in days(query)):
        return []
    text = _("open, so far: as of entry %(position)s") % {"position": query.through}
    return [Figure(name="state", title=_("State"), value=text, kind="text")]


def _count_events(query: Query) -> int:
    """How many events of these days the ledger has, through the position."""
    return Event.objects.filter(
        establishment=query.house.pk, position__lte=query.through,
        gaming_day__in=[each.day for each in days(query)],
    ).count()  # fmt: skip


REPORT: Final = Report(
    name="summary",
    title=gettext_lazy("Summary of the gaming day"),
    about=gettext_lazy(
        "What a gaming day came to, on one page to print: play, money, fees, what is owed and left."
    ),
    controls=("B4", "A3", "B1"),
    figures=figures,
    names_players=False,
    one_page=True,
    tables=(
        Table(
            name="days",
            title=gettext_lazy("Gaming days"),
            columns=(
                Column(name="gaming_day", title=gettext_lazy("Gaming day"), kind="day"),
                Column(name="closed_at", title=gettext_lazy("Closed"), kind="moment"),
                Column(name="closed_by", title=gettext_lazy("Closed by")),
                Column(name="signed_by", title=gettext_lazy("Signed by")),
                Column(name="events", title=gettext_lazy("Events"), kind="number", total=True),
                Column(name="leaf_hash", title=gettext_lazy("Leaf hash"), files_only=True),
            ),
            lines=days_of,
            empty=NOT_BEGUN,
        ),
        Table(
            name="play",
            title=gettext_lazy("Play"),
            columns=(NAME, WHAT, NUMBER),
            lines=_figures(queries.PLAY),
            empty=NOT_BEGUN,
        ),
        Table(
            name="money",
            title=gettext_lazy("Money"),
            columns=(NAME, WHAT, AMOUNT),
            lines=_figures(queries.MONEY),
            empty=NOT_BEGUN,
        ),
        Table(
            name="fees",
            title=gettext_lazy("Fees"),
            columns=(NAME, WHAT, AMOUNT),
            lines=_figures(queries.FEES),
            empty=NOT_BEGUN,
        ),
        Table(
            name="over_short",
            title=gettext_lazy("Over/short"),
            columns=(Column(name="table", title=gettext_lazy("Table")), SUMMED),
            lines=over_short,
            empty=gettext_lazy("No count differed."),
        ),
        Table(
            name="owed",
            title=gettext_lazy("Owed to players at the end"),
            columns=(NAME, WHAT, SUMMED),
            lines=_kinds(queries.OWED),
            empty=NOT_BEGUN,
        ),
        Table(
            name="cash",
            title=gettext_lazy("Cash at the end"),
            columns=(NAME, WHAT, SUMMED),
            lines=_kinds(queries.CASH),
            empty=NOT_BEGUN,
        ),
        Table(
            name="rollovers",
            title=gettext_lazy("Rollovers"),
            columns=(Column(name="game", title=gettext_lazy("Game")), SUMMED),
            lines=rollovers,
            empty=gettext_lazy("Nothing rolls over."),
        ),
        Table(
            name="acts",
            title=gettext_lazy("What else was done"),
            columns=(WHAT, NUMBER),
            lines=acts,
            empty=gettext_lazy("Nothing outside the games."),
        ),
        Table(
            name="left",
            title=gettext_lazy("Left behind"),
            columns=(WHAT, Column(name="which", title=gettext_lazy("Which, or how many"))),
            lines=lines_of_open_things,
            empty=gettext_lazy("Nothing: all was counted, decided and booked."),
        ),
        Table(
            name="games",
            title=gettext_lazy("Open liability"),
            columns=(
                Column(name="game", title=gettext_lazy("Game")),
                Column(name="state", title=gettext_lazy("State")),
                Column(name="table", title=gettext_lazy("Table")),
                Column(name="opened", title=gettext_lazy("Opened on"), kind="day"),
                Column(name="round", title=gettext_lazy("Round"), kind="number"),
                Column(name="pot", title=gettext_lazy("Pot"), kind="money", total=True),
                Column(name="stakes", title=gettext_lazy("Stakes"), kind="money", total=True),
                Column(name="held", title=gettext_lazy("Held"), kind="money", total=True),
            ),
            lines=games,
            empty=gettext_lazy("No game went on, and none that was over owed anybody anything."),
        ),
    ),
)


# The figures of gaming days as of a position: of closed days from their closing events, of open
# days up to the position.
#
# An open day is folded from its own events, by the same code that closes a day: if it were closed
# at that moment, it would have the same figures. Folded figures are cached, and the next fold
# continues from them.


REMEMBERED: Final = 16  # days
AT_HAND: Final = 500  # events of games kept in memory; the figures keep those that they need


@dataclass(frozen=True, slots=True, kw_only=True)
class DayAsOf:
    """
    The figures of one gaming day as of a position.

    :param data: the figures, in the form of the event ``day.closed``.
    :param closed: that event; None: the day was open, and these are its figures so far.
    """

    day: date
    data: Mapping[str, Any]
    closed: StoredEvent | None


def days(query: Query) -> Sequence[DayAsOf]:
    """The days that had begun by the position, closed or open, the oldest first."""
    return _days(query.house, query.since, query.until, query.through)


@lru_cache(maxsize=2)
def _days(house: Establishment, since: date, until: date, through: int) -> tuple[DayAsOf, ...]:
    """
    The days of `days`. Cached, because each table of a report reads them. Only two are cached: the
    next report has another position, and the figures of a long day are large.
    """
    query = Query(house=house, since=since, until=until, through=through)
    closed = [
        DayAsOf(day=date.fromisoformat(event.data["day"]), data=event.data, closed=event)
        for event in _closings(query)
    ]
    over = {each.day for each in closed}
    rows = GamingDay.objects.filter(establishment=query.house, day__lte=query.until)
    begun = rows.filter(day__gte=query.since).order_by("day").values_list("day", flat=True)
    with read_with_own_cache(AT_HAND):
        so_far = [_so_far(query, day) for day in begun if day not in over]
    return tuple(sorted([*closed, *filter(None, so_far)], key=lambda each: each.day))


def _closings(query: Query) -> list[StoredEvent]:
    rows = GamingDay.objects.filter(
        establishment=query.house, day__gte=query.since, day__lte=query.until,
        closed_position__lte=query.through,
    )  # fmt: skip
    return history.at(query.house, rows.order_by("day").values_list("closed_position", flat=True))


def _so_far(query: Query, day: date) -> DayAsOf | None:
    """The figures of an open day through the position; None: it had no events by then."""
    figures = _fold(query, day)
    if not figures.events:
        return None
    data = {
        "day": day.isoformat(),
        **figures.as_dict,
        "open_games": closing.open_games(figures, through=query.through),
        "rollovers": figures.of_kind(Kind.ROLLOVER),
        "held": figures.held,
        "parked": {"count": 0, "events": []},  # it is not known when an event was parked
        "carried": figures.carried,
    }
    return DayAsOf(day=day, data=data, closed=None)


class _Memory:
    """The cache of the days that were folded last, each up to the position that was read."""

    def __init__(self) -> None:
        self._days: OrderedDict[tuple[UUID, date, int], Figures] = OrderedDict()
        self._lock = threading.Lock()

    def recall(self, key: tuple[UUID, date, int], through: int) -> Figures | None:
        """A copy of the cached figures, to be continued; None: there are none."""
        with self._lock:
            known = self._days.get(key)
            return known.copy() if known is not None and known.through <= through else None

    def keep(self, key: tuple[UUID, date, int], figures: Figures) -> None:
        with self._lock:
            known = self._days.pop(key, None)
            newer = known is None or known.through <= figures.through
            self._days[key] = figures.copy() if newer or known is None else known
            while len(self._days) > REMEMBERED:
                self._days.popitem(last=False)

    def forget(self) -> None:
        with self._lock:
            self._days.clear()


MEMORY: Final = _Memory()


def _fold(query: Query, day: date) -> Figures:
    since = _last_close_before(query, day)
    key = query.house.pk, day, since.position if since else -1
    figures = MEMORY.recall(key, query.through) or _figures_before(query, day, since)
    events = closing.of_day(query.house.pk, day, after=figures.through)
    figures.take(_through(events, query.through))
    MEMORY.keep(key, figures)
    return figures


def _figures_before(query: Query, day: date, since: StoredEvent | None) -> Figures:
    """The figures before the day's first event: what was carried over, and what came since."""
    if since is None:
        older = Figures(query.house, day)
        older.take(_through(closing.before_day(query.house.pk, day), query.through))
        return Figures(query.house, day, before=older.carried)
    between = Figures(query.house, day, before=since.data["carried"])
    after = date.fromisoformat(since.data["day"])
    days = GamingDay.objects.filter(establishment=query.house, day__gt=after, day__lt=day)
    for each in days.order_by("day").values_list("day", flat=True):
        between.take(_through(closing.of_day(query.house.pk, each), query.through))
    return Figures(query.house, day, since=since, before=between.carried)


def _last_close_before(query: Query, day: date) -> StoredEvent | None:
    """The closing event of the last day before this one; only days closed by the position count."""
    rows = GamingDay.objects.filter(
        establishment=query.house, day__lt=day, closed_position__lte=query.through
    )
    last = rows.order_by("-day").values_list("closed_position", flat=True)[:1]
    return next(iter(history.at(query.house, last)), None)


def _through(events: Iterator[StoredEvent], position: int) -> Iterator[StoredEvent]:
    for event in events:
        if event.position > position:
            return
        yield event
