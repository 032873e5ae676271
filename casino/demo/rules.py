"""The demo house's rules: rules, fees and scoreboards that it sets, and its next home throw."""

from __future__ import annotations

import uuid
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, Final

from casino.demo.client import Unanswered
from casino.words.presenters.registered import games

if TYPE_CHECKING:
    from collections.abc import Iterator
    from uuid import UUID

    from casino.demo.client import Client
    from casino.words.presenters.demonstrating import Demonstrated

IN: Final = timedelta(days=14)
WEEKLY: Final = {"season": "week", "place_tie": "split"}
AFTER: Final = "It was asked for at the tables."


def in_force(manager: Client, house: UUID | str) -> frozenset[str]:
    """The games for which the house has published rules."""
    now = manager.get(f"establishments/{house}/configuration/")
    return frozenset(each["game"] for each in now["house_rules"])


def wall() -> list[dict[str, Any]]:
    """The values of the house rules of each game, as the API takes them."""
    return [{"game": game, **of.rules} for game, of in _play_all()]


def coming() -> dict[str, Any] | None:
    """The values of the next home throw, as the API takes them; None if no game has one."""
    return next(({"game": game, **of.coming} for game, of in _play_all() if of.coming), None)


def _play_all() -> Iterator[tuple[str, Demonstrated]]:
    return ((name, game.is_demonstrated()) for name, game in games().items() if game.demo)


def publish(manager: Client, house: UUID | str) -> Iterator[str]:
    """Publish the rules that are not published yet; yields their games one after another."""
    there = in_force(manager, house)
    for rules in wall():
        if rules["game"] not in there:
            _put(manager, house, "house_rules", rules)
            yield rules["game"]
    if there:
        return
    for game, of in _play_all():
        if of.prizes:
            _put(manager, house, "scoreboard", {"ruleset": game, **WEEKLY})
        for prize in of.prizes:
            _put(manager, house, "prize_rule", {"ruleset": game, **prize})
    if (throw := coming()) is not None:
        begins = (datetime.now(UTC) + IN).isoformat(timespec="seconds")
        _put(manager, house, "home_throw", {**throw, "effective_from": begins})


def _put(manager: Client, house: UUID | str, kind: str, values: dict[str, Any]) -> None:
    body = {"thing": kind, "values": values, "reason": AFTER, "command_id": str(uuid.uuid4())}
    reply = manager.post(f"establishments/{house}/configuration/", body)
    if reply.refused:
        raise Unanswered(f"{kind}: {reply.body['detail']}")
