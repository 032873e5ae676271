"""
What an alarm about dice may be raised by: each with how it is judged, and how it reads.

All that the program knows of one stands here. Lists, the card of an open alarm, the API and the
report take it from `CAUSES`; events and rows have its name in `by` (their `cause` is the throw).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Protocol

from django.utils.translation import gettext_lazy, pgettext_lazy

from casino.surveillance.models import BY_MAX

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.utils.functional import _StrPromise

    from casino.surveillance.watching import Watch

THRESHOLD: Final = 1_000_000.0
"""Throws of fair dice between two false alarms of one stream's detector, on average, or more."""


class Streams(Protocol):
    """The streams of a house, among which one is judged."""

    @property
    def high(self) -> float:
        """With less evidence than that no stream is called unfair, however many there are."""

    def unfair(self) -> set[str]:
        """The streams that are called unfair, of all as they stand."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cause:
    """
    :param name: in events and rows, for ever, and in the API.
    :param title: what it is called.
    :param raises: whether a stream raises an alarm by now.
    :param sentence: what the card of an open alarm says. It may name `throws`, `odds`, `streams`,
        and `rarity`: of alarms by evidence one in so many is false, as the house wanted it then.
    :param note: what the card says of how sure that is; "": nothing.
    :param short: what a list says.
    """

    name: str
    title: _StrPromise
    raises: Callable[[Watch, Streams], bool]
    sentence: _StrPromise
    note: str | _StrPromise = ""
    short: _StrPromise

    def __post_init__(self) -> None:
        if len(self.name) > BY_MAX:
            raise ValueError(f"{self.name}: a name has {BY_MAX} characters at most.")


EVIDENCE: Final = Cause(
    name="evidence",
    title=gettext_lazy("Evidence"),
    raises=lambda watch, streams: (
        watch.row.log10 >= streams.high and str(watch.row) in streams.unfair()
    ),
    sentence=gettext_lazy(
        "After %(throws)s throws: %(odds)s against fair dice, among %(streams)s streams."
    ),
    note=gettext_lazy(
        "Of alarms like this at most one in %(rarity)s is of fair dice, as the house wanted it"
        " then."
    ),
    short=gettext_lazy("%(odds)s, level one in %(rarity)s"),
)
CHANGE: Final = Cause(
    name="change",
    title=pgettext_lazy("what an alarm about dice is raised by", "Change"),
    raises=lambda watch, _streams: watch.row.change >= THRESHOLD,
    sentence=gettext_lazy(
        "After %(throws)s throws the dice seem to have changed: the detector passed its limit."
    ),
    short=gettext_lazy("a change"),
)

CAUSES: Final = (EVIDENCE, CHANGE)
"""The later one says more: where two hold, an alarm is raised by the later."""
NAMED: Final = {each.name: each for each in CAUSES}


def of(watch: Watch, streams: Streams) -> Cause | None:
    """What a stream raises an alarm by, by now."""
    return next((each for each in reversed(CAUSES) if each.raises(watch, streams)), None)


def listed() -> str:
    """Their names, as the API describes them."""
    *names, last = NAMED
    return f"{', '.join(names)}, or {last}"
