"""
Pots and rollovers as of a position: what the house owed players there (A1, A6).

Lists every pot that was not empty, with the terms of its equation, and every lot that waited for
the next game, with its origin and age. The sums are compared with the ledger's accounts.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from django.db.models import Count
from django.urls import reverse
from django.utils.dateparse import parse_datetime
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from casino.house.acts.game_streams import catalogue
from casino.kit.documents.report import Column, Figure, Line, Report, Table
from casino.money.cash import balance_snapshots
from casino.money.payouts import pot_equation as pots
from casino.play.core.round_models import RoundRow
from casino.play.settlement.rollovers import operations as rollovers
from casino.reports.registers import games, history
from casino.words.presenters import TITLES
from games.payments import ROLLOVER
from ledger import journal
from ledger.accounts import Kind
from ledger.models import Event
from ledger.wire import read_event

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from casino.kit.documents.report import Query
    from casino.money.payouts.pot_equation import Equation
    from casino.play.core.round_models import GameSpan
    from ledger.wire import StoredEvent

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
    for part in history.chunks(games.spans(query, [Kind.POT])):
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
    for rollover in read(query):
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
    rollovers = read(query)
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


# The lots that pots had left for the next game of their kind, as of a position (TA10).
#
# Each kind of game has one stream, and the last event of the stream has all lots. Settlement books
# lots a moment later. What it had not booked by the position is counted separately, so that lots
# and account agree exactly.


OPENING: Final = 0  # stands for the opening event of a game that takes lots, whatever its number
RECENT: Final = 100  # the newest changes; only these may be not booked yet
MORE: Final = {rollovers.LEFT, rollovers.RECLAIMED}
"""The changes that add lots. All others remove lots, except RETURNED, which only unclaims them."""


@dataclass(frozen=True, slots=True)
class LotsAsOf:
    """
    The lots of one kind of game as of a position.

    :param coming: coins that are in the lots, but not in the account yet; negative if the account
        still has coins that the lots no longer have.
    :param left_at: the position of the event that left each lot.
    """

    ruleset: str
    lots: tuple[rollovers.Lot, ...]
    coming: int
    left_at: Mapping[tuple[str, int], int] = field(default_factory=dict)

    @property
    def coins(self) -> int:
        return rollovers.total(self.lots)


def read(query: Query) -> list[LotsAsOf]:
    """The lots of each kind of game in the catalogue; three queries for each kind."""
    only = query.chosen.get("game")
    kinds = [each.id for each in catalogue.RULESETS if only in {None, each.id}]
    found = (_read(query, ruleset) for ruleset in dict.fromkeys(kinds))
    return [each for each in found if each is not None]


def _read(query: Query, ruleset: str) -> LotsAsOf | None:
    changes = _changes(query, rollovers.stream_of(ruleset))
    if not changes:
        return None
    last = changes[0].data
    lots = tuple(rollovers.Lot(**lot) for lot in (*last["waiting"], *last["claimed"]))
    return LotsAsOf(ruleset, lots, _coming(query, changes), _positions_of_lots(query, lots))


def _changes(query: Query, stream: str) -> list[StoredEvent]:
    """The newest changes of a stream through the position, the latest first."""
    rows = Event.objects.filter(establishment=query.house.pk, stream=stream)
    then = journal.between(rows, through=query.through)
    found = then.order_by("-stream_version").values_list("position", "body", "leaf_hash")[:RECENT]
    return [read_event(query.house.pk, at, bytes(body), bytes(leaf)) for at, body, leaf in found]


def _coming(query: Query, changes: Iterable[StoredEvent]) -> int:
    """The coins of those changes that settlement had not booked by the position."""
    causes = {change.position: _cause(change) for change in changes}
    streams = {f"settlement/{cause[0]}" for cause in causes.values() if cause}
    booked = {
        (event.stream.partition("/")[2], cause)
        for event in history.of_streams(query.house, streams, query.through)
        for cause in _events_settled(event.data)
    }
    return sum(
        _moves(change)
        for change in changes
        if causes[change.position] and causes[change.position] not in booked
    )


def _events_settled(data: Mapping[str, Any]) -> list[int]:
    """
    The events of its game that a booking settles. The first booking that takes coins from the
    rollover also settles the game's opening.
    """
    drawn = any(payment["from"] == ROLLOVER for payment in data.get("payments", ()))
    return [data["cause"], *([OPENING] if drawn else [])] if "cause" in data else []


def _cause(change: StoredEvent) -> tuple[str, int] | None:
    """The game and event whose booking moves the coins of a change; None: no coins move."""
    data = change.data
    if change.event_type == rollovers.RETURNED:
        return None
    if change.event_type == rollovers.RECLAIMED and not all(
        _comes_back(lot, data) for lot in data["lots"]
    ):
        return None
    return data["game"], data.get("event", OPENING)


def _comes_back(lot: Mapping[str, Any], data: Mapping[str, Any]) -> bool:
    """Whether the coins of a lot come back with the void that reclaims it."""
    return bool(lot["booked_game"] == data["game"] and lot["booked_event"] == data["event"])


def _moves(change: StoredEvent) -> int:
    coins = sum(int(lot["amount"]) for lot in change.data["lots"])
    return coins if change.event_type in MORE else -coins


def _positions_of_lots(query: Query, lots: Iterable[rollovers.Lot]) -> dict[tuple[str, int], int]:
    """The ledger positions of the events that left these lots, by game and event."""
    sources = {lot.source for lot in lots}
    rows = Event.objects.filter(
        establishment=query.house.pk,
        stream__in={f"game/{game}" for game, _ in sources},
        stream_version__in={event for _, event in sources},
    )
    found = rows.values_list("stream", "stream_version", "position")
    at = {(stream.partition("/")[2], version): position for stream, version, position in found}
    return {source: at[source] for source in sources if source in at}
