"""
Rows of what can be erased: players' names and free text.

The ledger never changes, so it only has tokens: a random id for a player, a salted hash for a text.
These tables have what the tokens stand for, which can be erased without invalidating a proof.
"""

from __future__ import annotations

from typing import Final

from django.db import models
from django.db.models import F
from django.utils.translation import gettext_lazy

FIRST: Final = 2  # first letters of a name that are indexed


class FirstLetters(models.Func):
    """The first two letters of a name, as the index has them, so that both databases use it."""

    template = "SUBSTR(%(expressions)s, 1, 2)"
    output_field = models.CharField()


class Player(models.Model):
    """A player of one house, with a random id as token; the name can be erased."""

    class Shown(models.TextChoices):
        SHORT = "short", gettext_lazy("in short: Ada L.")
        FULL = "full", gettext_lazy("in full")
        NUMBER = "number", gettext_lazy("by number alone")

    pk = models.CompositePrimaryKey("establishment_id", "token")
    establishment = models.ForeignKey(
        "establishments.Establishment", on_delete=models.PROTECT, db_index=False
    )
    token = models.CharField(max_length=16)
    # In composed form (NFC) a name of 80 characters may be three times as long.
    name = models.CharField(max_length=240, null=True)  # noqa: DJ001 - null is "erased", "" is no name
    shown = models.CharField(
        max_length=8,
        choices=Shown.choices,
        default=Shown.SHORT,
        db_default=Shown.SHORT,
        help_text="How public screens name them.",
    )

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
    """A text that somebody wrote (a note, reason or story); the ledger has only its salted hash."""

    pk = models.CompositePrimaryKey("establishment_id", "token")
    establishment = models.ForeignKey(
        "establishments.Establishment", on_delete=models.PROTECT, db_index=False
    )
    token = models.CharField(max_length=66)
    salt = models.BinaryField()
    text = models.TextField(null=True)  # noqa: DJ001 - null is "erased"

    def __str__(self) -> str:
        return self.text or self.token
