"""
Rows of settlement: payouts, games with held payouts, seasons, points, and prizes of scoreboards.

`Payout` rows can be deleted: the projections of `core` rebuild them from events. `Season`, `Tally`,
`PrizeIssued` and `Withheld` are written together with what settlement books. A manager sets the
`Scoreboard` and `PrizeRule` rows.
"""

from __future__ import annotations

import math
import uuid
from fractions import Fraction
from typing import TYPE_CHECKING, Final

from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from casino.engine.databases.house_keys import KeyWithinHouse
from casino.engine.databases.house_rows import OfHouse
from casino.house.acts.game_streams import catalogue
from casino.house.establishments.columns import PositiveAmountField
from casino.house.establishments.denominations import check_columns
from casino.words.languages.names import NameField
from casino.words.presenters import registered
from games.refusals import UnknownGame

if TYPE_CHECKING:
    from datetime import date

SUBSCRIPTION: Final = "settlement"
"""The name under which settlement reads the ledger."""
PRIZE_ISSUED: Final = "settlement.prize_issued"


def check_on_offer(ruleset: str) -> None:
    """:raises ValidationError: if no game on offer has this name."""
    try:
        catalogue.current(ruleset)
    except UnknownGame as unknown:
        raise ValidationError(str(unknown)) from None


def first_game() -> str:
    return registered.first().id


class Payout(models.Model):
    """
    A payment that settlement booked, and its state.

    Booked: it is in the payee's stake, or in another account that it went to. Held: it waits for
    what `why` says. Released: it was held before. Paid: the player took their money away. Reversed:
    it was voided.
    """

    class State(models.TextChoices):
        BOOKED = "booked", "Booked"
        HELD = "held", "Held"
        RELEASED = "released", "Released"
        PAID = "paid", "Paid"
        REVERSED = "reversed", "Reversed"

    pk = models.CompositePrimaryKey("establishment_id", "position", "seq")
    establishment = models.ForeignKey(
        "establishments.Establishment", on_delete=models.PROTECT, db_index=False
    )
    position = models.PositiveBigIntegerField(help_text="Of the event that booked it.")
    seq = models.PositiveSmallIntegerField()
    game = models.UUIDField()
    table = KeyWithinHouse("establishments.Table", on_delete=models.PROTECT, db_index=False)
    round = models.PositiveIntegerField()
    cause = models.PositiveIntegerField(help_text="Number of the event in the game.")
    payer = models.CharField(max_length=16)
    payee = models.CharField(max_length=16)
    amount = PositiveAmountField()
    rules = models.CharField(max_length=80)
    booked_at = models.DateTimeField()
    gaming_day = models.DateField()
    state = models.CharField(max_length=8, choices=State.choices, default=State.BOOKED)
    held = PositiveAmountField(default=0, help_text="What of it waits now.")
    why = models.TextField(blank=True, default="", help_text="What it waits for, in words of ours.")

    class Meta:
        ordering = ["-position", "-seq"]
        indexes = [
            # The indexes end with position and seq, the order of the list. Otherwise a planner
            # without statistics scans the key of all payouts in order and filters them.
            *(
                models.Index(
                    fields=["establishment", by, "position", "seq"], name=f"settlement_payout_{by}"
                )
                for by in ("game", "state", "gaming_day", "payee", "table")
            ),
        ]

    def __str__(self) -> str:
        return f"{self.amount} {self.payer} -> {self.payee}"

    @property
    def waits_for(self) -> list[str]:
        """
        What a held payout waits for: ``large_prize``, ``stopped``, ``dispute:<event>``,
        ``void:<event>``.
        """
        return self.why.split()


class Withheld(models.Model):
    """
    A game of which payouts were ever held. Settlement writes this row together with its bookings.

    The stream ``settlement/<game>`` says what is held. Most games have no held payouts; without
    this row the stream need not be read.
    """

    pk = models.CompositePrimaryKey("establishment_id", "game")
    establishment = models.ForeignKey(
        "establishments.Establishment", on_delete=models.PROTECT, db_index=False
    )
    game = models.UUIDField()
    waiting = models.BooleanField(help_text="Some payout waits for something now.")

    class Meta:
        indexes = [models.Index(fields=["establishment", "waiting"])]

    def __str__(self) -> str:
        return f"{self.game}"


