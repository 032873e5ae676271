"""
Closing a gaming day (B4).

1. `close` begins the closing with the event ``day.closing``. The next day begins at its position.
   The guard of every entry makes sure that no new entry belongs to the old day.
2. Settlement continues up to that position. What it books still belongs to the day of its cause.
3. `finish` freezes the day: ``day.closed`` has the figures of the day, folded from its own
   events. Parked events and held payouts are listed there; the day does not wait for them.

Each step may be interrupted anywhere and repeated; a day is closed only once.
"""

from __future__ import annotations

import uuid
from dataclasses import replace
from datetime import timedelta
from hashlib import sha256
from typing import TYPE_CHECKING, Any, Final
from uuid import UUID

from django.db import transaction

from casino.house.acts import acts
from casino.house.acts.game_streams import occupancy
from casino.house.acts.game_streams.loading import GameKey, readable
from casino.house.attendants import permissions
from casino.house.establishments import gaming_day
from casino.play.settlement.settled import SETTLEMENT, position_of
from casino.reports.gaming_days.figures import Figures
from casino.words.languages import locales
from casino.words.languages.locales import figures_of_day
from games.messages import live
from games.refusals import Refused
from ledger import journal
from ledger.accounts import Kind
from ledger.models import Event, ParkedEvent, Subscription

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from datetime import date, datetime

    from casino.house.attendants.models import Attendant
    from casino.house.establishments.gaming_day import DayState
    from casino.house.establishments.models import Establishment
    from ledger.wire import StoredEvent


class NothingToClose(Refused):
    code = "nothing_to_close"


class ClosedAlready(Refused):
    code = "day_closed_already"


class StillClosing(Refused):
    code = "day_still_closing"


class OlderDayOpen(Refused):
    code = "older_day_open"


class NotBegun(Refused):
    code = "day_not_begun"


def close(act: acts.Act, day: date) -> journal.Receipt:
    """
    Begin to close a day: the oldest open day, whether its cut-off has passed or not.

    :raises NotYours: if the person's role does not let them close a day.
    :raises NothingToClose: if nothing was recorded at the house, or on that day.
    :raises ClosedAlready: if the closing of the day has begun before.
    :raises StillClosing: if another day is being closed at the moment.
    :raises OlderDayOpen: if an older day is open, which comes first.
    :raises NotBegun: if the day has not begun by the clock.
    """
    if act.by is not None:
        _may_close(act.by, act.house)

    def decide() -> acts.Done:
        known = gaming_day.day_state(act.house.pk)
        _closable(act.house, known, day, act.now)
        closing = known.closes(day)
        data = {
            "day": day.isoformat(),
            "by": act.actor,
            "automatic": act.by is None,
            "previous": known.closing_version,
            "standing": closing.as_dict,
        }
        return acts.Done(
            guards={gaming_day.STREAM: known.version},
            events=[gaming_day.new_event(gaming_day.CLOSING, data)],
        )

    request = {"do": "close_day", "day": day.isoformat()}
    receipt = acts.perform(replace(act, request=request), decide)
    gaming_day.MEMORY.forget(act.house.pk)
    return receipt


def _may_close(person: Attendant, house: Establishment) -> None:
    """
    Check that a person may close a day, as they may configure the house.

    Only managers may, and they need a second factor (D2).
    """
    if not permissions.may(person, "configure", house.pk):
        raise permissions.NotYours(f"At {house} its managers close the gaming day. D1")
    permissions.require(person, "configure", house)


def _closable(house: Establishment, known: DayState, day: date, now: datetime) -> None:
    if known.day is None:
        raise NothingToClose("Nothing was recorded at this house yet: no day is open. B4")
    said = locales.figures_of_day(day)
    if known.closing is not None and day <= known.closing:
        raise ClosedAlready(f"The closing of {said} has begun already. B4")
    if known.draining is not None:
        last = locales.figures_of_day(known.draining)
        raise StillClosing(f"{last} is still being closed: wait until it is booked. B4")
    if day > known.open[0]:
        older = locales.figures_of_day(known.open[0])
        raise OlderDayOpen(f"{older} is still open: close it first. B4")
    if day != known.open[0]:
        raise NothingToClose(f"Nothing was recorded on {said}: there is nothing to close. B4")
    if day > gaming_day.gaming_day(house, now):
        begins = locales.clock(house.day_cutoff)
        raise NotBegun(f"By the clock {said} begins at {begins}: it can be closed from then on. B4")


