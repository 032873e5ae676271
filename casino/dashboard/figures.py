"""The figures of the start page, each compared with a week ago; and the plots of the day."""

from __future__ import annotations

import math
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Any, Final
from zoneinfo import ZoneInfo

from django.db.models import Sum
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from casino.dashboard import figures_of_day as figures
from casino.establishments import gaming_day
from casino.languages import locales
from casino.play.models import GameCard
from casino.web.plots import lines
from casino.web.plots.sparks import spark
from ledger.models import Account

if TYPE_CHECKING:
    from datetime import date, datetime

    from django.utils.functional import _StrPromise
    from django.utils.safestring import SafeString

    from casino.establishments.models import Establishment
    from casino.web.pages import Page

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


def figure_rows(page: Page, rolled: int) -> list[dict[str, Any]]:
    """
    The figures as the page draws them.

    :param rolled: coins that pots left for the next games.
    """
    so_far = figures.so_far(page.house.pk, page.day)
    week_ago = figures.week_ago(page.house, page.day, page.now)
    days = figures.last_days(page.house.pk, page.day)
    return [
        {
            **_figure(page, figure),
            "value": getattr(so_far, name),
            "change": change(getattr(so_far, name), week_ago, name),
            "spark": _spark(str(figure.title), days[name]),
        }
        for name, figure in OF_THE_DAY.items()
    ] + current(page.house, rolled)


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
        "per_cent": round(abs(now - before) * HUNDRED / before) if before > 0 else None,
    }


def pots_open(house: Establishment) -> int:
    """The coins in the pots of open games now, as booked: a liability."""
    games = GameCard.objects.filter(establishment=house, status=GameCard.Status.OPEN)
    names = [str(game) for game in games.values_list("game", flat=True)]
    pots = Account.objects.filter(establishment=house.pk, kind="pot", name__in=names)
    held = pots.aggregate(held=Sum("credits") - Sum("debits"))["held"]
    return int(held or 0)


def _spark(title: str, days: list[int]) -> SafeString:
    text = _("%(title)s of the %(days)s days before: %(figures)s")
    values = {
        "title": title,
        "days": len(days),
        "figures": ", ".join(locales.number(each) for each in days),
    }
    return spark(days, text % values, from_zero=True) if any(days) else spark([], "")


def plots(house: Establishment, day: date, at: datetime) -> list[dict[str, Any]]:
    """Plots of the day beside the same day a week ago, for each figure that is not 0 throughout."""
    now = figures.course(house, day, list(PLOTTED), until=at)
    before = figures.course(house, day - figures.WEEK, list(PLOTTED))
    ticks = _clock(house, day)
    return [
        {"title": title, "plot": _plot(str(title), now[name], before[name], ticks)}
        for name, title in PLOTTED.items()
        if any(y for each in (now, before) for _x, y in each[name].points)
    ]


def _plot(
    title: str, now: figures.Course, before: figures.Course, ticks: tuple[tuple[float, str], ...]
) -> SafeString:
    both = [now, before] if len(before.points) > 1 else [now]
    return lines.plot(
        lines.Plot(
            label=_("%(title)s, the gaming day beside the same one a week ago") % {"title": title},
            lines=tuple(
                lines.Line(
                    title=locales.weekday(each.day),
                    points=tuple(lines.Point(*point) for point in each.points),
                )
                for each in both
            ),
            x=lines.Axis(ticks=ticks),
        )
    )


def _clock(house: Establishment, day: date) -> tuple[tuple[float, str], ...]:
    """
    The ticks of a gaming day's plot: hours since the day began, with the time of the house's clock.

    If the clock is put forward or back on that day, later ticks show the new time, and the day is
    an hour shorter or longer.
    """
    zone = ZoneInfo(house.time_zone)
    begins = gaming_day.begins(house, day)
    length = gaming_day.begins(house, day + gaming_day.A_DAY) - begins
    return tuple(
        (float(each), f"{(begins + timedelta(hours=each)).astimezone(zone):%H:%M}")
        for each in range(0, math.ceil(length / timedelta(hours=1)) + 1, HOURS)
    )
