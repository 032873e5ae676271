"""What was played: rounds, stakes, payments, throws and how long it took, by game and by table."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final

from django.db.models import Count, DurationField, ExpressionWrapper, F, Sum
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from casino.kit.documents.report import Column, Figure, Line, Report, Table
from casino.reports.registers import booked_rounds, history
from casino.words.presenters import TITLES

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from django.db.models import QuerySet

    from casino.kit.documents.report import Cell, Query
    from casino.play.core.round_models import RoundRow

HOUR: Final = 3600


def rows(query: Query) -> QuerySet[RoundRow]:
    """The rounds that were not void at the position."""
    return history.rounds(query).filter(history.not_void(query.through))


def sum_by(query: Query, *by: str) -> list[dict[str, Any]]:
    lasted = ExpressionWrapper(F("ended_at") - F("began_at"), output_field=DurationField())
    grouped = rows(query).order_by().annotate(lasted=lasted).values(*by)
    found = grouped.annotate(
        games=Count("game", distinct=True),
        rounds=Count("position"),
        seconds=Sum("lasted"),
        **{f"{name}_": Sum(name) for name in ("throws", "staked", "paid", "direct", "fee")},
    )
    return list(found.order_by(*by))


def cells(row: dict[str, Any]) -> tuple[Cell, ...]:
    """
    The figures of one line. A round lasts from its first entry to its last, so breaks between
    rounds do not count in rounds per hour.
    """
    seconds = row["seconds"].total_seconds()
    return (
        row["games"],
        row["rounds"],
        row["throws_"],
        row["staked_"],
        row["paid_"],
        row["direct_"],
        row["fee_"],
        round(Fraction(row["throws_"], row["rounds"]), 2),
        round(seconds / row["rounds"]),
        round(row["rounds"] * HOUR / Fraction(seconds), 2) if seconds > 0 else None,
    )


def by_game(query: Query) -> Iterator[Line]:
    for row in sum_by(query, "ruleset"):
        yield Line(cells=(str(TITLES[row["ruleset"]]), *cells(row)))


def by_table(query: Query) -> Iterator[Line]:
    names = history.tables(query.house)
    for row in sorted(sum_by(query, "table"), key=lambda each: names[each["table"]]):
        yield Line(
            cells=(names[row["table"]], *cells(row)),
            address=reverse("cash-table", args=[row["table"]]),
        )


def by_both(query: Query) -> Iterator[Line]:
    names = history.tables(query.house)
    found = sum_by(query, "table", "ruleset")
    for row in sorted(found, key=lambda each: (names[each["table"]], each["ruleset"])):
        yield Line(cells=(names[row["table"]], str(TITLES[row["ruleset"]]), *cells(row)))


def figures(query: Query) -> Sequence[Figure]:
    found = rows(query).order_by().aggregate(
        rounds=Count("position"),
        games=Count("game", distinct=True),
        staked=Sum("staked"),
        paid=Sum("paid"),
    )  # fmt: skip
    booked = booked_rounds.bookings_of(query, rows(query))
    staked, paid = int(found["staked"] or 0), int(found["paid"] or 0)
    return (
        Figure(name="games", title=_("Games"), value=found["games"]),
        Figure(name="rounds", title=_("Rounds"), value=found["rounds"]),
        Figure(
            name="staked", title=_("Staked, by the ledger"), kind="money",
            value=booked.moved["staked"], agrees=booked.agrees("staked", staked),
        ),
        Figure(
            name="paid", title=_("Paid by pots, by the ledger"), kind="money",
            value=booked.moved["paid"], agrees=booked.agrees("paid", paid),
        ),
        Figure(name="waiting", title=_("Rounds not booked yet"), value=booked.waiting),
    )  # fmt: skip


COUNTS: Final = (
    Column(name="games", title=gettext_lazy("Games"), kind="number"),
    Column(name="rounds", title=gettext_lazy("Rounds"), kind="number", total=True),
    Column(name="throws", title=gettext_lazy("Throws"), kind="number", total=True),
    Column(name="staked", title=gettext_lazy("Staked"), kind="money", total=True),
    Column(name="paid", title=gettext_lazy("Paid"), kind="money", total=True),
    Column(name="direct", title=gettext_lazy("To each other"), kind="money", total=True),
    Column(name="fee", title=gettext_lazy("Fee"), kind="money", total=True),
    Column(name="throws_a_round", title=gettext_lazy("Throws a round"), kind="ratio"),
    Column(name="mean_length", title=gettext_lazy("Mean length"), kind="seconds"),
    Column(name="rounds_per_hour", title=gettext_lazy("Rounds per hour"), kind="ratio"),
)
EMPTY: Final = gettext_lazy("No round ended in these days.")
OF_TABLE: Final = Column(name="table", title=gettext_lazy("Table"))
OF_GAME: Final = Column(name="game", title=gettext_lazy("Game"))

REPORT: Final = Report(
    name="games",
    title=gettext_lazy("Game statistics"),
    about=gettext_lazy(
        "Rounds, stakes, payments and throws by game and by table, and how quickly they were"
        " played. Void rounds are not counted; a round lasts from its first entry to its last."
    ),
    controls=(),
    filters=(history.TABLE, history.GAME),
    figures=figures,
    tables=(
        Table(
            name="by_game", title=gettext_lazy("By game"), columns=(OF_GAME, *COUNTS),
            lines=by_game, empty=EMPTY,
        ),
        Table(
            name="by_table", title=gettext_lazy("By table"), columns=(OF_TABLE, *COUNTS),
            lines=by_table, empty=EMPTY,
        ),
        Table(
            name="by_table_and_game", title=gettext_lazy("By table and game"),
            columns=(OF_TABLE, OF_GAME, *COUNTS), lines=by_both, empty=EMPTY,
        ),
    ),
)  # fmt: skip
