"""Rows of gaming days and late entries; they can be deleted and rebuilt from events."""

from __future__ import annotations

from typing import ClassVar

from django.db import models

from casino.house.establishments.columns import AmountField
from ledger.entries import NAME_MAX


class GamingDay(models.Model):
    """A gaming day of a house, with its state and main totals (B4). The ledger has all figures."""

    class State(models.TextChoices):
        OPEN = "open", "Open"
        CLOSING = "closing", "Being closed"
        CLOSED = "closed", "Closed"

    pk = models.CompositePrimaryKey("establishment_id", "day")
    establishment = models.ForeignKey(
        "establishments.Establishment", on_delete=models.PROTECT, db_index=False
    )
    day = models.DateField()
    state = models.CharField(max_length=8, choices=State.choices, default=State.OPEN)
    opened_at = models.DateTimeField()
    closing_at = models.DateTimeField(null=True)
    closing_position = models.PositiveBigIntegerField(null=True)
    by = models.CharField(
        max_length=NAME_MAX, default="", help_text="An attendant's id, or the program."
    )
    closed_at = models.DateTimeField(null=True)
    closed_position = models.PositiveBigIntegerField(
        null=True, help_text="Of the event that says what the day came to."
    )
    signed_by = models.CharField(max_length=NAME_MAX, default="")
    signed_at = models.DateTimeField(null=True)
    rounds = models.IntegerField(null=True)
    staked = AmountField(null=True)
    paid = AmountField(null=True)
    fees = AmountField(null=True)
    over_short = AmountField(null=True)

    class Meta:
        ordering: ClassVar = ["-day"]
        indexes: ClassVar = [
            # What the watch over all houses reads: days that are not closed are few.
            models.Index(
                fields=["establishment", "day"],
                condition=~models.Q(state="closed"),
                name="days_not_closed",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.day}"


class LateEntry(models.Model):
    """An entry whose time at the table differs from the time of recording (B4, E3, E5)."""

    class Kind(models.TextChoices):
        LATE = "late", "Happened on an earlier gaming day"
        BOOKED = "booked", "Booked after its gaming day was closed"
        SKEW = "skew", "Clocks more than 5 s apart"

    pk = models.CompositePrimaryKey("establishment_id", "position")
    establishment = models.ForeignKey(
        "establishments.Establishment", on_delete=models.PROTECT, db_index=False
    )
    position = models.PositiveBigIntegerField()
    kind = models.CharField(max_length=8, choices=Kind.choices)
    gaming_day = models.DateField(help_text="The day it is on record for.")
    meant_for = models.DateField(help_text="The day it happened on.")
    occurred_at = models.DateTimeField()
    recorded_at = models.DateTimeField()
    seconds = models.BigIntegerField(help_text="How much later it was recorded; below 0: sooner.")
    stream = models.CharField(max_length=NAME_MAX)
    event_type = models.CharField(max_length=NAME_MAX)
    actor = models.CharField(max_length=NAME_MAX)
    device = models.CharField(max_length=NAME_MAX)

    class Meta:
        ordering: ClassVar = ["-position"]
        indexes: ClassVar = [
            models.Index(
                fields=["establishment", "gaming_day", "-position"], name="days_late_of_day"
            ),
            models.Index(fields=["establishment", "kind", "-position"], name="days_late_of_kind"),
            models.Index(fields=["establishment", "actor", "-position"], name="days_late_of_actor"),
        ]

    def __str__(self) -> str:
        return f"{self.position} {self.kind}"