def closes_at(house: Establishment, day: date) -> datetime | None:
    """When a day is closed automatically: after its cut-off and the house's grace period."""
    if house.closing_grace is None:
        return None
    return gaming_day.begins(house, day + gaming_day.A_DAY) + timedelta(minutes=house.closing_grace)


def due(house: Establishment, now: datetime) -> date | None:
    """The day that is to be closed automatically now, if there is one."""
    if house.closing_grace is None:
        return None
    known = gaming_day.day_state(house.pk)
    if known.draining is not None or not known.open:
        return None
    at = closes_at(house, known.open[0])
    return known.open[0] if at is not None and at <= now else None


def close_by_itself(house: Establishment, day: date, now: datetime) -> None:
    """
    Close a day automatically, because nobody has closed it; the event says so.

    Two processes may call this at the same time: the closing begins once.

    :raises Refused: if a person has just closed the day.
    """
    name = f"{gaming_day.CLOSING}/{day}"
    act = acts.Act(
        house=house,
        by=None,
        device=gaming_day.ACTOR,
        now=now,
        command_id=uuid.uuid5(house.pk, name),
        request={},
    )
    close(act, day)


def behind(establishment: uuid.UUID) -> int:
    """How many events settlement must still read before the day being closed is fully booked."""
    known = gaming_day.day_state(establishment)
    if known.draining is None:
        return 0
    begun = gaming_day.entry(establishment, known.closing_version)
    return max(0, begun.position - 1 - position_of(establishment))


# Freezes a gaming day (B4), once settlement has reached the position where its closing began.
#
# ``day.closed`` has the figures of the day, folded from its own events. Parked events and held
# payouts are listed there; the day does not wait for them. Freezing may be interrupted anywhere and
# repeated; a day is frozen only once.


CHUNK: Final = 500  # events read at a time


def finish(house: Establishment, now: datetime) -> StoredEvent | None:
    """
    Freeze the day that is being closed, if it is fully booked.

    The day's events are folded before anything is locked. Then settlement is locked out while the
    last events are added and ``day.closed`` is appended.

    :returns: the event ``day.closed``; None if no day is being closed, or it is not booked yet.
    """
    known = gaming_day.day_state(house.pk)
    if known.draining is None:
        return None
    begun = gaming_day.entry(house.pk, known.closing_version)
    if position_of(house.pk) < begun.position - 1:
        return None
    figures = begin_figures(house, known, begun)
    figures.take(of_day(house.pk, figures.day))
    try:
        with transaction.atomic():
            _keep_settlement_out(house.pk)
            figures.take(of_day(house.pk, figures.day, after=figures.through))
            receipt = _append(house, known, begun, figures, now)
    except journal.StreamMoved as moved:  # somebody opened a day
        gaming_day.forget_state(house.pk, moved)
        return None
    gaming_day.MEMORY.forget(house.pk)
    return None if receipt.repeated else gaming_day.entry(house.pk, known.version + 1)


def begin_figures(house: Establishment, known: DayState, begun: StoredEvent) -> Figures:
    """The figures of a day before its first event, with what the day before carried over."""
    day = known.draining
    if day is None:
        raise AssertionError("asked for while a day is being closed")
    previous = begun.data["previous"]
    since = gaming_day.entry(house.pk, previous) if previous else None
    if known.closed_version:
        before = gaming_day.entry(house.pk, known.closed_version).data["carried"]
        return Figures(house, day, since=since, before=before)
    older = Figures(house, day)
    older.take(before_day(house.pk, day))
    return Figures(house, day, since=since, before=older.carried)


def of_day(establishment: uuid.UUID, day: date, after: int = -1) -> Iterator[StoredEvent]:
    """The events of a gaming day after a position, in order."""
    return _read(establishment, after, gaming_day=day)


def before_day(establishment: uuid.UUID, day: date) -> Iterator[StoredEvent]:
    """The events of all gaming days before one, in order; used by the first closing of a house."""
    return _read(establishment, -1, gaming_day__lt=day)


