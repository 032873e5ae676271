"""What the house sends a device: the game's events, and what only the house knows of the game."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.utils.formats import get_format

from casino.floor.tables.board import boards
from casino.floor.tables.offline.messages import words
from casino.house.acts.game_streams import catalogue
from casino.words.languages import locales
from casino.words.languages.spelling import spelling

if TYPE_CHECKING:
    from casino.floor.tables.board.boards import Seen
    from casino.floor.tables.board.drawing_given import Given
    from ledger.wire import StoredEvent


def game_as_json(seen: Seen, after: int = 0, known: Given | None = None) -> dict[str, Any]:
    """
    A game as JSON.

    ``ruleset``, ``rules_version``; ``version``: how many events there are; ``events``: those after
    `after`, each as the ledger has it, with tokens of players and texts that ``given`` has the
    meanings of; ``given``: see `casino.floor.tables.board.drawing_given`. A device that has nothing
    yet also gets what does not change while it shows the game: ``words``, the texts of its board in
    the reader's language, and ``locale``, how the house writes figures.

    :param after: the last event that the device has; 0 if it has none.
    :param known: the result of `boards.collect_given`, if it is known already.
    """
    loaded = seen.loaded
    answer = {
        "ruleset": loaded.ruleset.id,
        "rules_version": loaded.ruleset.version,
        "version": loaded.version,
        "events": [_event(event) for event in loaded.events[after:]],
        "given": boards.collect_given(seen) if known is None else known,
    }
    return answer if after else {**answer, "words": words(loaded.ruleset.id), "locale": locale()}


def locale() -> dict[str, Any]:
    """How the house writes amounts and the time of day, for texts that a device writes."""
    own = locales.current()
    return {
        "name": own,
        "coins": spelling(),
        "time": get_format("TIME_FORMAT", lang=own, use_l10n=True),
    }


def _event(event: StoredEvent) -> dict[str, Any]:
    """
    The event's own data without provenance. ``clock``: its time as the house writes it; ``second``:
    the same in seconds since 1970.
    """
    provenance = event.provenance
    return {
        "number": event.stream_version,
        "type": event.event_type,
        "data": {name: each for name, each in event.data.items() if name not in catalogue.PINNED},
        "at": provenance.occurred_at.isoformat(timespec="seconds"),
        "second": int(provenance.occurred_at.timestamp()),
        "clock": locales.clock(provenance.occurred_at),
        "actor": provenance.actor,
        "command_id": str(provenance.command_id),
    }
