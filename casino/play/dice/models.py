"""Dice sets: numbered, each in one place at a time, from received to destroyed (F1)."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING, Any, Final

from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from casino.engine.databases.house_keys import KeyWithinHouse
from casino.engine.databases.house_rows import OfHouse
from casino.words.languages.names import NameField
from ledger.entries import NAME_MAX

if TYPE_CHECKING:
    from casino.house.establishments.models import Table
    from games.game import DiceNeeded

SIZES: Final = (4, 6, 8, 10, 12)
TOKEN_MAX = 66  # characters of a token that stands for a text


class State(models.TextChoices):
    """The state of a set; only an issued set may be thrown."""

    RECEIVED = "received", gettext_lazy("to be inspected")
    READY = "ready", gettext_lazy("in the store")
    ISSUED = "issued", gettext_lazy("issued")
    WITHDRAWN = "withdrawn", gettext_lazy("withdrawn")
    DESTROYED = "destroyed", gettext_lazy("destroyed")
    SENT = "sent", gettext_lazy("at another house")


GONE: Final = (State.WITHDRAWN, State.DESTROYED, State.SENT)
FOR_GOOD: Final = (State.DESTROYED, State.SENT)
"""States that no set leaves: a set that went to another house is a set of that house."""


OF_THE_HOUSE: Final = frozenset(
    {"id", "establishment", "number", "withdrawn", "state", "issued_to"}
)
"""Columns that say what a set is at its house; all others say what its dice are."""
USUAL: Final = ("sides", "count", "colour")
"""What is said of all dice, in places of its own on each page; see `further_traits`."""


class DiceSet(OfHouse):
    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    establishment = models.ForeignKey(
        "establishments.Establishment",
        on_delete=models.PROTECT,
        related_name="dice_sets",
        db_index=False,
    )
    number = NameField(
        gettext_lazy("number"), max_length=24, help_text="As engraved or on the box."
    )
    sides = models.PositiveSmallIntegerField(
        gettext_lazy("sides"),
        null=True,
        blank=True,
        choices=[(sides, f"d{sides}") for sides in SIZES],
        help_text="Of each die; empty: one of each size, d4 d6 d8 d10 d12.",
    )
    count = models.PositiveSmallIntegerField(gettext_lazy("dice"))
    colour = NameField(gettext_lazy("colour"), max_length=40, blank=True)
    withdrawn = models.BooleanField(
        gettext_lazy("withdrawn"), default=False, help_text="A withdrawn set cannot be thrown."
    )
    state = models.CharField(
        gettext_lazy("state"),
        max_length=9,
        choices=State.choices,
        default=State.ISSUED,
        editable=False,
        help_text="Added under Settings, a set counts as received, inspected and issued.",
    )
    issued_to = KeyWithinHouse(
        "establishments.Table",
        verbose_name=gettext_lazy("issued to"),
        null=True,
        blank=True,
        editable=False,
        on_delete=models.PROTECT,
        related_name="+",
        help_text="The only table at which it may be thrown; empty: any.",
    )

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
            models.CheckConstraint(
                condition=Q(withdrawn=True, state__in=GONE)
                | (Q(withdrawn=False) & ~Q(state__in=GONE)),
                name="dice_withdrawn_or_not",
            ),
            models.CheckConstraint(
                condition=Q(issued_to__isnull=True) | Q(state=State.ISSUED),
                name="dice_issued_somewhere",
            ),
            models.CheckConstraint(condition=Q(state__in=State.values), name="dice_in_a_state"),
        ]

    def __str__(self) -> str:
        return f"{self.number} ({self.dice})"

    @classmethod
    def further_traits(cls) -> tuple[models.Field[Any, Any], ...]:
        """The columns about the dice beside `USUAL`: pages, files and programs have them all."""
        return tuple(
            each
            for each in cls._meta.concrete_fields
            if each.name not in OF_THE_HOUSE and each.name not in USUAL
        )

    @property
    def traits(self) -> dict[str, Any]:
        """What the dice are, which goes with them to another house, by column."""
        names = (*USUAL, *(each.attname for each in self.further_traits()))
        return {name: getattr(self, name) for name in names}

    @property
    def further(self) -> list[tuple[str, Any]]:
        """The name and the value of each of its further traits, for pages."""
        return [
            (str(each.verbose_name), getattr(self, each.attname)) for each in self.further_traits()
        ]

    def save(self, *args: Any, **kwargs: Any) -> None:
        self._follow()
        super().save(*args, **kwargs)

    def clean(self) -> None:
        super().clean()
        if self.state in FOR_GOOD and not self.withdrawn:
            gone = _("This set was destroyed: it stays withdrawn.")
            if self.state == State.SENT:
                gone = _("This set went to another house: it stays withdrawn here.")
            raise ValidationError({"withdrawn": gone})
        self._follow()

    def _follow(self) -> None:
        """
        Make the state follow `withdrawn`, which is all that Settings change about it.

        A set that is no longer withdrawn has to be inspected and issued before it is thrown again.
        """
        if self.withdrawn and self.state not in GONE:
            self.state, self.issued_to = State.WITHDRAWN, None
        elif not self.withdrawn and self.state == State.WITHDRAWN:
            self.state = State.RECEIVED

    @property
    def dice(self) -> str:
        """The dice of the set in short, for example ``5d6``."""
        return f"{self.count}d{self.sides}" if self.sides else "one of each size"

    def fits(self, needed: DiceNeeded) -> bool:
        """Whether the set has the dice that a game needs; it may have more."""
        return (
            self.state == State.ISSUED and self.sides == needed.sides and self.count >= needed.count
        )

    def may_lie_at(self, table: Table | uuid.UUID | str) -> bool:
        """Whether the set is issued to all tables, or to this table."""
        return self.issued_to_id is None or str(self.issued_to_id) == str(
            getattr(table, "pk", table)
        )


class DiceStep(models.Model):
    """
    A step in the life of a dice set, for lists: each row is an event, except events of games.

    Written from the events of sets and of their records; it can be rebuilt at any time.
    """

    class What(models.TextChoices):
        ADDED = "added", gettext_lazy("Added under Settings")
        CHANGED = "changed", gettext_lazy("Changed under Settings")
        RECEIVED = "received", gettext_lazy("Received")
        INSPECTED = "inspected", gettext_lazy("Inspected")
        ISSUED = "issued", gettext_lazy("Issued")
        RETURNED = "returned", gettext_lazy("Returned to the store")
        QUARANTINED = "quarantined", gettext_lazy("In quarantine")
        WITHDRAWN = "withdrawn", gettext_lazy("Withdrawn")
        REINSTATED = "reinstated", gettext_lazy("No longer withdrawn")
        DESTROYED = "destroyed", gettext_lazy("Destroyed")
        SENT = "sent", gettext_lazy("Sent to another house")

    pk = models.CompositePrimaryKey("establishment_id", "position")
    establishment = models.ForeignKey(
        "establishments.Establishment", on_delete=models.PROTECT, db_index=False
    )
    position = models.PositiveBigIntegerField(help_text="Of the event in the house's ledger.")
    dice_set = models.UUIDField()
    what = models.CharField(max_length=11, choices=What.choices)
    at = models.DateTimeField()
    gaming_day = models.DateField()
    actor = models.CharField(max_length=NAME_MAX)
    asked_by = models.CharField(max_length=NAME_MAX, blank=True)
    table = models.UUIDField(null=True, help_text="To which it was issued, if to one.")
    game = models.UUIDField(null=True, help_text="In which it won a large prize.")
    in_order = models.BooleanField(null=True, help_text="What an inspection found.")
    supplier = models.CharField(max_length=TOKEN_MAX, blank=True)
    reference = models.CharField(max_length=TOKEN_MAX, blank=True)
    said = models.CharField(max_length=TOKEN_MAX, blank=True, help_text="Token of a kept text.")

    class Meta:
        indexes = [
            models.Index(
                fields=["establishment", "dice_set", "-position"], name="dice_steps_of_a_set"
            ),
            models.Index(
                fields=["establishment", "dice_set", "what", "-position"],
                name="dice_steps_of_a_kind",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.what} {self.dice_set}"
