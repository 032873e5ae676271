"""
What may be forgotten: players' names and free text. And what the ledger says of players, as lists.

The ledger is for ever, so it holds only tokens: a random id for a player, a salted hash for a
text. What they stand for is kept here, and can be erased without touching a proof.

Below `Text` are read models: disposable, written by projections.py alone, with tokens in them and
no name.
"""

from __future__ import annotations

from typing import Final

from django.db import models
from django.db.models import F

FIRST: Final = 2  # letters by which a name is looked up


class FirstLetters(models.Func):
    """The first two letters of a name, in the very words of the index: both databases find it."""

    template = "SUBSTR(%(expressions)s, 1, 2)"
    output_field = models.CharField()


class Player(models.Model):
    """A player known to one house under a random id; the name is erasable."""

    pk = models.CompositePrimaryKey("establishment_id", "token")
    establishment = models.ForeignKey(
        "establishments.Establishment", on_delete=models.PROTECT, db_index=False
    )
    token = models.CharField(max_length=16)
    # Composed (NFC) a name of 80 characters may be three times as long.
    name = models.CharField(max_length=240, null=True)  # noqa: DJ001 - null is "erased", "" is no name

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["establishment", "name"], name="one_player_of_a_name"),
        ]
        indexes = [
            models.Index(F("establishment"), FirstLetters("name"), name="players_by_first_letters"),
        ]

    def __str__(self) -> str:
        return self.name or self.token


class Text(models.Model):
    """A note, reason or story somebody wrote; the ledger has only its salted hash."""

    pk = models.CompositePrimaryKey("establishment_id", "token")
    establishment = models.ForeignKey(
        "establishments.Establishment", on_delete=models.PROTECT, db_index=False
    )
    token = models.CharField(max_length=66)
    salt = models.BinaryField()
    text = models.TextField(null=True)  # noqa: DJ001 - null is "erased"

    def __str__(self) -> str:
        return self.text or self.token


class Exclusion(models.Model):
    """Somebody who is refused a seat, by player id, from one gaming day to another (P1)."""

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
    cash_in = models.BigIntegerField(default=0, help_text="Below zero: handed back by a void.")
    cash_out = models.BigIntegerField(default=0)
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
    """A player's cash of a gaming day, in and out, each summed by itself (P2)."""

    pk = models.CompositePrimaryKey("establishment_id", "gaming_day", "player")
    establishment = models.ForeignKey(
        "establishments.Establishment", on_delete=models.PROTECT, db_index=False
    )
    gaming_day = models.DateField()
    player = models.CharField(max_length=16)
    cash_in = models.BigIntegerField(default=0)
    cash_out = models.BigIntegerField(default=0)
    moves = models.PositiveIntegerField(default=0)

    def __str__(self) -> str:
        return f"{self.player} on {self.gaming_day}"


class Owed(models.Model):
    """What the house owes players, account by account. Gone when nothing is left (P3)."""

    pk = models.CompositePrimaryKey("establishment_id", "kind", "name")
    establishment = models.ForeignKey(
        "establishments.Establishment", on_delete=models.PROTECT, db_index=False
    )
    kind = models.CharField(max_length=20, help_text="Of the account in the ledger.")
    name = models.CharField(max_length=200)
    player = models.CharField(max_length=16, default="", help_text='"" where it is shared.')
    game = models.UUIDField(null=True)
    amount = models.BigIntegerField()
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


class PrizeToHandOut(models.Model):
    """A prize that a player has won, money or not, until it is handed out, and after (P3)."""

    pk = models.CompositePrimaryKey("establishment_id", "position")
    establishment = models.ForeignKey(
        "establishments.Establishment", on_delete=models.PROTECT, db_index=False
    )
    position = models.PositiveBigIntegerField(help_text="Of the event that issued it.")
    player = models.CharField(max_length=16)
    prize = models.CharField(max_length=120)
    amount = models.PositiveBigIntegerField()
    game = models.UUIDField()
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
