"""
Seasons of a house's scoreboards: opened, ended, and closed with their final table (SB2, SB4).

Settlement reads a house's ledger in order, so when it reads that a gaming day is closed, all points
of that day are booked, except those of parked games. It opens a season with the first point after
the one before, and closes one once no day of it is open any more and none of its games is parked.
What it decides is in the stream ``season/<game>``.
"""

from __future__ import annotations

import uuid
from calendar import monthrange
from dataclasses import asdict, replace
from datetime import date, timedelta
from itertools import groupby
from typing import TYPE_CHECKING, Any, Final

from django.db.models import Q

from casino.house.acts import accounts
from casino.house.establishments import gaming_day
from casino.house.establishments.models import Establishment
from casino.house.home_throws import house_rules
from casino.play.settlement import scoreboard
from casino.play.settlement.entries import NAMESPACE, new_entry, points_as_json
from casino.play.settlement.models import (
    PRIZE_ISSUED,
    SUBSCRIPTION,
    PrizeRule,
    Scoreboard,
    Season,
    Tally,
)
from casino.play.settlement.settled import position_of
from ledger import journal
from ledger.models import Event, ParkedEvent

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from fractions import Fraction
    from uuid import UUID

    from django.db.models import QuerySet

    from casino.play.settlement.scoreboard import Award
    from ledger.subscriptions import StreamVersions
    from ledger.wire import StoredEvent

PREFIX: Final = "season/"
OPENED, ENDED, CLOSED = "season.opened", "season.ended", "season.closed"
SUNDAY: Final = 6
Length = Scoreboard.Length


def stream(ruleset: str) -> str:
    """The stream of the seasons of a game's board."""
    return f"{PREFIX}{ruleset}"


def settings(establishment: UUID, ruleset: str) -> Scoreboard:
    """How a house keeps the board of a game; the usual way where it set nothing."""
    found = Scoreboard.objects.filter(establishment=establishment, ruleset=ruleset).first()
    return found or Scoreboard(ruleset=ruleset)


def span(length: str, day: date) -> tuple[date, date | None]:
    """The first and the last day of the season of a length that a gaming day lies in."""
    match length:
        case Length.DAY:
            return day, day
        case Length.WEEK:
            monday = day - timedelta(days=day.weekday())
            return monday, monday + timedelta(days=SUNDAY)
        case Length.MONTH | Length.QUARTER:
            months = 1 if length == Length.MONTH else 3
            first = (day.month - 1) // months * months + 1
            last = first + months - 1
            end = date(day.year, last, monthrange(day.year, last)[1])
            return date(day.year, first, 1), end
        case _:
            return day, None


def of_day(
    establishment: UUID, ruleset: str, day: date
) -> tuple[Season, Sequence[journal.NewEvent]]:
    """
    The season that counts the points of a gaming day: the oldest that is not closed and has not
    ended before that day. If there is none, the next one is opened; its event is returned, too.
    """
    rows = Season.objects.filter(establishment=establishment, ruleset=ruleset)
    holding = rows.exclude(state=Season.State.CLOSED).filter(
        Q(last_day__isnull=True) | Q(last_day__gte=day)
    )
    found = holding.order_by("number").first()
    return (found, ()) if found is not None else _open(establishment, ruleset, day)


def _open(
    establishment: UUID, ruleset: str, day: date
) -> tuple[Season, Sequence[journal.NewEvent]]:
    rows = Season.objects.filter(establishment=establishment, ruleset=ruleset)
    rows.filter(state=Season.State.OPEN).update(state=Season.State.ENDED)
    before = rows.order_by("-number").first()
    kept = settings(establishment, ruleset)
    first, last = span(kept.season, day)
    if kept.until is not None and day <= kept.until:
        last = kept.until
    if before is not None and before.last_day is not None:
        first = max(first, before.last_day + gaming_day.A_DAY)
    season = Season(
        establishment_id=establishment,
        ruleset=ruleset,
        number=before.number + 1 if before else scoreboard.FIRST,
        first_day=first,
        last_day=last,
    )
    season.save(force_insert=True)
    return season, (_new_event(season, OPENED, {"length": kept.season, **_days(season)}),)


def _days(season: Season) -> dict[str, str | None]:
    days = {"first_day": season.first_day, "last_day": season.last_day}
    return {name: None if day is None else day.isoformat() for name, day in days.items()}


def _new_event(season: Season, event_type: str, data: dict[str, Any]) -> journal.NewEvent:
    return journal.NewEvent(
        stream=stream(season.ruleset),
        event_type=event_type,
        schema_version=1,
        data={"season": season.number, **data},
    )


def close_of_days(event: StoredEvent, versions: StreamVersions) -> Sequence[journal.Entry]:
    """The entries that close what has ended, now that a day was opened or closed."""
    return _close(event, versions)


def close_late(event: StoredEvent, versions: StreamVersions) -> Sequence[journal.Entry]:
    """
    The entries that close what waited for a parked game, now that its event is handled; as after
    the last event of the house's days, unless settlement has still to read that one.
    """
    last = journal.last(establishment=event.establishment, stream=gaming_day.STREAM)
    if last is None or position_of(event.establishment) < last.position:
        return ()
    return _close(last, versions, besides=event.position)


