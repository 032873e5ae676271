"""
Payout holds: stop all payouts of a house after a failed check, until people resume them (E2).

The last event of the stream ``payouts`` says whether payouts are stopped. Meanwhile games go on,
settlement books what players get as held, and no cash leaves.
"""

from __future__ import annotations

import uuid
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import structlog

from casino.engine.processes import registrations
from casino.house.acts import acts
from casino.house.attendants.pseudonyms import tokens
from casino.house.establishments.models import Establishment
from games.refusals import Refused
from ledger import journal
from ledger.recent import newest
from ledger.storage import Unguarded

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from datetime import datetime

    from django.db.models import QuerySet

    from ledger.wire import StoredEvent

BEHIND: Final = "behind"
VERIFICATION: Final = "verification"
"""Words of `Stop.why`: others have more of the ledger, or a verification found a change."""

STREAM = "payouts"
STOPPED = "payouts.stopped"
RESUMED = "payouts.resumed"

log = structlog.get_logger(__name__)


class PayoutsStopped(Refused):
    code = "payouts_stopped"


class NothingStopped(Refused):
    code = "nothing_stopped"


@dataclass(frozen=True, slots=True)
class Stop:
    """
    A stop of a house's payouts.

    :param why: the kind of check that failed: ``regrade``, ``verification`` …
    :param about: the id of what failed; "" if there is none.
    :param version: version of the stream, for guards.
    """

    why: str
    about: str
    since: datetime
    version: int
    by: str = acts.SYSTEM
    reason: str = ""
    """The reason in a person's words, as a token."""


@dataclass(frozen=True, slots=True)
class Causes:
    """
    What is known of the causes of stops; the room that verifies registers it.

    :param explain: what a page says of a stop: ``why``, and of lost events ``behind`` with the
        ``command`` that comes first, or ``lost``.
    :param check_cleared: raises Refused while something must be done before payouts are resumed.
    """

    explain: Callable[[Establishment, Stop, datetime], dict[str, Any]]
    check_cleared: Callable[[uuid.UUID], None]


CAUSES: Final[list[Causes]] = []


def explain(house: Establishment, stop: Stop, now: datetime) -> dict[str, Any]:
    """What pages say of a stop, see `Causes`."""
    registrations.everything()
    return {name: said for each in CAUSES for name, said in each.explain(house, stop, now).items()}


def check_cleared(establishment: uuid.UUID) -> None:
    """:raises Refused: while something must be done before payouts are resumed."""
    registrations.everything()
    for each in CAUSES:
        each.check_cleared(establishment)


def stop_now(establishment: uuid.UUID) -> Stop | None:
    """The stop in force at a house; None if it pays."""
    last = journal.last(establishment=establishment, stream=STREAM)
    return None if last is None else as_stop(last)


def pays(establishment: uuid.UUID) -> dict[str, int]:
    """
    Check that a house's payouts are not stopped, before money goes to players.

    :returns: a guard for the append that moves the money.
    :raises PayoutsStopped: if payouts are stopped.
    """
    last = journal.last(establishment=establishment, stream=STREAM)
    if last is not None and as_stop(last) is not None:
        raise PayoutsStopped(
            "Payouts of this house are stopped until a check that failed is cleared: nobody is paid"
            " before two people resume them. E2"
        )
    return {STREAM: last.stream_version if last else 0}


def houses() -> QuerySet[Establishment]:
    """The houses whose payouts are stopped; reads the last event of one stream in each."""
    last = newest(STREAM, everywhere=True)
    stopped = [house for house, event_type, _body in last if event_type == STOPPED]
    return Establishment.objects.filter(pk__in=stopped)


def as_stop(event: StoredEvent) -> Stop | None:
    if event.event_type != STOPPED:
        return None
    return Stop(
        why=event.data["why"],
        about=event.data["about"],
        since=event.provenance.recorded_at,
        version=event.stream_version,
        by=event.provenance.actor,
        reason=event.data["reason"],
    )


def stop(act: acts.Act, *, why: str, about: str = "", reason: str = "") -> journal.Receipt:
    """
    Stop the payouts of a house.

    If they are stopped for the same cause already, nothing happens. If they are stopped for another
    cause, this is a further stop, so that nobody resumes payouts without having seen it.

    :param why: the kind of check that failed, one of the words of `Stop`.
    :param reason: the reason in a person's own words.
    """

    def decide() -> acts.Done:
        last = journal.last(establishment=act.house.pk, stream=STREAM)
        stopped = None if last is None else as_stop(last)
        if stopped is not None and (stopped.why, stopped.about) == (why, about):
            return acts.Done()
        data = tokens.keep(act.house.pk, reason) if reason.strip() else ""
        version = last.stream_version if last else 0
        return acts.Done(
            guards={STREAM: version},
            events=[_event(STOPPED, {"why": why, "about": about, "reason": data})],
        )

    return acts.perform(act, decide)


def stop_payouts(
    house: Establishment, *, why: str, about: str, now: datetime, part: int = 0
) -> journal.Receipt:
    """
    Stop the payouts of a house because a check of its records has failed; once for each finding.

    :param part: number of the finding in the same check: a later finding stops payouts again that
        were resumed since.
    """
    act = acts.Act(
        house=house,
        by=None,
        device=why,
        now=now,
        command_id=uuid.uuid5(house.pk, f"payouts/{why}/{about}/{part}"),
        request={"do": "stop", "why": why, "about": about, "part": part},
    )
    return stop(act, why=why, about=about)


@contextmanager
def unless_unguarded(house: Establishment) -> Iterator[None]:
    """
    A block that stops payouts, before what was found is stored.

    A ledger without its guards takes no entry. Then payouts go on, which the log says, and what was
    found is stored all the same.
    """
    try:
        yield
    except Unguarded as error:
        log.error("payouts_not_stopped", establishment=str(house.pk), reason=str(error))  # noqa: TRY400 - it is expected


def in_force(establishment: uuid.UUID) -> Stop:
    """
    The stop in force at a house, which must exist.

    :raises NothingStopped: if the house pays.
    """
    stopped = stop_now(establishment)
    if stopped is None:
        raise NothingStopped("Payouts are not stopped: there is nothing to resume. E2")
    return stopped


def event_of_resumption(stopped: Stop) -> acts.Done:
    """The event that ends a stop, to be appended together with the approval."""
    return acts.Done(
        guards={STREAM: stopped.version},
        events=[_event(RESUMED, {"why": stopped.why, "about": stopped.about})],
    )


def _event(event_type: str, data: Mapping[str, str]) -> journal.NewEvent:
    return journal.NewEvent(stream=STREAM, event_type=event_type, schema_version=1, data=data)
