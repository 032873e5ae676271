"""
The register of a chain: what closed gaming days came to, by house and by currency (E6).

Figures are those that each house froze when it closed its days. The header names the chain, its
ledger's position and root; each line names the house's own position that its figures rest on. Coins
are added up within one currency, and never across.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final

from django.db.models import Count, Exists, Max, OuterRef, Q, Sum
from django.urls import reverse
from django.utils.translation import gettext_lazy

from casino.chain.listings import label_of
from casino.kit.documents.report import Column, Line, Query, Report, Table
from casino.play.settlement.models import Season, Tally
from casino.reports.gaming_days.models import GamingDay
from casino.reports.registers import params
from casino.words.languages import amounts, locales
from casino.words.presenters import TITLES
from games.reporting import exactly
from ledger import journal

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from datetime import datetime

    from casino.house.establishments.models import Establishment

COINS: Final = {
    "staked": gettext_lazy("Turnover"),
    "paid": gettext_lazy("Paid"),
    "fees": gettext_lazy("Fees"),
    "over_short": gettext_lazy("Over/short"),
}
CURRENCY: Final = tuple(
    f"establishment__{name}" for name in ("currency_code", "currency_symbol", "coin_digits")
)


BEST: Final = 50
"""Lines of each game on the board over all houses."""


def query(chain: Establishment, given: Mapping[str, str], now: datetime) -> Query:
    """
    The days that an address asks for; without any, the month so far.

    :param chain: as `Chain.as_house` makes it.
    :raises Malformed: naming the field that is not valid.
    """
    asked = {name: value for name, value in given.items() if value and name in params.PERIOD}
    days = params.period(chain, asked or {"month": f"{now:%Y-%m}"}, now)
    return Query(
        house=chain,
        since=days.since,
        until=days.until,
        through=journal.head(establishment=chain.pk),
    )


def _sums(asked: Query, *by: str) -> Any:
    """Sums of days by house or by currency: one statement, whatever the number of houses."""
    rows = GamingDay.objects.filter(
        establishment__chain_house__chain=asked.house.pk,
        day__gte=asked.since,
        day__lte=asked.until,
    )
    closed = Q(state=GamingDay.State.CLOSED)
    return (
        rows.order_by()
        .values(*by)
        .annotate(
            houses=Count("establishment", distinct=True),
            days=Count("day", filter=closed),
            open_days=Count("day", filter=~closed),
            all_rounds=Sum("rounds", filter=closed),
            at=Max("closed_position"),
            **{f"all_{name}": Sum(name, filter=closed) for name in COINS},
        )
        .order_by(*by)
    )


def _money(row: Mapping[str, Any]) -> Iterator[str | int]:
    """Each amount as the house writes it, and in its smallest coins."""
    code, symbol, digits = (row[name] for name in CURRENCY)
    with locales.use_within(locales.current(), symbol, digits, code=code):
        coins = amounts.coins()
    for name in COINS:
        amount = int(row[f"all_{name}"] or 0)
        yield coins.written(amount)
        yield amount


def _currency(row: Mapping[str, Any]) -> str:
    code, symbol, digits = (row[name] for name in CURRENCY)
    return label_of(code, symbol, digits)


def _by_currency(asked: Query) -> Iterator[Line]:
    for row in _sums(asked, *CURRENCY):
        cells = (_currency(row), row["houses"], row["days"], row["open_days"])
        yield Line(cells=(*cells, row["all_rounds"] or 0, *_money(row)))


def _by_house(asked: Query) -> Iterator[Line]:
    for row in _sums(asked, "establishment__name", "establishment", *CURRENCY):
        house = row["establishment"]
        cells = (row["establishment__name"], str(house), _currency(row), row["days"],
                 row["open_days"], row["all_rounds"] or 0)  # fmt: skip
        yield Line(
            cells=(*cells, *_money(row), row["at"]),
            address=reverse("chain:house", args=[house]),
        )


def _standings(asked: Query) -> Iterator[Line]:
    """
    The best of each game in the seasons that run at the houses now; equal points share a place. A
    chain knows no players, so a line has the house and the points, and names nobody.
    """
    running = Season.objects.filter(
        establishment__chain_house__chain=asked.house.pk, state=Season.State.OPEN
    )
    for ruleset in running.order_by("ruleset").values_list("ruleset", flat=True).distinct():
        season = running.filter(
            ruleset=ruleset, establishment=OuterRef("establishment"), number=OuterRef("season")
        )
        rows = Tally.objects.filter(Exists(season), ruleset=ruleset).order_by("-points")
        scored = [row for row in rows.select_related("establishment")[:BEST] if row.exact > 0]
        place, before = 0, Fraction()
        for number, row in enumerate(sorted(scored, key=lambda row: -row.exact), 1):
            place, before = place if row.exact == before else number, row.exact
            yield Line(
                cells=(
                    str(TITLES.get(ruleset, ruleset)), place, row.establishment.name, row.season,
                    exactly(row.exact), row.rounds,
                ),
                address=reverse("chain:house", args=[row.establishment_id]),
            )  # fmt: skip


def _columns(*first: Column) -> tuple[Column, ...]:
    money = (
        Column(name=name, title=title, kind="number", files_only=name != each)
        for each, title in COINS.items()
        for name in (each, f"{each}_coins")
    )
    return (
        *first,
        Column(name="days", title=gettext_lazy("Days closed"), kind="number"),
        Column(name="open_days", title=gettext_lazy("Not closed"), kind="number"),
        Column(name="rounds", title=gettext_lazy("Rounds"), kind="number"),
        *money,
    )


NAME: Final = Column(name="house", title=gettext_lazy("House"))
MONEY_OF: Final = Column(name="currency", title=gettext_lazy("Currency"))

DAYS: Final = Report(
    name="chain-register",
    title=gettext_lazy("Gaming days of all houses"),
    about=gettext_lazy(
        "What the closed gaming days came to, by house and by currency: coins of different"
        " currencies are never added."
    ),
    controls=("B4", "E6"),
    tables=(
        Table(
            name="currencies",
            title=gettext_lazy("By currency"),
            columns=_columns(
                MONEY_OF, Column(name="houses", title=gettext_lazy("Houses"), kind="number")
            ),
            lines=_by_currency,
            empty=gettext_lazy("No house has a gaming day in this period."),
        ),
        Table(
            name="houses",
            title=gettext_lazy("By house"),
            columns=(
                *_columns(
                    NAME,
                    Column(name="establishment", title=gettext_lazy("Id"), files_only=True),
                    MONEY_OF,
                ),
                Column(name="position", title=gettext_lazy("As of its event"), kind="number"),
            ),
            lines=_by_house,
            empty=gettext_lazy("No house has a gaming day in this period."),
        ),
        Table(
            name="scoreboards",
            title=gettext_lazy("Scoreboards of all houses, now"),
            columns=(
                Column(name="game", title=gettext_lazy("Game")),
                Column(name="place", title=gettext_lazy("Place"), kind="number"),
                NAME,
                Column(name="season", title=gettext_lazy("Season"), kind="number"),
                Column(name="points", title=gettext_lazy("Points")),
                Column(name="rounds", title=gettext_lazy("Rounds"), kind="number"),
            ),
            lines=_standings,
            empty=gettext_lazy("No season with points runs at any house."),
        ),
    ),
    names_players=False,
)
