"""Houses and their tables."""

from __future__ import annotations

import uuid
from datetime import time
from typing import Final

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy

from casino.engine.databases.house_rows import OfHouse
from casino.house.establishments import columns
from casino.house.establishments import denominations as pieces
from casino.house.establishments.denominations import sound_denominations, usual_denominations
from casino.words.languages.locales import USUAL, check_locale
from casino.words.languages.names import NameField
from casino.words.languages.reader import check_language
from games.commands import UNDO_SECONDS
from games.payments import COINS_MAX

GRACE_MOST, IDLE_MOST = 12 * 60, 12 * 60  # minutes
UNDO_MOST: Final = 10 * 60  # seconds
PART_LEAST, PART_MOST = 5, 10 * 60  # seconds
ALARMS_ONE_IN, ALARMS_ONE_IN_LEAST, ALARMS_ONE_IN_MOST = 1000, 20, 1_000_000


class Establishment(models.Model):
    """A house: one ledger, one currency, one gaming day."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    name = NameField(gettext_lazy("name"), max_length=80, unique=True)
    currency_code = models.CharField(
        gettext_lazy("code of the currency"),
        max_length=3,
        blank=True,
        default="",
        validators=[columns.check_currency],
        help_text=columns.CURRENCY_CODE,
    )
    currency = models.CharField(
        gettext_lazy("currency"), max_length=80, default="rod", help_text="Its name in full."
    )
    currency_symbol = models.CharField(
        gettext_lazy("sign of the currency"), max_length=8, default="r", help_text="As in 12 r."
    )
    coin_digits = models.PositiveSmallIntegerField(
        gettext_lazy("decimals"),
        default=0,
        validators=[MaxValueValidator(4)],
        help_text="Decimals of the smallest coin: 0 where it is the unit, 2 where 1.00 is 100.",
    )
    time_zone = models.CharField(
        gettext_lazy("time zone"),
        max_length=64,
        default="UTC",
        validators=[columns.check_time_zone],
    )
    language = models.CharField(
        gettext_lazy("language"),
        max_length=8,
        blank=True,
        default="",
        validators=[check_language],
        help_text="For who has chosen none of their own; empty: as each browser asks.",
    )
    locale = models.CharField(
        gettext_lazy("dates and figures"),
        max_length=8,
        default=USUAL,
        validators=[check_locale],
        help_text="How dates, times and figures are written.",
    )
    day_cutoff = models.TimeField(
        gettext_lazy("cut-off"),
        default=time(6),
        help_text="When one gaming day ends and the next begins, local time.",
    )
    large_prize = columns.PositiveAmountField(
        gettext_lazy("large prize"),
        default=500,
        validators=[MinValueValidator(1), MaxValueValidator(COINS_MAX)],
        help_text="A payout above this many coins waits for a second witness. A7",
    )
    cash_threshold = columns.PositiveAmountField(
        gettext_lazy("cash threshold"),
        default=10_000,
        null=True,
        blank=True,
        validators=[MinValueValidator(1), MaxValueValidator(COINS_MAX)],
        help_text=(
            "A player's cash of one gaming day, in or out, is flagged above this many coins;"
            " empty: never. P2"
        ),
    )
    tips_allowed = models.BooleanField(
        gettext_lazy("tips"), default=False, help_text="Whether attendants may take tips. P4"
    )
    counts_floats = models.BooleanField(
        gettext_lazy("floats are counted"),
        default=True,
        help_text="Money is played only at tables whose float was counted. B1",
    )
    denominations = models.JSONField(
        gettext_lazy("denominations"),
        default=usual_denominations,
        validators=[sound_denominations],
        help_text="Coins and chips as they are counted, by value.",
    )
    closing_grace = models.PositiveSmallIntegerField(
        gettext_lazy("minutes until the day closes itself"),
        default=60,
        null=True,
        blank=True,
        validators=[MaxValueValidator(GRACE_MOST)],
        help_text=(
            "Minutes after the cut-off until a gaming day that nobody closed closes itself;"
            " empty: only people close it. B4"
        ),
    )
    two_configure = models.BooleanField(
        gettext_lazy("two people change settings"),
        default=False,
        help_text="Whether a second person approves each change of rules, fees and settings. C1",
    )
    pin_approves_voids = models.BooleanField(
        gettext_lazy("a PIN answers for voids"),
        default=False,
        help_text=(
            "A supervisor's PIN on an enrolled tablet stands for both factors where a void at a"
            " table takes back no more than a large prize. D2"
        ),
    )
    undo_seconds = models.PositiveSmallIntegerField(
        gettext_lazy("seconds in which the last throw is undone alone"),
        default=UNDO_SECONDS,
        validators=[MaxValueValidator(UNDO_MOST)],
        help_text=(
            "Seconds in which an attendant alone takes back the last throw, whatever came of it;"
            " 0: never. G4"
        ),
    )
    second_look = models.BooleanField(
        gettext_lazy("second look at a throw that pays"),
        default=True,
        help_text=(
            "Whether a throw that ends a round and pays is looked at twice where the attendant"
            " could not undo it alone. G4"
        ),
    )
    publishes_rules = models.BooleanField(
        gettext_lazy("plays by published rules only"),
        default=True,
        help_text="A game opens only under house rules that were published for it. A4",
    )
    idle_after = models.PositiveSmallIntegerField(
        gettext_lazy("minutes until a table is marked idle"),
        default=10,
        null=True,
        blank=True,
        validators=[MinValueValidator(1), MaxValueValidator(IDLE_MOST)],
        help_text=columns.IDLE,
    )
    waiting_minutes = models.PositiveSmallIntegerField(
        gettext_lazy("minutes until who is called counts as gone"),
        default=10,
        null=True,
        blank=True,
        validators=[MinValueValidator(1), MaxValueValidator(IDLE_MOST)],
        help_text=columns.WAITING,
    )
    alarms_one_in = models.PositiveIntegerField(
        gettext_lazy("false alarms about dice, one in"),
        default=ALARMS_ONE_IN,
        validators=[MinValueValidator(ALARMS_ONE_IN_LEAST), MaxValueValidator(ALARMS_ONE_IN_MOST)],
        help_text=(
            "Of the throws that raise an alarm by evidence at most one stream in so many is of"
            " fair dice. F2"
        ),
    )
    wall = models.BooleanField(
        gettext_lazy("wall board"),
        default=False,
        help_text="Whether the wall board of the whole house is shown, to whoever has its address.",
    )
    wall_names = models.BooleanField(
        gettext_lazy("names on wall boards"), default=False, help_text=columns.WALL_NAMES
    )
    wall_stakes = models.BooleanField(
        gettext_lazy("stakes on wall boards"), default=False, help_text=columns.WALL_STAKES
    )
    wall_seconds = models.PositiveSmallIntegerField(
        gettext_lazy("seconds of a part of wall boards"),
        default=12,
        validators=[MinValueValidator(PART_LEAST), MaxValueValidator(PART_MOST)],
        help_text=columns.WALL_SECONDS,
    )
    guests = models.BooleanField(
        gettext_lazy("guests' page"), default=False, help_text=columns.GUESTS
    )
    wall_key = columns.WallKeyField(unique=True)
    setting_up = models.CharField(
        gettext_lazy("set-up"),
        max_length=16,
        blank=True,
        default="",
        editable=False,
        help_text="The step at which setting up the house goes on; empty: it is done.",
    )
    # The key of the hashes that recognise a repeated command, so that a hash reveals nothing.
    secret = models.BinaryField(default=columns.new_secret, editable=False)

    class Meta:
        ordering = ["name"]
        constraints = [
            models.CheckConstraint(condition=Q(large_prize__gte=1), name="large_prize_is_some"),
            models.CheckConstraint(
                condition=Q(cash_threshold__isnull=True) | Q(cash_threshold__gte=1),
                name="cash_threshold_is_some",
            ),
            models.CheckConstraint(
                condition=Q(undo_seconds__lte=UNDO_MOST), name="undo_is_a_matter_of_minutes"
            ),
        ]

    def __str__(self) -> str:
        return self.name


class Table(columns.WithWallBoard, OfHouse):
    """A table of a house, with limits of a stake, an ante or the price of dice (rule G10)."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    establishment = models.ForeignKey(
        Establishment, on_delete=models.PROTECT, related_name="tables", db_index=False
    )
    name = NameField(gettext_lazy("name"), max_length=40)
    stake_min = columns.PositiveAmountField(
        gettext_lazy("least stake"), null=True, blank=True, help_text=columns.LEAST
    )
    stake_max = columns.PositiveAmountField(
        gettext_lazy("greatest stake"), null=True, blank=True, help_text=columns.GREATEST
    )
    in_use = models.BooleanField(gettext_lazy("in use"), default=True)
    wall = models.BooleanField(
        gettext_lazy("wall board"),
        default=False,
        help_text="Whether a wall board of the table is shown, to whoever has its address.",
    )
    wall_key = columns.WallKeyField()

    class Meta:
        ordering = ["establishment", "name"]
        constraints = [
            models.UniqueConstraint(
                fields=["establishment", "wall_key"], name="one_table_of_a_wall_key"
            ),
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

    def clean(self) -> None:
        super().clean()
        if self.establishment_id is not None:
            limits = {"stake_min": self.stake_min, "stake_max": self.stake_max}
            pieces.check_columns(self.establishment.denominations, limits)


class HouseRules(OfHouse):
    """
    One version of the house's rules for one game, in force from a moment until the next (A4, A5).

    Versions are never edited: a change is published as the next version. The opening of a game pins
    the version in force then; a later version changes nothing in that game.
    """

    class HomeThrows(models.TextChoices):
        NONE = "none", gettext_lazy("None")
        HOUSE = "house", gettext_lazy("The house's own")
        ATTENDANT = "attendant", gettext_lazy("Thrown by the attendant")
        PLAYERS = "players", gettext_lazy("Each player's own")

    class Deviations(models.TextChoices):
        NOBODY = "nobody", gettext_lazy("Nobody: the house's rules hold at every table")
        SUPERVISOR = "supervisor", gettext_lazy("Supervisors and managers")
        ANYBODY = "anybody", gettext_lazy("Whoever opens the game")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    establishment = models.ForeignKey(
        Establishment, on_delete=models.PROTECT, related_name="house_rules", db_index=False
    )
    game = models.CharField(gettext_lazy("game"), max_length=32)
    version = models.PositiveIntegerField(
        gettext_lazy("version"), help_text="Of this game at this house: 1, 2, 3 …"
    )
    effective_from = models.DateTimeField(gettext_lazy("in force from"))
    played = models.BooleanField(
        gettext_lazy("played"), default=True, help_text="Whether the house has this game at all."
    )
    options = models.JSONField(
        gettext_lazy("options"),
        default=dict,
        blank=True,
        help_text="Option to value, where it is not the rules' usual one.",
    )
    fee = models.JSONField(
        gettext_lazy("fee"), null=True, blank=True, help_text="As an opening announces it. G6"
    )
    home_throws = models.CharField(
        gettext_lazy("home throws"),
        max_length=16,
        choices=HomeThrows.choices,
        default=HomeThrows.NONE,
    )
    deviations = models.CharField(
        gettext_lazy("who may deviate"),
        max_length=16,
        choices=Deviations.choices,
        default=Deviations.SUPERVISOR,
        help_text="Who may open a game under other options. The fee is the house's always.",
    )
    text = models.CharField(
        gettext_lazy("text"),
        max_length=66,
        blank=True,
        help_text="Token of what hangs on the wall, in the house's own words.",
    )
    set_by = models.ForeignKey(
        "attendants.Attendant",
        verbose_name=gettext_lazy("set by"),
        on_delete=models.PROTECT,
        null=True,
        related_name="+",
    )

    class Meta:
        ordering = ["establishment", "game", "-version"]
        verbose_name_plural = "house rules"
        constraints = [
            models.UniqueConstraint(
                fields=["establishment", "game", "version"], name="one_version_of_house_rules"
            ),
            models.CheckConstraint(
                condition=Q(home_throws__in=["none", "house", "attendant", "players"])
                & Q(deviations__in=["nobody", "supervisor", "anybody"])
                & Q(version__gte=1),
                name="house_rules_known",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.game}, rules {self.version}"


class Change(models.Model):
    """
    One change of the house's configuration or staff, as lists show it (C2).

    Written from the events of the house's records; it can be rebuilt at any time.
    """

    pk = models.CompositePrimaryKey("establishment_id", "position")
    establishment = models.ForeignKey(
        Establishment, on_delete=models.PROTECT, related_name="+", db_index=False
    )
    position = models.PositiveBigIntegerField(help_text="Of the event in the house's ledger.")
    at = models.DateTimeField()
    gaming_day = models.DateField()
    kind = models.CharField(max_length=32, help_text="table, dice_set, house_rules …")
    happened = models.CharField(max_length=16, help_text="created or changed")
    thing = models.CharField(max_length=40)
    label = models.CharField(max_length=80)
    actor = models.CharField(max_length=40)
    asked_by = models.CharField(max_length=40, blank=True, help_text="Where a second one approved.")
    alone = models.BooleanField(default=False)
    reason = models.CharField(max_length=66, blank=True, help_text="Token of a kept text.")
    before = models.JSONField(null=True)
    after = models.JSONField(null=True)

    class Meta:
        ordering = ["establishment", "-position"]
        indexes = [
            models.Index(fields=["establishment", "kind", "-position"], name="changes_of_one_kind"),
            models.Index(fields=["establishment", "gaming_day"], name="changes_of_one_day"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.label} {self.happened}"
