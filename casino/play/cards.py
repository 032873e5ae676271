"""Tables at a glance: free, or with their running game. For the hall and the office alike."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from casino.play import queries
from casino.play.loading import GameKey, load
from casino.play.telling import TELLERS, TITLES
from casino.players import veil

if TYPE_CHECKING:
    from casino.establishments.models import Table


def table_card(table: Table) -> dict[str, Any]:
    """A table and the game that runs there, straight from the ledger; ``game`` None: it is free."""
    card: dict[str, Any] = {"id": str(table.pk), "name": table.name, "game": None}
    game = queries.running_game(table)
    if game is None:
        return card
    loaded = load(GameKey(table.establishment_id, game))
    teller = TELLERS[loaded.ruleset.id]
    view = loaded.view
    running = {
        "id": str(game),
        "title": TITLES[loaded.ruleset.id],
        "round": view["round"],
        "pot": teller.figures(loaded.state.inner).get("pot"),
        "pot_name": str(teller.POT).capitalize(),
        "currency": table.establishment.currency_symbol,
        "sentence": teller.upcoming(loaded, view)["sentence"],
        "players": list(view["stakes"]),
        "requests": len(view["requests"]),
        "last_at": loaded.events[-1].provenance.occurred_at,
    }
    return {**card, "game": veil.unveil(table.establishment_id, running)}
