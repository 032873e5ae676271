"""Rows of jobs: who began each, its progress, what it has found, and why it failed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Final, Generic, TypeVar

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from ledger.ids import uuid7

if TYPE_CHECKING:
    from django.db.models import QuerySet

T = TypeVar("T")
Run = TypeVar("Run", bound="Job")

REASON_MAX: Final = 200


class State(models.TextChoices):
    """The state of a job; a kind may have its own words for how a job ended."""

    RUNNING = "running", _("on its way")
    DONE = "done", _("done")
    STOPPED = "stopped", _("stopped")
    FAILED = "failed", _("not done")


class Occasion(models.TextChoices):
    START = "start", _("At start")
    NIGHT = "night", _("Each night")
    DAY = "day", _("A gaming day was closed")
    ON_DEMAND = "asked", _("On demand")
    SIGN = "sign", _("Before signing")
    EPOCH = "epoch", _("After a restore")


class OfKind(models.Manager[Run]):
    """The manager of jobs: a proxy has only the jobs of its kind, `Job` itself has all."""

    def get_queryset(self) -> QuerySet[Run]:
        rows = super().get_queryset()
        return rows.filter(kind=self.model.KIND) if self.model.KIND else rows


class Job(models.Model):
    """
    One resumable job of a house, running or ended.

    Each kind is a proxy of this model. It stores its own data in `parameters`, `cursor` and
    `figures`, and its findings in a table of its own (`Finding`).
    """

    KIND: ClassVar[str] = ""
    KIND_PATH: ClassVar[str] = ""
    """The dotted path of a proxy's `casino.kit.web.jobs.running.Kind`."""

    pk = models.CompositePrimaryKey("establishment_id", "id")
    id = models.UUIDField(default=uuid7, editable=False)
    establishment = models.ForeignKey(
        "establishments.Establishment", on_delete=models.PROTECT, db_index=False
    )
    kind = models.CharField(max_length=20)
    alone = models.BooleanField(default=True, help_text="A house has one of these at a time.")
    once = models.CharField(max_length=80, blank=True, help_text="What it is begun once for.")
    occasion = models.CharField(max_length=5, choices=Occasion.choices, default=Occasion.ON_DEMAND)
    asked_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+",
        help_text="Empty: the house itself.",
    )  # fmt: skip
    asked_at = models.DateTimeField()
    parameters = models.JSONField(default=dict, help_text="What is wanted, by its kind.")
    day = models.DateField(null=True, help_text="The gaming day after which it was due.")
    since = models.DateField(null=True, help_text="First gaming day; empty: from the beginning.")
    until = models.DateField(null=True, help_text="Last gaming day; empty: up to now.")
    start = models.PositiveBigIntegerField(default=0, help_text="The first of what there is to do.")
    stop = models.PositiveBigIntegerField(help_text="Behind the last.")
    reached = models.PositiveBigIntegerField(default=0, help_text="What is next.")
    step = models.PositiveBigIntegerField(default=0, help_text="How many steps are done.")
    attempt = models.PositiveIntegerField(
        default=0, help_text="How often it was begun anew; whoever works on an earlier one stops."
    )
    cursor = models.JSONField(default=dict, help_text="Where the next step begins.")
    figures = models.JSONField(default=dict, help_text="Results so far, by its kind.")
    found = models.PositiveBigIntegerField(default=0, help_text="How many things it found.")
    state = models.CharField(
        max_length=8, default=State.RUNNING, help_text="Or how it ended, in its kind's words."
    )
    worked_at = models.DateTimeField(help_text="Of its last step.")
    finished_at = models.DateTimeField(null=True)
    reason = models.CharField(max_length=REASON_MAX, blank=True, help_text="Why it was not done.")

    objects = OfKind["Job"]()

    class Meta:
        ordering = ["-asked_at"]
        indexes = [
            models.Index(fields=["establishment", "-asked_at"], name="jobs_newest"),
            models.Index(fields=["establishment", "kind", "-asked_at"], name="jobs_newest_of_kind"),
            models.Index(fields=["state", "worked_at"], name="jobs_stalled"),
        ]
        constraints = [
            models.UniqueConstraint(
                fields=["establishment", "kind"], condition=Q(state="running", alone=True),
                name="one_job_of_a_kind_at_a_time",
            ),
            models.UniqueConstraint(
                fields=["establishment", "kind", "once"], condition=~Q(once=""),
                name="a_job_is_begun_once",
            ),
        ]  # fmt: skip

    def __str__(self) -> str:
        return f"{self.kind} {self.asked_at:%Y-%m-%d %H:%M} {self.state}"

    def save(self, *args: Any, **kwargs: Any) -> None:
        self.kind = self.kind or self.KIND
        super().save(*args, **kwargs)

    @property
    def running(self) -> bool:
        return self.state == State.RUNNING

    @property
    def done(self) -> int:
        """How much of `whole` is done."""
        return self.reached - self.start

    @property
    def whole(self) -> int:
        return self.stop - self.start


class JsonValue(Generic[T]):
    """A descriptor for a field of a kind, read from one of the JSON columns."""

    def __init__(self, column: str, name: str, default: T) -> None:
        self.column, self.name, self.default = column, name, default

    def __get__(self, job: Job, kind: type[Job] | None = None) -> T:
        found: T = getattr(job, self.column).get(self.name, self.default)
        return found


class Finding(models.Model):
    """One finding of a job; players are tokens. Abstract: each kind has a table of its own."""

    pk = models.CompositePrimaryKey("establishment_id", "job", "seq")
    establishment = models.ForeignKey(
        "establishments.Establishment", on_delete=models.PROTECT, db_index=False
    )
    job = models.UUIDField()
    seq = models.PositiveIntegerField()
    details = models.JSONField()

    class Meta:
        abstract = True
        ordering = ["seq"]

    def __str__(self) -> str:
        return f"{self.job} {self.seq}"
