"""
Rows about accounts: balance snapshots, slips of the cage, fee boxes by day, tips, what is owed.

The rows can be deleted and made again from events. Amounts are whole coins.
"""

from __future__ import annotations

from django.db import models

from casino.house.establishments.columns import AmountField, PositiveAmountField


class BalanceMark(models.Model):
    """
    A balance snapshot: the debits and credits of an account up to and including a position.

    With `name` "" the row is the sum of all accounts of the kind. With `kind` "" it belongs to no
    account: it says that all snapshots through the position have been written.
    """

    pk = models.CompositePrimaryKey("establishment_id", "kind", "name", "position")
    establishment = models.ForeignKey(
        "establishments.Establishment", on_delete=models.PROTECT, db_index=False
    )
    kind = models.CharField(max_length=20)
    name = models.CharField(max_length=200)
    position = models.PositiveBigIntegerField()
    debits = AmountField(default=0)
    credits = AmountField(default=0)

    class Meta:
        indexes = [models.Index(fields=["establishment", "position"])]

    def __str__(self) -> str:
        return f"{self.kind}:{self.name} through {self.position}"


class CageSlip(models.Model):
    """
    A numbered movement of cash between the cage and the house's bank; each takes two people (C1).

    The numbers have no gaps.
    """

    class Way(models.TextChoices):
        BROUGHT = "capital", "Brought into the cage"
        TAKEN = "to_bank", "Taken to the bank"

    pk = models.CompositePrimaryKey("establishment_id", "number")
    establishment = models.ForeignKey(
        "establishments.Establishment", on_delete=models.PROTECT, db_index=False
    )
    number = models.PositiveBigIntegerField()
    way = models.CharField(max_length=8, choices=Way.choices)
    amount = PositiveAmountField()
    reason = models.CharField(max_length=66)
    asked_by = models.CharField(max_length=200)
    approved_by = models.CharField(max_length=200, default="")
    at = models.DateTimeField()
    gaming_day = models.DateField()
    position = models.PositiveBigIntegerField()

    class Meta:
        ordering = ["-number"]

    def __str__(self) -> str:
        return f"{self.number}"


class FeeDay(models.Model):
    """
    The fee box of a table over a gaming day (A5).

    `taken` is what settlement put into the box, less what voids took back. `counted` is what two
    people found and moved to the cage. `over_short` is the difference between those counts and the
    ledger.
    """

    pk = models.CompositePrimaryKey("establishment_id", "gaming_day", "table")
    establishment = models.ForeignKey(
        "establishments.Establishment", on_delete=models.PROTECT, db_index=False
    )
    gaming_day = models.DateField()
    table = models.UUIDField()
    taken = AmountField(default=0)
    expected = AmountField(default=0, help_text="What the book had when it was counted.")
    counted = AmountField(default=0)
    over_short = AmountField(default=0)
    counts = models.PositiveIntegerField(default=0)
    counted_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"{self.table} on {self.gaming_day}"


class Tip(models.Model):
    """A tip that a player gave an attendant, kept apart from all other money (P4)."""

    pk = models.CompositePrimaryKey("establishment_id", "position")
    establishment = models.ForeignKey(
        "establishments.Establishment", on_delete=models.PROTECT, db_index=False
    )
    position = models.PositiveBigIntegerField()
    table = models.UUIDField()
    attendant = models.UUIDField()
    amount = AmountField(help_text="Below zero: paid out.")
    at = models.DateTimeField()
    gaming_day = models.DateField()
    by = models.CharField(max_length=200)

    class Meta:
        ordering = ["-position"]
        indexes = [models.Index(fields=["establishment", "gaming_day"])]

    def __str__(self) -> str:
        return f"{self.amount} for {self.attendant}"


class Owed(models.Model):
    """What the house owes players in one account. A row is deleted once nothing is owed (P3)."""

    pk = models.CompositePrimaryKey("establishment_id", "kind", "name")
    establishment = models.ForeignKey(
        "establishments.Establishment", on_delete=models.PROTECT, db_index=False
    )
    kind = models.CharField(max_length=20, help_text="Of the account in the ledger.")
    name = models.CharField(max_length=200)
    player = models.CharField(max_length=16, default="", help_text='"" where it is shared.')
    game = models.UUIDField(null=True)
    amount = AmountField()
    changed_at = models.DateTimeField(help_text="When money moved there last: its age counts so.")
    gaming_day = models.DateField()

    class Meta:
        ordering = ["changed_at", "kind", "name"]
        indexes = [
            models.Index(fields=["establishment", "player"]),
            models.Index(fields=["establishment", "changed_at"]),
        ]

    def __str__(self) -> str:
        return f"{self.amount} on {self.kind}:{self.name}"
