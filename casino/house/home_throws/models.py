"""A house's own home throws, with their history and the story behind each (rule H1)."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy

from casino.engine.databases.house_rows import OfHouse
from casino.words.presenters import registered

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise


def games() -> list[tuple[str, _StrPromise]]:
    """The ids and titles of the games that have a home throw."""
    return [(game.id, game.title) for game in registered.with_home_throws()]


class HomeThrow(OfHouse):
    """
    Three faces that are the house's home throw from a moment on, until the next one.

    It may be for one game only, because faces that score nothing in one game may score in another.
    Throws for a game and throws for every game follow only their like (H3).
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    establishment = models.ForeignKey(
        "establishments.Establishment",
        on_delete=models.PROTECT,
        related_name="home_throws",
        db_index=False,
    )
    game = models.CharField(
        gettext_lazy("game"),
        max_length=32,
        blank=True,
        choices=games,
        help_text="Empty: every game that has one.",
    )
    low = models.PositiveSmallIntegerField(gettext_lazy("lowest face"))
    middle = models.PositiveSmallIntegerField(gettext_lazy("middle face"))
    high = models.PositiveSmallIntegerField(gettext_lazy("highest face"))
    effective_from = models.DateTimeField(gettext_lazy("in force from"))
    story = models.CharField(
        gettext_lazy("story"), max_length=66, blank=True, help_text="Token of a kept text."
    )
    override = models.CharField(
        gettext_lazy("why it may score otherwise"),
        max_length=66,
        blank=True,
        help_text="Token of the reason why a throw that scores otherwise is the home throw.",
    )
    set_by = models.ForeignKey(
        "attendants.Attendant", verbose_name=gettext_lazy("set by"), on_delete=models.PROTECT
    )

    class Meta:
        ordering = ["establishment", "-effective_from"]
        constraints = [
            models.UniqueConstraint(
                fields=["establishment", "game", "effective_from"],
                name="one_home_throw_at_a_time",
            ),
            models.CheckConstraint(
                condition=Q(low__gte=1)
                & Q(low__lte=F("middle"))
                & Q(middle__lte=F("high"))
                & Q(high__lte=8),
                name="home_throw_faces_sorted",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.low}-{self.middle}-{self.high}"

    @property
    def faces(self) -> tuple[int, int, int]:
        return (self.low, self.middle, self.high)
