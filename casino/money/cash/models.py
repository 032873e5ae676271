"""
Rows of the cash of tables, which can be rebuilt from events at any time; and sealed counts.

Amounts are whole coins. People are attendant ids, reasons are tokens of
`casino.house.attendants.pseudonyms`.
"""

from __future__ import annotations

from django.db import models

from casino.engine.databases.house_keys import KeyWithinHouse
from casino.house.establishments.columns import AmountField, PositiveAmountField


class SealedCount(models.Model):
    """
    One person's count, kept outside the ledger until the other person's count is entered (B1).

    Meanwhile the ledger has its salted hash: the other person cannot see the count, and nobody can
    change it.
    """

    pk = models.CompositePrimaryKey("establishment_id", "command_id")
    establishment = models.ForeignKey(
        "establishments.Establishment", on_delete=models.PROTECT, db_index=False
    )
    command_id = models.UUIDField()
    salt = models.BinaryField(max_length=16)
    sheet = models.JSONField()

    def __str__(self) -> str:
        return f"{self.command_id}"


class Inventory(models.Model):
    """
    The inventory of a float over a shift or over a gaming day: its opener and all movements.

    ``opener + fills + bought_in - cashed_out - credits - boxed + other + over_short = closer``
    """

    opener = AmountField(default=0)
    fills = AmountField(default=0)
    credits = AmountField(default=0)
    bought_in = AmountField(default=0)
    cashed_out = AmountField(default=0)
    boxed = AmountField(default=0, help_text="Fees moved into the table's fee box.")
    other = AmountField(default=0, help_text="Whatever else came in, less what left.")
    over_short = AmountField(default=0, help_text="Found more by counts, or less.")

    class Meta:
        abstract = True

    @property
    def expected(self) -> int:
        """What the float should hold, without the differences that counts found."""
        expected: int = self.closer - self.over_short
        return expected

    @property
    def closer(self) -> int:
        """What the float holds, or what was counted last if the table has been closed."""
        came: int = self.opener + self.fills + self.bought_in + self.other + self.over_short
        left: int = self.cashed_out + self.credits + self.boxed
        return came - left


class ShiftRow(Inventory):
    """A shift: who had a table from when to when, and the inventory of its float."""

    class Ended(models.TextChoices):
        RUNNING = "", "Running"
        HANDED_OVER = "handover", "Handed over"
        CLOSED = "close", "Closed"

    pk = models.CompositePrimaryKey("establishment_id", "shift")
    establishment = models.ForeignKey(
        "establishments.Establishment", on_delete=models.PROTECT, db_index=False
    )
    shift = models.UUIDField()
    table = KeyWithinHouse("establishments.Table", on_delete=models.PROTECT, db_index=False)
    holder = models.UUIDField()
    opened_at = models.DateTimeField()
    opened_day = models.DateField()
    closed_at = models.DateTimeField(null=True)
    closed_day = models.DateField(null=True)
    ended = models.CharField(max_length=8, choices=Ended.choices, default=Ended.RUNNING, blank=True)
    opened = models.PositiveBigIntegerField(help_text="Position of the event that opened it.")

    class Meta:
        ordering = ["-opened"]
        indexes = [
            models.Index(fields=["establishment", "opened_day", "table"], name="cash_shift_day"),
            models.Index(fields=["establishment", "table", "-opened"], name="cash_shift_table"),
        ]

    def __str__(self) -> str:
        return f"{self.table} from {self.opened_at:%Y-%m-%d %H:%M}"


class TableDay(Inventory):
    """
    A table's inventory of one gaming day; there is no row for a day on which no cash moved.

    `opener` is what lay at the table as the day began, plus all floats brought from the cage to
    open it. `closer` is `taken` (to the cage, by closes) plus `standing` (still at the table at the
    end of the day).
    """

    pk = models.CompositePrimaryKey("establishment_id", "table_id", "gaming_day")
    establishment = models.ForeignKey(
        "establishments.Establishment", on_delete=models.PROTECT, db_index=False
    )
    table = KeyWithinHouse("establishments.Table", on_delete=models.PROTECT, db_index=False)
    gaming_day = models.DateField()
    taken = AmountField(default=0)

    class Meta:
        ordering = ["-gaming_day", "table__name"]
        indexes = [models.Index(fields=["establishment", "-gaming_day"], name="cash_table_day")]

    def __str__(self) -> str:
        return f"{self.table} on {self.gaming_day}"

    @property
    def standing(self) -> int:
        standing: int = self.closer - self.taken
        return standing


