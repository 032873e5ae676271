"""
The lots that pots had left for the next game of their kind, as of a position (TA10).

Each kind of game has one stream, and the last event of the stream has all lots. Settlement books
lots a moment later. What it had not booked by the position is counted separately, so that lots and
account agree exactly.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from casino.house.game_streams import catalogue
from casino.play.rollovers import operations as rollovers
from casino.reports.registers import history
from games.payments import ROLLOVER
from ledger import journal
from ledger.models import Event
from ledger.wire import read_event

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from casino.kit.documents.report import Query
    from ledger.wire import StoredEvent

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
