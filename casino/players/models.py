"""
Rows about players' cash and prizes. They can be deleted; only projections.py writes them.

The rows contain tokens and no names.
"""

from __future__ import annotations

from django.db import models

from casino.establishments.columns import AmountField, PositiveAmountField


class CashMove(models.Model):
    """Cash that a player brought or took (P2): one line of the multiple-transaction log."""

    pk = models.CompositePrimaryKey("establishment_id", "position", "seq")
    establishment = models.ForeignKey(
        "establishments.Establishment", on_delete=models.PROTECT, db_index=False
    )
    position = models.PositiveBigIntegerField()
    seq = models.PositiveIntegerField()
    player = models.CharField(max_length=16)
    gaming_day = models.DateField()
    at = models.DateTimeField()
    cash_in = AmountField(default=0, help_text="Below zero: handed back by a void.")
    cash_out = AmountField(default=0)
    reason = models.CharField(max_length=200)
    where = models.CharField(max_length=200, help_text="The cash account, as kind:name.")
    game = models.UUIDField(null=True)
    by = models.CharField(max_length=200)

    class Meta:
        ordering = ["position", "seq"]
        indexes = [
            models.Index(fields=["establishment", "gaming_day", "player"]),
            models.Index(fields=["establishment", "player", "-position"]),
        ]

    def __str__(self) -> str:
        return f"{self.player} +{self.cash_in} -{self.cash_out}"


class CashDay(models.Model):
    """The sums of a player's cash of a gaming day, in and out separately (P2)."""

    pk = models.CompositePrimaryKey("establishment_id", "gaming_day", "player")
    establishment = models.ForeignKey(
        "establishments.Establishment", on_delete=models.PROTECT, db_index=False
    )
    gaming_day = models.DateField()
    player = models.CharField(max_length=16)
    cash_in = AmountField(default=0)
    cash_out = AmountField(default=0)
    moves = models.PositiveIntegerField(default=0)

    def __str__(self) -> str:
        return f"{self.player} on {self.gaming_day}"


class PrizeToHandOut(models.Model):
    """A prize that a player has won, money or not, and whether it was handed out (P3)."""

    pk = models.CompositePrimaryKey("establishment_id", "position")
    establishment = models.ForeignKey(
        "establishments.Establishment", on_delete=models.PROTECT, db_index=False
    )
    position = models.PositiveBigIntegerField(help_text="Of the event that issued it.")
    player = models.CharField(max_length=16)
    prize = models.CharField(max_length=120)
    amount = PositiveAmountField()
    game = models.UUIDField(null=True, help_text="Null: for a place of a season.")
    issued_at = models.DateTimeField()
    gaming_day = models.DateField()
    handed_at = models.DateTimeField(null=True)
    handed_by = models.CharField(max_length=200, default="")
    handed_position = models.PositiveBigIntegerField(null=True)

    class Meta:
        ordering = ["-position"]
        indexes = [models.Index(fields=["establishment", "handed_at", "position"])]

    def __str__(self) -> str:
        return f"{self.prize} to {self.player}"
