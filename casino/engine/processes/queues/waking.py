"""
Wakes for workers. A wake is a level, not one message for each event.

Work that is due (a subscription of a house, say) stands in a waiting list, at most once however
often something happens, the longest waiting first. For each new entry a message goes into the
queue, and a worker that takes a message does the first entry of the list. So neither list nor queue
grows with the load, and no house waits for the backlog of another. List or messages may be lost:
sweeps find the subscriptions that lag in the database, and put them on the list again.

A message costs more than the work that it announces. So a worker that has done an entry stays at
hand for a moment, and takes new entries from the list without a message.
"""

from __future__ import annotations

import math
import threading
import time
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any, ClassVar, Protocol
from uuid import UUID

import structlog
from django.conf import settings
from django.db import transaction
from kombu.exceptions import OperationalError as BrokerDown

from casino.engine.processes.queues import broker
from casino.engine.processes.signals import unreached

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from redis import Redis

log = structlog.get_logger(__name__)

SILENCE = 10.0  # seconds without wakes after one was lost; meanwhile the sweeps do all the work
LAST = 86_400  # seconds after which an untouched list is forgotten
STAYS = 0.25  # seconds that a worker stays at hand for the next entry
PACE = 0.3  # seconds within which leisurely work is done once, however often it is due
SOON = 0.001  # seconds; the shortest wait
TURN = 1.0  # seconds after which a worker looks at its other queues, too
AT_HAND_LAST = 2  # seconds after which workers at hand are forgotten: they have died

# Each script is atomic. Workers at hand wait for the list itself (BZPOPMIN): as many are counted
# off as got an entry, so each new entry has a worker or a message. A message that is in the queue
# already will do: the entry that it was sent for may have been served without it.
BEHIND_THE_LAST = """
local last = redis.call('ZREVRANGE', KEYS[1], 0, 0, 'WITHSCORES')
local turn, added = tonumber(last[2] or '0'), 0
for place = 2, #ARGV do
    turn = turn + 1
    added = added + redis.call('ZADD', KEYS[1], 'NX', turn, ARGV[place])
end
redis.call('EXPIRE', KEYS[1], ARGV[1])
local served = math.min(added, tonumber(redis.call('GET', KEYS[2]) or '0'))
if served > 0 then redis.call('DECRBY', KEYS[2], served) end
local left = redis.call('ZCARD', KEYS[1]) - served - redis.call('LLEN', KEYS[3])
return math.max(0, math.min(added - served, left))
"""
FIRST_OR_STAY = """
local first = redis.call('ZPOPMIN', KEYS[1])[1]
if first then return first end
redis.call('INCR', KEYS[2])
redis.call('EXPIRE', KEYS[2], ARGV[1])
return false
"""
LEAVE_OR_FIRST = """
if tonumber(redis.call('GET', KEYS[2]) or '0') > 0 then
    redis.call('DECR', KEYS[2])
    return false
end
return redis.call('ZPOPMIN', KEYS[1])[1]
"""  # no count: somebody added an entry this moment, and relies on the worker that leaves


class Waiting(Protocol):
    """
    The waiting lists, by the name of their queue.

    `patient` says whether a worker can wait for the next entry.
    """

    patient: ClassVar[bool]

    def add(self, queue: str, who: Iterable[str]) -> int:
        """Add entries. Return how many are new and have no worker at hand: each needs a message."""

    def take(self, queue: str, *, stays: float = 0.0) -> str | None:
        """
        Take the entry that has waited longest off the list; None if nothing waits.

        :param stays: seconds to wait for a new entry, where that is possible.
        """

    def length(self, queue: str) -> int:
        """How many entries wait."""

    def unsent(self, queue: str) -> int:
        """How many more entries wait than there are messages in the queue."""

    def used(self, queues: Sequence[str]) -> list[str]:
        """Those of some queues in which anything is left: entries or messages."""

    def drop(self, queue: str) -> None:
        """Drop the messages of a queue."""


