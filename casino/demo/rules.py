"""How the demo house plays: rules and fees on its wall, and the home throw that is to come."""

from __future__ import annotations

import uuid
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Iterator
    from uuid import UUID

    from casino.demo.client import Client

WALL: Final[tuple[dict[str, Any], ...]] = (
    {
        "game": "stone-hand",
        "options": {"rethrow": 1},
        "fee": {"kind": "seat", "amount": 1},
        "home_throws": "house",
        "text": "Stone Hand came up the river with the barge crews. One throw again for everybody:"
        " the first herons gave it to a ferryman who had dropped his glass, and it stayed.",
    },
    {
        "game": "cinnabar-gate",
        "options": {"opal": 1},
        "fee": {"kind": "seat", "amount": 1},
        "home_throws": "house",
        "text": "The gate stood where the market is now, and closed at dusk. Whoever was late threw"
        " for the watchman's supper.",
    },
    {
        "game": "river",
        "options": {"tie": "high_value"},
        "fee": {"kind": "time", "amount": 1, "minutes": 30},
        "text": "Played at the Loft only, after ten. Dice stay under the cup until the last call.",
    },
    {
        "game": "threes-away",
        "options": {"progressive": "by_round"},
        "fee": {"kind": "rake", "percent": 10, "cap": 3},
        "text": "A pot that nobody wins stays in the bowl by the door, for the next table.",
    },
    {
        "game": "dice-breaker",
        "options": {"ante": 1, "target": 7},
        "fee": {"kind": "rake", "percent": 10, "cap": 3},
        "text": "To seven, so that nobody misses the last ferry. A die that leaves the table is"
        " fetched by whoever laughed.",
    },
)
"""Values of house rules as the API takes them."""
COMING: Final[dict[str, Any]] = {
    "faces": [2, 4, 7],
    "game": "stone-hand",
    "story": "Two herons, four eggs, seven weeks: for the spring, as every year.",
}
IN: Final = timedelta(days=14)
AFTER: Final = "It was asked for at the tables."


def in_force(manager: Client, house: UUID | str) -> frozenset[str]:
    """The games that the house has published rules of."""
    now = manager.get(f"establishments/{house}/configuration/")
    return frozenset(each["game"] for each in now["house_rules"])


def publish(manager: Client, house: UUID | str) -> Iterator[str]:
    """Put up what hangs nowhere yet; which games it was, one after another."""
    there = in_force(manager, house)
    for rules in WALL:
        if rules["game"] not in there:
            _put(manager, house, "house_rules", rules)
            yield rules["game"]
    if not there:
        begins = (datetime.now(UTC) + IN).isoformat(timespec="seconds")
        _put(manager, house, "home_throw", {**COMING, "effective_from": begins})


def _put(manager: Client, house: UUID | str, thing: str, values: dict[str, Any]) -> None:
    body = {"thing": thing, "values": values, "reason": AFTER, "command_id": str(uuid.uuid4())}
    manager.post(f"establishments/{house}/configuration/", body)
