"""
The start page: the parts that each role sees, in the order in which that role needs them.

The page updates itself by conditional requests to its own address; `mark` is a cheap ETag of
everything that the page shows. Each of the day's figures is compared with a week ago.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from fractions import Fraction
from hashlib import sha256
from typing import TYPE_CHECKING, Any, Final
from zoneinfo import ZoneInfo

from django.db.models import Sum
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from casino.engine.logs.health.models import play_worker
from casino.engine.scale.replicas import place as replicas
from casino.house.attendants.models import Role
from casino.house.establishments import epochs, gaming_day, table_names
from casino.kit.approvals import queries as approvals
from casino.kit.approvals.listings import REQUESTS
from casino.kit.web import navigation
from casino.kit.web.listings.pages import of_rows
from casino.kit.web.plots import lines
from casino.kit.web.plots.charts import Axis, disclosure, table_of
from casino.kit.web.plots.lines import spark
from casino.money.cash import fees
from casino.money.cash.models import ShiftRow
from casino.money.payouts import pot_equation as pots
from casino.money.payouts.listings import PAYOUTS
from casino.money.payouts.queries import count_held, payouts_of
from casino.office.dashboard import controls
from casino.play.core import queries
from casino.play.core.models import GameCard
from casino.play.core.queries import cards as table_cards
from casino.play.core.queries import games_at
from casino.play.settlement import payout_holds
from casino.play.settlement.settled import SETTLEMENT
from casino.proof.disputes.regrade.models import Regrade
from casino.proof.disputes.regrade.runs import alarming
from casino.proof.signing import queries as integrity
from casino.proof.verification import runs as verifications
from casino.reports.gaming_days import queries as days
from casino.reports.registers.exceptions import queries as exceptions
from casino.reports.registers.exceptions.listings import EXCEPTIONS
from casino.settings.staff.sign_in import demo_staff as demo
from casino.words.languages import amounts, locales, reader
from casino.words.languages.amounts import NOTHING, money
from ledger import checkpoints, journal, subscriptions
from ledger.models import Account, ParkedEvent, Subscription

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import date, datetime

    from django.utils.functional import _StrPromise

    from casino.house.attendants.models import Attendant
    from casino.house.establishments.models import Establishment
    from casino.kit.web.listings.table import ListTable
    from casino.kit.web.pages import Page
    from casino.kit.web.plots.charts import Table

PARTS: Final[dict[str, tuple[str, ...]]] = {
    Role.ATTENDANT: ("tables", "figures", "payouts", "system_status", "rollovers"),
    Role.SUPERVISOR: ("waiting", "requests", "tables", "figures", "system_status", "payouts",
                      "rollovers"),
    Role.MANAGER: ("figures", "waiting", "plots", "system_status", "tables", "payouts",
                   "rollovers"),
    Role.AUDITOR: ("claims", "waiting", "system_status", "exceptions", "figures", "plots", "tables",
                   "payouts", "rollovers"),
}  # fmt: skip
"""The parts of each role, from top to bottom. Each is a template `dashboard/_<part>.html`."""
DONE: Final = 100  # percent
HALF_A_MINUTE: Final = 30
"""Seconds after which the page is sent again in any case, so that ages on it are not older."""


def page_context(page: Page) -> dict[str, Any]:
    parts = PARTS[page.role]
    rolled = pots.rollovers(page.house)
    sections = list(navigation.entries(page.house, page.role))
    of_days = queries.last_days(page.house.pk, page.day)
    context = {
        "rail_entries": sections,
        "parts": [f"office/dashboard/_{part}.html" for part in parts],
        "restored": epochs.notice(page.house, page.now),
        "days": days.state(page.house, page.now),
        "figures": figure_rows(page, sum(lot["amount"] for lot in rolled), of_days),
        "days_table": days_table(page, of_days),
        "rollovers": rolled,
        "boxes": boxes(page.house),
        "second_people": approvals.second_people(page.house),
        "worker": _worker(page),
        "settlement": settlement(page.house),
        "tables": tables(page.house, page.person),
        "payouts": payouts(page),
        "ledger_position": journal.head(establishment=page.house.pk),
        "demo": _demo(page),
    }
    only: dict[str, Callable[[], Any]] = {
        "waiting": lambda: [each for each in sections if each.waiting],
        "requests": lambda: requests(page),
        "exceptions": lambda: out_of_the_ordinary(page),
        "claims": claims,
        "plots": lambda: plots(page.house, page.day, page.now),
    }
    context |= {part: query() for part, query in only.items() if part in parts}
    if page.may("audit"):
        context["proof"] = proof(page.house, page.now)
        context["checks"] = checks(page.house)
    return context


def _worker(page: Page) -> dict[str, Any]:
    """A sign of life is of the last seconds, and a replica may be behind those."""
    with replicas.on_primary():
        return play_worker(page.now)


def _demo(page: Page) -> dict[str, Any] | None:
    """Of the demo house: how far its past has come, and whether its tables play by themselves."""
    coming, playing = demo.PAST.shown_percent, demo.SELF_PLAY.state
    if not demo.is_demo(page.house) or (coming == DONE and not playing):
        return None
    return {"coming": None if coming == DONE else coming, "playing": playing}


def mark(page: Page) -> str:
    """
    The ETag of the page, which changes with anything that the page shows.

    It is computed before the content is read, so a change in between is at worst sent twice.
    """
    house = page.house.pk
    followed = Subscription.objects.filter(establishment=house).order_by("name")
    regraded = Regrade.objects.filter(establishment=house).values_list("id", "state").first()
    seen = (
        journal.head(establishment=house),
        *followed.values_list("name", "position"),
        regraded,
        int(page.now.timestamp()) // HALF_A_MINUTE,
        page.person.pk,
        page.role,
        demo.PAST.shown_percent,
        demo.SELF_PLAY.state,
        reader.language_and_locale(),
    )
    return f'"{sha256(repr(seen).encode()).hexdigest()[:24]}"'


# Parts of the start page about play: running tables, rollovers, the last payouts.


MOST_PAYOUTS = 12


def tables(house: Establishment, person: Attendant) -> list[dict[str, Any]]:
    """The tables with a running game; those of which this person is in charge come first."""
    in_use = table_names.in_list_order(house.tables.filter(in_use=True))
    cards = table_cards(house, in_use, games_at(house.pk, in_use))
    running = ShiftRow.objects.filter(
        establishment=house, table__in=in_use, ended=ShiftRow.Ended.RUNNING, holder=person.pk
    )
    mine = {str(table) for table in running.values_list("table_id", flat=True)}
    rows = [
        {
            **game,
            "name": card["name"],
            "url": reverse("floor-game", args=[game["id"]]),
            "mine": card["id"] in mine,
        }
        for card in cards
        if (game := card["game"])
    ]
    return sorted(rows, key=lambda table: not table["mine"])


def payouts(page: Page) -> ListTable:
    """The day's last payments to players, each with its reason."""
    rows = payouts_of(page.house.pk).filter(gaming_day=page.day)
    return of_rows(page, PAYOUTS, rows[:MOST_PAYOUTS])


