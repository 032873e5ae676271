"""A round of Stone Hand as a program sends it."""

from __future__ import annotations

from typing import Any

from tests.support.builders import throw

PLAYERS = ("Ada", "Bruno", "Cleo")
ROUND = ((2, 2, 3), (3, 3, 4), (1, 1, 5))  # SH3: of the three pairs Cleo's is the worst


def a_round() -> list[dict[str, Any]]:
    return [throw(player, *dice) for player, dice in zip(PLAYERS, ROUND, strict=True)]


def body_of(answer: Any) -> dict[str, Any]:
    whole: dict[str, Any] = answer.json()
    return whole