class InProcess:
    """
    Waiting lists in memory, where the broker is in memory too: one thread serves all queues, and
    looks at them twenty times a second, so it waits at none.
    """

    patient: ClassVar = False

    def __init__(self) -> None:
        self._lists: dict[str, dict[str, None]] = {}
        self._lock = threading.Lock()

    def add(self, queue: str, who: Iterable[str]) -> int:
        with self._lock:
            waiting = self._lists.setdefault(queue, {})
            before = len(waiting)
            waiting |= dict.fromkeys(each for each in who if each not in waiting)
            return len(waiting) - before

    def take(self, queue: str, *, stays: float = 0.0) -> str | None:
        del stays
        with self._lock:
            waiting = self._lists.get(queue)
            if not waiting:
                return None
            first = next(iter(waiting))
            del waiting[first]
            return first

    def length(self, queue: str) -> int:
        return len(self._lists.get(queue, ()))

    def unsent(self, queue: str) -> int:  # noqa: ARG002 - what a memory has been told it keeps
        return 0

    def used(self, queues: Sequence[str]) -> list[str]:
        return [queue for queue in queues if self._lists.get(queue)]

    def drop(self, queue: str) -> None:
        """Nothing: a process that starts with other settings starts with an empty memory."""


class InRedis:
    """
    Waiting lists in Redis: a sorted set for each queue, in which a new entry goes behind the last
    (ZPOPMIN).

    The order uses no clock: hosts' clocks differ, and a house woken by a slow one would go before
    all others.
    """

    patient: ClassVar = True

    def __init__(self, client: Redis) -> None:
        self._client = client
        self._add = client.register_script(BEHIND_THE_LAST)
        self._first_or_stay = client.register_script(FIRST_OR_STAY)
        self._leave_or_first = client.register_script(LEAVE_OR_FIRST)

    def add(self, queue: str, who: Iterable[str]) -> int:
        return int(self._add(keys=[*_keys_of(queue), queue], args=[LAST, *who]))

    def take(self, queue: str, *, stays: float = 0.0) -> str | None:
        found: Any
        if not stays:
            found = self._client.zpopmin(_list_of(queue))
            return found[0][0].decode() if found else None
        first: Any = self._first_or_stay(keys=_keys_of(queue), args=[AT_HAND_LAST])
        if first is None:
            found = self._client.bzpopmin(_list_of(queue), timeout=stays)
            first = found[1] if found else self._leave_or_first(keys=_keys_of(queue))
        return first.decode() if first else None

    def length(self, queue: str) -> int:
        found: Any = self._client.zcard(_list_of(queue))
        return int(found)

    def unsent(self, queue: str) -> int:
        with self._client.pipeline(transaction=False) as pipeline:
            pipeline.zcard(_list_of(queue))
            pipeline.llen(queue)  # kombu keeps a queue as a list of that name
            waiting, messages = pipeline.execute()
        return max(0, int(waiting) - int(messages))

    def used(self, queues: Sequence[str]) -> list[str]:
        with self._client.pipeline(transaction=False) as pipeline:
            for queue in queues:
                pipeline.exists(queue, _list_of(queue))
            found = pipeline.execute()
        return [queue for queue, there in zip(queues, found, strict=True) if there]

    def drop(self, queue: str) -> None:
        self._client.delete(queue)


def _list_of(queue: str) -> str:
    return f"waiting:{queue}"


def _keys_of(queue: str) -> list[str]:
    return [_list_of(queue), f"at-hand:{queue}"]


@cache
def waiting() -> Waiting:
    """The waiting lists of this process: in memory or in Redis, where the messages go too."""
    if settings.CELERY_BROKER_URL.startswith("memory"):
        return InProcess()
    return InRedis(settings.BROKER.client())


def after_commit(send: Callable[[], object]) -> None:
    """
    Send to a worker once this transaction is committed, and never if it is not.

    If the broker is down, the work waits until the next watch. What was committed stays, so the
    caller hears of no failure.
    """

    def wake_now() -> None:
        try:
            send()
        except (BrokerDown, OSError) as down:
            log.warning("wake_lost", reason=str(down))

    transaction.on_commit(wake_now, robust=True)