class CountRow(models.Model):
    """A count of a table's float, with the pairs of sheets that differed before two agreed."""

    class State(models.TextChoices):
        RUNNING = "running", "Running"
        AGREED = "agreed", "Agreed"
        CALLED_OFF = "called_off", "Called off"

    class Purpose(models.TextChoices):
        OPEN = "open", "Opening"
        CHANGE = "change", "Change of shift"
        CLOSE = "close", "Close for the day"
        CHECK = "check", "Check"

    pk = models.CompositePrimaryKey("establishment_id", "count")
    establishment = models.ForeignKey(
        "establishments.Establishment", on_delete=models.PROTECT, db_index=False
    )
    count = models.UUIDField()
    table = KeyWithinHouse("establishments.Table", on_delete=models.PROTECT, db_index=False)
    purpose = models.CharField(max_length=8, choices=Purpose.choices)
    state = models.CharField(max_length=10, choices=State.choices, default=State.RUNNING)
    begun_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True)
    gaming_day = models.DateField(help_text="Of its last event.")
    attempts = models.PositiveIntegerField(default=1)
    counters = models.JSONField(default=list, help_text="Attendant ids, of the pair that agreed.")
    sheet = models.JSONField(default=dict)
    counted = AmountField(null=True)
    expected = AmountField(null=True)
    over_short = AmountField(null=True)
    differed = models.JSONField(default=list, help_text="Pairs of sheets that did not agree.")
    position = models.PositiveBigIntegerField(help_text="Of its last event.")

    class Meta:
        ordering = ["-position"]
        indexes = [
            models.Index(fields=["establishment", "gaming_day", "table"], name="cash_count_day"),
            models.Index(fields=["establishment", "table", "-position"], name="cash_count_table"),
        ]

    def __str__(self) -> str:
        return f"{self.get_purpose_display()}, {self.table}"


class SlipRow(models.Model):
    """A numbered slip: what was brought to a table, or taken from it (B2)."""

    class Kind(models.TextChoices):
        FILL = "fill", "Fill"
        CREDIT = "credit", "Credit"

    pk = models.CompositePrimaryKey("establishment_id", "number")
    establishment = models.ForeignKey(
        "establishments.Establishment", on_delete=models.PROTECT, db_index=False
    )
    number = models.PositiveBigIntegerField()
    kind = models.CharField(max_length=8, choices=Kind.choices)
    table = KeyWithinHouse("establishments.Table", on_delete=models.PROTECT, db_index=False)
    amount = PositiveAmountField()
    sheet = models.JSONField()
    reason = models.CharField(max_length=80)
    request = models.UUIDField()
    asked_by = models.UUIDField()
    asked_at = models.DateTimeField()
    approved_by = models.UUIDField(null=True, help_text="Null: done alone, to be reviewed (D1b).")
    issued_at = models.DateTimeField()
    gaming_day = models.DateField()
    received_by = models.UUIDField(null=True)
    received_at = models.DateTimeField(null=True)
    position = models.PositiveBigIntegerField()

    class Meta:
        ordering = ["-number"]
        indexes = [
            models.Index(fields=["establishment", "gaming_day", "-number"], name="cash_slip_day"),
            models.Index(fields=["establishment", "table", "-number"], name="cash_slip_table"),
        ]

    def __str__(self) -> str:
        return f"{self.get_kind_display()} {self.number}"


# Rows about accounts: balance snapshots, slips of the cage, fee boxes by day, tips, what is owed.
#
# The rows can be deleted and made again from events. Amounts are whole coins.


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
