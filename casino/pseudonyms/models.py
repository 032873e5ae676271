"""
What may be forgotten: players' names and free text.

The ledger is for ever, so it holds only tokens: a random id for a player, a salted hash for a
text. What they stand for is kept here, and can be erased without touching a proof.
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
