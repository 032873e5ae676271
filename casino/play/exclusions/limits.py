"""
Limits: how much a player may pay in on a gaming day, in a week from Monday, and in a month.

A player asks for them on the guests' page, or at the desk. A smaller limit holds at once, a greater
one and none at all a day later. The house's stream ``exclusions`` records them. What a player with
limits pays in is on record in the stream ``paid-in/<player>``, whose last event has the sums by
day: a command that brings money is guarded by its version, so that two tables at once cannot take
more.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import asdict, replace
from datetime import date, timedelta
from typing import TYPE_CHECKING, Any, Final

from casino.house.acts import acts
from casino.house.attendants import permissions
from casino.house.attendants.pseudonyms import tokens
from casino.house.establishments.gaming_day import current
from casino.play.exclusions.operations import (
    STREAM,
    Limit,
    Limits,
    NoSuchPlayer,
    exclusion_state_of,
)
from games.refusals import Refused
from ledger import journal
from ledger.canonical import moment

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from datetime import datetime

    from casino.house.establishments.models import Establishment
    from casino.play.exclusions.operations import ExclusionState

    Days = Mapping[str, int]
    """Coins by gaming day."""

LIMITED, PAID_IN = "player.limited", "player.paid_in"
SPANS: Final = ("day", "week", "month")
COOLING_OFF: Final = timedelta(hours=24)
"""So long after it was asked for, a greater limit holds."""


class AmountNotTaken(Refused):
    code = "amount_not_taken"


def begins(span: str, day: date) -> date:
    """The first gaming day of the day, week or month that a day is in."""
    match span:
        case "day":
            return day
        case "week":
            return day - timedelta(days=day.weekday())
        case _:
            return day.replace(day=1)


def stream_of_payments(player: str) -> str:
    return f"paid-in/{player}"


def limit(
    act: acts.Act,
    *,
    player: str,
    wanted: Mapping[str, int | None],
    paid: Callable[[date], Days],
) -> journal.Receipt:
    """
    Set a player's limits.

    :param wanted: coins by span; None: no limit.
    :param paid: returns what the player has paid in since a gaming day, by day. It is asked if they
        have no limits so far.
    :raises NotYours: if somebody of the house may not approve anything there.
    :raises NoSuchPlayer: if the house knows no such player, or their name is erased.
    """
    if act.by is not None:
        permissions.require(act.by, "approve", act.house)

    def decide() -> acts.Done:
        if not tokens.names(act.house.pk, {player}):
            raise NoSuchPlayer(f"This house knows no player {player}. P1")
        seen, stream = exclusion_state_of(act.house.pk), stream_of_payments(player)
        before = seen.limits.get(player)
        limits = {
            span: _change((before or {}).get(span, Limit(None)), wanted[span], act.now)
            for span in SPANS
        }
        since = _first(current(act.house, act.now))
        last = journal.last(establishment=act.house.pk, stream=stream)
        days = last.data["days"] if last and before else paid(since)
        written = {
            span: {**asdict(each), "since": moment(each.since) if each.since else None}
            for span, each in limits.items()
        }
        return acts.Done(
            guards={STREAM: seen.version, stream: last.stream_version if last else 0},
            events=[
                _event(STREAM, LIMITED, player, limits=written),
                _event(stream, PAID_IN, player, days=dict(days)),
            ],
        )

    fields = {"do": "limit", "player": player, "wanted": dict(wanted)}
    return acts.perform(replace(act, request=fields), decide)


def _change(before: Limit, wanted: int | None, now: datetime) -> Limit:
    """The limit after a wish: a smaller one at once, a greater one a day later."""
    most = before.at(now)
    if wanted == most or (wanted is not None and (most is None or wanted < most)):
        return Limit(wanted)
    if before.since is not None and before.since > now and before.then == wanted:
        return before  # asked for again, it holds no later
    return Limit(most, wanted, now + COOLING_OFF)


def pay_in(
    house: Establishment,
    brought: Mapping[tuple[str, str], int],
    day: date,
    *,
    now: datetime,
    seen: ExclusionState,
) -> tuple[dict[str, int], list[journal.NewEvent]]:
    """
    Check what players pay in with a command; nothing is asked of those without limits.

    :param brought: coins by player and gaming day; below zero: taken back by a void.
    :returns: the guards and events of the command.
    :raises AmountNotTaken: if a player would have paid in more than they may.
    """
    by_player: dict[str, dict[str, int]] = defaultdict(dict)
    for (player, on), coins in sorted(brought.items()):
        if coins and player in seen.limits:
            by_player[player][on] = coins
    guards, events = {}, []
    for player, more in by_player.items():
        stream, since = stream_of_payments(player), _first(day).isoformat()
        last = journal.last(establishment=house.pk, stream=stream)
        known: dict[str, int] = dict(last.data["days"]) if last else {}
        days = {on: known.get(on, 0) + more.get(on, 0) for on in {*known, *more} if on >= since}
        if sum(more.values()) > 0:
            _check(player, seen.limits[player], days, day, now)
        guards[stream] = last.stream_version if last else 0
        events.append(_event(stream, PAID_IN, player, days=days))
    return guards, events


def sum_of_span(days: Days, span: str, day: date) -> int:
    """What was paid in on the day, or in the week or month that it is in."""
    first = begins(span, day).isoformat()
    return sum(coins for on, coins in days.items() if on >= first)


def _check(player: str, limits: Limits, days: Days, day: date, now: datetime) -> None:
    for span, each in limits.items():
        most = each.at(now)
        if most is not None and sum_of_span(days, span, day) > most:
            raise AmountNotTaken(
                f"This amount cannot be taken from {player} now: ask a supervisor."
            )


def _first(day: date) -> date:
    """The first day that any limit of a day counts."""
    return min(begins(span, day) for span in SPANS)


def _event(stream: str, event_type: str, player: str, **more: Any) -> journal.NewEvent:
    data = {"player": player, **more}
    return journal.NewEvent(stream=stream, event_type=event_type, schema_version=1, data=data)