def _close(
    event: StoredEvent, versions: StreamVersions, *, besides: int = -1
) -> Sequence[journal.Entry]:
    """
    An entry for each board with seasons of which no day is open or being closed any more.

    :param event: of the house's days. :param besides: position of a parked event that is handled.
    """
    days = gaming_day.read_day_state(event.data["standing"], event.stream_version)
    running = [each for each in (days.draining, *days.open) if each is not None]
    if not running:
        return ()
    house, first = event.establishment, min(running)
    over = Season.objects.filter(establishment=house, last_day__lt=first)
    due = over.exclude(state=Season.State.CLOSED).order_by("ruleset", "number")
    entries = []
    for ruleset, seasons in groupby(due, key=lambda season: season.ruleset):
        waits = first_parked_day(house, ruleset, besides=besides)
        ready = [
            each for each in seasons if not (waits and each.last_day and waits <= each.last_day)
        ]
        if ready:
            entries.append(_closing(event, ready, first, versions))
    return entries


def first_parked_day(establishment: UUID, ruleset: str, *, besides: int = -1) -> date | None:
    """The first gaming day of parked events of a game's tables; None: nothing is parked."""
    parked = ParkedEvent.objects.filter(
        establishment=establishment, subscription=SUBSCRIPTION, stream__startswith="game/"
    ).exclude(position=besides)
    streams: dict[str, list[int]] = {}
    for name, position in parked.values_list("stream", "position"):
        streams.setdefault(name, []).append(position)
    if not streams:
        return None
    events = Event.objects.filter(establishment=establishment)
    family = ruleset.replace("-", "_")
    of_game = events.filter(
        stream__in=streams, stream_version=1, event_type__startswith=f"{family}."
    )
    positions = [at for name in of_game.values_list("stream", flat=True) for at in streams[name]]
    found = events.filter(position__in=positions).order_by("gaming_day")
    return found.values_list("gaming_day", flat=True).first()


def _closing(
    event: StoredEvent, seasons: Sequence[Season], first: date, versions: StreamVersions
) -> journal.Entry:
    """The entry that closes seasons of a board, issues their prizes, and opens the next one."""
    house = Establishment.objects.get(pk=event.establishment)
    ruleset, events, owed = (
        seasons[0].ruleset,
        list[journal.NewEvent](),
        list[journal.NewTransfer](),
    )
    goes_on = any(each.state == Season.State.OPEN for each in seasons)
    for season in seasons:
        data, awards = final(house, season, event)
        Season.objects.filter(pk=season.pk).update(state=Season.State.CLOSED)
        events.append(_new_event(season, CLOSED, data))
        for award in awards:
            scoreboard.issue(
                house.pk, ruleset, season.number, award.rule, award.player, event.position
            )
            issued = {**asdict(award), "cause": None, "because": event.position}
            if award.amount:
                owed.append(prize_owed(award.player, award.amount, len(events)))
            events.append(_new_event(season, PRIZE_ISSUED, issued))
    if goes_on:
        events += _open(house.pk, ruleset, first)[1]
    guards = {stream(ruleset): versions[stream(ruleset)]}
    entry = new_entry(event, guards, events, owed)
    number = seasons[0].number
    command_id = uuid.uuid5(NAMESPACE, f"{SUBSCRIPTION}/{house.pk}/{ruleset}/{number}/{CLOSED}")
    return replace(entry, provenance=replace(entry.provenance, command_id=command_id))


def final(
    house: Establishment, season: Season, event: StoredEvent
) -> tuple[dict[str, Any], list[Award]]:
    """
    The final table of a season as its event records it, and the prizes of its places.

    The lot is the hash of the event that closes it: nobody could foresee it, anybody can check it.
    """
    rules = house_rules.in_force(
        establishment=house, game=season.ruleset, at=event.provenance.recorded_at
    )
    unit = house_rules.worth_of_point(house, rules.options if rules else {})
    tie, lot = settings(house.pk, season.ruleset).place_tie, event.leaf_hash.hex()
    places = places_of(house.pk, season.ruleset)
    tallies = list(of_season(house.pk, season.ruleset, season.number))
    points = {each.player: each.exact for each in tallies}
    data = {
        **_days(season),
        "because": event.position,
        "lot": lot,
        "tie": tie,
        "unit": unit,
        "places": [asdict(each) for each in places],
        "table": list(table(points, {each.player: each.rounds for each in tallies}, lot)),
    }
    return data, scoreboard.awards(points, places, tie=tie, unit=unit, lot=lot)


def table(
    points: dict[str, Fraction], rounds: dict[str, int], lot: str
) -> Iterator[dict[str, Any]]:
    """The lines of a final table: place, player, exact points, rounds."""
    written = points_as_json(points)
    for place, players in scoreboard.rank(points, lot):
        for player in players:
            yield {
                "place": place,
                "player": player,
                "points": written[player],
                "rounds": rounds[player],
            }


def of_season(establishment: UUID, ruleset: str, number: int) -> QuerySet[Tally]:
    return Tally.objects.filter(establishment=establishment, ruleset=ruleset, season=number)


def places_of(establishment: UUID, ruleset: str) -> list[scoreboard.Place]:
    """The places of a board that are worth something now."""
    rules = PrizeRule.objects.filter(
        establishment=establishment, ruleset=ruleset, kind=PrizeRule.Kind.PLACE, active=True
    )
    return [
        scoreboard.Place(each.at, str(each.pk), each.prize, each.amount)
        for each in rules.order_by("at")
    ]


def prize_owed(player: str, amount: int, event: int) -> journal.NewTransfer:
    """The transfer of a prize from the bank to the prizes owed to the player, until collected."""
    return journal.NewTransfer(
        debit=accounts.bank(),
        credit=accounts.prizes_owed(player),
        amount=amount,
        reason="prize",
        event=event,
    )
