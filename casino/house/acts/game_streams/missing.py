"""Games on record whose package is not installed: whatever needs their rules cannot be computed."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

from casino.house.acts.game_streams.catalogue import is_installed
from ledger.models import Event

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any
    from uuid import UUID

    from django.db.models import QuerySet

SETTLEMENT = "settlement/"


@dataclass(frozen=True, slots=True)
class Missing:
    """
    Kinds of games on record that are not installed.

    :param games: their ids, which are the names of their packages' registrations.
    :param openings: the types of the events that opened them.
    """

    establishment: UUID
    games: tuple[str, ...] = ()
    openings: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.games)

    def streams(self) -> frozenset[str]:
        """The streams of these games, and of their settlements."""
        mine = self._opened().values_list("stream", flat=True)
        games = [stream.partition("/")[2] for stream in mine] if self else []
        return frozenset(f"{area}/{game}" for game in games for area in ("game", "settlement"))

    def events(self) -> Iterator[tuple[str, dict[str, Any]]]:
        """The events of these games: the actor and the data of each."""
        theirs = Event.objects.filter(
            establishment=self.establishment, stream__in=self._opened().values("stream")
        )
        if self:
            for actor, body in theirs.values_list("actor", "body").iterator():
                yield actor, json.loads(bytes(body))["data"]

    def _opened(self) -> QuerySet[Event]:
        return _openings(self.establishment).filter(event_type__in=self.openings)


def of(establishment: UUID) -> Missing:
    """The games that a house has on record and that are not installed."""
    return _missing(establishment, _openings(establishment))


def among(establishment: UUID, streams: QuerySet[Any]) -> Missing:
    """Like `of`, but only for the games with these streams."""
    return _missing(establishment, _openings(establishment).filter(stream__in=streams))


def _missing(establishment: UUID, openings: QuerySet[Event]) -> Missing:
    types = openings.order_by().values_list("event_type", flat=True).distinct()
    missing = sorted(each for each in types if not is_installed(each.partition(".")[0]))
    games = (each.partition(".")[0].replace("_", "-") for each in missing)
    return Missing(establishment, tuple(dict.fromkeys(games)), tuple(missing))


def _openings(establishment: UUID) -> QuerySet[Event]:
    return Event.objects.filter(
        establishment=establishment, stream__startswith="game/", stream_version=1
    )
