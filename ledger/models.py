"""
The tables of the ledger. Only `journal.append` writes events, transfers and receipts.

Every key begins with the establishment. On PostgreSQL this is also true for the primary keys of
`Event` and `Transfer`, whatever is declared here: the first migration replaces them. (A key of one
column is declared, because the admin shows no model with a composite key.)
"""

from typing import ClassVar

from django.db import models
from django.db.models import F, Q

from ledger.accounts import PLAYERS_MONEY, POT_FALLS_TO, Kind
from ledger.constraints import OnPostgreSQL
from ledger.entries import NAME_MAX

KINDS = [(kind.value, kind.value.replace("_", " ")) for kind in Kind]
GUARDED = sorted(kind.value for kind in PLAYERS_MONEY)
FROM_POTS = sorted(kind.value for kind in POT_FALLS_TO)


class Event(models.Model):
    """An event of the ledger. Append-only. `body` is the truth; the other columns are copies."""

    event_id = models.UUIDField(primary_key=True)
    establishment = models.UUIDField()
    position = models.PositiveBigIntegerField()
    """From 0, without gaps, per establishment: the leaf's index in its tree."""
    stream = models.CharField(max_length=NAME_MAX)
    stream_version = models.PositiveBigIntegerField()
    event_type = models.CharField(max_length=NAME_MAX)
    schema_version = models.PositiveIntegerField()
    command_id = models.UUIDField()
    command_seq = models.PositiveIntegerField()
    actor = models.CharField(max_length=NAME_MAX)
    device = models.CharField(max_length=NAME_MAX)
    correlation_id = models.UUIDField()
    causation_id = models.UUIDField(null=True)
    occurred_at = models.DateTimeField()
    recorded_at = models.DateTimeField()
    gaming_day = models.DateField()
    body = models.BinaryField()
    leaf_hash = models.BinaryField(max_length=32)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["establishment", "position"], name="ledger_event_position"
            ),
            models.UniqueConstraint(
                fields=["establishment", "stream", "stream_version"],
                name="ledger_event_stream_version",
            ),
            models.UniqueConstraint(
                fields=["establishment", "command_id", "command_seq"],
                name="ledger_event_command_seq",
            ),
            OnPostgreSQL(fields=["establishment", "event_id"], name="ledger_event_event_id"),
        ]
        indexes: ClassVar = [
            # One entry a house: which houses there are (ledger/lag.py).
            models.Index(
                fields=["establishment"], condition=Q(position=0), name="ledger_event_begun"
            ),
            models.Index(
                fields=["establishment", "gaming_day", "position"], name="ledger_event_day"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.position} {self.stream} {self.event_type}"


class Transfer(models.Model):
    """A transfer that an event books: one debit, one credit. Append-only copy of the body."""

    transfer_id = models.UUIDField(primary_key=True)
    establishment = models.UUIDField()
    position = models.PositiveBigIntegerField()
    """The position of the event that books this transfer."""
    seq = models.PositiveIntegerField()
    """The number of this transfer among those of its event, from 0."""
    debit_kind = models.CharField(max_length=20, choices=KINDS)
    debit_name = models.CharField(max_length=NAME_MAX)
    credit_kind = models.CharField(max_length=20, choices=KINDS)
    credit_name = models.CharField(max_length=NAME_MAX)
    amount = models.PositiveBigIntegerField()
    reason = models.CharField(max_length=NAME_MAX)
    reverses = models.UUIDField(null=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["establishment", "position", "seq"], name="ledger_transfer_position_seq"
            ),
            OnPostgreSQL(
                fields=["establishment", "transfer_id"], name="ledger_transfer_transfer_id"
            ),
            models.UniqueConstraint(
                fields=["establishment", "reverses"],
                condition=Q(reverses__isnull=False),
                name="ledger_transfer_reversed_once",
            ),
            models.CheckConstraint(condition=Q(amount__gt=0), name="ledger_transfer_amount"),
            models.CheckConstraint(
                condition=~Q(debit_kind=F("credit_kind"), debit_name=F("credit_name")),
                name="ledger_transfer_two_accounts",
            ),
            models.CheckConstraint(  # A2
                condition=~Q(debit_kind=Kind.POT.value) | Q(credit_kind__in=FROM_POTS),
                name="ledger_transfer_pot_falls",
            ),
        ]
        indexes: ClassVar = [
            # With seq: otherwise a planner that wants an account's transfers in order reads the
            # whole ledger by its key, and skips the rows of other accounts.
            models.Index(
                fields=["establishment", "debit_kind", "debit_name", "position", "seq"],
                name="ledger_transfer_debits",
            ),
            models.Index(
                fields=["establishment", "credit_kind", "credit_name", "position", "seq"],
                name="ledger_transfer_credits",
            ),
        ]

    def __str__(self) -> str:
        debit = f"{self.debit_kind}:{self.debit_name}"
        return f"{self.amount} {debit} -> {self.credit_kind}:{self.credit_name}"


