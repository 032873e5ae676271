"""What-ifs and their results: kept for a while, and not part of the ledger."""

from __future__ import annotations

from typing import Any, ClassVar

from django.db import models

from casino.kit.web.jobs.models import Finding, Job, JsonValue


class WhatIf(Job):
    """One period played again under a change, running or done."""

    KIND: ClassVar[str] = "what_if"
    KIND_PATH: ClassVar[str] = "casino.reports.what_if.runs.WHAT_IF"

    change: JsonValue[dict[str, Any]] = JsonValue("parameters", "change", {})
    """The change as JSON; players are tokens."""
    rollovers: JsonValue[list[Any]] = JsonValue("cursor", "rollovers", [])
    """The rollovers that wait for the next games under the change."""

    class Meta:
        proxy = True


class WhatIfGame(Finding):
    """One game that would have been different, or that cannot be decided again."""

    game = models.UUIDField()
    undecided = models.BooleanField()