def _read(establishment: uuid.UUID, after: int, **which: Any) -> Iterator[StoredEvent]:
    """The events that match a filter; their positions are queried, the ledger reads the events."""
    rows = Event.objects.filter(establishment=establishment, **which).order_by("position")
    while True:
        found = list(rows.filter(position__gt=after).values_list("position", flat=True)[:CHUNK])
        if not found:
            return
        wanted = set(found)
        events = journal.read(
            establishment=establishment, after=found[0] - 1, limit=found[-1] - found[0] + 1
        )
        yield from (event for event in events if event.position in wanted)
        after = found[-1]


def _keep_settlement_out(establishment: uuid.UUID) -> None:
    """Lock the row of settlement. As everywhere, rows are locked before the ledger (lock order)."""
    rows = Subscription.objects.filter(establishment=establishment, name=SETTLEMENT)
    list(rows.select_for_update(of=("self",), no_key=True))


def _append(
    house: Establishment, known: DayState, begun: StoredEvent, figures: Figures, now: datetime
) -> journal.Receipt:
    name = f"{gaming_day.CLOSED}/{figures.day}"
    closed = known.is_closed()
    (receipt,) = journal.append(
        establishment=house.pk,
        entries=[
            journal.Entry(
                provenance=journal.Provenance(
                    command_id=uuid.uuid5(house.pk, name),
                    actor=gaming_day.ACTOR,
                    device=gaming_day.ACTOR,
                    correlation_id=begun.provenance.correlation_id,
                    causation_id=begun.event_id,
                    occurred_at=now,
                    recorded_at=now,
                    gaming_day=known.day or figures.day,
                ),
                request_hash=sha256(name.encode()).digest(),
                guards={gaming_day.STREAM: known.version},
                events=(
                    gaming_day.new_event(
                        gaming_day.CLOSED,
                        {**summary(house, begun, figures), "standing": closed.as_dict},
                    ),
                ),
            )
        ],
    )
    return receipt


def summary(house: Establishment, begun: StoredEvent, figures: Figures) -> dict[str, Any]:
    """
    The summary of a day, as its last event records it permanently: whole coins, ids and tokens.

    ``position`` is where the closing began: all entries of the day lie before it, except what
    settlement booked later. ``settled_through`` is how far settlement was then. There are no roots
    or signatures here: the next signed checkpoint covers this event and all events before it.
    """
    return {
        "day": figures.day.isoformat(),
        "by": begun.data["by"],
        "automatic": begun.data["automatic"],
        "closing_version": begun.stream_version,
        "position": begun.position,
        "settled_through": position_of(house.pk),
        **figures.as_dict,
        "open_games": open_games(figures),
        "rollovers": figures.of_kind(Kind.ROLLOVER),
        "held": figures.held,
        "parked": parked_events(house.pk, begun.position),
        "carried": figures.carried,
    }


def event_of_close(establishment: uuid.UUID, day: date) -> StoredEvent | None:
    """The event ``day.closed`` of a day, from the ledger; None if the day is not closed."""
    rows = Event.objects.filter(
        establishment=establishment,
        command_id=uuid.uuid5(establishment, f"{gaming_day.CLOSED}/{day}"),
    )
    position = rows.order_by("command_seq").values_list("position", flat=True).first()
    if position is None:
        return None
    return journal.read(establishment=establishment, after=position - 1, limit=1)[0]


# What a gaming day carries over: running games, money that waits, parked events.


EVER: Final = 2**53  # greater than every position
LISTED: Final = 100  # parked events that are listed; all of them are counted


def open_games(figures: Figures, *, through: int = EVER) -> list[dict[str, Any]]:
    """
    The games that go on after a day, and closed games that still owe somebody (open liabilities).

    Per game: table, ruleset, round, coins in the pot, in stakes and held.

    :param through: for a day that is open, the position up to which events count.
    """
    running = running_games(figures.house, figures.day, through=through)
    owed = figures.of_kind(Kind.POT), figures.of_kind(Kind.STAKE), figures.held
    pots, stakes, held = map(_by_game, owed)
    rows = [
        {
            **_describe(figures.house, game, figures.day, through),
            "running": game in running,
            "pot": pots.get(game, 0),
            "stakes": stakes.get(game, 0),
            "held": held.get(game, 0),
        }
        for game in sorted({*running, *pots, *stakes, *held})
    ]
    return sorted(rows, key=lambda row: (not row["running"], row["opened"], row["game"]))


