"""Rows of game cards, figures and ended rounds for screens; projections can rebuild them."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from casino.engine.databases.house_keys import KeyWithinHouse
from casino.engine.databases.house_rows import OfHouse
from casino.house.establishments.columns import AmountField


class GameCard(OfHouse):
    """A game card: the row of one game in lists."""

    class Status(models.TextChoices):
        OPEN = "open", "Running"
        CLOSED = "closed", "Closed"

    game = models.UUIDField(primary_key=True)
    establishment = models.ForeignKey(
        "establishments.Establishment", on_delete=models.PROTECT, db_index=False
    )
    table = KeyWithinHouse("establishments.Table", on_delete=models.PROTECT)
    ruleset = models.CharField(max_length=32)
    status = models.CharField(max_length=8, choices=Status.choices)
    opened_at = models.DateTimeField()
    gaming_day = models.DateField()
    changed_at = models.DateTimeField()
    players = models.PositiveIntegerField()
    round = models.PositiveIntegerField()
    pot = AmountField()
    version = models.PositiveIntegerField(help_text="Events of the game that this card counts.")

    class Meta:
        ordering = ["-opened_at", "-game"]
        indexes = [
            models.Index(fields=["establishment", "status", "-opened_at"]),
            models.Index(fields=["establishment", "-opened_at", "-game"]),
        ]

    def __str__(self) -> str:
        return f"{self.ruleset} at {self.table}"


class DayFigures(models.Model):
    """The figures of a gaming day so far; money in the house's smallest coin."""

    pk = models.CompositePrimaryKey("establishment_id", "gaming_day")
    establishment = models.ForeignKey(
        "establishments.Establishment", on_delete=models.PROTECT, db_index=False
    )
    gaming_day = models.DateField()
    games = models.PositiveIntegerField(default=0)
    rounds = models.PositiveIntegerField(default=0)
    throws = models.PositiveIntegerField(default=0)
    voids = models.PositiveIntegerField(default=0)
    bought_in = AmountField(default=0)
    staked = AmountField(default=0, help_text="Paid by players into pots.")
    paid = AmountField(default=0, help_text="Paid by pots to players.")
    fees = AmountField(default=0)

    def __str__(self) -> str:
        return f"{self.gaming_day}"


class QuarterFigures(models.Model):
    """
    What a quarter of an hour adds to the figures of its gaming day, in the house's smallest coin.

    `begins` is at a full quarter of an hour of the clock. What settlement books counts in the
    quarter in which it was booked. The quarters of a day sum up to its `DayFigures`.
    """

    pk = models.CompositePrimaryKey("establishment_id", "gaming_day", "begins")
    establishment = models.ForeignKey(
        "establishments.Establishment", on_delete=models.PROTECT, db_index=False
    )
    gaming_day = models.DateField()
    begins = models.DateTimeField()
    rounds = models.IntegerField(default=0)
    bought_in = AmountField(default=0)
    staked = AmountField(default=0)
    paid = AmountField(default=0)
    fees = AmountField(default=0)

    def __str__(self) -> str:
        return f"{self.begins}"


# Rows of ended rounds, and of the range of positions that each game covers in the ledger.
# The rows can be deleted; rounds.py makes them again. Amounts are whole coins, players are tokens.


