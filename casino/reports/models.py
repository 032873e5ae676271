"""
Reports that a worker has prepared, and keeps: the very bytes, and what they were made of.

No follower makes them anew: what was printed is evidence of what was printed.
"""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q

from ledger.ids import uuid7


class Preparation(models.Model):
    """One report of some days through a position, on its way or done."""

    class State(models.TextChoices):
        RUNNING = "running", "On its way"
        DONE = "done", "Ready"
        STOPPED = "stopped", "Stopped"
        FAILED = "failed", "Not done"

    class Occasion(models.TextChoices):
        DAY = "day", "A gaming day was closed"
        ASKED = "asked", "On demand"

    pk = models.CompositePrimaryKey("establishment_id", "id")
    id = models.UUIDField(default=uuid7, editable=False)
    establishment = models.ForeignKey(
        "establishments.Establishment", on_delete=models.PROTECT, db_index=False
    )
    report = models.CharField(max_length=40)
    occasion = models.CharField(max_length=5, choices=Occasion.choices)
    day = models.DateField(null=True, help_text="The gaming day that was closed.")
    since = models.DateField()
    until = models.DateField()
    through = models.BigIntegerField(help_text="The ledger position as of which it is told.")
    chosen = models.JSONField(default=dict, help_text="What it is narrowed to.")
    asked_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+",
        help_text="Empty: the house itself, when the day was closed.",
    )  # fmt: skip
    asked_at = models.DateTimeField()
    request_hash = models.CharField(
        max_length=64, blank=True, default="", help_text="Of what a program's command asked for."
    )
    state = models.CharField(max_length=7, choices=State.choices, default=State.RUNNING)
    step = models.PositiveSmallIntegerField(default=0, help_text="How many of its files are made.")
    attempt = models.PositiveIntegerField(
        default=0, help_text="How often it was begun anew; whoever works on an earlier one stops."
    )
    lines = models.PositiveBigIntegerField(null=True, help_text="About how many there will be.")
    written = models.PositiveBigIntegerField(default=0, help_text="Of the file that is made now.")
    worked_at = models.DateTimeField(help_text="When it last came on.")
    finished_at = models.DateTimeField(null=True)
    reason = models.CharField(max_length=200, blank=True, help_text="Why it was not done.")

    class Meta:
        ordering = ["-asked_at"]
        indexes = [
            models.Index(fields=["establishment", "-asked_at"], name="reports_newest"),
            models.Index(fields=["state", "worked_at"], name="reports_resting"),
        ]
        constraints = [
            models.UniqueConstraint(
                fields=["establishment", "report", "day"],
                condition=Q(occasion="day"),
                name="a_report_of_a_day_is_prepared_once",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.report} {self.since} {self.state}"


class PreparedFile(models.Model):
    """A prepared report in one form. Its bytes go when a player's name in it is erased."""

    pk = models.CompositePrimaryKey("establishment_id", "preparation", "format")
    establishment = models.ForeignKey(
        "establishments.Establishment", on_delete=models.PROTECT, db_index=False
    )
    preparation = models.UUIDField()
    format = models.CharField(max_length=8)
    name = models.CharField(max_length=100)
    sha256 = models.CharField(max_length=64, blank=True)
    size = models.PositiveBigIntegerField(default=0, help_text="Bytes.")
    content = models.BinaryField(default=b"")
    made_at = models.DateTimeField()
    refused = models.CharField(
        max_length=300, blank=True, help_text="Why there is none in this form."
    )
    dropped_at = models.DateTimeField(
        null=True, help_text="When its bytes went, with a name that was erased."
    )
    earlier = models.JSONField(
        default=list, help_text="SHA-256 and time of what it was before a name was erased."
    )

    class Meta:
        ordering = ["format"]

    def __str__(self) -> str:
        return self.name
