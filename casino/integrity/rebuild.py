"""
What is read from the ledger, made once more from the first event and compared; the house plays on.

A subscriber's handlers read every event again into empty shadows of its tables (`shadow`), until
they are nearly at its cursor; then, within one snapshot, they read the rest, and rows and shadows
are compared (`rebuilt_rows`). Nothing real is written or locked, and it may be killed at any
moment.

What a subscriber has parked is left out on both sides: it is reported with parked events.
"""

from __future__ import annotations

import time
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Final

from django.db import connection, transaction

from casino.game_streams import missing
from casino.game_streams.catalogue import GameNotInstalled
from casino.integrity import left_out, rebuilt_settled
from casino.integrity.rebuilt_replay import EVENTS, Reached, Replay, no_progress, reached
from casino.integrity.rebuilt_rows import LISTED_MAX, Difference, differences
from casino.integrity.shadow import BOUND, HIDDEN, Shadows, shadows
from casino.platform import house_subscriber
from casino.platform.house_subscriber import HOUSE
from casino.play import projections
from casino.play.models import GameCard
from casino.play.projections import PROJECTIONS
from casino.settlement.subscriber import SETTLEMENT
from casino.subscriptions.tasks import BATCH_ALONE
from casino.surveillance import batch_processing
from casino.surveillance.subscriber import SURVEILLANCE
from ledger import journal, money, subscriptions
from ledger.models import Account, ParkedEvent

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from contextlib import AbstractContextManager
    from uuid import UUID

    from django.db.models import Model

    from casino.integrity.left_out import LeftOut
    from casino.integrity.rebuilt_replay import Progress
    from ledger.entries import Entry
    from ledger.subscriptions import StreamVersions, Subscriber
    from ledger.wire import StoredEvent

NEAR: Final = 100  # events that may be left to be read within the snapshot
ROUNDS: Final = 10  # of coming near; a house that is faster than that is compared all the same
TRIES: Final = 3  # where a subscriber begins anew meanwhile, or takes up what was parked
PAUSE: Final = 0.05  # seconds, while a worker that has the subscription goes on from there


class Disturbed(RuntimeError):  # noqa: N818 - it names the fact
    """A subscriber went back, each time, while it was compared: somebody else rebuilds it."""


class NotInstalled(RuntimeError):  # noqa: N818 - it names the fact
    """Rows of a game whose package is not here would be gone, and could not be made again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Derived:
    """
    What is made of the events of a house, and how.

    :param rows: the tables that it is; `effects`: what else handlers change.
    :param reached: how far it has come; called where only visible events of the ledger are seen.
    :param unsettled: rows of a table that are not to be compared yet, in SQL.
    :param others: what else is compared, in the same snapshot.
    :param aside: what of it takes the rules of games whose package is missing.
    """

    subscriber: Subscriber
    rows: Sequence[type[Model]]
    effects: Sequence[type[Model]] = ()
    reached: Callable[[Shadows], Reached]
    unsettled: Mapping[type[Model], Callable[[Shadows], str]] = field(default_factory=dict)
    others: Callable[[UUID], Iterator[Difference]] = lambda _house: iter(())
    aside: Callable[[UUID], LeftOut] = left_out.of


def derived(subscriber: Subscriber) -> Derived:
    """
    What a subscriber makes of the ledger.

    :raises KeyError: if it is none of the house's subscribers.
    """
    return {
        SETTLEMENT.name: lambda: Derived(
            subscriber=rebuilt_settled.KEPT,
            rows=rebuilt_settled.ROWS,
            reached=_head,
            others=balances,
            aside=left_out.nothing,
        ),
        PROJECTIONS.name: lambda: Derived(
            subscriber=PROJECTIONS,
            rows=projections.ROWS,
            reached=lambda made: reached(PROJECTIONS, made.house),
            unsettled={GameCard: moved_on},
        ),
        HOUSE.name: lambda: Derived(
            subscriber=replace(
                HOUSE, handle=_into_rows, batch=partial(house_subscriber.batch, of=_with_rows)
            ),
            rows=[model for area in house_subscriber.areas() for model in area.rows],
            effects=[model for area in house_subscriber.areas() for model in area.effects],
            reached=lambda made: reached(HOUSE, made.house),
            aside=left_out.rows_alone,
        ),
        SURVEILLANCE.name: lambda: Derived(
            subscriber=SURVEILLANCE,
            rows=batch_processing.ROWS,
            reached=lambda made: reached(SURVEILLANCE, made.house),
        ),
    }[subscriber.name]()


def _into_rows(event: StoredEvent, _versions: StreamVersions) -> Sequence[Entry]:
    """As the house's subscriber does; but areas that keep no rows have done what they do."""
    for area in _with_rows():
        area.handle(event)
    return ()


