"""Dice sets: numbered, each in one place at a time."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING, Final

from django.db import models
from django.db.models import Q

if TYPE_CHECKING:
    from games.game import DiceNeeded

SIZES: Final = (4, 6, 8, 10, 12)


class DiceSet(models.Model):
    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    establishment = models.ForeignKey(
        "establishments.Establishment", on_delete=models.PROTECT, related_name="dice_sets"
    )
    number = models.CharField(max_length=24, help_text="As engraved or on the box.")
    sides = models.PositiveSmallIntegerField(
        null=True,
        blank=True,
        choices=[(sides, f"d{sides}") for sides in SIZES],
        help_text="Of each die; empty: one of each size, d4 d6 d8 d10 d12.",
    )
    count = models.PositiveSmallIntegerField()
    colour = models.CharField(max_length=40, blank=True)
    withdrawn = models.BooleanField(default=False, help_text="A withdrawn set cannot be thrown.")

    class Meta:
        ordering = ["establishment", "number"]
        constraints = [
            models.UniqueConstraint(
                fields=["establishment", "number"], name="one_dice_set_of_a_number"
            ),
            models.CheckConstraint(
                condition=Q(sides__isnull=False, sides__in=SIZES, count__gte=1)
                | Q(sides__isnull=True, count=len(SIZES)),
                name="dice_exist",
                violation_error_message=(
                    "A set has one die or more of 4, 6, 8, 10 or 12 sides, or one of each size:"
                    " five dice."
                ),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.number} ({self.dice})"

    @property
    def dice(self) -> str:
        """What is in the box, as it is written at the table."""
        return f"{self.count}d{self.sides}" if self.sides else "one of each size"

    def fits(self, needed: DiceNeeded) -> bool:
        """Whether a game finds its dice in this set; those it does not need stay in the box."""
        return not self.withdrawn and self.sides == needed.sides and self.count >= needed.count
