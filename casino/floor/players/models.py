"""
Rows about players' cash, prizes and waits. They can be deleted; only projections.py writes them.

The rows contain tokens and no names.
"""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy

from casino.house.establishments.columns import AmountField, PositiveAmountField


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


class Wait(models.Model):
    """An entry of the waiting list, and what became of it (`casino.floor.players.waiting`)."""

    class End(models.TextChoices):
        SEATED = "seated", gettext_lazy("seated")
        GONE = "gone", gettext_lazy("gone")
        OFF = "off", gettext_lazy("taken off the list")

    pk = models.CompositePrimaryKey("establishment_id", "entry")
    establishment = models.ForeignKey(
        "establishments.Establishment", on_delete=models.PROTECT, db_index=False
    )
    entry = models.UUIDField(help_text="The command that entered them.")
    player = models.CharField(max_length=16)
    game = models.CharField(max_length=32, help_text="Ruleset id.")
    since = models.DateTimeField()
    gaming_day = models.DateField()
    ahead = models.PositiveIntegerField(help_text="How many waited for the game before them.")
    calls = models.PositiveIntegerField(default=0)
    gone_at = models.DateTimeField(help_text="When they count as gone, unless they are seated.")
    ended_at = models.DateTimeField(null=True)
    end = models.CharField(max_length=8, choices=End, default="")

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["establishment", "player", "game"],
                condition=models.Q(ended_at__isnull=True),
                name="one_wait_of_a_player_and_game",
            ),
        ]
        indexes = [
            models.Index(
                fields=["establishment", "game", "end", "-ended_at"], name="waits_that_ended"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.player} for {self.game}"