def _with_rows() -> Sequence[house_subscriber.Area]:
    """Where the rules of a game are missing, an area that asks for them makes no row of it."""
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
    with suppress(GameNotInstalled):  # it asks before it writes
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
    Where rows of a house are not what a subscriber makes of the ledger. Empty is good.

    Of each table the first 20 differing rows, each with how many there are. Of settlement, which
    books and cannot be made anew, the rows that it keeps besides its entries, and every balance.

    :raises Disturbed: if somebody rebuilds the same at the same time.
    :raises NotShadowed: if a handler writes what its area does not declare; it was not written.
    """
    what = derived(subscriber)
    aside = what.aside(establishment)
    for _ in range(TRIES):
        with shadows(establishment, [*what.rows, *what.effects]) as made, made.in_place():
            found = compared(what, made, Replay(what.subscriber, made, progress, aside=aside))
        if found is not None:
            return iter([*found, *_not_parked(what, establishment, found, aside)])
    raise Disturbed(f"{subscriber.name} of {establishment} was rebuilt meanwhile, {TRIES} times.")


def _not_parked(
    what: Derived, establishment: UUID, found: Sequence[Difference], aside: LeftOut
) -> Iterator[Difference]:
    """
    Events that are on the list of parked ones, and that the rows speak of all the same: with them
    less differs than without them. Looked for only where something differs.
    """
    waiting = subscriptions.parked(what.subscriber.name, establishment=establishment)
    streams = {each.stream: each for each in reversed(waiting)}  # the first of each
    if not found or what.reached is _head:
        return
    for stream, first in list(streams.items())[:LISTED_MAX]:
        ours = frozenset(each.position for each in waiting if each.stream == stream)
        with_them = replace(what, reached=partial(_with, what.reached, ours))
        with shadows(establishment, [*what.rows, *what.effects]) as made, made.in_place():
            again = compared(with_them, made, Replay(what.subscriber, made, aside=aside))
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


def compared(
    what: Derived, made: Shadows, replay: Replay, most: int = LISTED_MAX
) -> list[Difference] | None:
    """Real rows against shadows; None where the replay does not lead to what is there by now."""
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
    """What is read within belongs to one moment; on SQLite every transaction is so."""
    with transaction.atomic():
        if connection.vendor == "postgresql":
            with connection.cursor() as cursor:
                cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
        yield


def _head(made: Shadows) -> Reached:
    """The last event there is: what is written with its entries never lags behind them."""
    with made.connection.cursor() as cursor:
        cursor.execute(
            f"SELECT max(position) FROM {made.real[EVENTS]}"  # noqa: S608 - the database's own name
            f" WHERE establishment = '{made.house.hex}'"
        )
        [last] = cursor.fetchone()
    return Reached(-1 if last is None else last)


def moved_on(made: Shadows) -> str:
    """
    The cards of games that have events which are not visible yet: a card is written at the last
    event that there is, so by which of them it stands now depends on the moment.
    """
    return MOVED_ON.format(
        stream=f"'game/' || {made.vendor.spelt('game')}",
        events=f"{made.real[EVENTS]} WHERE establishment = '{made.house.hex}'",
    )


MOVED_ON: Final = f"""{{stream}} IN (
    SELECT stream FROM {{events}} AND position > (SELECT position FROM {BOUND}) UNION ALL
    SELECT stream FROM {{events}} AND position IN (SELECT position FROM {HIDDEN}))"""  # noqa: S608


def balances(establishment: UUID) -> Iterator[Difference]:
    """Accounts whose row is not what their transfers make."""
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
    Make a disposable projection of a house anew from the first event, as far as the ledger goes
    now; answer how many events of it are parked then.

    The house plays on; its screens are empty at first, and fill up again.

    :raises ValueError: for settlement: what it booked stays booked (see `rebuild_kept`).
    :raises NotInstalled: where a game on record has no package here.
    """
    if subscriber.name == SETTLEMENT.name:
        raise ValueError("What settlement has booked stays booked: it is not made anew.")
    if games := missing.of(establishment):
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
        elif alone:  # as long again for whoever waits for the one lock there is
            time.sleep(time.monotonic() - began)
    return len(subscriptions.parked(subscriber.name, establishment=establishment))
