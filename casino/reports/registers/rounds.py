"""
The round register: every round that ended, what was staked and paid in it, and what it left.

The amounts are those that the rules decided. They are compared with the amounts that settlement
booked for the rounds that stand, summed from the ledger's transfers.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final

from django.db.models import Count, Sum
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from casino.house.attendants.pseudonyms import tokens
from casino.kit.documents.report import Column, Figure, Filter, Line, Report, Table
from casino.play.core.rounds import MOVED
from casino.reports.registers import booked_rounds, history
from casino.words.presenters import TITLES

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from casino.house.establishments.models import Establishment
    from casino.kit.documents.report import Query
    from casino.play.core.round_models import RoundRow

STANDS, VOID, UNDECIDED = "stands", "void", "undecided"
STATES: Final = {
    STANDS: gettext_lazy("stands"),
    VOID: gettext_lazy("void"),
    UNDECIDED: gettext_lazy("no result"),
}


def state(row: RoundRow, query: Query) -> str:
    """The state of a round at the position: a later void does not count."""
    if row.voided is not None and not history.behind(query, row.voided):
        return VOID
    return UNDECIDED if row.undecided else STANDS


def rows(query: Query) -> Any:
    found = history.rounds(query)
    match query.chosen.get("state"):
        case "void":
            found = found.exclude(history.not_void(query.through))
        case "undecided":
            found = found.filter(history.not_void(query.through), undecided=True)
        case "stands":
            found = found.filter(history.not_void(query.through), undecided=False)
    return found


def lines(query: Query) -> Iterator[Line]:
    """One line for each round. A round that was void by then has no amounts: it moved nothing."""
    tables = history.tables(query.house)
    games = {name: str(title) for name, title in TITLES.items()}
    states = {name: str(title) for name, title in STATES.items()}
    for part in history.chunks(rows(query).only(*READ)):
        won = tokens.resolve(query.house.pk, [row.winners for row in part])
        for row, winners in zip(part, won, strict=True):
            status = state(row, query)
            yield Line(
                cells=(
                    row.gaming_day,
                    row.ended_at,
                    tables[row.table_id],
                    games[row.ruleset],
                    row.number,
                    ", ".join(winners),
                    *(_amounts(row) if status != VOID else [None] * len(AMOUNTS)),
                    row.throws,
                    states[status],
                    row.began,
                    row.position,
                ),
                position=row.position,
                address=reverse("floor-round", args=[row.game, row.number]),
            )


AMOUNTS: Final = ("staked", "rolled_in", "paid", "direct", "rolled_out", "fee", "carried")

READ: Final = (
    "game", "number", "gaming_day", "ended_at", "table_id", "ruleset", "winners", *AMOUNTS,
    "throws", "undecided", "voided", "began", "position",
)  # fmt: skip


def _amounts(row: RoundRow) -> list[int]:
    return [getattr(row, name) for name in AMOUNTS]


def figures(query: Query) -> Sequence[Figure]:
    """Figures of the rounds that stand: their number, and the booked coins by the ledger."""
    mine = rows(query).filter(history.not_void(query.through)).order_by()
    decided = mine.aggregate(rounds=Count("position"), **{name: Sum(name) for name in MOVED})
    all_of_them = rows(query).order_by().aggregate(
        void=Count("position", filter=~history.not_void(query.through))
    )  # fmt: skip
    booked = booked_rounds.bookings_of(query, rows(query).filter(history.not_void(query.through)))
    sums = Counter({name: int(decided[name] or 0) for name in MOVED})
    return (
        Figure(name="rounds", title=_("Rounds that stand"), value=decided["rounds"]),
        Figure(name="void", title=_("Void rounds"), value=all_of_them["void"]),
        *(
            Figure(
                name=f"booked_{name}",
                title=title,
                kind="money",
                value=booked.moved[name],
                agrees=booked.agrees(name, sums[name]),
            )
            for name, title in (
                ("staked", _("Staked in them, by the ledger")),
                ("paid", _("Paid by pots in them, by the ledger")),
                ("direct", _("From player to player, by the ledger")),
                ("fee", _("Fees of them, by the ledger")),
            )
        ),
        Figure(name="waiting", title=_("Rounds not booked yet"), value=booked.waiting),
    )


def _choices(_house: Establishment) -> Sequence[tuple[str, str]]:
    return [(name, str(title)) for name, title in STATES.items()]


REPORT: Final = Report(
    name="rounds",
    title=gettext_lazy("Round register"),
    about=gettext_lazy(
        "Every round that ended: who won it, what was staked and paid, what it left in the pot."
    ),
    controls=("A1", "C1"),
    filters=(
        history.TABLE,
        history.GAME,
        Filter(name="state", title=gettext_lazy("State"), choices=_choices),
    ),
    figures=figures,
    tables=(
        Table(
            name="rounds",
            title=gettext_lazy("Rounds"),
            columns=(
                Column(name="gaming_day", title=gettext_lazy("Gaming day"), kind="day"),
                Column(name="ended_at", title=gettext_lazy("Ended"), kind="moment"),
                Column(name="table", title=gettext_lazy("Table")),
                Column(name="game", title=gettext_lazy("Game")),
                Column(name="round", title=gettext_lazy("Round"), kind="number"),
                Column(name="winners", title=gettext_lazy("Won by")),
                Column(name="staked", title=gettext_lazy("Staked"), kind="money", total=True),
                Column(name="rolled_in", title=gettext_lazy("Rolled in"), kind="money", total=True),
                Column(name="paid", title=gettext_lazy("Paid"), kind="money", total=True),
                Column(
                    name="direct", title=gettext_lazy("To each other"), kind="money", total=True
                ),
                Column(
                    name="rolled_out", title=gettext_lazy("Rolled over"), kind="money", total=True
                ),
                Column(name="fee", title=gettext_lazy("Fee"), kind="money", total=True),
                Column(name="carried", title=gettext_lazy("Left in the pot"), kind="money"),
                Column(name="throws", title=gettext_lazy("Throws"), kind="number", total=True),
                Column(name="state", title=gettext_lazy("State")),
                Column(name="from", title=gettext_lazy("From"), kind="number"),
                Column(name="to", title=gettext_lazy("To"), kind="number"),
            ),
            lines=lines,
            size=lambda query: rows(query).count(),
            empty=gettext_lazy("No round ended in these days."),
        ),
    ),
)
