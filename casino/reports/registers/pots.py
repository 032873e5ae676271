"""
Pots and rollovers as of a position: what the house owed players there (A1, A6).

Lists every pot that was not empty, with the terms of its equation, and every lot that waited for
the next game, with its origin and age. The sums are compared with the ledger's accounts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from django.db.models import Count
from django.urls import reverse
from django.utils.dateparse import parse_datetime
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from casino.kit.documents.report import Column, Figure, Line, Report, Table
from casino.money.cash import balance_snapshots
from casino.money.pots import queries as pots
from casino.play.core.round_models import RoundRow
from casino.reports.registers import games_as_of, history, lots_as_of
from casino.words.presenters import TITLES
from ledger.accounts import Kind

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from casino.kit.documents.report import Query
    from casino.money.pots.queries import Equation
    from casino.play.core.round_models import GameSpan

TERMS: Final = pots.TERMS
TITLED: Final[dict[str, Any]] = {
    "base": gettext_lazy("Base"),
    "contributions": gettext_lazy("Contributions"),
    "rolled_in": gettext_lazy("Rolled in"),
    "won": gettext_lazy("Won"),
    "rolled_out": gettext_lazy("Rolled out"),
    "fees": gettext_lazy("Fees"),
    "adjustments": gettext_lazy("Adjustments"),
    "balance": gettext_lazy("Balance"),
}


def open_pots(query: Query) -> Iterator[tuple[GameSpan, Equation]]:
    """The pots that were not empty, the oldest game first."""
    for part in history.chunks(games_as_of.spans(query, [Kind.POT])):
        held = pots.at_position(
            query.house.pk, [span.game for span in part], query.through
        )  # fmt: skip
        for span in part:
            if (equation := held.get(span.game)) is not None and equation.balance:
                yield span, equation


def pot_lines(query: Query) -> Iterator[Line]:
    tables = history.tables(query.house)
    for part in history.chunks(open_pots(query)):
        ended = _count_rounds(query, [span for span, _equation in part])
        for span, equation in part:
            yield Line(
                cells=(
                    tables[span.table_id],
                    str(TITLES[span.ruleset]),
                    span.opened_at,
                    ended.get(span.game, 0),
                    *(getattr(equation, term) for term in TERMS),
                ),
                position=span.opened,
                address=reverse("account", args=[Kind.POT.value, str(span.game)]),
            )


def _count_rounds(query: Query, some: Sequence[GameSpan]) -> dict[Any, int]:
    """How many rounds of each game had ended by the position and were not void."""
    rows = RoundRow.objects.filter(
        history.not_void(query.through),
        establishment=query.house,
        game__in=[span.game for span in some],
        position__lte=query.through,
    )
    return dict(rows.order_by().values_list("game").annotate(rounds=Count("position")))


def lot_lines(query: Query) -> Iterator[Line]:
    for rollover in lots_as_of.read(query):
        for lot in rollover.lots:
            yield Line(
                cells=(
                    str(TITLES[rollover.ruleset]),
                    parse_datetime(lot.since),
                    lot.amount,
                    str(CLAIMED if lot.claimed_by else WAITING),
                ),
                position=rollover.left_at.get(lot.source),
                address=reverse("floor-log", args=[lot.game]),
            )


WAITING: Final = gettext_lazy("waits for the next game")
CLAIMED: Final = gettext_lazy("on its way into a game")


def figures(query: Query) -> Sequence[Figure]:
    whole = not query.chosen
    accounts = balance_snapshots.kinds_through(query.house.pk, query.through)
    equations = [equation for _span, equation in open_pots(query)]
    in_pots = sum(equation.balance for equation in equations)
    rollovers = lots_as_of.read(query)
    in_lots = sum(each.coins for each in rollovers)
    coming = sum(each.coming for each in rollovers)
    booked = accounts[Kind.ROLLOVER]
    return (
        Figure(name="pots", title=_("Pots that hold something"), value=len(equations)),
        Figure(
            name="in_pots", title=_("In pots"), kind="money", value=in_pots,
            agrees=in_pots == accounts[Kind.POT] if whole else None,
        ),
        Figure(
            name="uneven", title=_("Pots whose equation does not hold"),
            value=sum(not equation.adds_up for equation in equations),
            agrees=all(equation.adds_up for equation in equations),
        ),
        Figure(
            name="in_rollovers", title=_("In rollovers"), kind="money", value=in_lots,
            agrees=in_lots - coming == booked if whole else None,
        ),
        Figure(
            name="coming", title=_("Of these not booked yet"), kind="money", value=coming,
        ),
        Figure(
            name="owed", title=_("In pots and rollovers, by the ledger"), kind="money",
            value=accounts[Kind.POT] + booked,
        ),
    )  # fmt: skip


EQUATION: Final = tuple(
    Column(name=term, title=TITLED[term], kind="money", total=True) for term in TERMS
)

REPORT: Final = Report(
    name="pots",
    title=gettext_lazy("Pots and rollovers"),
    about=gettext_lazy(
        "What lay in every pot at the position, term by term, and what waited for a next game:"
        " players' money that the house owes."
    ),
    controls=("A1", "A6"),
    filters=(history.TABLE, history.GAME),
    figures=figures,
    tables=(
        Table(
            name="pots",
            title=gettext_lazy("Pots"),
            columns=(
                Column(name="table", title=gettext_lazy("Table")),
                Column(name="game", title=gettext_lazy("Game")),
                Column(name="since", title=gettext_lazy("Since"), kind="moment"),
                Column(name="rounds", title=gettext_lazy("Rounds ended"), kind="number"),
                *EQUATION,
            ),
            lines=pot_lines,
            empty=gettext_lazy("No pot held anything."),
        ),
        Table(
            name="rollovers",
            title=gettext_lazy("Rollovers"),
            columns=(
                Column(name="game", title=gettext_lazy("Game")),
                Column(name="since", title=gettext_lazy("Since"), kind="moment"),
                Column(name="amount", title=gettext_lazy("Amount"), kind="money", total=True),
                Column(name="state", title=gettext_lazy("State")),
            ),
            lines=lot_lines,
            empty=gettext_lazy("Nothing waited for a next game."),
        ),
    ),
)
