"""Rows about throws of dice and how they were entered. They can be deleted and made from events."""

from __future__ import annotations

from typing import ClassVar

from django.db import models

from casino.house.establishments.models import ALARMS_ONE_IN
from ledger.entries import NAME_MAX

KIND_MAX = 10
GAME_MAX = 32
BY_MAX = 8  # characters of the name of an alarm's cause
TOKEN_MAX = 66  # characters of the token that stands for a text


class Kind(models.TextChoices):
    """The kinds of owners of streams: whose throws a stream holds."""

    HOUSE = "house", "House"
    SET = "set", "Dice set"
    TABLE = "table", "Table"
    PLAYER = "player", "Thrower"
    ATTENDANT = "attendant", "Attendant"


class DiceStream(models.Model):
    """
    A stream of throws: dice of one size, thrown with one set, at one table, by one thrower,
    recorded by one attendant, or in the whole house. A throw is one die that came to rest.

    When an alarm is acknowledged, a new count begins. `counts`, `log10` and `change` are of the
    current count; `before` holds the counts until then.
    """

    pk = models.CompositePrimaryKey("establishment_id", "kind", "name", "sides")
    establishment = models.ForeignKey(
        "establishments.Establishment", on_delete=models.PROTECT, db_index=False
    )
    kind = models.CharField(max_length=KIND_MAX, choices=Kind.choices)
    name = models.CharField(
        max_length=NAME_MAX, blank=True, help_text="Id or token; empty: the house."
    )
    sides = models.PositiveSmallIntegerField()
    throws = models.PositiveBigIntegerField(default=0, help_text="Faces on record, of all counts.")
    missing = models.PositiveBigIntegerField(default=0, help_text="Thrown, with no face on record.")
    counts = models.JSONField(help_text="By face, of the count that runs.")
    before = models.JSONField(help_text="By face, of the counts that are over.")
    log10 = models.FloatField(default=0.0, help_text="Of the evidence in the count that runs.")
    highest = models.FloatField(default=0.0, help_text="The greatest it has been in any count.")
    passed_20 = models.PositiveBigIntegerField(null=True, help_text="At which throw, first.")
    passed_100 = models.PositiveBigIntegerField(null=True)
    passed_1000 = models.PositiveBigIntegerField(null=True)
    change = models.FloatField(default=0.0, help_text="The detector of changes, in this count.")
    state = models.BinaryField(help_text="Doubles that both go on from.")
    last_position = models.BigIntegerField(help_text="Of the last event that showed a face.")
    alarm = models.BigIntegerField(null=True, help_text="Position of the throw of the open alarm.")

    class Meta:
        indexes: ClassVar = [
            models.Index(
                fields=["establishment", "-log10", "kind", "name", "sides"],
                name="surveillance_by_evidence",
            ),
            models.Index(
                fields=["establishment", "kind", "-log10", "name", "sides"],
                name="surveillance_kind_evidence",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.name} d{self.sides}"

    @property
    def total_counts(self) -> list[int]:
        """The throws of each face, of all counts."""
        return [now + then for now, then in zip(self.counts, self.before, strict=True)]

    @property
    def current_throws(self) -> int:
        """The number of throws in the current count."""
        return sum(self.counts)


class CurvePoint(models.Model):
    """A point of a stream's curve, with its evidence after some throw; at most some 64, evenly."""

    pk = models.CompositePrimaryKey("establishment_id", "kind", "name", "sides", "mark")
    establishment = models.ForeignKey(
        "establishments.Establishment", on_delete=models.PROTECT, db_index=False
    )
    kind = models.CharField(max_length=KIND_MAX, choices=Kind.choices)
    name = models.CharField(max_length=NAME_MAX, blank=True)
    sides = models.PositiveSmallIntegerField()
    mark = models.PositiveBigIntegerField(help_text="The throw by which it is kept or thinned out.")
    throws = models.PositiveBigIntegerField()
    position = models.BigIntegerField(help_text="Of the event.")
    log10 = models.FloatField()
    change = models.FloatField()

    def __str__(self) -> str:
        return f"{self.kind} {self.name} d{self.sides} at {self.throws}"


class SealedHand(models.Model):
    """Sealed dice of a player, and the streams in which they are missing until revealed (RV2)."""

    pk = models.CompositePrimaryKey("establishment_id", "game", "player")
    establishment = models.ForeignKey(
        "establishments.Establishment", on_delete=models.PROTECT, db_index=False
    )
    game = models.UUIDField()
    player = models.CharField(max_length=NAME_MAX)
    table = models.CharField(max_length=NAME_MAX)
    dice_set = models.CharField(max_length=NAME_MAX)
    attendant = models.CharField(max_length=NAME_MAX)

    def __str__(self) -> str:
        return f"{self.player} in {self.game}"


class EntryRow(models.Model):
    """Entry statistics (F3) of one attendant, table or thrower."""

    pk = models.CompositePrimaryKey("establishment_id", "kind", "name")
    establishment = models.ForeignKey(
        "establishments.Establishment", on_delete=models.PROTECT, db_index=False
    )
    kind = models.CharField(max_length=KIND_MAX, choices=Kind.choices)
    name = models.CharField(max_length=NAME_MAX)
    entries = models.PositiveBigIntegerField(default=0, help_text="Throws that count, as entered.")
    no_throws = models.PositiveBigIntegerField(default=0, help_text="Of these by reason:")
    cocked = models.PositiveBigIntegerField(default=0)
    off_table = models.PositiveBigIntegerField(default=0)
    interference = models.PositiveBigIntegerField(default=0)
    judged = models.PositiveBigIntegerField(
        default=0, help_text="No-throws whose faces are on record and would have been a throw."
    )
    spared = models.PositiveBigIntegerField(
        default=0, help_text="Of these the thrower would have paid at once."
    )
    denied = models.PositiveBigIntegerField(
        default=0, help_text="Of these the thrower would have been paid at once."
    )
    lags = models.JSONField(default=list, help_text="Entries by seconds from throw to entry.")
    repeats = models.PositiveBigIntegerField(
        default=0, help_text="The same dice as in the attendant's entry before."
    )
    repeatable = models.PositiveBigIntegerField(
        default=0, help_text="Entries that had one of as many dice before."
    )
    repeats_due = models.FloatField(default=0.0, help_text="So many fair dice repeat, on average.")
    repeat_log10 = models.FloatField(default=0.0, help_text="Evidence for more than that.")
    last = models.CharField(max_length=NAME_MAX, default="", help_text="Dice of the entry before.")

    class Meta:
        indexes: ClassVar = [
            models.Index(
                fields=["establishment", "kind", "-no_throws", "name"],
                name="surveillance_no_throws",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.name}"


class LeadRow(models.Model):
    """
    Throws and no-throws by who led before the throw (F3), of one attendant or thrower, in games of
    one kind.
    """

    pk = models.CompositePrimaryKey("establishment_id", "kind", "name", "game", "pays", "leader")
    establishment = models.ForeignKey(
        "establishments.Establishment", on_delete=models.PROTECT, db_index=False
    )
    kind = models.CharField(max_length=KIND_MAX, choices=Kind.choices)
    name = models.CharField(max_length=NAME_MAX)
    game = models.CharField(max_length=GAME_MAX)
    pays = models.BooleanField(help_text="Who led would have paid, not won.")
    leader = models.CharField(
        max_length=NAME_MAX, help_text="A player's token, or a word of `leader_counts.WORDS`."
    )
    chances = models.PositiveBigIntegerField(default=0, help_text="Throws and no-throws.")
    no_throws = models.PositiveBigIntegerField(default=0)
    highest = models.FloatField(
        default=0.0, help_text="log10 of the greatest evidence, looked at with each no-throw."
    )
    last = models.BigIntegerField(null=True, help_text="Position of the last no-throw.")

    class Meta:
        indexes: ClassVar = [
            models.Index(
                fields=["establishment", "-highest", "kind", "name"],
                name="surveillance_leads",
            ),
            models.Index(
                fields=["establishment", "kind", "name", "-no_throws"],
                name="surveillance_leads_of",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.name}, {self.leader} led"


class Alarm(models.Model):
    """An alarm about dice. It is open until somebody acknowledges it, by name and with a reason."""

    pk = models.CompositePrimaryKey("establishment_id", "position")
    establishment = models.ForeignKey(
        "establishments.Establishment", on_delete=models.PROTECT, db_index=False
    )
    position = models.BigIntegerField(help_text="Of the event that raised it.")
    id = models.UUIDField()
    kind = models.CharField(max_length=KIND_MAX, choices=Kind.choices)
    name = models.CharField(max_length=NAME_MAX, blank=True)
    sides = models.PositiveSmallIntegerField()
    by = models.CharField(max_length=BY_MAX)
    throws = models.PositiveBigIntegerField(help_text="Of the stream, by then.")
    counts = models.JSONField(help_text="By face, of the count that ran.")
    log10 = models.FloatField()
    change = models.FloatField()
    alpha = models.FloatField(
        default=1 / ALARMS_ONE_IN, help_text="The false share that the house allowed then."
    )
    streams = models.PositiveIntegerField(help_text="Of the house, that it was chosen among.")
    cause = models.BigIntegerField(help_text="Position of the throw.")
    raised_at = models.DateTimeField()
    gaming_day = models.DateField()
    open = models.BooleanField(default=True)
    acknowledged_by = models.CharField(max_length=NAME_MAX, default="")
    acknowledged_at = models.DateTimeField(null=True)
    acknowledged_position = models.BigIntegerField(null=True)
    reason = models.CharField(max_length=TOKEN_MAX, default="")

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["establishment", "id"], name="surveillance_alarm_id"),
        ]
        indexes: ClassVar = [
            models.Index(fields=["establishment", "open", "position"], name="surveillance_open"),
            models.Index(
                fields=["establishment", "kind", "name", "position"], name="surveillance_alarms_of"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.name} d{self.sides} at {self.throws}"
