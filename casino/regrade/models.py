"""Regrades that are kept: what was covered, what they came to, and what differed."""

from __future__ import annotations

from typing import Any, ClassVar

from django.db import models

from casino.jobs.models import Finding, Job, Own


class Regrade(Job):
    """One regrade of a house, on its way through the ledger or done."""

    KIND: ClassVar[str] = "regrade"
    DONE_BY: ClassVar[str] = "casino.regrade.runs.REGRADE"

    class State(models.TextChoices):
        RUNNING = "running", "On its way"
        AGREES = "agrees", "No difference"
        DIFFERS = "differs", "Differences"
        FAILED = "failed", "Not done"

    current: Own[bool] = Own("parameters", "current", default=False)
    """By today's rules: information, no error."""
    games: Own[int] = Own("figures", "games", 0)
    events: Own[int] = Own("figures", "events", 0)
    bookings: Own[int] = Own("figures", "bookings", 0)
    payouts: Own[int] = Own("figures", "payouts", 0)
    waiting: Own[int] = Own("figures", "waiting", 0)
    """Games not settled yet."""
    waiting_since: Own[str | None] = Own("figures", "waiting_since", None)
    """The first day one of them waits from."""
    waiting_games: Own[list[Any]] = Own("figures", "waiting_games", [])
    """The first of them, and why."""
    points: Own[list[Any]] = Own("cursor", "points", [])
    """Ruleset, player, points: as booked so far."""

    class Meta:
        proxy = True

    @property
    def differences(self) -> int:
        return self.found


class RegradeDifference(Finding):
    """One thing that is not as the rules have it."""

    game = models.UUIDField(null=True)
