"""
The causes of alarms about dice: when each one raises an alarm, and its texts.

A cause is defined here and nowhere else. Lists, the card of an open alarm, the API and the report
take it from `CAUSES`. Events and rows have its name in `by`; their `cause` is the throw.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Protocol

from django.utils.translation import gettext_lazy, pgettext_lazy

from casino.play.dice.surveillance.models import BY_MAX

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.utils.functional import _StrPromise

    from casino.play.dice.surveillance.stream_monitor import StreamMonitor

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
