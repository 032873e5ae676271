"""What a gaming day carries over: running games, money that waits, parked events."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final
from uuid import UUID

from casino.house.game_streams import occupancy
from casino.house.game_streams.loading import GameKey, readable
from casino.play.settlement.settled import SETTLEMENT
from games.history import live
from ledger import journal
from ledger.accounts import Kind
from ledger.models import Event, ParkedEvent

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import date

    from casino.house.establishments.models import Establishment
    from casino.reports.gaming_days.figures import Figures

EVER: Final = 2**53  # greater than every position
LISTED: Final = 100  # parked events that are listed; all of them are counted


def open_games(figures: Figures, *, through: int = EVER) -> list[dict[str, Any]]:
    """
    The games that go on after a day, and closed games that still owe somebody (open liabilities).

    Per game: table, ruleset, round, coins in the pot, in stakes and held.

    :param through: for a day that is open, the position up to which events count.
    """
    running = running_games(figures.house, figures.day, through=through)
    owed = figures.of_kind(Kind.POT), figures.of_kind(Kind.STAKE), figures.held
    pots, stakes, held = map(_by_game, owed)
    rows = [
        {
            **_describe(figures.house, game, figures.day, through),
            "running": game in running,
            "pot": pots.get(game, 0),
            "stakes": stakes.get(game, 0),
            "held": held.get(game, 0),
        }
        for game in sorted({*running, *pots, *stakes, *held})
    ]
    return sorted(rows, key=lambda row: (not row["running"], row["opened"], row["game"]))


def running_games(house: Establishment, day: date, *, through: int = EVER) -> set[str]:
    """The games that had a table at the end of a day, from the tables' streams."""
    found = set()
    for table in house.tables.values_list("pk", flat=True):
        rows = Event.objects.filter(
            establishment=house.pk,
            stream=occupancy.table_stream(str(table)),
            event_type__in=("table.game_opened", "table.game_closed"),
        )
        last = (
            journal.between(journal.through_day(rows, day), through=through)
            .order_by("-stream_version")
            .values_list("event_type", "correlation_id")
            .first()
        )
        if last and last[0] == "table.game_opened":
            found.add(str(last[1]))
    return found


def _by_game(accounts: Mapping[str, int]) -> dict[str, int]:
    """
    The sums of accounts by game.

    Accounts are named ``<game>/<player or payout>``; a pot only has the id of its game.
    """
    held: dict[str, int] = {}
    for name, coins in accounts.items():
        game = name.partition("/")[0]
        held[game] = held.get(game, 0) + coins
    return held


def _describe(house: Establishment, game: str, day: date, through: int) -> dict[str, Any]:
    """A game as it stood at the end of a day; only its id if it cannot be read."""
    loaded = readable(GameKey(house.pk, UUID(game)))
    if loaded is None:
        return {"game": game, "ruleset": "", "table": "", "opened": "", "round": 0}
    many = sum(
        event.provenance.gaming_day <= day and event.position <= through for event in loaded.events
    )
    ended = sum(fact.ends_round for _, fact in live(loaded.history[:many]))
    return {
        "game": game,
        "ruleset": loaded.ruleset.id,
        "table": loaded.place["table"],
        "opened": loaded.opening.provenance.gaming_day.isoformat(),
        "round": ended + 1,
    }


def parked_events(establishment: UUID, before: int) -> dict[str, Any]:
    """Parked events of settlement before a position: how many, and the first of them."""
    rows = ParkedEvent.objects.filter(
        establishment=establishment, subscription=SETTLEMENT, position__lt=before
    ).order_by("position")
    return {
        "count": rows.count(),
        "events": [
            {"stream": stream, "position": position}
            for stream, position in rows.values_list("stream", "position")[:LISTED]
        ],
    }
