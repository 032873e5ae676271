"""
The sequence log of the floor's devices, their heartbeats, and rows made from the ledger.

A `DeviceEntry` is written once and recorded nowhere else: the ledger does not have it. `Heard` is
overwritten all evening and does not matter the next day. The other rows are disposable: they can be
made again from the ledger.
"""

from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.db.models import Q

from casino.engine.databases.house_keys import KeyWithinHouse
from ledger.entries import NAME_MAX

DEVICE_MAX = 40  # characters of a device's name
TOKEN_MAX = 66  # characters of a token that stands for a text


class DeviceEntry(models.Model):
    """
    An entry that a device sent under this number, and which command it was (E5).

    The command's receipt in the ledger says what became of it, so this row does not.
    """

    pk = models.CompositePrimaryKey("establishment_id", "game", "device", "seq")
    establishment = models.ForeignKey(
        "establishments.Establishment", on_delete=models.PROTECT, db_index=False
    )
    game = models.UUIDField()
    device = models.CharField(max_length=DEVICE_MAX)
    seq = models.PositiveIntegerField(help_text="From 1, by device and game.")
    command_id = models.UUIDField()
    term = models.PositiveIntegerField(null=True, help_text="Of the lease it was made under.")
    made_by = models.CharField(max_length=NAME_MAX)
    made_at = models.DateTimeField(help_text="By the device's clock.")
    received_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.device} {self.seq}"


class Heard(models.Model):
    """The heartbeat of the device that records a game; written at most every ten seconds."""

    pk = models.CompositePrimaryKey("establishment_id", "game")
    establishment = models.ForeignKey(
        "establishments.Establishment", on_delete=models.PROTECT, db_index=False
    )
    game = models.UUIDField()
    device = models.CharField(max_length=DEVICE_MAX)
    heard_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.device} at {self.heard_at:%H:%M:%S}"


class LateRow(models.Model):
    """An entry from a lapsed lease, or handed on, or dropped; and what became of it (E5)."""

    class Why(models.TextChoices):
        LAPSED = "lapsed", "Its lease had lapsed"
        HANDED = "handed", "Handed to a supervisor"
        TAKEN = "taken", "Taken over from its device by a supervisor"

    class State(models.TextChoices):
        WAITING = "waiting", "Waiting"
        PUT = "put", "Put to the game"
        DISMISSED = "dismissed", "Dismissed"
        DROPPED = "dropped", "Dropped on the device"

    pk = models.CompositePrimaryKey("establishment_id", "position")
    establishment = models.ForeignKey(
        "establishments.Establishment", on_delete=models.PROTECT, db_index=False
    )
    position = models.PositiveBigIntegerField(help_text="Of the event that listed it.")
    game = models.UUIDField()
    number = models.PositiveIntegerField(help_text="Of that event in its stream.")
    table = KeyWithinHouse("establishments.Table", on_delete=models.PROTECT)
    device = models.CharField(max_length=DEVICE_MAX)
    seq = models.PositiveIntegerField()
    term = models.PositiveIntegerField(null=True)
    why = models.CharField(max_length=8, choices=Why.choices, blank=True)
    command_id = models.UUIDField()
    command = models.JSONField(null=True, help_text="With tokens; empty: it could not be read.")
    words = models.CharField(max_length=TOKEN_MAX, default="", help_text="What was sent instead.")
    made_by = models.CharField(max_length=NAME_MAX)
    made_at = models.DateTimeField()
    taken_over_by = models.CharField(
        max_length=NAME_MAX, default="", help_text="Who sent it, where whoever made it did not."
    )
    taken_over_why = models.CharField(max_length=TOKEN_MAX, default="")
    listed_at = models.DateTimeField()
    gaming_day = models.DateField()
    tries = models.PositiveIntegerField(default=0, help_text="How often the rules refused it.")
    refused = models.TextField(default="", help_text="Why, the last time; as receipts have it.")
    state = models.CharField(max_length=9, choices=State.choices, default=State.WAITING)
    decided_by = models.CharField(max_length=NAME_MAX, default="")
    decided_at = models.DateTimeField(null=True)
    decided_position = models.PositiveBigIntegerField(null=True)
    reason = models.CharField(max_length=TOKEN_MAX, default="")

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["establishment", "game", "number"], name="devices_late_number"
            ),
        ]
        indexes: ClassVar = [
            models.Index(
                fields=["establishment", "position"],
                condition=Q(state="waiting"),
                name="devices_late_waiting",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.game} {self.number}, {self.state}"


class GapRow(models.Model):
    """Numbers that a device skipped in a game (E5), until they arrive or somebody closes it."""

    pk = models.CompositePrimaryKey("establishment_id", "position")
    establishment = models.ForeignKey(
        "establishments.Establishment", on_delete=models.PROTECT, db_index=False
    )
    position = models.PositiveBigIntegerField(help_text="Of the event that found it.")
    game = models.UUIDField()
    number = models.PositiveIntegerField(help_text="Of that event in its stream.")
    table = KeyWithinHouse("establishments.Table", on_delete=models.PROTECT)
    device = models.CharField(max_length=DEVICE_MAX)
    first = models.PositiveIntegerField()
    last = models.PositiveIntegerField()
    filled = models.PositiveIntegerField(default=0, help_text="How many arrived after all.")
    held_by = models.CharField(max_length=NAME_MAX, help_text="Whose entry made it seen.")
    found_at = models.DateTimeField()
    gaming_day = models.DateField()
    open = models.BooleanField(default=True)
    closed_by = models.CharField(max_length=NAME_MAX, default="", help_text="Empty: it filled.")
    closed_at = models.DateTimeField(null=True)
    reason = models.CharField(max_length=TOKEN_MAX, default="")

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["establishment", "game", "number"], name="devices_gap_number"
            ),
        ]
        indexes: ClassVar = [
            models.Index(
                fields=["establishment", "position"],
                condition=Q(open=True),
                name="devices_gap_open",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.device} {self.first} to {self.last}"
