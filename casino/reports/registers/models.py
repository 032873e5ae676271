"""
Reports that a worker has prepared: the bytes of the files, and what they were made from.

No subscriber rebuilds these rows: a file is the evidence of what was printed.
"""

from __future__ import annotations

from typing import ClassVar

from django.db import models

from casino.kit.web.jobs.models import Job, JsonValue


class Preparation(Job):
    """The job that prepares one report of some days as of a position."""

    KIND: ClassVar[str] = "report"
    KIND_PATH: ClassVar[str] = "casino.reports.registers.preparing.PREPARATION"

    report: JsonValue[str] = JsonValue("parameters", "report", "")
    through: JsonValue[int] = JsonValue("parameters", "through", -1)
    """The ledger position as of which the report is."""
    chosen: JsonValue[dict[str, str]] = JsonValue("parameters", "chosen", {})
    """The values of the report's filters."""
    request_hash: JsonValue[str] = JsonValue("parameters", "request_hash", "")
    """The hash of the command that a program sent."""
    lines: JsonValue[int | None] = JsonValue("parameters", "lines", None)
    """About how many lines each file will have; None: not known."""
    written: JsonValue[int] = JsonValue("cursor", "written", 0)
    """The number of lines written to the file that is being made."""

    class Meta:
        proxy = True


class PreparedFile(models.Model):
    """A prepared report in one format. If a player's name is erased, the bytes are deleted."""

    pk = models.CompositePrimaryKey("establishment_id", "job", "format")
    establishment = models.ForeignKey(
        "establishments.Establishment", on_delete=models.PROTECT, db_index=False
    )
    job = models.UUIDField()
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
