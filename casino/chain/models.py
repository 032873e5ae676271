"""
Rows of chains: the chain, its people, its houses, the summary of each house, and proposals.

Chains, members and houses are few and change rarely. `HouseSummary` is a read model with one row
for each house: it can be deleted, and workers make it again.
"""

from __future__ import annotations

import uuid
from typing import ClassVar, Final

from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from casino.engine.databases.house_keys import Directory
from casino.house.establishments.columns import AmountField, check_time_zone
from casino.house.establishments.models import Establishment
from casino.kit.web.jobs.models import Job, JsonValue
from casino.words.languages.names import NameField

NAME_MAX: Final = 80
REASON_MAX: Final = 500
WHY_MAX: Final = 400


class ChainRole(models.TextChoices):
    """What somebody is for a chain: the names of the roles are those of a house, the acts fewer."""

    MANAGER = "manager", _("Manager of the chain")
    AUDITOR = "auditor", _("Auditor of the chain")


class Chain(models.Model):
    """Houses that belong together. Its id is also the id of its ledger."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    name = NameField(_("name"), max_length=NAME_MAX, unique=True)
    time_zone = models.CharField(
        _("time zone"), max_length=64, default="UTC", validators=[check_time_zone]
    )
    founded_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering: ClassVar = ["name"]

    def __str__(self) -> str:
        return self.name

    def as_house(self) -> Establishment:
        """
        What pages, lists and files take for a house: name, clock and ledger are the chain's.

        It is never saved, and has no money of its own: each house's coins are written as there.
        """
        return Establishment(
            id=self.pk, name=self.name, time_zone=self.time_zone, currency="", currency_symbol=""
        )


class ChainMember(models.Model):
    """The role of one person in a chain, from a moment until they leave it; the row stays."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    chain = models.ForeignKey(Chain, on_delete=models.PROTECT, related_name="members")
    attendant = models.ForeignKey(
        "attendants.Attendant", on_delete=models.PROTECT, related_name="+"
    )
    role = models.CharField(_("role"), max_length=8, choices=ChainRole.choices)
    since = models.DateTimeField(default=timezone.now)
    until = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["attendant"], condition=Q(until__isnull=True), name="one_chain_of_a_person"
            ),
            models.CheckConstraint(
                condition=Q(role__in=[role.value for role in ChainRole]), name="chain_role_known"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.attendant}, {self.get_role_display()}"


class ChainHouse(Directory, models.Model):
    """The chain to which a house belongs: a house has one such row, or none."""

    establishment = models.OneToOneField(
        "establishments.Establishment",
        primary_key=True,
        on_delete=models.PROTECT,
        related_name="chain_house",
    )
    chain = models.ForeignKey(Chain, on_delete=models.PROTECT, related_name="houses")
    since = models.DateTimeField(default=timezone.now)

    def __str__(self) -> str:
        return f"{self.establishment} of {self.chain}"


class HouseSummary(models.Model):
    """
    The figures of a house at one moment, for the pages of its chain.

    Workers write it; no page computes it. Amounts are whole coins of the house's own currency:
    they are never added to those of another currency.
    """

    establishment = models.OneToOneField(
        "establishments.Establishment",
        primary_key=True,
        on_delete=models.PROTECT,
        related_name="summary",
    )
    summed_at = models.DateTimeField(null=True, help_text="Of these figures; empty: none yet.")
    due_at = models.DateTimeField(null=True, help_text="When they are made again at the latest.")
    position = models.BigIntegerField(default=-1, help_text="Of the ledger's last event.")

    gaming_day = models.DateField(null=True, help_text="The day of an entry made now.")
    opens_at = models.DateTimeField(null=True, help_text="When the oldest open day begins.")
    late_from = models.DateTimeField(null=True, help_text="When that day is over and to be closed.")
    closing = models.BooleanField(default=False, help_text="Whether a day is being closed.")
    last_closed = models.DateField(null=True, help_text="The last day that is closed.")

    games = models.PositiveIntegerField(default=0, help_text="Begun on the gaming day.")
    rounds = models.PositiveIntegerField(default=0)
    throws = models.PositiveIntegerField(default=0)
    bought_in = AmountField(default=0)
    staked = AmountField(default=0, help_text="Turnover: paid by players into pots.")
    paid = AmountField(default=0)
    fees = AmountField(default=0)
    running = models.PositiveIntegerField(default=0, help_text="Games that are open now.")

    pots = AmountField(default=0, help_text="In pots and rolled over.")
    owed = AmountField(default=0, help_text="All players' money, the pots included.")

    alarms = models.PositiveIntegerField(default=0, help_text="About dice, open.")
    approvals = models.PositiveIntegerField(default=0, help_text="That wait for a second person.")
    disputes = models.PositiveIntegerField(default=0)
    held = models.PositiveIntegerField(default=0, help_text="Payouts that wait.")
    parked = models.PositiveIntegerField(default=0, help_text="Streams that wait for a person.")
    stopped = models.BooleanField(default=False, help_text="Whether payouts are stopped. E2")
    unsound = models.BooleanField(default=False, help_text="Whether records are not as signed.")
    lag = models.PositiveBigIntegerField(default=0, help_text="Events behind, of the slowest.")

    signed_size = models.PositiveBigIntegerField(default=0, help_text="Events that are signed.")
    signed_at = models.DateTimeField(null=True)

    class Meta:
        indexes = [
            models.Index(fields=["due_at"], name="summaries_due"),
            models.Index(fields=["summed_at"], name="summaries_to_be_made"),
        ]

    def __str__(self) -> str:
        return f"{self.establishment_id} at {self.summed_at}"