class Account(models.Model):
    """The totals of an account. They only grow: a trigger adds each transfer that is inserted."""

    pk = models.CompositePrimaryKey("establishment", "kind", "name")
    establishment = models.UUIDField()
    kind = models.CharField(max_length=20, choices=KINDS)
    name = models.CharField(max_length=NAME_MAX)
    debits = models.PositiveBigIntegerField(default=0)
    credits = models.PositiveBigIntegerField(default=0)

    class Meta:
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=Q(kind__in=[kind.value for kind in Kind]), name="ledger_account_kind"
            ),
            models.CheckConstraint(
                condition=~Q(kind__in=GUARDED) | Q(debits__lte=F("credits")),
                name="ledger_account_not_overdrawn",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind}:{self.name}"


class CommandReceipt(models.Model):
    """The answer to a command: positions of its events, or its refusal. Append-only."""

    pk = models.CompositePrimaryKey("establishment", "command_id")
    establishment = models.UUIDField()
    seq = models.PositiveBigIntegerField()
    """From 0, without gaps, per establishment: the place in the chain that is signed."""
    command_id = models.UUIDField()
    request_hash = models.BinaryField(max_length=32)
    first_position = models.PositiveBigIntegerField(null=True)
    last_position = models.PositiveBigIntegerField(null=True)
    refusal_code = models.CharField(max_length=NAME_MAX, null=True)  # noqa: DJ001  null: not refused
    refusal_detail = models.TextField(null=True)  # noqa: DJ001  null: not refused
    actor = models.CharField(max_length=NAME_MAX)
    recorded_at = models.DateTimeField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["establishment", "seq"], name="ledger_commandreceipt_seq"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.command_id} {self.refusal_code or 'done'}"


class Subscription(models.Model):
    """The cursor of a subscription: the position up to which it has read a house's ledger."""

    pk = models.CompositePrimaryKey("establishment", "name")
    establishment = models.UUIDField()
    name = models.CharField(max_length=NAME_MAX)
    position = models.BigIntegerField(default=-1)
    """The position of the last event handled or parked; -1 before the first."""

    def __str__(self) -> str:
        return f"{self.name} at {self.position}"


class Unread(models.Model):
    """
    A house with events that some subscriber has perhaps not read (ledger/lag.py).

    Append adds the row, and nothing writes to it while the house plays.
    """

    establishment = models.UUIDField(primary_key=True)
    turns = models.PositiveBigIntegerField(default=0, db_default=0)
    """How often a cursor was put back while the house was on the list."""

    def __str__(self) -> str:
        return f"{self.establishment}"


class ParkedEvent(models.Model):
    """An event that a subscriber could not handle, or a later event of the same stream."""

    pk = models.CompositePrimaryKey("establishment", "subscription", "position")
    establishment = models.UUIDField()
    subscription = models.CharField(max_length=NAME_MAX)
    position = models.PositiveBigIntegerField()
    stream = models.CharField(max_length=NAME_MAX)
    error = models.TextField()
    """The error, or the position behind which this event waits."""
    parked_at = models.DateTimeField()
    attempts = models.PositiveIntegerField(default=0)
    """0: the event was not tried; it waits behind a failed event of its stream."""

    class Meta:
        indexes: ClassVar = [
            models.Index(
                fields=["establishment", "subscription", "stream", "position"],
                name="ledger_parked_stream",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.subscription} {self.stream} {self.position}"


class Tile(models.Model):
    """
    A full tile of a house's tree: 256 hashes side by side, and the root over them. Append-only.

    At level 0 the hashes are leaves, above it they are the roots of tiles one level below.
    """

    pk = models.CompositePrimaryKey("establishment", "level", "index")
    establishment = models.UUIDField()
    level = models.PositiveSmallIntegerField()
    index = models.PositiveBigIntegerField()
    hashes = models.BinaryField(max_length=256 * 32)
    root = models.BinaryField(max_length=32)

    def __str__(self) -> str:
        return f"{self.level}/{self.index}"


class Checkpoint(models.Model):
    """A signed tree head (C2SP tlog-checkpoint). Append-only; the columns copy the note."""

    pk = models.CompositePrimaryKey("establishment", "epoch", "size")
    establishment = models.UUIDField()
    epoch = models.PositiveIntegerField()
    """From 1; the next one begins after a restore that was behind a published checkpoint."""
    size = models.PositiveBigIntegerField()
    """The number of leaves: the checkpoint covers positions 0 to size - 1."""
    origin = models.CharField(max_length=NAME_MAX)
    root = models.BinaryField(max_length=32)
    receipts = models.PositiveBigIntegerField()
    """The number of receipts of commands that `chain` covers."""
    chain = models.BinaryField(max_length=32)
    note = models.TextField()
    signed_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.origin} {self.size}"
