"""
What things are found by: disposable, rebuilt from events. docs/finding.md, decision 0049.

Each key leads with the house and ends with what the list is ordered by, so that a page reads down
one index from where it stands, whatever the ledger has grown to.
"""

from __future__ import annotations

from typing import ClassVar

from django.db import models

from ledger.entries import NAME_MAX

WHO_MAX = 36  # characters of a player's token or an attendant's id


def of_a_house() -> models.ForeignKey:  # type: ignore[type-arg]  # Django's own arguments
    """Without an index of its own: every key begins with it."""
    return models.ForeignKey(
        "establishments.Establishment",
        on_delete=models.PROTECT,
        db_index=False,
        related_name="+",
    )


class EventLine(models.Model):
    """An event of the ledger by all that people look for; its body stays where it is."""

    pk = models.CompositePrimaryKey("establishment_id", "position")
    establishment = of_a_house()
    position = models.PositiveBigIntegerField()
    kind = models.CharField(max_length=NAME_MAX, help_text="What its stream begins with.")
    stream = models.CharField(max_length=NAME_MAX)
    event_type = models.CharField(max_length=NAME_MAX)
    actor = models.CharField(max_length=NAME_MAX)
    device = models.CharField(max_length=NAME_MAX)
    correlation = models.UUIDField()
    causation = models.UUIDField(null=True)
    recorded_at = models.DateTimeField()
    gaming_day = models.DateField()

    class Meta:
        indexes: ClassVar = [
            models.Index(fields=["establishment", column, "position"], name=f"finding_{name}")
            for column, name in (
                ("kind", "event_kind"),
                ("stream", "event_stream"),
                ("event_type", "event_type"),
                ("actor", "event_actor"),
                ("device", "event_device"),
                ("correlation", "event_correlation"),
                ("causation", "event_causation"),
                ("recorded_at", "event_recorded"),
            )
        ]

    def __str__(self) -> str:
        return f"{self.position} {self.event_type}"


class RoundLine(models.Model):
    """
    A round of a game; what is played before the first throw and after the last one with it.

    Coins are those that stand: what a void took back is in none of them.
    """

    pk = models.CompositePrimaryKey("establishment_id", "position")
    establishment = of_a_house()
    position = models.PositiveBigIntegerField(help_text="Of its first event.")
    game = models.UUIDField()
    round = models.PositiveIntegerField()
    table = models.ForeignKey(
        "establishments.Table", on_delete=models.PROTECT, db_index=False, related_name="+"
    )
    ruleset = models.CharField(max_length=32)
    gaming_day = models.DateField()
    began_at = models.DateTimeField(help_text="By the clock at the table.")
    last_at = models.DateTimeField()
    first = models.PositiveIntegerField(help_text="Number of its first event in the game.")
    last = models.PositiveIntegerField(help_text="Of its last one so far.")
    last_position = models.PositiveBigIntegerField()
    throws = models.PositiveIntegerField(default=0)
    staked = models.BigIntegerField(default=0, help_text="By players into the pot.")
    won = models.BigIntegerField(default=0, help_text="By players, from whomever.")
    over = models.BooleanField(default=False)
    void = models.BooleanField(default=False, help_text="All that was played in it was voided.")

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["establishment", "game", "round"], name="finding_one_round_of_a_number"
            ),
        ]
        indexes: ClassVar = [
            models.Index(
                fields=["establishment", *columns, "began_at", "position"], name=f"finding_{name}"
            )
            for columns, name in (
                ((), "round_began"),
                (("table",), "round_table"),
                (("ruleset",), "round_ruleset"),
                (("gaming_day",), "round_day"),
            )
        ]

    def __str__(self) -> str:
        return f"{self.game} {self.round}"


class RoundPerson(models.Model):
    """That somebody is in a round: a player whom its events name, or who recorded one of them."""

    pk = models.CompositePrimaryKey("establishment_id", "position", "who")
    establishment = of_a_house()
    who = models.CharField(max_length=WHO_MAX, help_text="A player's token, an attendant's id.")
    began_at = models.DateTimeField()
    position = models.PositiveBigIntegerField(help_text="Of the round's first event.")

    class Meta:
        indexes: ClassVar = [
            models.Index(
                fields=["establishment", "who", "began_at", "position"], name="finding_person"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.who} {self.position}"


class RoundAmount(models.Model):
    """That a payment of so many coins was decided in a round, whatever became of it."""

    pk = models.CompositePrimaryKey("establishment_id", "position", "amount")
    establishment = of_a_house()
    amount = models.PositiveBigIntegerField()
    began_at = models.DateTimeField()
    position = models.PositiveBigIntegerField(help_text="Of the round's first event.")

    class Meta:
        indexes: ClassVar = [
            models.Index(
                fields=["establishment", "amount", "began_at", "position"], name="finding_amount"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.amount} {self.position}"


class LotLine(models.Model):
    """What a pot left for the next game of its kind (TA10), and which game has it."""

    class State(models.TextChoices):
        WAITING = "waiting", "Waiting"
        CLAIMED = "claimed", "On its way"
        TAKEN = "taken", "In the next pot"
        UNDONE = "undone", "Voided"

    pk = models.CompositePrimaryKey("establishment_id", "game", "event")
    establishment = of_a_house()
    game = models.UUIDField(help_text="Whose pot left it.")
    event = models.PositiveIntegerField(help_text="Number of the event in that game.")
    ruleset = models.CharField(max_length=32)
    amount = models.PositiveBigIntegerField()
    since = models.DateTimeField()
    position = models.PositiveBigIntegerField(help_text="Of the event that left it.")
    state = models.CharField(max_length=8, choices=State.choices, default=State.WAITING)
    taker = models.UUIDField(null=True, help_text="The game that has it, or awaits it.")
    taken_position = models.PositiveBigIntegerField(
        null=True, help_text="Of the event with which it came to where it is."
    )

    class Meta:
        indexes: ClassVar = [
            models.Index(fields=["establishment", "taker", "position"], name="finding_lot_taker"),
        ]

    def __str__(self) -> str:
        return f"{self.amount} of {self.game}"
