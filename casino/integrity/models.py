"""Checks of a house's records that were made, what they found, and what was copied outside."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy

from ledger.ids import uuid7


class Verification(models.Model):
    """One check of a house's records, on its way through the ledger or done (E2)."""

    class State(models.TextChoices):
        RUNNING = "running", "On its way"
        SOUND = "sound", "Nothing wrong"
        BROKEN = "broken", "Something is wrong"
        BEHIND = "behind", "Behind what others have"
        FAILED = "failed", "Not done"

    class Occasion(models.TextChoices):
        START = "start", gettext_lazy("At start")
        NIGHT = "night", gettext_lazy("Each night")
        ASKED = "asked", gettext_lazy("On demand")
        SIGN = "sign", gettext_lazy("Before signing")
        EPOCH = "epoch", gettext_lazy("After a restore")

    pk = models.CompositePrimaryKey("establishment_id", "id")
    id = models.UUIDField(default=uuid7, editable=False)
    establishment = models.ForeignKey(
        "establishments.Establishment", on_delete=models.PROTECT, db_index=False
    )
    occasion = models.CharField(max_length=5, choices=Occasion.choices)
    asked_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+",
        help_text="Empty: the house itself, at start and at night.",
    )  # fmt: skip
    asked_at = models.DateTimeField()
    night = models.DateField(null=True, help_text="The gaming day after which it was due.")
    since = models.PositiveBigIntegerField(help_text="The first ledger position of it.")
    stop = models.PositiveBigIntegerField(help_text="The position behind the last.")
    reached = models.PositiveBigIntegerField(help_text="The next position to be checked.")
    stage = models.CharField(max_length=20, help_text="What is being checked.")
    place = models.JSONField(default=dict, help_text="Where within the stage it has come to.")
    state = models.CharField(max_length=7, choices=State.choices, default=State.RUNNING)
    worked_at = models.DateTimeField(help_text="When it last came on.")
    finished_at = models.DateTimeField(null=True)
    findings = models.PositiveBigIntegerField(default=0)
    reason = models.CharField(max_length=200, blank=True, help_text="Why it was not done.")

    class Meta:
        ordering = ["-asked_at"]
        indexes = [models.Index(fields=["establishment", "-asked_at"])]
        constraints = [
            models.UniqueConstraint(
                fields=["establishment"],
                condition=Q(state="running"),
                name="one_verification_at_a_time",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.asked_at:%Y-%m-%d %H:%M} {self.state}"


class VerificationFinding(models.Model):
    """One thing that is not as the hashes, the signatures or the bodies have it."""

    pk = models.CompositePrimaryKey("establishment_id", "verification", "seq")
    establishment = models.ForeignKey(
        "establishments.Establishment", on_delete=models.PROTECT, db_index=False
    )
    verification = models.UUIDField()
    seq = models.PositiveIntegerField()
    told = models.JSONField()

    class Meta:
        ordering = ["seq"]

    def __str__(self) -> str:
        return f"{self.verification} {self.seq}"


class OutsideCopy(models.Model):
    """The newest checkpoint that a place outside has of a house, or why it has none newer."""

    pk = models.CompositePrimaryKey("establishment_id", "destination")
    establishment = models.ForeignKey(
        "establishments.Establishment", on_delete=models.PROTECT, db_index=False
    )
    destination = models.CharField(max_length=200, help_text="As the settings name it.")
    epoch = models.PositiveIntegerField(default=0, help_text="0: nothing was copied yet.")
    size = models.PositiveBigIntegerField(default=0)
    copied_at = models.DateTimeField(null=True)
    error = models.CharField(max_length=200, blank=True, help_text="Of the last try.")
    failed_at = models.DateTimeField(null=True)
    tried_at = models.DateTimeField(null=True, help_text="When a worker last took it on.")
    failures = models.PositiveIntegerField(default=0, help_text="In a row.")

    def __str__(self) -> str:
        return f"{self.destination} {self.size}"


class SigningTrouble(models.Model):
    """Why nothing is signed for a house at the moment; no row where nothing is in the way."""

    class Kind(models.TextChoices):
        NO_KEY = "no_key", "No key"
        BEHIND = "behind", "Behind a published checkpoint"
        BROKEN = "broken", "Not what was signed"

    establishment = models.OneToOneField(
        "establishments.Establishment", primary_key=True, on_delete=models.PROTECT
    )
    kind = models.CharField(max_length=6, choices=Kind.choices)
    says = models.CharField(max_length=700)
    since = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.kind}: {self.says}"
