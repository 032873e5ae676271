"""What was asked of the past, and what it came to: kept for a while, and no part of the books."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from ledger.ids import uuid7


class WhatIf(models.Model):
    """One period played again under a change, on its way through the ledger or done."""

    class State(models.TextChoices):
        RUNNING = "running", _("on its way")
        DONE = "done", _("done")
        STOPPED = "stopped", _("stopped")
        FAILED = "failed", _("not done")

    pk = models.CompositePrimaryKey("establishment_id", "id")
    id = models.UUIDField(default=uuid7, editable=False)
    establishment = models.ForeignKey(
        "establishments.Establishment", on_delete=models.PROTECT, db_index=False
    )
    asked_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+"
    )
    asked_at = models.DateTimeField()
    since = models.DateField(null=True, help_text="First gaming day; empty: from the beginning.")
    until = models.DateField(null=True, help_text="Last gaming day; empty: up to now.")
    change = models.JSONField(help_text="Players are tokens.")
    state = models.CharField(max_length=7, choices=State.choices, default=State.RUNNING)
    start = models.PositiveBigIntegerField(help_text="The first ledger position of the period.")
    stop = models.PositiveBigIntegerField(help_text="The position behind the last.")
    reached = models.PositiveBigIntegerField(help_text="The next position to be read.")
    worked_at = models.DateTimeField(help_text="When it last came on.")
    finished_at = models.DateTimeField(null=True)
    sums = models.JSONField(default=dict)
    rollovers = models.JSONField(default=list, help_text="What waits for the next game, otherwise.")
    told = models.PositiveBigIntegerField(default=0, help_text="Games that differ, or may.")
    reason = models.CharField(max_length=200, blank=True, help_text="Why it was not done.")

    class Meta:
        ordering = ["-asked_at"]
        indexes = [models.Index(fields=["establishment", "-asked_at"])]
        constraints = [
            models.UniqueConstraint(
                fields=["establishment"], condition=Q(state="running"), name="one_what_if_at_a_time"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.asked_at:%Y-%m-%d %H:%M} {self.state}"


class WhatIfGame(models.Model):
    """One game that would have been otherwise, or that cannot be decided again."""

    pk = models.CompositePrimaryKey("establishment_id", "what_if", "seq")
    establishment = models.ForeignKey(
        "establishments.Establishment", on_delete=models.PROTECT, db_index=False
    )
    what_if = models.UUIDField()
    seq = models.PositiveIntegerField()
    game = models.UUIDField()
    undecided = models.BooleanField()
    told = models.JSONField()

    class Meta:
        ordering = ["seq"]

    def __str__(self) -> str:
        return f"{self.what_if} {self.seq}"