# Parts of the start page about the system: workers, settlement, signing, verification, regrade.


def settlement(house: Establishment) -> dict[str, Any]:
    parked = ParkedEvent.objects.filter(establishment=house.pk, subscription=SETTLEMENT)
    behind = subscriptions.lag(SETTLEMENT, establishment=house.pk)
    return {
        "behind": behind,
        "settled_through": journal.head(establishment=house.pk) - behind,
        "parked": parked.values("stream").distinct().count(),
        "stopped": payout_holds.stop_now(house.pk) is not None,
        "held": count_held(house.pk),
    }


def proof(house: Establishment, now: datetime) -> dict[str, Any]:
    """Whether the ledger is signed, and what no outside copy covers; for managers and auditors."""
    outside = integrity.outside(house.pk)
    age, exposed_for = outside.age(now), outside.exposed_for(now)
    return {
        "obstacle": integrity.obstacle(house),
        "signed": checkpoints.latest(house.pk),
        "outside": outside,
        "age": locales.duration(age) if age is not None else "",
        "exposed_for": locales.duration(exposed_for) if exposed_for is not None else "",
    }


def checks(house: Establishment) -> dict[str, Any]:
    """The last verification (E2) and regrade (E4), and whether an earlier one has an open alarm."""
    return {
        "verified": verifications.last(house),
        "regraded": Regrade.objects.filter(establishment=house, parameters__current=False).first(),
        "differs": alarming().filter(establishment=house).exists(),
    }


# Parts of the start page about what waits for somebody, and about exceptions.


OLDEST: Final = 4
"""How many of the oldest requests the start page shows."""
LINES: Final = 10


def requests(page: Page) -> ListTable:
    """The requests that have waited longest."""
    return of_rows(page, REQUESTS, approvals.all_waiting(page.house.pk)[:OLDEST])


def boxes(house: Establishment) -> list[str]:
    """Tables whose fee box nobody has counted (A5)."""
    return [table.name for table, _coins in fees.boxes_to_count(house)]


def out_of_the_ordinary(page: Page) -> ListTable:
    """The newest lines of the exception report (C2)."""
    newest = exceptions.newest(page.house, LINES)
    return of_rows(page, EXCEPTIONS, newest, without=("amount", "reason"))


