"""What there is to do piece by piece: each kind from the room that it is of."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any, Final, Generic

from django.apps import apps
from django.utils.module_loading import import_string

from casino.jobs.models import Job, Run, State

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
    """The state of a job as pages show it."""

    shape: str
    word: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """
    What one more piece of a job came to; recorded in one transaction, or not at all.

    :param reached, cursor, figures: as the job's row has them from now on; None: as before.
    :param found: all that was found, whatever is kept of it.
    :param keep: what else is to be written within that transaction.
    :param state: how the job ended with it; `RUNNING`: there is more to do.
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
class Kind(Generic[Run]):
    """
    :param title: for people, as a list of jobs has it; `about`: what one of them is of.
    :param url: the page where one of them, or what it came to, is shown.
    :param words: each state as people read it, with ``%(findings)s`` if it likes; `signs`: its
        shape.
    :param step: one piece more of a job; None: it is not wanted any more. What must stand before
        anything is recorded, the stop of payouts say, it does itself.
    :param busy: what is said where one is on its way; with ``{house}``. "": there may be several.
    :param due: begin what a house has to have done now, without anybody asking for it.
    :param failed: the state of one that could not be done.
    """

    model: type[Run]
    title: Any
    step: Callable[[Run], Piece | None]
    url: Callable[[Job], str]
    words: Mapping[str, Any] = field(default_factory=lambda: dict(State.choices))
    about: Callable[[Job], str] = nothing_more
    signs: Mapping[str, str] = field(default_factory=lambda: SIGNS)
    busy: Any = ""
    due: Callable[[Establishment, datetime], Iterable[Job | None]] = nothing_due
    failed: Callable[[Run], str] = not_done

    @property
    def name(self) -> str:
        return self.model.KIND

    def rows(self) -> QuerySet[Run]:
        found: QuerySet[Any] = self.model._default_manager.all()  # noqa: SLF001 - documented API
        return found

    def sign(self, job: Job) -> Sign:
        word = self.words[job.state] % {"findings": job.found}
        return Sign(self.signs[job.state], str(word))


@cache
def places() -> Mapping[str, str]:
    """Where each kind stands, by its name."""
    return {
        each.KIND: each.DONE_BY for each in apps.get_models() if issubclass(each, Job) and each.KIND
    }


def of(name: str) -> Kind[Any]:
    """:raises KeyError: if there is no such kind."""
    kind: Kind[Any] = import_string(places()[name])
    return kind


def every() -> list[Kind[Any]]:
    return [of(name) for name in places()]