@dataclass
class Wakes:
    """
    The wakes of one queue.

    :param queue: the name of the broker's queue and of the list; of the first, if there are more.
    :param work: what to do for a house, by kind; returns whether there is more to do, which then
        waits its turn again.
    :param message: sends the task that calls `serve` to the queue whose name it is given.
    :param queues: over how many queues houses are spread (`casino.engine.processes.queues.broker`).
    :param leisurely: other work for a house that was looked after, done once for all entries within
        `PACE`; returns whether there is more to do. A worker with such work stays at hand.
    """

    queue: str
    work: Mapping[str, Callable[[UUID], bool]]
    message: Callable[[str], object]
    leisurely: Callable[[UUID], bool] | None = None
    queues: int = 1
    _silent_until: float = field(default=-math.inf, init=False)

    def after_commit(self, establishment: UUID, kinds: Iterable[str] | None = None) -> None:
        """
        Wake the workers for a house once this transaction is committed, and never if it is not.

        If the broker is down, the work waits until the next sweep. One command has waited for the
        broker, the next ones need not: this process does not try again for `SILENCE` seconds.
        """
        named = [(kind, establishment) for kind in (self.work if kinds is None else kinds)]
        transaction.on_commit(lambda: self._try(named), robust=True)

    def _try(self, who: Iterable[tuple[str, UUID]]) -> None:
        if time.monotonic() < self._silent_until:
            return
        try:
            self.wake(who)
        except (BrokerDown, OSError) as down:
            self._silent_until = time.monotonic() + SILENCE
            unreached.send(None, service="broker")
            log.warning("wake_lost", queue=self.queue, reason=str(down))

    def wake(self, who: Iterable[tuple[str, UUID]], *, top_up: bool = False) -> None:
        """
        Put entries on the list, each at most once.

        :param top_up: for sweeps: also send messages that are missing for older entries.
        :raises BrokerDown: and OSError, if the broker cannot be reached.
        """
        every = broker.queue_names(self.queue, self.queues)
        entries: dict[str, list[str]] = {queue: [] for queue in every} if top_up else {}
        for kind, house in who:
            queue = every[broker.place_among_queues(house, self.queues)]
            entries.setdefault(queue, []).append(f"{kind} {house}")
        for queue, names in entries.items():
            with _broker_down():
                messages = waiting().add(queue, names) if names else 0
                if top_up:
                    messages = max(messages, waiting().unsent(queue))
            for _ in range(messages):
                self.message(queue)

    def drain(self) -> int:
        """
        Move what waits on queues that are no longer among the `queues` to where it belongs now.

        :returns: how many entries. Messages on such queues are dropped: they say no more.
        :raises BrokerDown: and OSError, as `wake` does.
        """
        left: list[str] = []
        with _broker_down():
            for queue in waiting().used(
                broker.queue_names(self.queue, broker.QUEUES_MOST)[self.queues :]
            ):
                while (first := waiting().take(queue)) is not None:
                    left.append(first)
                waiting().drop(queue)
        self.wake((who.partition(" ")[0], _house_of(who)) for who in left)
        return len(left)

    def serve(self, queue: str | None = None) -> None:
        """
        Do the entry of a queue that waited longest; a worker with leisurely work stays for more.

        :param queue: the name that `message` was given; None: of a worker that knows of only one.
        """
        queue = queue or self.queue
        first = waiting().take(queue)
        if self.leisurely is None:
            if first is not None:
                self._look_after(first)
            return
        pace = PACE if waiting().patient else 0.0
        owed: dict[UUID, float] = {}  # house -> when its leisurely work is due
        ends = time.monotonic() + TURN
        with ExitStack() as at_last:
            at_last.callback(self._at_leisure, owed)  # also for houses whose other work failed
            while first is not None or owed:
                if first is not None:
                    owed.setdefault(_house_of(first), time.monotonic() + pace)
                    self._look_after(first)
                for house in [house for house, due in owed.items() if due <= time.monotonic()]:
                    del owed[house]
                    if self.leisurely(house):
                        owed[house] = time.monotonic() + pace
                now = time.monotonic()
                if now >= ends:
                    break
                stays = min([STAYS, ends - now, *(due - now for due in owed.values())])
                first = waiting().take(queue, stays=max(stays, SOON))

    def _look_after(self, who: str) -> None:
        """Do the work of one entry; if there is more, put it at the end of the list."""
        kind, _, house = who.partition(" ")
        if kind in self.work and self.work[kind](UUID(house)):
            self.wake([(kind, UUID(house))])

    def _at_leisure(self, houses: Iterable[UUID]) -> None:
        """
        Do the leisurely work still due when a turn is over, for at most `TURN`; the rest is for
        another turn.
        """
        until = time.monotonic() + TURN
        again = [
            house
            for place, house in enumerate(houses)
            if (place and time.monotonic() >= until) or (self.leisurely and self.leisurely(house))
        ]
        self.wake((next(iter(self.work)), house) for house in again)


def _house_of(who: str) -> UUID:
    return UUID(who.partition(" ")[2])


@contextmanager
def _broker_down() -> Iterator[None]:
    """:raises BrokerDown: for whatever Redis's client raises."""
    try:
        yield
    except Exception as error:
        if of_redis(error):
            raise BrokerDown(str(error)) from error
        raise


def of_redis(error: Exception) -> bool:
    """Whether Redis's client raised the error; the client is not imported to find out."""
    return any(each.__module__.partition(".")[0] == "redis" for each in type(error).__mro__)
