"""Tables at a glance: free, or with their running game. For the hall and the office alike."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from uuid import UUID

from casino.game_streams import occupancy
from casino.game_streams.loading import load_all
from casino.presenters import PRESENTERS, TITLES
from casino.pseudonyms import tokens
from ledger import recent

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from casino.establishments.models import Establishment, Table
    from casino.game_streams.loading import Loaded


def table_card(table: Table) -> dict[str, Any]:
    """A table and the game that runs there, straight from the ledger; ``game`` None: it is free."""
    house = table.establishment
    return cards(house, [table], games_at(house.pk, [table]))[0]


def games_at(establishment: UUID, tables: Sequence[Table]) -> dict[UUID, Loaded | None]:
    """
    The game that is open at each table that has one, by the table's id; None: it is there and not
    understood. Two queries, however many tables.
    """
    running = games_open(establishment, [table.pk for table in tables])
    loaded = load_all(establishment, running.values())
    return {table: loaded.get(game) for table, game in running.items()}


def games_open(establishment: UUID, tables: Iterable[UUID]) -> dict[UUID, UUID]:
    """Which game is open at each table that has one, straight from the ledger: one query."""
    streams = {occupancy.table_stream(str(table)): table for table in tables}
    return {
        streams[stream]: UUID(last.data["game"])
        for stream, last in recent.lasts(establishment, streams).items()
        if occupancy.is_taken(last)
    }


def cards(
    house: Establishment, tables: Sequence[Table], games: Mapping[UUID, Loaded | None]
) -> list[dict[str, Any]]:
    """The tables, each with its game in a few words; names of players in all of it."""
    rows = [
        {"id": str(table.pk), "name": table.name, "game": running(house, games.get(table.pk))}
        for table in tables
    ]
    named: list[dict[str, Any]] = tokens.resolve(house.pk, rows)
    return named


def running(house: Establishment, loaded: Loaded | None) -> dict[str, Any] | None:
    """A game in a few words, with tokens of players."""
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
