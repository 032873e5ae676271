"""Rows of game cards and figures for screens; `projections` can delete and rebuild them."""

from __future__ import annotations

from django.db import models

from casino.engine.databases.house_keys import KeyWithinHouse
from casino.engine.databases.house_rows import OfHouse
from casino.house.establishments.columns import AmountField
from casino.play.core.round_models import (  # noqa: F401 - tables of this app: Django looks here
    GameSpan,
    RoundRow,
)


class GameCard(OfHouse):
    """A game card: the row of one game in lists."""

    class Status(models.TextChoices):
        OPEN = "open", "Running"
        CLOSED = "closed", "Closed"

    game = models.UUIDField(primary_key=True)
    establishment = models.ForeignKey(
        "establishments.Establishment", on_delete=models.PROTECT, db_index=False
    )
    table = KeyWithinHouse("establishments.Table", on_delete=models.PROTECT)
    ruleset = models.CharField(max_length=32)
    status = models.CharField(max_length=8, choices=Status.choices)
    opened_at = models.DateTimeField()
    gaming_day = models.DateField()
    changed_at = models.DateTimeField()
    players = models.PositiveIntegerField()
    round = models.PositiveIntegerField()
    pot = AmountField()
    version = models.PositiveIntegerField(help_text="Events of the game that this card counts.")

    class Meta:
        ordering = ["-opened_at", "-game"]
        indexes = [
            models.Index(fields=["establishment", "status", "-opened_at"]),
            models.Index(fields=["establishment", "-opened_at", "-game"]),
        ]

    def __str__(self) -> str:
        return f"{self.ruleset} at {self.table}"


class DayFigures(models.Model):
    """The figures of a gaming day so far; money in the house's smallest coin."""

    pk = models.CompositePrimaryKey("establishment_id", "gaming_day")
    establishment = models.ForeignKey(
        "establishments.Establishment", on_delete=models.PROTECT, db_index=False
    )
    gaming_day = models.DateField()
    games = models.PositiveIntegerField(default=0)
    rounds = models.PositiveIntegerField(default=0)
    throws = models.PositiveIntegerField(default=0)
    voids = models.PositiveIntegerField(default=0)
    bought_in = AmountField(default=0)
    staked = AmountField(default=0, help_text="Paid by players into pots.")
    paid = AmountField(default=0, help_text="Paid by pots to players.")
    fees = AmountField(default=0)

    def __str__(self) -> str:
        return f"{self.gaming_day}"


class QuarterFigures(models.Model):
    """
    What a quarter of an hour adds to the figures of its gaming day, in the house's smallest coin.

    `begins` is at a full quarter of an hour of the clock. What settlement books counts in the
    quarter in which it was booked. The quarters of a day sum up to its `DayFigures`.
    """

    pk = models.CompositePrimaryKey("establishment_id", "gaming_day", "begins")
    establishment = models.ForeignKey(
        "establishments.Establishment", on_delete=models.PROTECT, db_index=False
    )
    gaming_day = models.DateField()
    begins = models.DateTimeField()
    rounds = models.IntegerField(default=0)
    bought_in = AmountField(default=0)
    staked = AmountField(default=0)
    paid = AmountField(default=0)
    fees = AmountField(default=0)

    def __str__(self) -> str:
        return f"{self.begins}"
