"""The cash threshold that was in force when a payment was recorded (P2), by the house's changes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from django.db.models import Case, IntegerField, Value, When

from casino.house.acts import changes
from casino.reports.registers import history

if TYPE_CHECKING:
    from collections.abc import Sequence

    from casino.kit.documents.report import Query
    from ledger.wire import StoredEvent

NAME: Final = "cash_threshold"
STREAM: Final = changes.record_stream("establishment")
CHANGED: Final = ("establishment.created", "establishment.changed")
EVER: Final = 2**53  # greater than every position


@dataclass(frozen=True, slots=True, kw_only=True)
class InForce:
    """
    A threshold, and since when it was in force.

    :param since: position of the event that set it; None: in force from the very beginning.
    :param most: whole coins; None: there was no threshold.
    """

    since: int | None
    most: int | None

    def above(self, coins_in: int, coins_out: int) -> bool:
        return self.most is not None and max(coins_in, coins_out) > self.most


def in_force(query: Query) -> Sequence[InForce]:
    """
    The thresholds that were in force in the days, through the position, oldest first. There is
    always at least one.

    A house is changed a few times a year: all its changes are read, in one query.
    """
    all_of_them = history.events(query.house, [STREAM], CHANGED, EVER)
    events = [each for each in all_of_them if each.position <= query.through]
    found = [InForce(since=None, most=_at_first(query, all_of_them))]
    for event in events:
        most = event.data["after"][NAME]
        if most != found[-1].most:
            found.append(InForce(since=event.position, most=most))
    first, last = history.stretch(query)
    begins = max(
        (place for place, each in enumerate(found) if each.since is None or each.since < first),
        default=0,
    )
    return [each for each in found[begins:] if each.since is None or each.since <= max(last, first)]


def _at_first(query: Query, events: Sequence[StoredEvent]) -> int | None:
    """The threshold before the first change; without any change, the house's present threshold."""
    if not events:
        present: int | None = query.house.cash_threshold
        return present
    data = events[0].data
    most: int | None = (data["before"] or data["after"])[NAME]
    return most


def index_of_threshold(found: Sequence[InForce]) -> Case:
    """An expression for rows with a `position`: the index in `found` of the threshold in force."""
    cases = [
        When(position__gt=each.since, then=Value(place))
        for place, each in reversed(list(enumerate(found)))
        if each.since is not None
    ]
    return Case(*cases, default=Value(0), output_field=IntegerField())
