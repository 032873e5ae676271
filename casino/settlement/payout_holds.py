"""
A house whose records failed a check pays nobody until somebody has looked (E2).

Stream ``payouts``: its last event says whether payouts are stopped. Settlement goes on and books
what players get as held, games go on, and no cash leaves.
"""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.db.models import OuterRef, Subquery

from casino.establishments.models import Establishment
from casino.operations import acts
from casino.pseudonyms import tokens
from games.refusals import Refused
from ledger import journal
from ledger.models import Event

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from django.db.models import QuerySet

    from ledger.wire import StoredEvent

STREAM = "payouts"
STOPPED = "payouts.stopped"
RESUMED = "payouts.resumed"


class PayoutsStopped(Refused):
    code = "payouts_stopped"


class NothingStopped(Refused):
    code = "nothing_stopped"


@dataclass(frozen=True, slots=True)
class Stop:
    """
    Payouts of a house are stopped.

    :param why: what failed, as a word: ``regrade``, ``verification`` …
    :param about: the id of what failed, "" where there is none.
    :param version: of the stream, for who guards with it.
    """

    why: str
    about: str
    since: datetime
    version: int
    by: str = acts.SYSTEM
    reason: str = ""
    """In somebody's words, as a token."""


def stop_now(establishment: uuid.UUID) -> Stop | None:
    """The stop in force at a house; None: it pays."""
    last = journal.last(establishment=establishment, stream=STREAM)
    return None if last is None else as_stop(last)


def pays(establishment: uuid.UUID) -> dict[str, int]:
    """
    Let money go to players only while the house pays; a guard for the append that moves it.

    :raises PayoutsStopped: if it pays nobody now.
    """
    last = journal.last(establishment=establishment, stream=STREAM)
    if last is not None and as_stop(last) is not None:
        raise PayoutsStopped(
            "Payouts of this house are stopped until a check that failed is cleared: nobody is paid"
            " before two people resume them. E2"
        )
    return {STREAM: last.stream_version if last else 0}


def houses() -> QuerySet[Establishment]:
    """The houses that pay nobody now: one look at the end of a stream in each."""
    rows = Event.objects.filter(establishment=OuterRef("pk"), stream=STREAM)
    newest = Subquery(rows.order_by("-stream_version").values("event_type")[:1])
    return Establishment.objects.annotate(newest=newest).filter(newest=STOPPED)


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
    Stop the payouts of a house. Where they are stopped for this already nothing happens; where for
    something else, this is another stop, so that nobody resumes them who has not seen it.

    :param why: what failed, as a word of ours. :param reason: in somebody's own words.
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


def failed(
    house: Establishment, *, why: str, about: str, now: datetime, part: int = 0
) -> journal.Receipt:
    """
    A check of the house's records has failed: its payouts stop, once for each such finding.

    :param part: which finding of the same check: a later one stops a house that was resumed since.
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


def in_force(establishment: uuid.UUID) -> Stop:
    """
    The stop in force at a house.

    :raises NothingStopped: if it pays.
    """
    stopped = stop_now(establishment)
    if stopped is None:
        raise NothingStopped("Payouts are not stopped: there is nothing to resume. E2")
    return stopped


def resumed(stopped: Stop) -> acts.Done:
    """What resumes the payouts that this stopped, to be appended with the approval of it."""
    return acts.Done(
        guards={STREAM: stopped.version},
        events=[_event(RESUMED, {"why": stopped.why, "about": stopped.about})],
    )


def _event(event_type: str, data: Mapping[str, str]) -> journal.NewEvent:
    return journal.NewEvent(stream=STREAM, event_type=event_type, schema_version=1, data=data)
