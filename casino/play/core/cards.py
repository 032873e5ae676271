"""Summaries of tables with their running game, for the hall and for the office."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from uuid import UUID

from casino.house.acts.game_streams import occupancy
from casino.house.acts.game_streams.loading import load_all
from casino.house.attendants.pseudonyms import tokens
from casino.words.presenters import PRESENTERS, TITLES
from ledger import recent

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from casino.house.acts.game_streams.loading import Loaded
    from casino.house.establishments.models import Establishment, Table


def table_card(table: Table) -> dict[str, Any]:
    """A table and its running game, read from the ledger; ``game`` is None if the table is free."""
    house = table.establishment
    return cards(house, [table], games_at(house.pk, [table]))[0]


def games_at(establishment: UUID, tables: Sequence[Table]) -> dict[UUID, Loaded | None]:
    """
    The running game of each table that has one, by the table's id, in two queries.

    The game is None if it exists but its events cannot be read.
    """
    return read(establishment, games_open(establishment, [table.pk for table in tables]))


def read(establishment: UUID, running: Mapping[UUID, UUID]) -> dict[UUID, Loaded | None]:
    """The game of each of these tables, whose id is given, in one query."""
    loaded = load_all(establishment, running.values())
    return {table: loaded.get(game) for table, game in running.items()}


def games_open(establishment: UUID, tables: Iterable[UUID]) -> dict[UUID, UUID]:
    """The id of the running game of each table that has one, from the ledger, in one query."""
    return games_last(establishment, tables)[0]


def games_last(
    establishment: UUID, tables: Iterable[UUID]
) -> tuple[dict[UUID, UUID], dict[UUID, UUID]]:
    """Each table's running game, and the last game of each free table: their ids, in one query."""
    streams = {occupancy.table_stream(str(table)): table for table in tables}
    running: dict[UUID, UUID] = {}
    over: dict[UUID, UUID] = {}
    for stream, last in recent.lasts(establishment, streams).items():
        games = running if occupancy.is_taken(last) else over
        games[streams[stream]] = UUID(last.data["game"])
    return running, over


def cards(
    house: Establishment, tables: Sequence[Table], games: Mapping[UUID, Loaded | None]
) -> list[dict[str, Any]]:
    """A summary of each table with its running game, with players' names instead of tokens."""
    rows = [
        {"id": str(table.pk), "name": table.name, "game": running(house, games.get(table.pk))}
        for table in tables
    ]
    named: list[dict[str, Any]] = tokens.resolve(house.pk, rows)
    return named


def running(house: Establishment, loaded: Loaded | None) -> dict[str, Any] | None:
    """A summary of a game, with tokens of players; None for no game."""
    if loaded is None:
        return None
    presenter, view = PRESENTERS[loaded.ruleset.id], loaded.view
    return {
        "id": str(loaded.key.game),
        "title": TITLES[loaded.ruleset.id],
        "round": view["round"],
        "pot": presenter.figures(loaded.state.inner).get("pot"),
        "pot_name": str(presenter.POT).capitalize(),
        "currency": house.currency_symbol,
        "sentence": presenter.upcoming(loaded, view)["sentence"],
        "players": list(view["stakes"]),
        "requests": len(view["requests"]),
        "last_at": loaded.events[-1].provenance.occurred_at,
    }