class RoundRow(models.Model):
    """
    A round that ended, as the rules decided it; the row stays if the round is voided later.

    A round begins after the end of the round before it, so its ante belongs to it. The `booked_...`
    columns add up the ledger's transfers as settlement books them; a void does not reduce them.
    """

    pk = models.CompositePrimaryKey("establishment_id", "position")
    establishment = models.ForeignKey(
        "establishments.Establishment", on_delete=models.PROTECT, db_index=False
    )
    position = models.PositiveBigIntegerField(help_text="Of the event that ended it.")
    game = models.UUIDField()
    table = KeyWithinHouse("establishments.Table", on_delete=models.PROTECT, db_index=False)
    ruleset = models.CharField(max_length=32)
    number = models.PositiveIntegerField(help_text="Of the round in its game.")
    first = models.PositiveIntegerField(help_text="Its first event, by number in the game.")
    last = models.PositiveIntegerField(help_text="The event that ended it.")
    began = models.PositiveBigIntegerField(help_text="Position of its first event.")
    began_at = models.DateTimeField(help_text="At the table.")
    ended_at = models.DateTimeField(help_text="At the table.")
    gaming_day = models.DateField(help_text="On which it ended.")
    throws = models.PositiveIntegerField(default=0)
    paying = models.JSONField(default=list, help_text="Its events that move coins, by number.")
    scoring = models.JSONField(default=list, help_text="Its events that give points.")
    staked = AmountField(default=0, help_text="By players into the pot.")
    rolled_in = AmountField(default=0, help_text="From the house's rollover.")
    paid = AmountField(default=0, help_text="By the pot to players.")
    rolled_out = AmountField(default=0, help_text="Into the house's rollover.")
    direct = AmountField(default=0, help_text="From player to player (CG6).")
    fee = AmountField(default=0)
    carried = AmountField(default=0, help_text="What the pot held at the end.")
    winners = models.JSONField(default=list)
    losers = models.JSONField(default=list)
    points = models.JSONField(default=dict, help_text="Player to exact points: 33/2.")
    homes = models.JSONField(default=dict, help_text="Home throw, 1-3-6, to [throws, hits].")
    undecided = models.BooleanField(default=False, help_text="The rules themselves voided it.")
    reach = models.PositiveIntegerField(
        default=0, help_text="Its last event, what follows on its end included."
    )
    booked = models.PositiveIntegerField(
        default=0, help_text="How many of `paying` settlement has booked."
    )
    booked_at = models.PositiveBigIntegerField(
        null=True, help_text="Position from which on all of it was booked."
    )
    booked_staked = AmountField(default=0, help_text="By the ledger's transfers.")
    booked_rolled_in = AmountField(default=0)
    booked_paid = AmountField(default=0)
    booked_direct = AmountField(default=0)
    booked_rolled_out = AmountField(default=0)
    booked_fee = AmountField(default=0)
    voided = models.PositiveBigIntegerField(null=True, help_text="Position of the void (G4).")

    class Meta:
        ordering = ["position"]
        constraints = [
            models.UniqueConstraint(
                fields=["establishment", "game", "position"], name="play_round_of_game"
            ),
        ]
        indexes = [
            models.Index(fields=["establishment", "gaming_day", "position"], name="play_round_day"),
            models.Index(
                fields=["establishment", "table", "gaming_day", "position"], name="play_round_table"
            ),
            models.Index(fields=["establishment", "game", "reach"], name="play_round_reach"),
            models.Index(
                fields=["establishment", "ruleset", "gaming_day", "position"],
                name="play_round_ruleset",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.ruleset} {self.number}"


class GameSpan(models.Model):
    """
    The first and the last position of a game, or of what is booked for it, in the ledger.

    It is used to find the games that were under way at a position.
    """

    pk = models.CompositePrimaryKey("establishment_id", "game")
    establishment = models.ForeignKey(
        "establishments.Establishment", on_delete=models.PROTECT, db_index=False
    )
    game = models.UUIDField()
    table = KeyWithinHouse("establishments.Table", on_delete=models.PROTECT)
    ruleset = models.CharField(max_length=32)
    opened = models.PositiveBigIntegerField()
    opened_at = models.DateTimeField()
    last = models.PositiveBigIntegerField()

    class Meta:
        indexes = [
            models.Index(fields=["establishment", "last", "opened"], name="play_span_last"),
        ]

    def __str__(self) -> str:
        return f"{self.game} from {self.opened} to {self.last}"

    @staticmethod
    def across(position: int) -> Q:
        """A filter for the games that were opened by a position and go on after it."""
        return Q(opened__lte=position, last__gt=position)
