"""Regrades that are kept: when, by whom, what was covered, what they came to."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q

from ledger.ids import uuid7


class Regrade(models.Model):
    """One regrade of a house, on its way through the ledger or done."""

    class State(models.TextChoices):
        RUNNING = "running", "On its way"
        AGREES = "agrees", "No difference"
        DIFFERS = "differs", "Differences"
        FAILED = "failed", "Not done"

    pk = models.CompositePrimaryKey("establishment_id", "id")
    id = models.UUIDField(default=uuid7, editable=False)
    establishment = models.ForeignKey(
        "establishments.Establishment", on_delete=models.PROTECT, db_index=False
    )
    asked_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+",
        help_text="Empty: the house itself, at night.",
    )  # fmt: skip
    asked_at = models.DateTimeField()
    night = models.DateField(null=True, help_text="The gaming day after which it was due.")
    since = models.DateField(null=True, help_text="First gaming day; empty: from the beginning.")
    until = models.DateField(null=True, help_text="Last gaming day; empty: up to now.")
    current = models.BooleanField(
        default=False, help_text="By today's rules: information, no error."
    )
    state = models.CharField(max_length=8, choices=State.choices, default=State.RUNNING)
    start = models.PositiveBigIntegerField(help_text="The first ledger position of the period.")
    stop = models.PositiveBigIntegerField(help_text="The position behind the last.")
    reached = models.PositiveBigIntegerField(help_text="The next position to be graded.")
    worked_at = models.DateTimeField(help_text="When it last came on.")
    finished_at = models.DateTimeField(null=True)
    games = models.PositiveBigIntegerField(default=0)
    events = models.PositiveBigIntegerField(default=0)
    bookings = models.PositiveBigIntegerField(default=0)
    payouts = models.PositiveBigIntegerField(default=0)
    differences = models.PositiveBigIntegerField(default=0)
    waiting = models.PositiveBigIntegerField(default=0, help_text="Games not settled yet.")
    waiting_since = models.DateField(null=True, help_text="The first day one of them waits from.")
    waiting_games = models.JSONField(default=list, help_text="The first of them, and why.")
    points = models.JSONField(default=list, help_text="Ruleset, player, points: as booked so far.")
    reason = models.CharField(max_length=200, blank=True, help_text="Why it was not done.")

    class Meta:
        ordering = ["-asked_at"]
        indexes = [models.Index(fields=["establishment", "-asked_at"])]
        constraints = [
            models.UniqueConstraint(
                fields=["establishment"], condition=Q(state="running"), name="one_regrade_at_a_time"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.asked_at:%Y-%m-%d %H:%M} {self.state}"


class RegradeDifference(models.Model):
    """One thing that is not as the rules have it; players' names are tokens."""

    pk = models.CompositePrimaryKey("establishment_id", "regrade", "seq")
    establishment = models.ForeignKey(
        "establishments.Establishment", on_delete=models.PROTECT, db_index=False
    )
    regrade = models.UUIDField()
    seq = models.PositiveIntegerField()
    game = models.UUIDField(null=True)
    told = models.JSONField()

    class Meta:
        ordering = ["seq"]

    def __str__(self) -> str:
        return f"{self.regrade} {self.seq}"
