"""Disputes raised in the period (C3), as they stood at the position: open, or how they ended."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final
from uuid import UUID

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from casino.kit.documents.report import Column, Figure, Filter, Line, Report, Table
from casino.proof.disputes import queries
from casino.proof.disputes.models import DisputeRow
from casino.reports.registers import history
from casino.words.presenters.words import OUTCOMES

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from django.db.models import QuerySet

    from casino.house.establishments.models import Establishment
    from casino.kit.documents.report import Query

OPEN: Final = "open"


def rows(query: Query) -> QuerySet[DisputeRow]:
    found = history.of_period(DisputeRow.objects.select_related("table"), query)
    if table := query.chosen.get("table"):
        found = found.filter(table=UUID(table))
    if game := query.chosen.get("game"):
        found = found.filter(ruleset=game)
    return found


def then(query: Query, row: DisputeRow) -> DisputeRow:
    """The dispute as of the position: later decisions and voids are removed from the row."""
    if history.behind(query, row.decided_position):
        row.outcome, row.decided_by, row.decision = DisputeRow.Outcome.OPEN, "", ""
        row.decided_at = row.decided_position = None
    if history.behind(query, row.voided_position):
        row.voided_position = None
    return row


def parts(query: Query) -> Iterator[list[DisputeRow]]:
    wanted = query.chosen.get("state")
    for part in history.chunks(rows(query)):
        known = [then(query, row) for row in part]
        yield [row for row in known if not wanted or wanted == (row.outcome or OPEN)]


def lines(query: Query) -> Iterator[Line]:
    for part in parts(query):
        for row, card in zip(part, queries.cards(query.house, part), strict=True):
            yield Line(
                cells=(
                    row.gaming_day,
                    row.raised_at,
                    card.table,
                    card.title,
                    row.round,
                    row.payout,
                    card.raised_by,
                    card.reason,
                    card.outcome_name or _("open"),
                    card.decided_by,
                    row.decided_at,
                    card.decision,
                    row.decided_position,
                    row.voided_position,
                ),
                position=row.position,
                address=queries.address(row),
            )


def figures(query: Query) -> Sequence[Figure]:
    outcomes = Counter(row.outcome or OPEN for part in parts(query) for row in part)
    return (
        Figure(name="raised", title=_("Raised"), value=outcomes.total()),
        Figure(name="open", title=_("Of these open"), value=outcomes[OPEN]),
    )


def _states(_house: Establishment) -> Sequence[tuple[str, str]]:
    return [(OPEN, _("open")), *((name, str(title)) for name, title in OUTCOMES.items())]


REPORT: Final = Report(
    name="disputes",
    title=gettext_lazy("Disputes"),
    about=gettext_lazy(
        "Every dispute raised in these days: about what, by whom, how it ended, and why."
    ),
    controls=("C3",),
    filters=(
        history.TABLE,
        history.GAME,
        Filter(name="state", title=gettext_lazy("State"), choices=_states),
    ),
    figures=figures,
    tables=(
        Table(
            name="disputes",
            title=gettext_lazy("Disputes"),
            columns=(
                Column(name="gaming_day", title=gettext_lazy("Gaming day"), kind="day"),
                Column(name="raised_at", title=gettext_lazy("Raised"), kind="moment"),
                Column(name="table", title=gettext_lazy("Table")),
                Column(name="game", title=gettext_lazy("Game")),
                Column(name="round", title=gettext_lazy("Round"), kind="number"),
                Column(name="payout", title=gettext_lazy("Payout")),
                Column(name="raised_by", title=gettext_lazy("Raised by")),
                Column(name="reason", title=gettext_lazy("Reason")),
                Column(name="outcome", title=gettext_lazy("Outcome")),
                Column(name="decided_by", title=gettext_lazy("Decided by")),
                Column(name="decided_at", title=gettext_lazy("Decided"), kind="moment"),
                Column(name="decision", title=gettext_lazy("Decision")),
                Column(name="decided_at_position", title=gettext_lazy("Decided at"), kind="number"),
                Column(name="voided_at_position", title=gettext_lazy("Voided at"), kind="number"),
            ),
            lines=lines,
            size=lambda query: rows(query).count(),
            empty=gettext_lazy("Nobody disputed anything in these days."),
        ),
    ),
)
