"""
Rows of the search index. They can be deleted and rebuilt from events. docs/reference/search.md,
decision 0049.

Each key begins with the house and ends with the order of the list, so that a page reads one index
from a given place, however large the ledger is.
"""

from __future__ import annotations

from typing import ClassVar

from django.db import models

from casino.engine.databases.house_keys import KeyWithinHouse
from casino.house.establishments.columns import AmountField, PositiveAmountField

WHO_MAX = 36  # characters of a player's token or an attendant's id


def of_a_house() -> models.ForeignKey:  # type: ignore[type-arg]  # Django's own arguments
    """A foreign key to the house, without an index of its own: every key begins with the house."""
    return models.ForeignKey(
        "establishments.Establishment",
        on_delete=models.PROTECT,
        db_index=False,
        related_name="+",
    )


class EventBlock(models.Model):
    """A block of the ledger whose events are indexed by their values (`search.terms`)."""

    pk = models.CompositePrimaryKey("establishment_id", "block")
    establishment = of_a_house()
    block = models.PositiveIntegerField(help_text="Its first position, in whole blocks.")
    first_at = models.DateTimeField(help_text="The earliest time at which one was recorded.")
    last_at = models.DateTimeField(help_text="The latest.")

    class Meta:
        indexes: ClassVar = [
            models.Index(fields=["establishment", at, "block"], name=f"search_block_{at}")
            for at in ("first_at", "last_at")
        ]

    def __str__(self) -> str:
        return f"{self.block}"


class EventTerm(models.Model):
    """The events of a block that have one value: a person, a stream, a cause. Written once."""

    pk = models.CompositePrimaryKey("establishment_id", "term", "block")
    establishment = of_a_house()
    term = models.BinaryField(max_length=16, help_text="Stands for what they say: `terms.term`.")
    block = models.PositiveIntegerField()
    offsets = models.BinaryField(help_text="Within the block, in order, two bytes each.")

    def __str__(self) -> str:
        return f"{bytes(self.term).hex()} in {self.block}"


class RoundLine(models.Model):
    """
    A round of a game; play before the first throw and after the last throw belongs to it too.

    Coins are those that stand: they include nothing that a void cancelled.
    """

    pk = models.CompositePrimaryKey("establishment_id", "position")
    establishment = of_a_house()
    position = models.PositiveBigIntegerField(help_text="Of its first event.")
    game = models.UUIDField()
    round = models.PositiveIntegerField()
    table = KeyWithinHouse(
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
    staked = AmountField(default=0, help_text="By players into the pot.")
    won = AmountField(default=0, help_text="By players, from whomever.")
    over = models.BooleanField(default=False)
    void = models.BooleanField(default=False, help_text="All that was played in it was voided.")

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["establishment", "game", "round"], name="search_one_round_of_a_number"
            ),
        ]
        indexes: ClassVar = [
            models.Index(
                fields=["establishment", *columns, "began_at", "position"], name=f"search_{name}"
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
    """A person in a round: a player whom its events name, or a person who recorded one of them."""

    pk = models.CompositePrimaryKey("establishment_id", "position", "who")
    establishment = of_a_house()
    who = models.CharField(max_length=WHO_MAX, help_text="A player's token, an attendant's id.")
    began_at = models.DateTimeField()
    position = models.PositiveBigIntegerField(help_text="Of the round's first event.")

    class Meta:
        indexes: ClassVar = [
            models.Index(
                fields=["establishment", "who", "began_at", "position"], name="search_person"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.who} {self.position}"


class RoundAmount(models.Model):
    """An amount of coins that a payment in a round had when decided, even if voided later."""

    pk = models.CompositePrimaryKey("establishment_id", "position", "amount")
    establishment = of_a_house()
    amount = PositiveAmountField()
    began_at = models.DateTimeField()
    position = models.PositiveBigIntegerField(help_text="Of the round's first event.")

    class Meta:
        indexes: ClassVar = [
            models.Index(
                fields=["establishment", "amount", "began_at", "position"], name="search_amount"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.amount} {self.position}"


class LotLine(models.Model):
    """A lot that a pot left for the next game of its kind (TA10), and the game that has it."""

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
    amount = PositiveAmountField()
    since = models.DateTimeField()
    position = models.PositiveBigIntegerField(help_text="Of the event that left it.")
    state = models.CharField(max_length=8, choices=State.choices, default=State.WAITING)
    taker = models.UUIDField(null=True, help_text="The game that has it, or awaits it.")
    taken_position = models.PositiveBigIntegerField(
        null=True, help_text="Of the event with which it came to where it is."
    )

    class Meta:
        indexes: ClassVar = [
            models.Index(fields=["establishment", "taker", "position"], name="search_lot_taker"),
        ]

    def __str__(self) -> str:
        return f"{self.amount} of {self.game}"
