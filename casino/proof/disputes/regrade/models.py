"""Rows of regrades: what each one covered, its counts, and what differed."""

from __future__ import annotations

from typing import Any, ClassVar

from django.db import models

from casino.kit.web.jobs.models import Finding, Job, JsonValue


class Regrade(Job):
    """One regrade of a house, running or done."""

    KIND: ClassVar[str] = "regrade"
    KIND_PATH: ClassVar[str] = "casino.proof.disputes.regrade.runs.REGRADE"

    class State(models.TextChoices):
        RUNNING = "running", "On its way"
        AGREES = "agrees", "No difference"
        DIFFERS = "differs", "Differences"
        FAILED = "failed", "Not done"

    current: JsonValue[bool] = JsonValue("parameters", "current", default=False)
    """Whether it is by today's rules: then differences are information, not errors."""
    games: JsonValue[int] = JsonValue("figures", "games", 0)
    events: JsonValue[int] = JsonValue("figures", "events", 0)
    bookings: JsonValue[int] = JsonValue("figures", "bookings", 0)
    payouts: JsonValue[int] = JsonValue("figures", "payouts", 0)
    waiting: JsonValue[int] = JsonValue("figures", "waiting", 0)
    """The number of games that are not settled yet."""
    waiting_since: JsonValue[str | None] = JsonValue("figures", "waiting_since", None)
    """The first gaming day from which one of these games waits."""
    waiting_games: JsonValue[list[Any]] = JsonValue("figures", "waiting_games", [])
    """The first of these games, each with its reason."""
    points: JsonValue[list[Any]] = JsonValue("cursor", "points", [])
    """The points booked so far: rows of ruleset, player and points."""

    class Meta:
        proxy = True

    @property
    def differences(self) -> int:
        return self.found


class RegradeDifference(Finding):
    """One difference that a regrade found: `findings.Difference` as a row."""

    game = models.UUIDField(null=True)