class Season(models.Model):
    """
    A season of a house's scoreboard for one game (SB2). Settlement writes it, and whoever ends it.

    Open: it runs. Ended: its last gaming day has passed, and is not closed yet. Closed: its final
    table does not change any more.
    """

    class State(models.TextChoices):
        OPEN = "open", gettext_lazy("running")
        ENDED = "ended", gettext_lazy("ended, not closed yet")
        CLOSED = "closed", gettext_lazy("closed")

    pk = models.CompositePrimaryKey("establishment_id", "ruleset", "number")
    establishment = models.ForeignKey(
        "establishments.Establishment", on_delete=models.PROTECT, db_index=False
    )
    ruleset = models.CharField(max_length=32)
    number = models.PositiveIntegerField(help_text="1 is the board's first.")
    state = models.CharField(max_length=8, choices=State.choices, default=State.OPEN)
    first_day = models.DateField(null=True, help_text="Null: it began before there were seasons.")
    last_day = models.DateField(null=True, help_text="Null: until a manager ends it.")

    class Meta:
        ordering = ["establishment", "ruleset", "number"]
        constraints = [
            models.UniqueConstraint(
                fields=["establishment", "ruleset"],
                condition=Q(state="open"),
                name="one_season_at_a_time",
            ),
            models.CheckConstraint(
                condition=Q(state="open") | Q(last_day__isnull=False), name="season_ends_on_a_day"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.ruleset} {self.number}"

    def holds(self, day: date) -> bool:
        """Whether a gaming day is one of the season's."""
        begun = self.first_day is None or self.first_day <= day
        return begun and (self.last_day is None or day <= self.last_day)


class Tally(models.Model):
    """
    A player's points in a season of a house's scoreboard (SB1). Settlement writes it.

    Points may be exact fractions, because they can be shared: `points` is the whole part, `share`
    the rest.
    """

    pk = models.CompositePrimaryKey("establishment_id", "ruleset", "season", "player")
    establishment = models.ForeignKey(
        "establishments.Establishment", on_delete=models.PROTECT, db_index=False
    )
    ruleset = models.CharField(max_length=32)
    season = models.PositiveIntegerField(help_text="Its number on the board.")
    player = models.CharField(max_length=16)
    points = models.BigIntegerField(default=0)
    share = models.CharField(max_length=40, default="0", help_text="Less than one: 2/3.")
    rounds = models.IntegerField(
        default=0, help_text="In which the player threw or scored, and somebody scored."
    )

    class Meta:
        indexes = [
            models.Index(
                fields=["establishment", "ruleset", "season", "-points"], name="settlement_standing"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.player} {self.exact}"

    @property
    def exact(self) -> Fraction:
        return self.points + Fraction(self.share)

    def add(self, more: Fraction) -> None:
        total = self.exact + more
        self.points = math.floor(total)
        self.share = str(total - self.points)


class Scoreboard(OfHouse):
    """How a house keeps the scoreboard of a game: its seasons, and how equals share prizes (SB)."""

    class Length(models.TextChoices):
        OPEN = "open", gettext_lazy("No end: until a manager ends it")
        DAY = "day", gettext_lazy("A gaming day")
        WEEK = "week", gettext_lazy("A week, from Monday")
        MONTH = "month", gettext_lazy("A month")
        QUARTER = "quarter", gettext_lazy("A quarter of a year")
        UNTIL = "until", gettext_lazy("Until a day")

    class PlaceTie(models.TextChoices):
        SPLIT = "split", gettext_lazy("They share the money of the places they take together")
        ALL = "all", gettext_lazy("Each gets the better prize")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    establishment = models.ForeignKey(
        "establishments.Establishment", on_delete=models.PROTECT, db_index=False
    )
    ruleset = models.CharField(
        gettext_lazy("game"), max_length=32, default=first_game, validators=[check_on_offer]
    )
    season = models.CharField(
        gettext_lazy("length of a season"),
        max_length=8,
        choices=Length.choices,
        default=Length.OPEN,
    )
    until = models.DateField(gettext_lazy("last gaming day"), null=True, blank=True)
    place_tie = models.CharField(
        gettext_lazy("equal points"),
        max_length=8,
        choices=PlaceTie.choices,
        default=PlaceTie.SPLIT,
    )

    class Meta:
        ordering = ["establishment", "ruleset"]
        constraints = [
            models.UniqueConstraint(
                fields=["establishment", "ruleset"], name="one_scoreboard_of_a_game"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.ruleset} {self.season}"

    def clean(self) -> None:
        """:raises ValidationError: if the last day is missing, is too many, or has passed."""
        super().clean()
        if (self.season == self.Length.UNTIL) != (self.until is not None):
            raise ValidationError({"until": _("Only a season until a day has a last gaming day.")})
        if self.until is None or self.establishment_id is None:
            return
        kept = Scoreboard.objects.filter(pk=self.pk, establishment=self.establishment_id)
        if kept.filter(until=self.until).exists():
            return  # a day that was set before may have passed since
        from casino.house.establishments import gaming_day  # noqa: PLC0415 - of settings alone

        if self.until < gaming_day.current(self.establishment, timezone.now()):
            raise ValidationError({"until": _("This day has passed.")})


class PrizeRule(OfHouse):
    """A prize of the scoreboard: for a number of points, or for a place at the end (SB3, SB4)."""

    class Kind(models.TextChoices):
        POINTS = "points", gettext_lazy("Reaching a number of points")
        PLACE = "place", gettext_lazy("A place when the season is closed")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    establishment = models.ForeignKey(
        "establishments.Establishment", on_delete=models.PROTECT, db_index=False
    )
    ruleset = models.CharField(
        gettext_lazy("game"), max_length=32, default=first_game, validators=[check_on_offer]
    )
    kind = models.CharField(gettext_lazy("kind"), max_length=8, choices=Kind.choices)
    at = models.PositiveIntegerField(
        gettext_lazy("at"), help_text="Points to reach, or the place (1 is first)."
    )
    prize = NameField(gettext_lazy("prize"), max_length=120, help_text="What is handed over.")
    amount = PositiveAmountField(
        gettext_lazy("amount"),
        default=0,
        help_text="In the smallest coin; 0 where the prize is not money.",
    )
    active = models.BooleanField(gettext_lazy("active"), default=True)

    class Meta:
        ordering = ["establishment", "ruleset", "kind", "at"]
        constraints = [
            models.CheckConstraint(condition=Q(at__gte=1), name="prize_is_at_something"),
            models.UniqueConstraint(
                fields=["establishment", "ruleset", "kind", "at"], name="one_prize_at_a_mark"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.prize} at {self.at} {self.get_kind_display()}"

    def clean(self) -> None:
        super().clean()
        if self.establishment_id is not None:
            check_columns(self.establishment.denominations, {"amount": self.amount})


class PrizeIssued(models.Model):
    """
    A prize that a player has won in a season. Settlement writes it.

    The database makes sure that a player wins a prize only once in a season for each rule.
    """

    pk = models.CompositePrimaryKey("establishment_id", "ruleset", "season", "rule", "player")
    establishment = models.ForeignKey(
        "establishments.Establishment", on_delete=models.PROTECT, db_index=False
    )
    ruleset = models.CharField(max_length=32)
    season = models.PositiveIntegerField(help_text="Its number on the board.")
    rule = models.UUIDField()
    player = models.CharField(max_length=16)
    position = models.PositiveBigIntegerField(help_text="Of the event that caused it.")

    class Meta:
        indexes = [
            models.Index(fields=["establishment", "position"], name="settlement_prize_at"),
        ]

    def __str__(self) -> str:
        return f"{self.rule} {self.player}"
