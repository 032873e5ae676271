"""Following the journal: once, in order, and around what is poisoned."""

import logging
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from uuid import UUID, uuid5

import pytest
from django.db import OperationalError, connection
from django.test.utils import CaptureQueriesContext

from ledger import journal, money, subscriptions
from ledger.journal import Entry, StoredEvent
from ledger.models import ParkedEvent, Subscription
from ledger.subscriptions import (
    Advanced,
    Handle,
    Lag,
    StreamVersions,
    Subscriber,
    advance,
    retry,
)
from tests.ledger.building import (
    ANNA,
    CAGE,
    HOUSE,
    OTHER_HOUSE,
    POT,
    appended,
    entry,
    event,
    transfer,
)

pytestmark = pytest.mark.django_db

NAMESPACE = UUID(int=7)


class Poison(Exception):  # noqa: N818  names the fact
    pass


class TimeIsUp(Exception):  # noqa: N818  names the fact
    pass


@dataclass
class Settlement:
    """Books every game event in settlement/<game>; fails where it is told to."""

    poisoned: set[int] = field(default_factory=set)
    greedy: set[int] = field(default_factory=set)
    raises: Exception = field(default_factory=lambda: Poison("cannot"))
    seen: list[int] = field(default_factory=list)

    def handle(self, happened: StoredEvent, versions: StreamVersions) -> Sequence[Entry]:
        if not happened.stream.startswith("game/"):
            return ()
        if happened.position in self.poisoned:
            raise self.raises
        self.seen.append(happened.position)
        stream = f"settlement/{happened.stream}"
        amount = 1_000_000 if happened.position in self.greedy else 1
        return [
            entry(
                {stream: versions[stream]},
                [event(stream, happened.position)],
                [transfer(ANNA, POT, amount)],
                command_id=uuid5(NAMESPACE, str(happened.event_id)),
            )
        ]

    def touches(self, happened: StoredEvent) -> Iterable[str]:
        return (f"settlement/{happened.stream}",)

    @property
    def subscriber(self) -> Subscriber:
        return Subscriber(
            name="settlement",
            handle=self.handle,
            touches=self.touches,
            transient=(TimeIsUp,),
        )


def opened(games: int = 2, throws: int = 3, *, at: int = 0) -> None:
    """Anna buys in; then the games' throws, one game after the other in turn."""
    appended(f"cage/{at}", transfer(CAGE, ANNA, 100))
    for version in range(throws):
        for game in range(at, at + games):
            appended(f"game/{game}", version=version)


def booked() -> list[int]:
    """The positions that settlement has booked, in the order it did."""
    found = journal.read(establishment=HOUSE, limit=500)
    return [it.data["n"] for it in found if it.stream.startswith("settlement/")]


def cursor() -> int:
    return Subscription.objects.get(establishment=HOUSE, name="settlement").position


def finish(settlement: Settlement) -> None:
    while advance(settlement.subscriber, establishment=HOUSE).lag:
        pass


def test_events_are_handled_in_order_and_once() -> None:
    opened()
    settlement = Settlement()

    first = advance(settlement.subscriber, establishment=HOUSE)
    finish(settlement)

    assert first == Advanced(handled=7, appended=6, lag=6)
    assert settlement.seen == booked() == [1, 2, 3, 4, 5, 6]
    assert cursor() == journal.head(establishment=HOUSE)
    assert money.balance(POT, establishment=HOUSE) == 6
    assert advance(settlement.subscriber, establishment=HOUSE) == Advanced()


def test_a_batch_is_as_long_as_asked_and_never_longer_than_fifty() -> None:
    appended("game/1", events=60)
    idle = Subscriber(name="idle", handle=lambda _event, _versions: ())

    assert advance(idle, establishment=HOUSE, batch=7) == Advanced(handled=7, full=True, lag=53)
    assert advance(idle, establishment=HOUSE, batch=500) == Advanced(handled=50, full=True, lag=3)


def test_what_a_batch_asks_does_not_grow_with_its_streams() -> None:
    def ask(happened: StoredEvent, versions: StreamVersions) -> Sequence[Entry]:
        assert versions[f"settlement/{happened.stream}"] == 0
        return ()

    def questions(games: int) -> int:
        opened(games, throws=1, at=journal.head(establishment=HOUSE) + 1)
        subscriber = Subscriber(name="asking", handle=ask, touches=Settlement().touches)
        with CaptureQueriesContext(connection) as captured:
            advance(subscriber, establishment=HOUSE)
        return len([it for it in captured if "SAVEPOINT" not in it["sql"]])

    questions(1)  # makes the subscription's row
    assert questions(9) == questions(2)


