"""Kinds of jobs: what each room does step by step, and how pages describe it."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any, Final, Generic

from django.apps import apps
from django.utils.module_loading import import_string

from casino.jobs.models import Job, JobT, State

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from datetime import datetime

    from django.db.models import QuerySet

    from casino.establishments.models import Establishment
    from casino.jobs.models import Finding

ALARM: Final = "alarm"
SIGNS: Final[Mapping[str, str]] = {
    State.RUNNING: "wait", State.DONE: "well", State.STOPPED: "off", State.FAILED: ALARM,
}  # fmt: skip
"""The shape of each state, as the house's styles name it (``sign-…``)."""


@dataclass(frozen=True, slots=True)
class Sign:
    """The state of a job, as pages show it."""

    shape: str
    word: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """
    The result of one step of a job; recorded in one transaction, or not at all.

    :param reached, cursor, figures: the new values of the job's row; None: unchanged.
    :param found: all findings, however many of them are kept.
    :param keep: writes what else belongs into that transaction.
    :param state: how the job ended with this step; `RUNNING`: there is more to do.
    """

    reached: int | None = None
    cursor: Mapping[str, Any] | None = None
    figures: Mapping[str, Any] | None = None
    found: Sequence[Finding] = ()
    keep: Callable[[], object] | None = None
    state: str = State.RUNNING


def nothing_due(_house: Establishment, _now: datetime) -> Iterable[Job | None]:
    return ()


def nothing_more(_job: Job) -> str:
    return ""


def not_done(_job: Job) -> str:
    return State.FAILED


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind(Generic[JobT]):
    """
    :param title: for people, in a list of jobs; `about`: the subject of one job.
    :param url: the page of one job, or of its result.
    :param words: each state in words, with ``%(findings)s`` where wanted; `signs`: its shape.
    :param step: runs one step of a job; None: the job was stopped or restarted. What must be
        written before anything is recorded, such as the stop of payouts, the step writes itself.
    :param busy: the refusal while another one is running; with ``{house}``. "": several may run.
    :param due: begins the jobs that a house is due to have now, without anybody's request.
    :param failed: the state of a job that could not be done.
    """

    model: type[JobT]
    title: Any
    step: Callable[[JobT], Step | None]
    url: Callable[[Job], str]
    words: Mapping[str, Any] = field(default_factory=lambda: dict(State.choices))
    about: Callable[[Job], str] = nothing_more
    signs: Mapping[str, str] = field(default_factory=lambda: SIGNS)
    busy: Any = ""
    due: Callable[[Establishment, datetime], Iterable[Job | None]] = nothing_due
    failed: Callable[[JobT], str] = not_done

    @property
    def name(self) -> str:
        return self.model.KIND

    def rows(self) -> QuerySet[JobT]:
        found: QuerySet[Any] = self.model._default_manager.all()  # noqa: SLF001 - documented API
        return found

    def sign(self, job: Job) -> Sign:
        word = self.words[job.state] % {"findings": job.found}
        return Sign(self.signs[job.state], str(word))


@cache
def paths() -> Mapping[str, str]:
    """The dotted path of each kind, by its name."""
    return {
        each.KIND: each.KIND_PATH
        for each in apps.get_models()
        if issubclass(each, Job) and each.KIND
    }


def of(name: str) -> Kind[Any]:
    """:raises KeyError: if there is no such kind."""
    kind: Kind[Any] = import_string(paths()[name])
    return kind


def every() -> list[Kind[Any]]:
    return [of(name) for name in paths()]
