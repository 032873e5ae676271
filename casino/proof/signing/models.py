"""Models: verifications of a house's records, their findings, copies outside, signing trouble."""

from __future__ import annotations

from typing import Any, ClassVar

from django.db import models

from casino.kit.web.jobs.models import Finding, Job, JsonValue


class Verification(Job):
    """One verification of a house's records, running or done (E2)."""

    KIND: ClassVar[str] = "verification"
    KIND_PATH: ClassVar[str] = "casino.proof.verification.runs.VERIFICATION"

    class State(models.TextChoices):
        RUNNING = "running", "On its way"
        SOUND = "sound", "Nothing wrong"
        BROKEN = "broken", "Something is wrong"
        BEHIND = "behind", "Behind what others have"
        FAILED = "failed", "Not done"

    receipts: JsonValue[int] = JsonValue("parameters", "receipts", 0)
    """How many answers to commands there were when the verification was begun."""
    stage: JsonValue[str] = JsonValue("cursor", "stage", "")
    """The stage that is being checked."""
    at: JsonValue[dict[str, Any]] = JsonValue("cursor", "at", {})
    """The place within the stage from which the verification continues."""
    not_compared: JsonValue[list[str]] = JsonValue("figures", "not_compared", [])
    """The games whose package was missing, so that their rows were left out."""

    class Meta:
        proxy = True

    @property
    def findings(self) -> int:
        return self.found


class VerificationFinding(Finding):
    """One thing that contradicts the hashes, the signatures or the bodies."""


class OutsideCopy(models.Model):
    """The newest checkpoint of a house at a destination outside, and why it has no newer one."""

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
    """Why nothing is signed for a house at the moment; no row if nothing prevents signing."""

    class Kind(models.TextChoices):
        NO_KEY = "no_key", "No key"
        BEHIND = "behind", "Behind a published checkpoint"
        BROKEN = "broken", "Not what was signed"

    establishment = models.OneToOneField(
        "establishments.Establishment", primary_key=True, on_delete=models.PROTECT
    )
    kind = models.CharField(max_length=6, choices=Kind.choices)
    message = models.CharField(max_length=700)
    since = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.kind}: {self.message}"
