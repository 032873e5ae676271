"""Houses and their tables."""

from __future__ import annotations

import secrets
import uuid
import zoneinfo
from datetime import time

from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator
from django.db import models
from django.db.models import F, Q


def known_time_zone(name: str) -> None:
    try:
        zoneinfo.ZoneInfo(name)
    except (zoneinfo.ZoneInfoNotFoundError, ValueError):
        raise ValidationError(
            "%(name)s is not a time zone; write it as Europe/Rome.", params={"name": name}
        ) from None


def new_secret() -> bytes:
    return secrets.token_bytes(32)


class Establishment(models.Model):
    """A house: one ledger, one currency, one gaming day."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    name = models.CharField(max_length=80, unique=True)
    currency = models.CharField(max_length=40, default="rod", help_text="Its name in full.")
    currency_symbol = models.CharField(max_length=8, default="r", help_text="As in 12 r.")
    coin_digits = models.PositiveSmallIntegerField(
        default=0,
        validators=[MaxValueValidator(4)],
        help_text="Decimals of the smallest coin: 0 where it is the unit, 2 where 1.00 is 100.",
    )
    time_zone = models.CharField(max_length=64, default="UTC", validators=[known_time_zone])
    day_cutoff = models.TimeField(
        default=time(6), help_text="When one gaming day ends and the next begins, local time."
    )
    # Keys the hash by which a repeated command is known again, so that the hash tells nothing.
    secret = models.BinaryField(default=new_secret, editable=False)

    class Meta:
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name


LEAST = "Least stake, ante or price of a game here; empty: none."
GREATEST = "Greatest stake, ante or price of a game here; empty: none."


class Table(models.Model):
    """
    A table of a house, with its limits (rule G10).

    They hold for what a game is played for: a stake, an ante, or the price of River's dice.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    establishment = models.ForeignKey(
        Establishment, on_delete=models.PROTECT, related_name="tables"
    )
    name = models.CharField(max_length=40)
    stake_min = models.PositiveBigIntegerField(null=True, blank=True, help_text=LEAST)
    stake_max = models.PositiveBigIntegerField(null=True, blank=True, help_text=GREATEST)
    in_use = models.BooleanField(default=True)

    class Meta:
        ordering = ["establishment", "name"]
        constraints = [
            models.UniqueConstraint(fields=["establishment", "name"], name="one_table_of_a_name"),
            models.CheckConstraint(
                condition=Q(stake_min__isnull=True)
                | Q(stake_max__isnull=True)
                | Q(stake_min__lte=F("stake_max")),
                name="table_limits_in_order",
            ),
        ]

    def __str__(self) -> str:
        return self.name
