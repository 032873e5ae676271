"""Kinds of jobs: what a step of each kind does, and its words for people. Rooms declare them."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any, Final, Generic

from django.apps import apps
from django.utils.module_loading import import_string

from casino.kit.web.jobs.models import Job, Run, State

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from datetime import datetime

    from django.db.models import QuerySet

    from casino.house.establishments.models import Establishment
    from casino.kit.web.jobs.models import Finding
    from casino.kit.web.listings.columns import Level, Sign

ALARM: Final[Level] = "alarm"
LEVELS: Final[Mapping[str, Level]] = {
    State.RUNNING: "wait", State.DONE: "well", State.STOPPED: "off", State.FAILED: ALARM,
}  # fmt: skip
"""The sign with which each state is shown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StepResult:
    """
    The result of a step of a job; recorded in one transaction, or not at all.

    :param reached, cursor, figures: new values of the job's row; None: unchanged.
    :param found: all findings of the step, even if not all are stored.
    :param keep: writes what else belongs to the step, within the same transaction.
    :param state: how the job ended; `RUNNING`: more steps follow. `reason`: why it was not done.
    """

    reached: int | None = None
    cursor: Mapping[str, Any] | None = None
    figures: Mapping[str, Any] | None = None
    found: Sequence[Finding] = ()
    keep: Callable[[], object] | None = None
    state: str = State.RUNNING
    reason: str = ""


def nothing_due(_house: Establishment, _now: datetime) -> Iterable[Job | None]:
    return ()


def without_details(_job: Job) -> str:
    return ""


def tell_failure(_job: Job) -> str:
    return State.FAILED


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind(Generic[Run]):
    """
    A kind of job.

    :param title: in lists of jobs; `about`: the details of one job, such as its period.
    :param url: the page that shows a job or its result.
    :param words: the label of each state, perhaps with ``%(findings)s``; `levels`: its sign.
    :param step: runs the next step of a job; returns None if the job is no longer wanted. It does
        itself what has to happen before the step is recorded, such as a stop of payouts.
    :param busy: the refusal if such a job is running, with ``{house}``; "": several may run.
    :param due: begins the jobs that are due at a house by the calendar.
    :param failed: the state of a job that failed.
    :param from_replica: its steps only read, but for what they leave `on_primary`; a replica may be
        read for them (`casino.engine.scale.replicas`).
    """

    model: type[Run]
    title: Any
    step: Callable[[Run], StepResult | None]
    url: Callable[[Job], str]
    words: Mapping[str, Any] = field(default_factory=lambda: dict(State.choices))
    about: Callable[[Job], str] = without_details
    levels: Mapping[str, Level] = field(default_factory=lambda: LEVELS)
    busy: Any = ""
    due: Callable[[Establishment, datetime], Iterable[Job | None]] = nothing_due
    failed: Callable[[Run], str] = tell_failure
    from_replica: bool = False

    @property
    def name(self) -> str:
        return self.model.KIND

    def rows(self) -> QuerySet[Run]:
        found: QuerySet[Any] = self.model._default_manager.all()  # noqa: SLF001 - documented API
        return found

    def sign(self, job: Job) -> Sign:
        from casino.kit.web.listings.columns import Sign  # noqa: PLC0415 - workers show nobody a page

        word = self.words[job.state] % {"findings": job.found}
        return Sign(self.levels[job.state], str(word))


@cache
def places() -> Mapping[str, str]:
    """The dotted path of each kind, by its name."""
    return {
        each.KIND: each.KIND_PATH
        for each in apps.get_models()
        if issubclass(each, Job) and each.KIND
    }


def of(name: str) -> Kind[Any]:
    """:raises KeyError: if there is no such kind."""
    kind: Kind[Any] = import_string(places()[name])
    return kind


def every() -> list[Kind[Any]]:
    return [of(name) for name in places()]
