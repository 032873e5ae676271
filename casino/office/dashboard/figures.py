"""The figures of the start page, each compared with a week ago; and the plots of the day."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final
from zoneinfo import ZoneInfo

from django.db.models import Sum
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from casino.house.establishments import gaming_day
from casino.kit.web.plots import lines
from casino.kit.web.plots.axes import Axis
from casino.kit.web.plots.charts import disclosure, table_of
from casino.kit.web.plots.sparks import spark
from casino.play.core import figures_of_day as figures
from casino.play.core.models import GameCard
from casino.words.languages import amounts, locales
from casino.words.languages.amounts import money
from casino.words.languages.coins import NOTHING
from ledger.models import Account

if TYPE_CHECKING:
    from datetime import date, datetime

    from django.utils.functional import _StrPromise

    from casino.house.establishments.models import Establishment
    from casino.kit.web.pages import Page
    from casino.kit.web.plots.charts import Table

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
    so_far = figures.so_far(page.house.pk, page.day)
    week_ago = figures.week_ago(page.house, page.day, page.now)
    before = figures.days_before(page.day)
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
    before = figures.days_before(page.day)
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


def change(now: int, week_ago: figures.WeekAgo, name: str) -> dict[str, Any]:
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
    now = figures.course(house, day, list(PLOTTED), until=at)
    before = figures.course(house, day - figures.WEEK, list(PLOTTED))
    clock = _clock(house, day)
    return [
        {"title": title, "plot": _plot(name, now[name], before[name], clock)}
        for name, title in PLOTTED.items()
        if any(y for each in (now, before) for _x, y in each[name].points)
    ]


def _plot(name: str, now: figures.Course, before: figures.Course, clock: Clock) -> SafeString:
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


def _course_table(figure: DayFigure, both: Sequence[figures.Course], clock: Clock) -> Table:
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