class Proposal(models.Model):
    """
    What one manager of a chain proposes and another approves (C1).

    The chain's ledger has an event for each step. It has the reason as a salted hash.
    """

    class Kind(models.TextChoices):
        SETTINGS = "settings", _("Settings for houses")
        RULES = "rules", _("House rules for houses")
        APPOINT = "appoint", _("Somebody's role in the chain")
        DISMISS = "dismiss", _("The end of somebody's role")
        DICE = "dice", _("A dice set for another house")

    class State(models.TextChoices):
        WAITING = "waiting", _("waits for a second person")
        APPROVED = "approved", _("approved")
        REJECTED = "rejected", _("rejected")
        WITHDRAWN = "withdrawn", _("withdrawn")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    chain = models.ForeignKey(Chain, on_delete=models.PROTECT, related_name="proposals")
    kind = models.CharField(max_length=8, choices=Kind.choices)
    subject = models.JSONField(help_text="What is proposed, by its kind.")
    reason = models.CharField(max_length=REASON_MAX)
    salt = models.CharField(max_length=32)
    state = models.CharField(max_length=9, choices=State.choices, default=State.WAITING)
    asked_by = models.ForeignKey("attendants.Attendant", on_delete=models.PROTECT, related_name="+")
    asked_at = models.DateTimeField(default=timezone.now)
    decided_by = models.ForeignKey(
        "attendants.Attendant", on_delete=models.PROTECT, null=True, related_name="+"
    )
    decided_at = models.DateTimeField(null=True)
    answer = models.CharField(max_length=REASON_MAX, blank=True, help_text="Why it was rejected.")

    class Meta:
        ordering: ClassVar = ["-asked_at", "-id"]
        constraints = [
            models.CheckConstraint(
                condition=~Q(state__in=["approved", "rejected"])
                | (Q(decided_by__isnull=False) & ~Q(decided_by=F("asked_by"))),
                name="a_second_person_decides",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.get_kind_display()}, {self.asked_at:%Y-%m-%d}"


class RollOutHouse(models.Model):
    """One house of a roll-out of settings, and what became of it there."""

    class State(models.TextChoices):
        PROPOSED = "proposed", _("proposed")
        WAITING = "waiting", _("waits for a worker")
        RUNNING = "running", _("on its way")
        DONE = "done", _("done")
        UNCHANGED = "same", _("had them already")
        REFUSED = "refused", _("refused")

    pk = models.CompositePrimaryKey("establishment_id", "proposal_id")
    establishment = models.ForeignKey(
        "establishments.Establishment", on_delete=models.PROTECT, db_index=False, related_name="+"
    )
    proposal = models.ForeignKey(Proposal, on_delete=models.PROTECT, related_name="houses")
    state = models.CharField(max_length=8, choices=State.choices, default=State.PROPOSED)
    attempt = models.PositiveSmallIntegerField(default=1)
    why = models.CharField(max_length=WHY_MAX, blank=True, help_text="Why the house refused.")
    changed_at = models.DateTimeField(default=timezone.now)

    class Meta:
        indexes = [
            models.Index(
                fields=["changed_at"], condition=Q(state="waiting"), name="roll_outs_to_be_begun"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.proposal_id} at {self.establishment_id}: {self.state}"


class DiceTransfer(models.Model):
    """
    A dice set that moves from one house of a chain to another, and how far it is.

    Its id is that of the proposal. The two houses' ledgers say what happened.
    """

    class State(models.TextChoices):
        PROPOSED = "proposed", _("proposed")
        LEAVING = "leaving", _("about to leave")
        SENT = "sent", _("between the houses")
        ARRIVED = "arrived", _("arrived")
        REFUSED = "refused", _("refused")

    proposal = models.OneToOneField(
        Proposal, primary_key=True, on_delete=models.PROTECT, related_name="transfer"
    )
    dice_set = models.UUIDField(help_text="At the house that it leaves.")
    number = models.CharField(max_length=24)
    dice = models.CharField(max_length=40)
    source = models.ForeignKey(
        "establishments.Establishment", on_delete=models.PROTECT, related_name="+"
    )
    target = models.ForeignKey(
        "establishments.Establishment", on_delete=models.PROTECT, related_name="+"
    )
    state = models.CharField(max_length=8, choices=State.choices, default=State.PROPOSED)
    why = models.CharField(max_length=WHY_MAX, blank=True, help_text="Why it stayed.")
    changed_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.CheckConstraint(condition=~Q(source=F("target")), name="dice_go_elsewhere"),
            models.UniqueConstraint(
                fields=["source", "dice_set"],
                condition=Q(state__in=["leaving", "sent", "arrived"]),
                name="a_dice_set_leaves_once",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.number} from {self.source} to {self.target}"


class RollOut(Job):
    """The job that changes the settings of one house as its chain has decided."""

    KIND: ClassVar[str] = "roll_out"
    KIND_PATH: ClassVar[str] = "casino.chain.roll_outs.ROLL_OUT"

    proposal: JsonValue[str] = JsonValue("parameters", "proposal", "")

    class Meta:
        proxy = True


class DiceDeparture(Job):
    """The job that takes a dice set out of the house that it leaves."""

    KIND: ClassVar[str] = "dice_departure"
    KIND_PATH: ClassVar[str] = "casino.chain.dice_pages.DEPARTURE"

    proposal: JsonValue[str] = JsonValue("parameters", "proposal", "")

    class Meta:
        proxy = True


class DiceArrival(Job):
    """The job that brings a dice set into the house where it arrives."""

    KIND: ClassVar[str] = "dice_arrival"
    KIND_PATH: ClassVar[str] = "casino.chain.dice_pages.ARRIVAL"

    proposal: JsonValue[str] = JsonValue("parameters", "proposal", "")

    class Meta:
        proxy = True
