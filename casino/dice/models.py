"""Dice sets: numbered, each in one place at a time."""

from __future__ import annotations

import uuid

from django.db import models
from django.db.models import Q


class DiceSet(models.Model):
    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    establishment = models.ForeignKey(
        "establishments.Establishment", on_delete=models.PROTECT, related_name="dice_sets"
    )
    number = models.CharField(max_length=24, help_text="As engraved or on the box.")
    sides = models.PositiveSmallIntegerField()
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
                condition=Q(sides__in=[4, 6, 8, 10, 12]) & Q(count__gte=1), name="dice_exist"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.number} ({self.count}d{self.sides})"
