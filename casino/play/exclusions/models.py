"""Rows of exclusions, refused seats (P1) and limits: disposable, rebuilt by `projections`."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy

from casino.house.establishments.columns import PositiveAmountField


class Exclusion(models.Model):
    """An exclusion of a player, by player id, from one gaming day to another (P1)."""

    pk = models.CompositePrimaryKey("establishment_id", "position")
    establishment = models.ForeignKey(
        "establishments.Establishment", on_delete=models.PROTECT, db_index=False
    )
    position = models.PositiveBigIntegerField(help_text="Of the event that excluded them.")
    player = models.CharField(max_length=16)
    since = models.DateField(help_text="The first gaming day.")
    until = models.DateField(null=True, help_text="The last gaming day; empty: until readmitted.")
    reason = models.CharField(max_length=66)
    by = models.CharField(max_length=200)
    at = models.DateTimeField()
    lifted_at = models.DateTimeField(null=True)
    lifted_by = models.CharField(max_length=200, default="")
    lifted_because = models.CharField(max_length=66, default="")

    class Meta:
        ordering = ["-position"]
        indexes = [models.Index(fields=["establishment", "player"])]

    def __str__(self) -> str:
        return f"{self.player} from {self.since}"


class SeatRefused(models.Model):
    """A try to seat somebody who is excluded, or whose name reads like theirs (P1)."""

    pk = models.CompositePrimaryKey("establishment_id", "position", "player")
    establishment = models.ForeignKey(
        "establishments.Establishment", on_delete=models.PROTECT, db_index=False
    )
    position = models.PositiveBigIntegerField()
    player = models.CharField(max_length=16, help_text="Who is excluded.")
    named = models.CharField(
        max_length=16, help_text="Whose name was typed: theirs, or one that reads like it."
    )
    game = models.UUIDField(null=True)
    table = models.CharField(max_length=36, default="")
    by = models.CharField(max_length=200)
    at = models.DateTimeField()
    gaming_day = models.DateField()

    class Meta:
        ordering = ["-position", "player"]

    def __str__(self) -> str:
        return f"{self.player} at {self.at}"


class PlayerLimit(models.Model):
    """How much a player may pay in on a day, in a week or in a month, now and from a moment on."""

    class Span(models.TextChoices):
        DAY = "day", gettext_lazy("on a gaming day")
        WEEK = "week", gettext_lazy("in a week")
        MONTH = "month", gettext_lazy("in a month")

    pk = models.CompositePrimaryKey("establishment_id", "player", "span")
    establishment = models.ForeignKey(
        "establishments.Establishment", on_delete=models.PROTECT, db_index=False
    )
    player = models.CharField(max_length=16)
    span = models.CharField(max_length=8, choices=Span)
    most = PositiveAmountField(null=True, help_text="Null: any amount.")
    then = PositiveAmountField(null=True, help_text="From `since` on; null: any amount.")
    since = models.DateTimeField(null=True, help_text="Null: nothing is to change.")
    position = models.PositiveBigIntegerField(help_text="Of the event that set it.")
    by = models.CharField(max_length=200)
    at = models.DateTimeField()

    class Meta:
        ordering = ["-position", "player", "span"]

    def __str__(self) -> str:
        return f"{self.player}: {self.most} {self.span}"
