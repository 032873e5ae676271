"""
Alarms about dice: their causes, raised by a throw, acknowledged by a person.

`CAUSES` says what raises an alarm. *Evidence*: e-BH over all streams of a house. Of the streams
called unfair at most a share alpha is fair, on average, whenever somebody looks. Alpha is a setting
of the house (`alpha_of`), and an alarm records the alpha it was raised under. *Change*:
the change detector of a stream with fair dice passes `CHANGE_THRESHOLD` at most once in that many
throws, on average. A stream with an open alarm raises no second one.
"""

from __future__ import annotations

import uuid
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import TYPE_CHECKING, Any, Final, Protocol
from uuid import UUID

from django.utils import timezone
from django.utils.translation import gettext_lazy, pgettext_lazy

from casino.house.acts import acts
from casino.house.acts.changes import record_stream
from casino.house.attendants import permissions
from casino.house.attendants.pseudonyms import tokens as pseudonyms
from casino.house.establishments.models import ALARMS_ONE_IN
from casino.play.dice.surveillance.models import BY_MAX, Alarm
from casino.play.dice.surveillance.stream_monitor import StreamKey
from games.refusals import Refused
from ledger import journal

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from django.utils.functional import _StrPromise

    from casino.house.attendants.permissions import Act
    from casino.play.dice.surveillance.stream_monitor import StreamMonitor
    from ledger.wire import StoredEvent

SUBSCRIPTION_NAME: Final = "surveillance"
STREAM_AREA: Final = "alarm"  # each alarm has a stream of the ledger
RAISED: Final = "alarm.raised"
ACKNOWLEDGED: Final = "alarm.acknowledged"

NAMESPACE: Final = uuid.UUID("0e5f1f38-5a1e-5d3c-8e7c-2f6f6e1d7c43")


def stream_of(alarm: uuid.UUID | str) -> str:
    return f"{STREAM_AREA}/{alarm}"


def key_of(data: Mapping[str, Any]) -> StreamKey:
    """The key of the stream that an alarm event is about."""
    return StreamKey(data["kind"], data["name"], data["sides"])


def entry_of_alarms(
    cause: StoredEvent,
    alarming: Sequence[tuple[StreamMonitor, Cause]],
    *,
    streams: int,
    alpha: float,
) -> journal.Entry:
    """
    The ledger entry with all alarms that a throw raises; its command id follows from the throw.

    :param cause: the event of the throw.
    :param alarming: the streams that raise an alarm, each with the cause.
    :param streams: the number of streams of the house.
    :param alpha: the false discovery rate in force when the throw was recorded.
    """
    provenance = cause.provenance
    ids = [_alarm_id(cause, monitor.key) for monitor, _ in alarming]
    return journal.Entry(
        provenance=journal.Provenance(
            command_id=uuid.uuid5(NAMESPACE, str(cause.event_id)),
            actor=SUBSCRIPTION_NAME,
            device=SUBSCRIPTION_NAME,
            correlation_id=provenance.correlation_id,
            causation_id=cause.event_id,
            occurred_at=provenance.occurred_at,
            recorded_at=timezone.now(),
            gaming_day=provenance.gaming_day,
        ),
        request_hash=sha256(cause.leaf_hash).digest(),
        guards={stream_of(each): 0 for each in ids},
        events=tuple(
            journal.NewEvent(
                stream=stream_of(each),
                event_type=RAISED,
                schema_version=1,
                data={
                    **monitor.key._asdict(),
                    **monitor.alarm_figures,
                    "by": by.name,
                    "alpha": str(alpha),
                    "threshold": str(int(CHANGE_THRESHOLD)),
                    "streams": streams,
                    "cause": cause.position,
                },
            )
            for each, (monitor, by) in zip(ids, alarming, strict=True)
        ),
    )


def event_of_acknowledgement(raised: StoredEvent, reason: str) -> journal.NewEvent:
    """
    The event that an alarm was acknowledged.

    :param reason: the token of the reason.
    """
    return journal.NewEvent(
        stream=raised.stream,
        event_type=ACKNOWLEDGED,
        schema_version=1,
        data={**key_of(raised.data)._asdict(), "reason": reason, "raised": raised.position},
    )


def stream_keys(events: Iterable[StoredEvent]) -> list[StreamKey]:
    """The keys of the streams that alarm events are about."""
    return [key_of(each.data) for each in events if each.event_type in {RAISED, ACKNOWLEDGED}]