def claims() -> dict[str, Any]:
    """How many controls passed in the last run of the tests, and which failed."""
    rows = list(controls.rows_of_controls())
    return {
        "all": len(rows),
        "passed": sum(row["state"] == "shown" for row in rows),
        "failed": [row["control"].number for row in rows if row["state"] == "failed"],
        "run": controls.last_run(),
    }


# --- The figures and plots of the day -------------------------------------------------------------


Days = Mapping[str, Sequence[int | None]]
"""Each figure on each of some days, by name; None on a day without play."""
HUNDRED: Final = 100
HOURS: Final = 4  # hours from one tick of a plot to the next


@dataclass(frozen=True, slots=True, kw_only=True)
class DayFigure:
    """
    A figure of the day, with its title.

    :param report: the report that lists what the figure sums up, for people who may read reports.
    """

    title: _StrPromise
    report: str
    note: _StrPromise | str = ""
    money: bool = True


OF_THE_DAY: Final[dict[str, DayFigure]] = {
    "rounds": DayFigure(title=gettext_lazy("Rounds"), report="rounds", money=False),
    "bought_in": DayFigure(title=gettext_lazy("Bought in"), report="cash-log"),
    "staked": DayFigure(
        title=gettext_lazy("Staked"), report="rounds", note=gettext_lazy("paid into pots")
    ),
    "paid": DayFigure(
        title=gettext_lazy("Paid"), report="payouts", note=gettext_lazy("out of pots")
    ),
    "fees": DayFigure(title=gettext_lazy("Fees"), report="fees", note=gettext_lazy("the house's")),
}
PLOTTED: Final[dict[str, _StrPromise]] = {
    "staked": gettext_lazy("Staked through the day"),
    "rounds": gettext_lazy("Rounds through the day"),
}


def figure_rows(page: Page, rolled: int, days: Days) -> list[dict[str, Any]]:
    """
    The figures as the page draws them.

    :param rolled: coins that pots left for the next games. :param days: those before this one.
    """
    so_far = queries.so_far(page.house.pk, page.day)
    week_ago = queries.week_ago(page.house, page.day, page.now)
    before = queries.days_before(page.day)
    return [
        {
            **_figure(page, figure),
            "value": getattr(so_far, name),
            "change": change(getattr(so_far, name), week_ago, name),
            "spark": _spark(figure, before, days[name]),
        }
        for name, figure in OF_THE_DAY.items()
    ] + current(page.house, rolled)


def days_table(page: Page, days: Days) -> SafeString:
    """The figures of the days before as a table; empty if there was no play on any of them."""
    before = queries.days_before(page.day)
    rows = [
        [
            locales.weekday_of_year(day),
            *(_write_figure(of, days[name][place]) for name, of in OF_THE_DAY.items()),
        ]
        for place, day in enumerate(before)
    ]
    if not any(each is not None for each in days["rounds"]):
        return SafeString()
    heads = [_("Gaming day"), *(str(figure.title) for figure in OF_THE_DAY.values())]
    title = _("the %(days)s days before") % {"days": len(before)}
    return disclosure(table_of(heads, rows), title)


def _write_figure(figure: DayFigure, value: int | None) -> str:
    """A figure as people read it; a dash where there is none."""
    if value is None:
        return NOTHING
    return money(value) if figure.money else locales.number(value)


def current(house: Establishment, rolled: int) -> list[dict[str, Any]]:
    """Figures of the present moment, which do not depend on the day."""
    running = GameCard.objects.filter(establishment=house, status=GameCard.Status.OPEN).count()
    owed = _("players' money")
    return [
        {"label": _("Pots open"), "value": pots_open(house), "money": True, "note": owed,
         "href": reverse("pots")},
        {"label": _("Rolled over"), "value": rolled, "money": True, "note": owed,
         "href": reverse("pots")},
        {"label": _("Tables running"), "value": running, "href": reverse("floor")},
    ]  # fmt: skip


def _figure(page: Page, figure: DayFigure) -> dict[str, Any]:
    listed = f"{reverse('report', args=[figure.report])}?day={page.day.isoformat()}"
    return {
        "label": figure.title,
        "money": figure.money,
        "note": figure.note,
        "href": listed if page.may("audit") else "",
    }


