"""What was asked of the past, and what it came to: kept for a while, and no part of the books."""

from __future__ import annotations

from typing import Any, ClassVar

from django.db import models

from casino.jobs.models import Finding, Job, Own


class WhatIf(Job):
    """One period played again under a change, on its way through the ledger or done."""

    KIND: ClassVar[str] = "what_if"
    DONE_BY: ClassVar[str] = "casino.what_if.runs.WHAT_IF"

    change: Own[dict[str, Any]] = Own("parameters", "change", {})
    """Players are tokens."""
    rollovers: Own[list[Any]] = Own("cursor", "rollovers", [])
    """What waits for the next game, otherwise."""

    class Meta:
        proxy = True


class WhatIfGame(Finding):
    """One game that would have been otherwise, or that cannot be decided again."""

    game = models.UUIDField()
    undecided = models.BooleanField()
