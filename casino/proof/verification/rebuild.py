"""
Rebuilds projections in shadow tables from the first event and compares them, while the house plays.

A subscriber's handlers read every event again into empty shadows of its tables (`shadow`), until
they are nearly at its cursor. Then, within one snapshot, they read the rest, and rows and shadows
are compared (`replays`). Nothing real is written or locked, and the comparison may be killed
at any moment.

Events that a subscriber has parked are left out on both sides; they are reported as parked events.
`rebuild` makes the rows of a projection themselves again.
"""

from __future__ import annotations

import sys
import time
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Final

from django.db import connection, transaction
from django.db.models import Q

from casino.engine.processes.queues import house_subscriber
from casino.engine.processes.queues.house_subscriber import HOUSE
from casino.house.acts.game_streams import catalogue
from casino.house.acts.game_streams.catalogue import GameNotInstalled
from casino.play.core import projections
from casino.play.core.models import GameCard
from casino.play.core.projections import PROJECTIONS
from casino.play.core.subscriptions.tasks import BATCH_ALONE
from casino.play.dice.surveillance import subscriber as surveillance_subscriber
from casino.play.dice.surveillance.subscriber import SURVEILLANCE
from casino.play.settlement.seasons import PREFIX
from casino.play.settlement.subscriber import SETTLEMENT
from casino.proof.verification import replays
from casino.proof.verification.replays import (
    BOOKS,
    EVENT_TABLE,
    LISTED_MAX,
    SETTLED_ROWS,
    Difference,
    Reached,
    Replay,
    differences,
    no_progress,
    position_of,
)
from casino.proof.verification.shadow import BOUND, HIDDEN, Shadows, shadows
from ledger import journal, money, subscriptions
from ledger.models import Account, Event, ParkedEvent, Subscription

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from contextlib import AbstractContextManager
    from uuid import UUID

    from django.db.models import Model

    from casino.proof.verification.replays import LeftOut, Progress
    from ledger.entries import Entry
    from ledger.subscriptions import StreamVersions, Subscriber
    from ledger.wire import StoredEvent

NEAR: Final = 100  # events that may be left to read within the snapshot
ROUNDS: Final = 10  # attempts to get that near; after that, the comparison is made anyway
TRIES: Final = 3  # attempts, if the subscriber begins anew or retries parked events meanwhile
PAUSE: Final = 0.05  # seconds to wait while another worker has the subscription


class Disturbed(RuntimeError):  # noqa: N818 - it names the fact
    """The comparison failed each time, because somebody else rebuilt or changed the same rows."""


