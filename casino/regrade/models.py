"""Regrades that are kept: what was covered, what they came to, and what differed."""

from __future__ import annotations

from typing import Any, ClassVar

from django.db import models

from casino.jobs.models import Finding, Job, JsonValue


class Regrade(Job):
    """One regrade of a house, on its way through the ledger or done."""

    KIND: ClassVar[str] = "regrade"
    KIND_PATH: ClassVar[str] = "casino.regrade.runs.REGRADE"

    class State(models.TextChoices):
        RUNNING = "running", "On its way"
        AGREES = "agrees", "No difference"
        DIFFERS = "differs", "Differences"
        FAILED = "failed", "Not done"

    current: JsonValue[bool] = JsonValue("parameters", "current", default=False)
    """By today's rules: information, no error."""
    games: JsonValue[int] = JsonValue("figures", "games", 0)
    events: JsonValue[int] = JsonValue("figures", "events", 0)
    bookings: JsonValue[int] = JsonValue("figures", "bookings", 0)
    payouts: JsonValue[int] = JsonValue("figures", "payouts", 0)
    waiting: JsonValue[int] = JsonValue("figures", "waiting", 0)
    """Games not settled yet."""
    waiting_since: JsonValue[str | None] = JsonValue("figures", "waiting_since", None)
    """The first day one of them waits from."""
    waiting_games: JsonValue[list[Any]] = JsonValue("figures", "waiting_games", [])
    """The first of them, and why."""
    points: JsonValue[list[Any]] = JsonValue("cursor", "points", [])
    """Ruleset, player, points: as booked so far."""

    class Meta:
        proxy = True

    @property
    def differences(self) -> int:
        return self.found


class RegradeDifference(Finding):
    """One thing that is not as the rules have it."""

    game = models.UUIDField(null=True)