def change(now: int, week_ago: queries.WeekAgo, name: str) -> dict[str, Any]:
    """
    Compare a figure with the same day a week ago up to this time.

    ``week_ago`` is None if the house has no such day. ``more`` is None if both are equal.
    ``per_cent`` is None if the figure was not above 0 then.
    """
    if week_ago.figures is None:
        return {"week_ago": None, "day": week_ago.day}
    before = week_ago.figures[name]
    return {
        "week_ago": before,
        "day": week_ago.day,
        "until": week_ago.until,
        "more": None if now == before else now > before,
        "per_cent": round(Fraction(abs(now - before) * HUNDRED, before)) if before > 0 else None,
    }


def pots_open(house: Establishment) -> int:
    """The coins in the pots of open games now, as booked: a liability."""
    games = GameCard.objects.filter(establishment=house, status=GameCard.Status.OPEN)
    names = [str(game) for game in games.values_list("game", flat=True)]
    pots = Account.objects.filter(establishment=house.pk, kind="pot", name__in=names)
    held = pots.aggregate(held=Sum("credits") - Sum("debits"))["held"]
    return int(held or 0)


def _spark(figure: DayFigure, days: Sequence[date], values: Sequence[int | None]) -> SafeString:
    """The days before, those without play as gaps; nothing if the figure was always 0."""
    if not any(values):
        return SafeString()
    label = _("%(title)s of the %(days)s days before") % {
        "title": figure.title,
        "days": len(days),
    }
    told = [
        f"{figure.title}, {locales.weekday_of_year(day)}: {_write_figure(figure, value)}"
        for day, value in zip(days, values, strict=True)
    ]
    known = [words for words, value in zip(told, values, strict=True) if value is not None]
    if len(known) == 1:  # a point is no line
        return format_html('<span class="soft">{}</span>', known[0])
    return spark(values, label, told, from_zero=True)


def plots(house: Establishment, day: date, at: datetime) -> list[dict[str, Any]]:
    """Plots of the day beside the same day a week ago, for each figure that is not 0 throughout."""
    now = queries.course(house, day, list(PLOTTED), until=at)
    before = queries.course(house, day - queries.WEEK, list(PLOTTED))
    clock = _clock(house, day)
    return [
        {"title": title, "plot": _plot(name, now[name], before[name], clock)}
        for name, title in PLOTTED.items()
        if any(y for each in (now, before) for _x, y in each[name].points)
    ]


def _plot(name: str, now: queries.Course, before: queries.Course, clock: Clock) -> SafeString:
    both = [now, before] if len(before.points) > 1 else [now]
    figure = OF_THE_DAY[name]
    label = _("%(title)s, the gaming day beside the same one a week ago") % {"title": PLOTTED[name]}
    return lines.plot(
        lines.Plot(
            label=label,
            lines=tuple(
                lines.Line(
                    title=locales.weekday(each.day),
                    points=tuple(
                        lines.Point(
                            hours,
                            total,
                            f"{clock.at(hours)}, {locales.weekday_of_year(each.day)}:"
                            f" {_write_figure(figure, total)}",
                        )
                        for hours, total in each.points
                    ),
                    dotted=False,
                )
                for each in both
            ),
            x=Axis(ticks=clock.ticks()),
            y=Axis(amounts.coins().symbol if figure.money else "", whole=True, money=figure.money),
            table=_course_table(figure, both, clock),
            name=name,
        )
    )


def _course_table(figure: DayFigure, both: Sequence[queries.Course], clock: Clock) -> Table:
    """Both courses, with a row for each moment at which one of them has a point."""
    known = [dict(each.points) for each in both]
    return table_of(
        (_("Time"), *(locales.weekday(each.day) for each in both)),
        [
            (clock.at(hours), *(_write_figure(figure, each.get(hours)) for each in known))
            for hours in sorted({hours for each in known for hours in each})
        ],
    )


@dataclass(frozen=True, slots=True)
class Clock:
    """
    The house's clock through a gaming day.

    If the clock is put forward or back on that day, later times are the new ones, and the day is an
    hour shorter or longer.

    :param begins: when the day begins. :param ends: when it ends.
    """

    zone: ZoneInfo
    begins: datetime
    ends: datetime

    def at(self, hours: float) -> str:
        """The time so many hours after the day began."""
        with timezone.override(self.zone):
            return locales.clock(self.begins + timedelta(hours=hours))

    def ticks(self) -> tuple[tuple[float, str], ...]:
        """The ticks of a plot: hours since the day began, with the time of the house's clock."""
        length = math.ceil((self.ends - self.begins) / timedelta(hours=1))
        return tuple((float(each), self.at(each)) for each in range(0, length + 1, HOURS))


def _clock(house: Establishment, day: date) -> Clock:
    begins = gaming_day.begins(house, day)
    ends = gaming_day.begins(house, day + gaming_day.A_DAY)
    return Clock(ZoneInfo(house.time_zone), begins, ends)
