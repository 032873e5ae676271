"""Rows of disputes, and of who sat in which game: disposable, rebuilt from events."""

from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.db.models import Q

from casino.engine.databases.house_keys import KeyWithinHouse
from ledger.entries import NAME_MAX

TOKEN_MAX = 66  # characters of a token that stands for a text


class DisputeRow(models.Model):
    """A dispute (C3); `number` is the number of the event of the game that raised it."""

    class Outcome(models.TextChoices):
        OPEN = "", "Open"
        STANDS = "stands", "It stands"
        VOIDED = "voided", "Voided"
        ADJUSTED = "adjusted", "To be adjusted"

    pk = models.CompositePrimaryKey("establishment_id", "position")
    establishment = models.ForeignKey(
        "establishments.Establishment", on_delete=models.PROTECT, db_index=False
    )
    position = models.PositiveBigIntegerField(help_text="Of the event that raised it.")
    game = models.UUIDField()
    number = models.PositiveIntegerField()
    table = KeyWithinHouse("establishments.Table", on_delete=models.PROTECT, db_index=False)
    ruleset = models.CharField(max_length=32)
    round = models.PositiveIntegerField()
    first = models.PositiveIntegerField(help_text="Event of the game with which it may be voided.")
    cause = models.PositiveIntegerField(null=True, help_text="Of one payout; empty: of the round.")
    seq = models.PositiveIntegerField(null=True)
    reason = models.CharField(max_length=TOKEN_MAX)
    raised_by = models.CharField(max_length=NAME_MAX)
    raised_at = models.DateTimeField()
    occurred_at = models.DateTimeField(help_text="At the table.")
    gaming_day = models.DateField()
    voided_position = models.PositiveBigIntegerField(
        null=True, help_text="Of the void that cancelled what it is about, if one did."
    )
    outcome = models.CharField(
        max_length=8, choices=Outcome.choices, default=Outcome.OPEN, blank=True
    )
    decided_by = models.CharField(max_length=NAME_MAX, default="")
    decided_at = models.DateTimeField(null=True)
    decided_position = models.PositiveBigIntegerField(null=True)
    decision = models.CharField(max_length=TOKEN_MAX, default="")

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["establishment", "game", "number"], name="disputes_one_of_a_number"
            ),
            models.CheckConstraint(
                condition=Q(outcome="", decided_position__isnull=True)
                | (~Q(outcome="") & Q(decided_position__isnull=False)),
                name="disputes_decided_or_open",
            ),
        ]
        indexes: ClassVar = [
            models.Index(
                fields=["establishment", "position"],
                condition=Q(outcome=""),
                name="disputes_open",
            ),
            models.Index(
                fields=["establishment", "gaming_day", "position"], name="disputes_by_day"
            ),
            models.Index(fields=["establishment", "table", "position"], name="disputes_by_table"),
        ]

    def __str__(self) -> str:
        return f"{self.game} {self.number}"

    @property
    def payout(self) -> str:
        """The disputed payout as event and payment, ``12.0``; empty if it is the whole round."""
        return "" if self.cause is None else f"{self.cause}.{self.seq}"

    @property
    def is_open(self) -> bool:
        return self.outcome == self.Outcome.OPEN


class Seated(models.Model):
    """A player who sat in a game; used to find rounds by player."""

    pk = models.CompositePrimaryKey("establishment_id", "player", "position")
    establishment = models.ForeignKey(
        "establishments.Establishment", on_delete=models.PROTECT, db_index=False
    )
    player = models.CharField(max_length=16)
    position = models.PositiveBigIntegerField(help_text="Of the event that opened the game.")
    game = models.UUIDField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["establishment", "game", "player"], name="disputes_seated_once"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.player} in {self.game}"