def test_a_failing_event_parks_its_stream_and_no_other() -> None:
    opened()  # game/0 at 1, 3, 5; game/1 at 2, 4, 6
    settlement = Settlement(poisoned={3})

    result = advance(settlement.subscriber, establishment=HOUSE)

    assert (result.handled, result.parked) == (5, 2)
    assert booked() == [1, 2, 4, 6]
    assert [
        (it.position, it.stream, it.error, it.attempts)
        for it in subscriptions.parked_events("settlement", establishment=HOUSE)
    ] == [
        (3, "game/0", "Poison: cannot", 1),
        (5, "game/0", "waits behind position 3", 0),
    ]
    assert cursor() == 6


def test_where_a_batch_is_read_at_once_what_comes_behind_a_parked_event_waits() -> None:
    opened()
    settlement = Settlement(poisoned={3})

    @contextmanager
    def batch(_establishment: UUID, _events: Sequence[StoredEvent]) -> Iterator[Handle]:
        yield settlement.handle

    result = advance(replace(settlement.subscriber, batch=batch), establishment=HOUSE)

    assert (result.handled, result.parked) == (5, 2)
    assert booked() == [1, 2, 4, 6]
    waiting = [it.position for it in subscriptions.parked_events("settlement", establishment=HOUSE)]
    assert waiting == [3, 5]


def test_later_batches_keep_a_parked_stream_waiting() -> None:
    opened()
    settlement = Settlement(poisoned={3})
    finish(settlement)

    late = appended("game/0", version=3).first_position
    finish(settlement)

    waiting = [it.position for it in subscriptions.parked_events("settlement", establishment=HOUSE)]
    assert waiting == [3, 5, late]


def test_retry_replays_in_order_and_frees_the_stream() -> None:
    opened()
    settlement = Settlement(poisoned={3})
    finish(settlement)
    settlement.poisoned.clear()

    result = retry(settlement.subscriber, establishment=HOUSE, stream="game/0")
    finish(settlement)

    assert (result.handled, result.parked) == (2, 0)
    assert booked() == [1, 2, 4, 6, 3, 5]
    appended("game/0", version=3)
    finish(settlement)
    assert len(booked()) == 7
    assert not ParkedEvent.objects.exists()


def test_retry_stops_at_what_fails_again() -> None:
    opened()
    settlement = Settlement(poisoned={3, 5})
    finish(settlement)
    settlement.poisoned = {5}

    result = retry(settlement.subscriber, establishment=HOUSE, stream="game/0")

    assert (result.handled, result.parked) == (1, 1)
    [left] = subscriptions.parked_events("settlement", establishment=HOUSE)
    assert (left.position, left.error, left.attempts) == (5, "Poison: cannot", 1)


def test_a_transfer_that_overdraws_parks_only_its_own_stream() -> None:
    opened()
    settlement = Settlement(greedy={3})

    result = advance(settlement.subscriber, establishment=HOUSE)
    finish(settlement)

    assert result.parked == 2
    assert booked() == [1, 2, 4, 6]
    [cause, _] = subscriptions.parked_events("settlement", establishment=HOUSE)
    assert cause.error == "Overdrawn: stake:anna holds 98, 1000000 were to be taken."


def test_an_append_that_failed_is_retried_like_any_other() -> None:
    opened()
    settlement = Settlement(greedy={3})
    finish(settlement)

    still = retry(settlement.subscriber, establishment=HOUSE, stream="game/0")
    settlement.greedy.clear()
    freed = retry(settlement.subscriber, establishment=HOUSE, stream="game/0")

    assert (still.handled, still.parked) == (0, 2)
    assert (freed.handled, freed.parked) == (2, 0)


@pytest.mark.parametrize("passing", [OperationalError("deadlock detected"), TimeIsUp()])
def test_what_passes_by_itself_never_parks(passing: Exception) -> None:
    opened()
    settlement = Settlement(poisoned={3}, raises=passing)

    with pytest.raises(type(passing)):
        advance(settlement.subscriber, establishment=HOUSE)

    assert not ParkedEvent.objects.exists()
    assert booked() == []
    settlement.poisoned.clear()
    finish(settlement)
    assert booked() == [1, 2, 3, 4, 5, 6]


