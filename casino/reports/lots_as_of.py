"""
What pots had left for the next game of their kind, as of a position (TA10).

A kind of game has one stream; its last event has the lots. Settlement books them a moment later:
what it had not booked by then is counted apart, so that lots and account agree exactly.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from casino.game_streams import catalogue
from casino.reports import history
from casino.rollovers import operations as rollovers
from games.payments import ROLLOVER
from ledger import journal
from ledger.models import Event
from ledger.wire import read_event

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from casino.documents.report import Query
    from ledger.wire import StoredEvent

OPENING: Final = 0  # for the event of an opening that draws: its number is the game's own affair
RECENT: Final = 100  # changes of which any may not be booked yet
MORE: Final = {rollovers.LEFT, rollovers.RECLAIMED}
"""They add lots; all others remove lots, but for those that only give them back."""


@dataclass(frozen=True, slots=True)
class LotsAsOf:
    """
    :param coming: coins that the lots have and the account has not yet; below 0 the other way.
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
    """Kind by kind of game; three queries for each that is on offer."""
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
    return LotsAsOf(ruleset, lots, _coming(query, changes), _left_at(query, lots))


def _changes(query: Query, stream: str) -> list[StoredEvent]:
    """The latest first."""
    rows = Event.objects.filter(establishment=query.house.pk, stream=stream)
    then = journal.between(rows, through=query.through)
    found = then.order_by("-stream_version").values_list("position", "body", "leaf_hash")[:RECENT]
    return [read_event(query.house.pk, at, bytes(body), bytes(leaf)) for at, body, leaf in found]


def _coming(query: Query, changes: Iterable[StoredEvent]) -> int:
    """What changes moved that settlement had not booked by then."""
    causes = {change.position: _cause(change) for change in changes}
    streams = {f"settlement/{cause[0]}" for cause in causes.values() if cause}
    booked = {
        (event.stream.partition("/")[2], cause)
        for event in history.of_streams(query.house, streams, query.through)
        for cause in _booked(event.data)
    }
    return sum(
        _moves(change)
        for change in changes
        if causes[change.position] and causes[change.position] not in booked
    )


def _booked(data: Mapping[str, Any]) -> list[int]:
    """What a booking was for; that what a game found was drawn goes with its first from there."""
    drawn = any(payment["from"] == ROLLOVER for payment in data.get("payments", ()))
    return [data["cause"], *([OPENING] if drawn else [])] if "cause" in data else []


def _cause(change: StoredEvent) -> tuple[str, int] | None:
    """The event of a game whose booking moves the coins; None: none moves with it."""
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


def _left_at(query: Query, lots: Iterable[rollovers.Lot]) -> dict[tuple[str, int], int]:
    """Where in the ledger the games' events stand that left them."""
    sources = {lot.source for lot in lots}
    rows = Event.objects.filter(
        establishment=query.house.pk,
        stream__in={f"game/{game}" for game, _ in sources},
        stream_version__in={event for _, event in sources},
    )
    found = rows.values_list("stream", "stream_version", "position")
    at = {(stream.partition("/")[2], version): position for stream, version, position in found}
    return {source: at[source] for source in sources if source in at}