def _alarm_id(cause: StoredEvent, key: StreamKey) -> uuid.UUID:
    return uuid.uuid5(NAMESPACE, f"{cause.event_id}/{key.kind}/{key.name}/{key.sides}")


# Rows of alarms from their events, written by the subscriber of the house.


ROWS = (Alarm,)


def handle(event: StoredEvent) -> None:
    """Update the rows of alarms with an event; other events are ignored."""
    if event.event_type == RAISED:
        _raise_alarm(event)
    elif event.event_type == ACKNOWLEDGED:
        _acknowledge(event)


def _raise_alarm(event: StoredEvent) -> None:
    data = event.data
    Alarm.objects.create(
        establishment_id=event.establishment,
        position=event.position,
        id=_id(event),
        kind=data["kind"],
        name=data["name"],
        sides=data["sides"],
        by=data["by"],
        throws=data["throws"],
        counts=data["counts"],
        log10=float(data["log10"]),
        change=float(data["change"]),
        alpha=float(data["alpha"]),
        streams=data["streams"],
        cause=data["cause"],
        raised_at=event.provenance.recorded_at,
        gaming_day=event.provenance.gaming_day,
    )


def _acknowledge(event: StoredEvent) -> None:
    Alarm.objects.filter(establishment=event.establishment, id=_id(event)).update(
        open=False,
        acknowledged_by=event.provenance.actor,
        acknowledged_at=event.provenance.recorded_at,
        acknowledged_position=event.position,
        reason=event.data["reason"],
    )


def _id(event: StoredEvent) -> UUID:
    return UUID(event.stream.partition("/")[2])


# The causes of alarms about dice: when each one raises an alarm, and its texts.
# A cause is defined here and nowhere else. Lists, the card of an open alarm, the API and the report
# take it from `CAUSES`. Events and rows have its name in `by`; their `cause` is the throw.


CHANGE_THRESHOLD: Final = 1_000_000.0
"""The least average number of fair throws between two false alarms of one change detector."""


class HouseStreams(Protocol):
    """All streams of a house: whether one is unfair depends on the others."""

    @property
    def log10_threshold(self) -> float:
        """log10(1/alpha): with less evidence no stream is called unfair, however many there are."""

    def unfair_streams(self) -> set[str]:
        """The streams called unfair, as of now."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cause:
    """
    A cause of alarms about dice.

    :param name: the name in events, rows and the API; it never changes.
    :param title: the title for people.
    :param is_raised: whether a stream raises an alarm now.
    :param sentence: the text on the card of an open alarm. It may use the figures `throws`, `odds`,
        `streams` and `rarity`, and the cause's `name`; of alarms by evidence at most one in
        `rarity` is false.
    :param note: the text on the card about how sure that is, or "".
    :param summary: the text in a list.
    """

    name: str
    title: str | _StrPromise
    is_raised: Callable[[StreamMonitor, HouseStreams], bool]
    sentence: _StrPromise
    note: str | _StrPromise = ""
    summary: _StrPromise

    def __post_init__(self) -> None:
        if len(self.name) > BY_MAX:
            raise ValueError(f"{self.name}: a name has {BY_MAX} characters at most.")


EVIDENCE: Final = Cause(
    name="evidence",
    title=gettext_lazy("Evidence"),
    is_raised=lambda monitor, streams: (
        monitor.row.log10 >= streams.log10_threshold
        and str(monitor.row) in streams.unfair_streams()
    ),
    sentence=gettext_lazy(
        "After %(throws)s throws: %(odds)s against fair dice, among %(streams)s streams."
    ),
    note=gettext_lazy(
        "Of alarms like this at most one in %(rarity)s is of fair dice, as the house wanted it"
        " then."
    ),
    summary=gettext_lazy("%(odds)s, level one in %(rarity)s"),
)
CHANGE: Final = Cause(
    name="change",
    title=pgettext_lazy("what an alarm about dice is raised by", "Change"),
    is_raised=lambda monitor, _streams: monitor.row.change >= CHANGE_THRESHOLD,
    sentence=gettext_lazy(
        "After %(throws)s throws the dice seem to have changed: the detector passed its limit."
    ),
    summary=gettext_lazy("a change"),
)

CAUSES: Final = (EVIDENCE, CHANGE)
"""In order of precedence, lowest first: if two causes hold, the later one is recorded."""
CAUSES_BY_NAME: Final = {each.name: each for each in CAUSES}


def cause_of(monitor: StreamMonitor, streams: HouseStreams) -> Cause | None:
    """The cause by which a stream raises an alarm now, if any."""
    return next((each for each in reversed(CAUSES) if each.is_raised(monitor, streams)), None)


def by_name(name: str) -> Cause:
    """
    The cause that an event or a row names.

    Alarms outlive the code that raised them: a cause that is no longer defined has its name as
    its title, and raises nothing.
    """
    return CAUSES_BY_NAME.get(name) or Cause(
        name=name,
        title=name,
        is_raised=lambda _monitor, _streams: False,
        sentence=gettext_lazy(
            "After %(throws)s throws: “%(name)s”, a cause by which the house no longer raises"
            " alarms."
        ),
        summary=gettext_lazy("“%(name)s”, no longer in use"),
    )


def names_text() -> str:
    """The names of all causes as a text, for the description of the API."""
    *names, last = CAUSES_BY_NAME
    return f"{', '.join(names)}, or {last}"


# The false discovery rate (alpha) of alarms by evidence, a setting of the house.
# It is read from the events of the settings, never from the row of the house. So the alarms follow
# from the ledger alone, and a rebuild under another setting raises no other alarms.


SETTINGS_STREAM: Final = record_stream("establishment")
SETTING: Final = "alarms_one_in"


def alpha_of(one_in: int) -> float:
    """The rate alpha of a setting "one in so many"."""
    return 1 / one_in


def one_in_of(alpha: float) -> int:
    """The setting of a rate alpha: the inverse of `alpha_of`."""
    return round(1 / alpha)


def one_in_from(event: StoredEvent) -> int:
    """The setting in an event of the house's settings."""
    after = event.data.get("after") or {}
    return int(after.get(SETTING) or ALARMS_ONE_IN)  # older events do not have it