class NotInstalled(RuntimeError):  # noqa: N818 - it names the fact
    """A rebuild was refused: it would delete rows of a game whose package is not installed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Derived:
    """
    What a subscriber makes of the events of a house, and how it is compared.

    :param rows: the tables to compare. :param effects: other tables that handlers change.
    :param reached: how far the subscriber has come; called on the connection with the shadows.
    :param unsettled: by table, an SQL condition for rows that cannot be compared yet.
    :param others: other comparisons, made in the same snapshot.
    :param aside: what has to be left out, because it needs the rules of a missing package.
    """

    subscriber: Subscriber
    rows: Sequence[type[Model]]
    effects: Sequence[type[Model]] = ()
    reached: Callable[[Shadows], Reached]
    unsettled: Mapping[type[Model], Callable[[Shadows], str]] = field(default_factory=dict)
    others: Callable[[UUID], Iterator[Difference]] = lambda _house: iter(())
    aside: Callable[[UUID], LeftOut] = replays.left_out_of


def derivation_of(subscriber: Subscriber) -> Derived:
    """
    What a subscriber makes of the ledger, and how it is compared.

    :raises KeyError: if it is none of the house's subscribers.
    """
    return {
        SETTLEMENT.name: lambda: Derived(
            subscriber=replays.KEPT,
            rows=replays.SETTLED_ROWS,
            reached=_head,
            others=balances,
            aside=replays.leave_nothing_out,
        ),
        PROJECTIONS.name: lambda: Derived(
            subscriber=PROJECTIONS,
            rows=projections.ROWS,
            reached=lambda made: position_of(PROJECTIONS, made.house),
            unsettled={GameCard: sql_of_later_games},
        ),
        HOUSE.name: lambda: Derived(
            subscriber=replace(
                HOUSE, handle=_into_rows, batch=partial(house_subscriber.batch, of=_with_rows)
            ),
            rows=[model for area in house_subscriber.areas() for model in area.rows],
            effects=[model for area in house_subscriber.areas() for model in area.effects],
            reached=lambda made: position_of(HOUSE, made.house),
            aside=replays.leave_rows_out,
        ),
        SURVEILLANCE.name: lambda: Derived(
            subscriber=SURVEILLANCE,
            rows=surveillance_subscriber.ROWS,
            reached=lambda made: position_of(SURVEILLANCE, made.house),
        ),
    }[subscriber.name]()


def _into_rows(event: StoredEvent, _versions: StreamVersions) -> Sequence[Entry]:
    """Handle an event as the subscriber `house` does, but only in areas that have rows."""
    for area in _with_rows():
        area.handle(event)
    return ()


def _with_rows() -> Sequence[house_subscriber.Area]:
    """The areas that have rows. They make no row where they need the rules of a missing game."""
    return [
        replace(
            area,
            handle=partial(_but_of_missing_games, area.handle),
            batch=partial(_batch, area.batch) if area.batch else None,
        )
        for area in house_subscriber.areas()
        if area.rows
    ]


def _but_of_missing_games(handle: Callable[[StoredEvent], None], event: StoredEvent) -> None:
    with suppress(GameNotInstalled):  # raised before anything is written
        handle(event)


@contextmanager
def _batch(
    batch: Callable[[UUID], AbstractContextManager[Callable[[StoredEvent], None]]],
    establishment: UUID,
) -> Iterator[Callable[[StoredEvent], None]]:
    with batch(establishment) as taken:
        yield partial(_but_of_missing_games, taken)


def compare(
    establishment: UUID, subscriber: Subscriber, progress: Progress = no_progress
) -> Iterator[Difference]:
    """
    Compare rows of a house with what a subscriber makes of the ledger; the differences.

    For each table there are at most 20 differing rows, each with their total number. Settlement
    books entries and cannot be replayed: of it, only the rows that it keeps besides its entries and
    every balance are compared.

    :raises Disturbed: if somebody rebuilds the same rows at the same time.
    :raises NotShadowed: if a handler writes a table that its area does not declare; the write was
        refused.
    """
    what = derivation_of(subscriber)
    aside = what.aside(establishment)
    for _ in range(TRIES):
        with shadows(establishment, [*what.rows, *what.effects]) as made, made.in_place():
            found = compare_rows(what, made, Replay(what.subscriber, made, progress, aside=aside))
        if found is not None:
            return iter([*found, *_not_parked(what, establishment, found, aside)])
    raise Disturbed(f"{subscriber.name} of {establishment} was rebuilt meanwhile, {TRIES} times.")


def _not_parked(
    what: Derived, establishment: UUID, found: Sequence[Difference], aside: LeftOut
) -> Iterator[Difference]:
    """
    Streams that are listed as parked although the rows contain their events: if these events are
    replayed too, fewer rows differ. Searched only if something differs.
    """
    waiting = subscriptions.parked_events(what.subscriber.name, establishment=establishment)
    streams = {each.stream: each for each in reversed(waiting)}  # the first of each
    if not found or what.reached is _head:
        return
    for stream, first in list(streams.items())[:LISTED_MAX]:
        ours = frozenset(each.position for each in waiting if each.stream == stream)
        with_them = replace(what, reached=partial(_with, what.reached, ours))
        with shadows(establishment, [*what.rows, *what.effects]) as made, made.in_place():
            again = compare_rows(with_them, made, Replay(what.subscriber, made, aside=aside))
        if again is not None and _many(again) < _many(found):
            yield Difference(
                follower=what.subscriber.name,
                table=ParkedEvent._meta.db_table,  # noqa: SLF001 - Django's documented Meta API
                what="extra",
                key={"stream": stream, "position": first.position},
                of=len(ours),
            )


def _with(at: Callable[[Shadows], Reached], taken: frozenset[int], made: Shadows) -> Reached:
    there = at(made)
    return replace(there, parked=there.parked - taken)


def _many(found: Sequence[Difference]) -> int:
    return sum({each.table: each.of for each in found}.values())


def compare_rows(
    what: Derived, made: Shadows, replay: Replay, most: int = LISTED_MAX
) -> list[Difference] | None:
    """Compare real rows with shadows; None if the replay no longer matches the subscriber."""
    for _ in range(ROUNDS):
        at = what.reached(made)
        if not replay.follows(at):
            return None
        if at.position - replay.position <= NEAR:
            break
        replay.through(at)
    with _snapshot():
        at = what.reached(made)
        if not replay.follows(at):
            return None
        replay.through(at)
        found = replay.not_read
        for model in what.rows:
            apart = [
                what.unsettled[model](made) if model in what.unsettled else "",
                replay.aside.rows(model, made) if replay.aside is not None else "",
            ]
            unsettled = " OR ".join(f"({each})" for each in apart if each)
            found += differences(made, model, what.subscriber.name, unsettled=unsettled, most=most)
        return [*found, *what.others(made.house)]


@contextmanager
def _snapshot() -> Iterator[None]:
    """A transaction that sees one moment only; on SQLite every transaction does."""
    with transaction.atomic():
        if connection.vendor == "postgresql":
            with connection.cursor() as cursor:
                cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
        yield


def _head(made: Shadows) -> Reached:
    """The last event of the ledger: rows written in the same transaction never lag behind."""
    with made.connection.cursor() as cursor:
        cursor.execute(
            f"SELECT max(position) FROM {made.real[EVENT_TABLE]}"  # noqa: S608 - the database's own name
            f" WHERE establishment = '{made.house.hex}'"
        )
        [last] = cursor.fetchone()
    return Reached(-1 if last is None else last)


def sql_of_later_games(made: Shadows) -> str:
    """
    An SQL condition for the cards of games with events that are not visible to the replay. A card
    is written from the newest event that exists, so its contents depend on the moment of writing.
    """
    return MOVED_ON.format(
        stream=f"'game/' || {made.vendor.spelt('game')}",
        events=f"{made.real[EVENT_TABLE]} WHERE establishment = '{made.house.hex}'",
    )


MOVED_ON: Final = f"""{{stream}} IN (
    SELECT stream FROM {{events}} AND position > (SELECT position FROM {BOUND}) UNION ALL
    SELECT stream FROM {{events}} AND position IN (SELECT position FROM {HIDDEN}))"""  # noqa: S608


def balances(establishment: UUID) -> Iterator[Difference]:
    """Differences for accounts whose row is not the sum of their transfers."""
    wrong = money.differences(establishment=establishment)
    for account in sorted(wrong, key=str)[:LISTED_MAX]:
        kept, folded = wrong[account]
        yield Difference(
            follower=SETTLEMENT.name,
            table=Account._meta.db_table,  # noqa: SLF001 - Django's documented Meta API
            what="altered",
            key={"kind": account.kind.value, "name": account.name},
            found={"debits": kept.debits, "credits": kept.credits},
            expected={"debits": folded.debits, "credits": folded.credits},
            of=len(wrong),
        )


def rebuild(establishment: UUID, subscriber: Subscriber, progress: Progress = no_progress) -> int:
    """
    Rebuild a disposable projection of a house from the first event up to the end of the ledger.

    The house plays on; its screens are empty at first, and fill up again.

    :returns: how many events are parked at the end.
    :raises ValueError: for settlement: what it booked stays booked (see `repair_kept`).
    :raises NotInstalled: if a game on record has no package here.
    """
    if subscriber.name == SETTLEMENT.name:
        raise ValueError("What settlement has booked stays booked: it is not made anew.")
    if games := catalogue.missing_games(establishment):
        raise NotInstalled(
            f"{', '.join(games.games)} is not installed: what {subscriber.name} has kept of these"
            " games would be gone, and cannot be made again without their rules. Install the"
            " package first."
        )
    head = journal.head(establishment=establishment)
    subscriptions.begin_anew(subscriber, establishment=establishment)
    alone = connection.vendor == "sqlite"
    size = BATCH_ALONE if alone else subscriptions.BATCH_MAX
    while (lag := subscriptions.lag(subscriber.name, establishment=establishment)) > 0:
        began = time.monotonic()
        step = subscriptions.advance(subscriber, establishment=establishment, batch=size)
        progress(max(0, head + 1 - lag), head + 1)
        if step.lost_race:
            time.sleep(PAUSE)
        elif alone:  # leave the single write lock to others for as long again
            time.sleep(time.monotonic() - began)
    return len(subscriptions.parked_events(subscriber.name, establishment=establishment))


#
# Repairs the rows that settlement keeps besides its entries, one by one.
#
# These rows cannot be emptied and rebuilt like a projection: prizes are given by them, so they must
# be complete at any moment. Only rows that differ are written, in one short transaction.


KEPT_TABLES: Final = {model._meta.db_table: model for model in SETTLED_ROWS}  # noqa: SLF001 - documented Meta


class _Moved(Exception):  # noqa: N818 - caught here
    """Settlement booked something while its rows were compared."""


def repair_kept(establishment: UUID, progress: Progress = no_progress) -> int:
    """
    Repair the rows that are not what settlement's entries make of them; how many were repaired.

    :raises Disturbed: if the house books faster than the rows can be compared.
    """
    for _ in range(TRIES):
        what = derivation_of(SETTLEMENT)
        with shadows(establishment, what.rows) as made, made.in_place():
            replay = Replay(what.subscriber, made, progress)
            found = compare_rows(what, made, replay, most=sys.maxsize)
        if found is None:
            continue
        wrong = [each for each in found if each.table in KEPT_TABLES]
        try:
            _put_right(establishment, wrong, replay.position)
        except _Moved:
            continue
        return len(wrong)
    raise Disturbed(f"{establishment} has booked something meanwhile, {TRIES} times.")


def _put_right(establishment: UUID, wrong: list[Difference], position: int) -> None:
    """
    Write the repaired rows, unless something was booked after `position`.

    Settlement waits meanwhile, because its subscription is locked. Adjustments do not wait: one
    that was made before is noticed at the end, and one that is made afterwards writes over the
    repair.
    """
    with transaction.atomic():
        mine = Subscription.objects.filter(establishment=establishment, name=SETTLEMENT.name)
        mine.select_for_update(of=("self",), no_key=True).first()
        for each in wrong:
            _write_kept(establishment, each)
        later = Event.objects.filter(establishment=establishment, position__gt=position)
        booked = Q(stream__startswith=BOOKS) | Q(stream__startswith=PREFIX)
        if later.filter(booked).exists():
            raise _Moved


def _write_kept(establishment: UUID, wrong: Difference) -> None:
    objects = KEPT_TABLES[wrong.table]._default_manager  # noqa: SLF001
    if wrong.what == "missing":
        objects.create(**wrong.expected)
        return
    rows = objects.filter(establishment=establishment, **wrong.key)
    if wrong.what == "extra":
        rows.delete()
    else:
        rows.update(**wrong.expected)