def running_games(house: Establishment, day: date, *, through: int = EVER) -> set[str]:
    """The games that had a table at the end of a day, from the tables' streams."""
    found = set()
    for table in house.tables.values_list("pk", flat=True):
        rows = Event.objects.filter(
            establishment=house.pk,
            stream=occupancy.table_stream(str(table)),
            event_type__in=("table.game_opened", "table.game_closed"),
        )
        last = (
            journal.between(journal.through_day(rows, day), through=through)
            .order_by("-stream_version")
            .values_list("event_type", "correlation_id")
            .first()
        )
        if last and last[0] == "table.game_opened":
            found.add(str(last[1]))
    return found


def _by_game(accounts: Mapping[str, int]) -> dict[str, int]:
    """
    The sums of accounts by game.

    Accounts are named ``<game>/<player or payout>``; a pot only has the id of its game.
    """
    held: dict[str, int] = {}
    for name, coins in accounts.items():
        game = name.partition("/")[0]
        held[game] = held.get(game, 0) + coins
    return held


def _describe(house: Establishment, game: str, day: date, through: int) -> dict[str, Any]:
    """A game as it stood at the end of a day; only its id if it cannot be read."""
    loaded = readable(GameKey(house.pk, UUID(game)))
    if loaded is None:
        return {"game": game, "ruleset": "", "table": "", "opened": "", "round": 0}
    many = sum(
        event.provenance.gaming_day <= day and event.position <= through for event in loaded.events
    )
    ended = sum(fact.ends_round for _, fact in live(loaded.history[:many]))
    return {
        "game": game,
        "ruleset": loaded.ruleset.id,
        "table": loaded.place["table"],
        "opened": loaded.opening.provenance.gaming_day.isoformat(),
        "round": ended + 1,
    }


def parked_events(establishment: UUID, before: int) -> dict[str, Any]:
    """Parked events of settlement before a position: how many, and the first of them."""
    rows = ParkedEvent.objects.filter(
        establishment=establishment, subscription=SETTLEMENT, position__lt=before
    ).order_by("position")
    return {
        "count": rows.count(),
        "events": [
            {"stream": stream, "position": position}
            for stream, position in rows.values_list("stream", "position")[:LISTED]
        ],
    }


# The second signature under a closed gaming day (B4, C1).


SIGNED: Final = "day.signed"


class NotClosedYet(Refused):
    code = "day_not_closed"


class SignedAlready(Refused):
    code = "day_signed_already"


class OwnClosing(Refused):
    code = "own_closing"


def sign(act: acts.Act, day: date) -> journal.Receipt:
    """
    Sign a closed day as the second person.

    :raises NotYours: if the person's role does not let them sign.
    :raises NotClosedYet: if the day is not closed.
    :raises OwnClosing: if the person closed the day.
    :raises SignedAlready: if somebody signed it before.
    """
    if act.by is None:
        raise permissions.NotYours("A person signs by name. B4")
    permissions.require(act.by, "approve", act.house)

    def decide() -> acts.Done:
        known = gaming_day.day_state(act.house.pk)
        closed = event_of_close(act.house.pk, day)
        said = figures_of_day(day)
        if closed is None:
            raise NotClosedYet(f"{said} is not closed: there is nothing to sign yet. B4")
        if closed.data["by"] == act.actor:
            raise OwnClosing(f"You closed {said} yourself: somebody else signs it. C1")
        if _sign(act.house.pk, closed):
            raise SignedAlready(f"{said} is signed already. B4")
        data = {
            "day": day.isoformat(),
            "closed_version": closed.stream_version,
            "asked_by": closed.data["by"],
            "approved_by": act.actor,
            "standing": known.noted().as_dict,
        }
        return acts.Done(
            guards={gaming_day.STREAM: known.version}, events=[gaming_day.new_event(SIGNED, data)]
        )

    return acts.perform(replace(act, request={"do": "sign_day", "day": day.isoformat()}), decide)


def _sign(establishment: uuid.UUID, closed: StoredEvent) -> bool:
    later = Event.objects.filter(
        establishment=establishment,
        stream=gaming_day.STREAM,
        stream_version__gt=closed.stream_version,
        event_type=SIGNED,
    )
    positions = later.values_list("position", flat=True)
    return any(
        event.data["closed_version"] == closed.stream_version
        for position in positions
        for event in journal.read(establishment=establishment, after=position - 1, limit=1)
    )