def one_in_force(establishment: UUID, position: int) -> int:
    """The setting in force just before a position of the ledger."""
    last = journal.last(establishment=establishment, stream=SETTINGS_STREAM)
    if last is not None and last.position >= position:  # a rebuild reads old events
        settings = journal.stream(establishment=establishment, stream=SETTINGS_STREAM)
        last = next((each for each in reversed(settings) if each.position < position), None)
    return ALARMS_ONE_IN if last is None else one_in_from(last)


# Acknowledge an alarm about dice, by name and with a reason (control F2).


ACKNOWLEDGE: Final[Act] = "approve"
"""The permission that acknowledging an alarm needs, on pages, in the API and here."""
REASON_MAX = 500


class NoSuchAlarm(Refused):
    code = "no_such_alarm"


class NotOpen(Refused):
    code = "not_open"


class ReasonNeeded(Refused):
    code = "reason_needed"


def acknowledge(act: acts.Act, *, alarm: UUID, reason: str) -> journal.Receipt:
    """
    Acknowledge an alarm, with what was found. A new count of its stream begins.

    :raises NotYours: if the person may not `ACKNOWLEDGE` at the house.
    :raises ReasonNeeded: without a reason.
    :raises NoSuchAlarm: if the house has no alarm with this id.
    :raises NotOpen: if it was acknowledged before.
    """
    if act.by is None:
        raise permissions.NotYours("An alarm is acknowledged by a person. F2")
    permissions.require(act.by, ACKNOWLEDGE, act.house)
    reason_text = reason.strip()[:REASON_MAX]
    act = replace(act, request={"do": "acknowledge", "alarm": str(alarm), "reason": reason_text})

    def decide() -> acts.Done:
        if not reason_text:
            raise ReasonNeeded("reason: say what was found, in a few words. F2")
        stream = stream_of(alarm)
        events = journal.stream(establishment=act.house.pk, stream=stream)
        if not events:
            raise NoSuchAlarm("This house has no such alarm. F2")
        raised, *later = events
        if later:
            raise NotOpen("The alarm was acknowledged already. F2")
        event = event_of_acknowledgement(raised, pseudonyms.keep(act.house.pk, reason_text))
        return acts.Done(guards={stream: raised.stream_version}, events=(event,))

    return acts.perform(act, decide)
