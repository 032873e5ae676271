"""How the demo house plays: rules and fees on its wall, and the home throw that is to come."""

from __future__ import annotations

import uuid
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, Final

from casino.presenters.registered import games

if TYPE_CHECKING:
    from collections.abc import Iterator
    from uuid import UUID

    from casino.demo.client import Client
    from casino.presenters.demonstrating import Demonstrated

IN: Final = timedelta(days=14)
AFTER: Final = "It was asked for at the tables."


def in_force(manager: Client, house: UUID | str) -> frozenset[str]:
    """The games that the house has published rules of."""
    now = manager.get(f"establishments/{house}/configuration/")
    return frozenset(each["game"] for each in now["house_rules"])


def wall() -> list[dict[str, Any]]:
    """Values of house rules as the API takes them, of each game."""
    return [{"game": game, **of.rules} for game, of in _played()]


def coming() -> dict[str, Any] | None:
    """The home throw that is to come, likewise."""
    return next(({"game": game, **of.coming} for game, of in _played() if of.coming), None)


def _played() -> Iterator[tuple[str, Demonstrated]]:
    return ((name, game.is_demonstrated()) for name, game in games().items() if game.demo)


def publish(manager: Client, house: UUID | str) -> Iterator[str]:
    """Put up what hangs nowhere yet; which games it was, one after another."""
    there = in_force(manager, house)
    for rules in wall():
        if rules["game"] not in there:
            _put(manager, house, "house_rules", rules)
            yield rules["game"]
    if not there and (throw := coming()) is not None:
        begins = (datetime.now(UTC) + IN).isoformat(timespec="seconds")
        _put(manager, house, "home_throw", {**throw, "effective_from": begins})


def _put(manager: Client, house: UUID | str, kind: str, values: dict[str, Any]) -> None:
    body = {"thing": kind, "values": values, "reason": AFTER, "command_id": str(uuid.uuid4())}
    manager.post(f"establishments/{house}/configuration/", body)
