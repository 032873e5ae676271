"""
Rows of requests and of the exception report. They can be deleted and rebuilt from the house's
events.
"""

from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy

from casino.house.establishments.columns import AmountField
from ledger.entries import NAME_MAX

TOKEN_MAX = 66  # characters of the token that stands for a text
KIND_MAX = 60
ABOUT_MAX = 80


class RequestRow(models.Model):
    """
    A request for approval of any kind, and its outcome.

    People are attendant ids, texts are tokens. A request to void is kept by its game and not in a
    stream of its own: its `subject` says which game, and which event of it asked.
    """

    class State(models.TextChoices):
        WAITING = "waiting", gettext_lazy("waiting")
        APPROVED = "approved", gettext_lazy("approved")
        REJECTED = "rejected", gettext_lazy("rejected")
        WITHDRAWN = "withdrawn", gettext_lazy("withdrawn")
        ALONE = "alone", gettext_lazy("done alone")
        OVERTAKEN = "overtaken", gettext_lazy("overtaken")
        """A request to void whose events were voided by another request."""

    pk = models.CompositePrimaryKey("establishment_id", "id")
    establishment = models.ForeignKey(
        "establishments.Establishment", on_delete=models.PROTECT, db_index=False
    )
    id = models.UUIDField()
    kind = models.CharField(max_length=KIND_MAX)
    subject = models.JSONField()
    reason = models.CharField(max_length=TOKEN_MAX)
    amount = AmountField(null=True)
    beneficiaries = models.JSONField(default=list)
    asked_by = models.CharField(max_length=NAME_MAX)
    asked_at = models.DateTimeField()
    gaming_day = models.DateField()
    position = models.BigIntegerField()
    """The position in the house's ledger of the event that asked."""
    game = models.UUIDField(null=True)
    """The game of a request to void; None for other kinds."""
    state = models.CharField(max_length=16, choices=State.choices, default=State.WAITING)
    open = models.BooleanField(default=True)
    """Whether somebody has yet to answer the request, or to review what was done alone."""
    decided_by = models.CharField(max_length=NAME_MAX, default="")
    decided_at = models.DateTimeField(null=True)
    decided_position = models.BigIntegerField(null=True)
    decision = models.CharField(max_length=TOKEN_MAX, default="")
    reviewed_by = models.CharField(max_length=NAME_MAX, default="")
    reviewed_at = models.DateTimeField(null=True)
    review = models.CharField(max_length=TOKEN_MAX, default="")
    in_order = models.BooleanField(null=True)
    """Whether the reviewer found an act that was done alone in order."""

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["establishment", "position"], name="approvals_request_position"
            ),
        ]
        indexes: ClassVar = [
            models.Index(fields=["establishment", "open", "position"], name="approvals_open"),
            models.Index(
                fields=["establishment", "decided_position"],
                condition=Q(decided_position__isnull=False),
                name="approvals_decided",
            ),
            models.Index(
                fields=["establishment", "game"],
                condition=Q(game__isnull=False),
                name="approvals_of_game",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.id}, {self.state}"


class ExceptionRow(models.Model):
    """
    A line of the exception report (C2): something out of the ordinary, which may be in order or
    not.

    `before` is the position of what it is about: the request that was decided, or the first event
    that a void cancelled. The event of a change of configuration itself holds both before and
    after.
    """

    class What(models.TextChoices):
        APPROVAL = "approval", "Approval"
        REJECTION = "rejection", "Rejection"
        WITHDRAWAL = "withdrawal", "Request withdrawn"
        ALONE = "alone", "Done alone"
        REVIEW = "review", "Review"
        VOID = "void", "Void"
        CONFIGURATION = "configuration", "Change of configuration"
        ADJUSTMENT = "adjustment", "Adjustment"
        PAYOUTS = "payouts", "Payouts stopped or resumed"
        OVER_SHORT = "over_short", "Count over or short"
        OVERRIDE = "override", "Override"
        DEVICE = "device", "Recording device"
        ALARM = "alarm", "Alarm acknowledged"

    pk = models.CompositePrimaryKey("establishment_id", "position")
    establishment = models.ForeignKey(
        "establishments.Establishment", on_delete=models.PROTECT, db_index=False
    )
    position = models.BigIntegerField()
    what = models.CharField(max_length=16, choices=What.choices)
    kind = models.CharField(max_length=KIND_MAX)
    """The kind of the request, or of the thing that changed."""
    about = models.CharField(max_length=ABOUT_MAX, default="")
    """Which thing of its kind, as in its page's address: a gaming day, a dispute's number."""
    amount = AmountField(null=True)
    """Whole coins; for a count the surplus, or below 0 the shortage."""
    stream = models.CharField(max_length=NAME_MAX)
    stream_version = models.BigIntegerField()
    event_type = models.CharField(max_length=NAME_MAX)
    actor = models.CharField(max_length=NAME_MAX)
    asked_by = models.CharField(max_length=NAME_MAX, default="")
    reason = models.CharField(max_length=TOKEN_MAX, default="")
    before = models.BigIntegerField(null=True)
    occurred_at = models.DateTimeField()
    recorded_at = models.DateTimeField()
    gaming_day = models.DateField()

    class Meta:
        indexes: ClassVar = [
            models.Index(
                fields=["establishment", "gaming_day", "position"], name="approvals_exception_day"
            ),
            models.Index(
                fields=["establishment", "what", "position"], name="approvals_exception_what"
            ),
            models.Index(
                fields=["establishment", "actor", "position"], name="approvals_exception_actor"
            ),
            models.Index(
                fields=["establishment", "asked_by", "position"], name="approvals_exception_asker"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.position} {self.what} {self.kind}"