def test_a_stream_that_moved_meanwhile_is_read_again() -> None:
    opened(games=1)
    settlement = Settlement()
    meddled: list[object] = []

    def meddle(happened: StoredEvent, versions: StreamVersions) -> Sequence[Entry]:
        entries = settlement.handle(happened, versions)
        if entries and not meddled:  # somebody releases a payout in the same stream
            meddled.append(appended("settlement/game/0"))
        return entries

    advance(
        Subscriber(name="settlement", handle=meddle, touches=settlement.touches),
        establishment=HOUSE,
    )

    assert not ParkedEvent.objects.exists()
    assert booked() == [1, 2, 3]  # the meddling went with the batch


def test_a_guard_that_never_holds_parks_in_the_end() -> None:
    opened(games=1)

    def wrong(happened: StoredEvent, _versions: StreamVersions) -> Sequence[Entry]:
        return [entry({"nowhere": 7})] if happened.position == 1 else ()

    result = advance(Subscriber(name="wrong", handle=wrong), establishment=HOUSE)

    assert (result.handled, result.parked, result.lag) == (1, 3, 0)
    [cause, *_] = subscriptions.parked_events("wrong", establishment=HOUSE)
    assert cause.error == "StreamMoved: nowhere has 0 events, not 7."


def test_what_is_handled_twice_is_booked_once() -> None:
    opened()
    settlement = Settlement()
    finish(settlement)
    Subscription.objects.filter(name="settlement").update(position=-1)

    finish(settlement)

    assert settlement.seen == [1, 2, 3, 4, 5, 6] * 2
    assert booked() == [1, 2, 3, 4, 5, 6]


def test_an_odd_character_in_an_error_does_not_stop_the_parking(
    caplog: pytest.LogCaptureFixture,
) -> None:
    # What pytest captures it sends from process to process as UTF-8, which this is not.
    caplog.set_level(logging.CRITICAL, logger="ledger.subscriptions")
    opened(games=1, throws=1)
    settlement = Settlement(poisoned={1}, raises=Poison("a\0b \ud800"))

    assert advance(settlement.subscriber, establishment=HOUSE).parked == 1


def test_a_handlers_own_rows_go_with_its_failure() -> None:
    opened(games=1, throws=1)

    def half(happened: StoredEvent, _versions: StreamVersions) -> Sequence[Entry]:
        Subscription.objects.create(establishment=happened.establishment, name="half a row")
        raise Poison

    advance(Subscriber(name="half", handle=half), establishment=HOUSE)

    assert not Subscription.objects.filter(name="half a row").exists()


def test_lagging_names_subscribers_and_houses_in_one_query(
    django_assert_num_queries: pytest.FixtureRequest,
) -> None:
    appended("game/1", events=3)
    appended("game/1", events=2, establishment=OTHER_HOUSE)
    idle = Subscriber(name="idle", handle=lambda _event, _versions: ())
    busy = Subscriber(name="busy", handle=lambda _event, _versions: ())
    advance(idle, establishment=HOUSE)
    advance(busy, establishment=HOUSE, batch=1)

    with django_assert_num_queries(1):  # type: ignore[operator]
        found = subscriptions.lagging([idle, busy])

    assert found == [
        Lag(establishment=HOUSE, subscription="busy", lag=2),
        Lag(establishment=OTHER_HOUSE, subscription="busy", lag=2),
        Lag(establishment=OTHER_HOUSE, subscription="idle", lag=2),
    ]
    assert subscriptions.lag("busy", establishment=OTHER_HOUSE) == 2


def test_nothing_lags_in_an_empty_ledger() -> None:
    idle = Subscriber(name="idle", handle=lambda _event, _versions: ())

    assert subscriptions.lagging([idle]) == []
    assert subscriptions.lagging([]) == []
    assert advance(idle, establishment=HOUSE) == Advanced()


def test_a_projection_is_rebuilt_from_nothing() -> None:
    opened()
    seen: list[int] = []
    forgotten: list[UUID] = []

    def note(happened: StoredEvent, _versions: StreamVersions) -> Sequence[Entry]:
        seen.append(happened.position)
        return ()

    subscriber = Subscriber(name="screen", handle=note, forget=forgotten.append)
    advance(subscriber, establishment=HOUSE)

    handled = subscriptions.rebuild(subscriber, establishment=HOUSE)

    assert handled == 7
    assert forgotten == [HOUSE]
    assert seen == [0, 1, 2, 3, 4, 5, 6] * 2
