"""Does to a house what the plan says, when it says so, and lifts it all in the end."""

from __future__ import annotations

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from random import Random
from typing import TYPE_CHECKING

from celery import Celery
from kombu.exceptions import OperationalError as BrokerDown

from tests.faults.plan import Act, Fault

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tests.faults.houses import House
    from tests.faults.links import Link
    from tests.faults.parts import Part
    from tests.faults.servers import Broker

OF_SERVERS = frozenset({Fault.SWITCH, Fault.MOVE, Fault.GROW})
LOOKS_EVERY = 0.1  # seconds
MESSAGES = 10
QUEUE = "play"
ENTRY = (
    b"ZADD",
    b"waiting:",
)  # `casino.engine.processes.queues.waking`: the words of it that pass a link
TAKING = (b"ZPOPMIN", b"waiting:")
MESSAGE = (b"LPUSH", b"play")


@dataclass(frozen=True, slots=True)
class Happened:
    """What was done; times by `time.monotonic`, which all processes of a machine share."""

    act: Act
    began: float
    lifted: float
    met: bool
    """Whether there was something that it could happen to."""

    @property
    def interval(self) -> tuple[float, float]:
        return self.began, self.lifted


@dataclass
class Conductor:
    house: House
    happened: list[Happened] = field(default_factory=list)

    def perform(self, acts: Sequence[Act], *, seconds: float) -> None:
        """Until so many seconds are over and every fault is lifted."""
        one = {target.hit_as: threading.Lock() for target in self.house.targets}
        locks = {target.name: one[target.hit_as] for target in self.house.targets}
        began = time.monotonic()
        with ThreadPoolExecutor(len(locks)) as pool:
            pending = []
            for act in acts:
                self._watch(began + act.at)
                pending.append(pool.submit(self._one, act, locks[act.target]))
            self._watch(began + seconds)
            for each in pending:
                each.result()

    def bring_up(self) -> None:
        """Everything runs that is to run, and answers."""
        for part in self.house.parts.values():
            part.revive()
        for part in self.house.parts.values():
            if part.runs:
                part.wait(revived=True)

    def _watch(self, until: float) -> None:
        """Wait; meanwhile what ends although nobody asked is started again, as supervisors do."""
        while (left := until - time.monotonic()) > 0:
            for part in (*self.house.parts.values(), *self.house.guests.values()):
                part.revive()
            time.sleep(min(left, LOOKS_EVERY))

    def _one(self, act: Act, lock: threading.Lock) -> None:
        with lock:  # on a slow machine what was planned one after another may overlap
            began = time.monotonic()
            met = self._done(act)
            self.happened.append(Happened(act, began, time.monotonic(), met))
            if act.fault is Fault.SWITCH and met and self.house.chain:
                self.house.chain.made_whole(act.target)  # behind people's backs

    def _done(self, act: Act) -> bool:
        if act.target in self.house.links:
            return self._failed(self.house.links[act.target], act)
        if act.fault in OF_SERVERS:
            return self._distributed(act)
        match act.fault:
            case Fault.EMPTY | Fault.WAKE:
                return self._of_broker(act)
            case Fault.FULL:
                return self._full(act)
            case Fault.VISIT:
                return self._visited(act)
        return _hit(self.house.part(act.target), act)

    def _full(self, act: Act) -> bool:
        """Whoever ended for want of room is back when it is over."""
        if self.house.disk is None:
            return False
        self.house.disk.fill()
        time.sleep(act.lasts)
        self.house.disk.empty()
        database = self.house.parts.get("database")
        if database is not None:
            database.wait(revived=True)
        return True

    def _distributed(self, act: Act) -> bool:
        chain = self.house.chain
        assert chain is not None
        match act.fault:
            case Fault.SWITCH:
                return chain.switch(act.target)
            case Fault.MOVE:
                return chain.move(Random(act.at))  # noqa: S311 - chance of a test
        return chain.grow(act.target)

    def _visited(self, act: Act) -> bool:
        guest = self.house.guests.get(act.target)
        if guest is None:
            return False
        guest.start()
        time.sleep(act.lasts)
        guest.end()
        return True

    def _failed(self, link: Link, act: Act) -> bool:
        match act.fault:
            case Fault.CUT:
                link.cut()
            case Fault.HALF:
                link.halve()
            case Fault.DEAF:
                _for_a_while(act, lambda on: link.deafen(deaf=on))
            case Fault.SLOW:
                _for_a_while(act, lambda on: link.slow(slow=on))
            case Fault.STALL:
                _for_a_while(act, lambda on: link.stall(stalled=on))
            case Fault.DARK:
                _for_a_while(act, lambda on: link.darken(dark=on))
            case _:
                return self._forgot(link, act)
        return True

    def _forgot(self, link: Link, act: Act) -> bool:
        """At the next moment that something of a waiting list passes, if there is one."""
        broker = self.house.broker
        assert broker is not None
        match act.fault:
            case Fault.FORGET_WAITING:
                return link.at(*ENTRY, act=broker.empty, after=True, within=act.lasts)
            case Fault.FORGET_TAKEN:
                return link.at(*TAKING, act=broker.empty, after=False, within=act.lasts)
        return link.at(*MESSAGE, act=lambda: broker.lose(QUEUE), after=True, within=act.lasts)

    def _of_broker(self, act: Act) -> bool:
        broker = self.house.broker
        assert broker is not None
        return broker.empty() if act.fault is Fault.EMPTY else self._woken(broker)

    def _woken(self, broker: Broker) -> bool:
        """More messages than anybody waits for."""
        with Celery(broker=broker.url(), set_as_current=False) as app:
            try:
                for _ in range(MESSAGES):
                    app.send_task("casino.subscriptions.tasks.serve", queue="play", retry=False)
            except (BrokerDown, OSError):
                return False
        return True


def _hit(part: Part, act: Act) -> bool:
    match act.fault:
        case Fault.CRASH:
            met = part.crash(Random(act.at))  # noqa: S311 - chance of a test
            if part.recovers:
                part.wait(revived=True)  # it ends all the others, and looks at its log first
            return met
        case Fault.PAUSE:
            part.pause()
            time.sleep(act.lasts)
            part.resume()
        case Fault.JUMP:
            part.jump(act.minutes)
            time.sleep(act.lasts)
            part.jump(0)
        case Fault.KILL | Fault.RESTART:
            (part.kill if act.fault is Fault.KILL else part.end)()
            time.sleep(act.lasts)
            part.start(minutes=act.minutes)
            if part.recovers:
                part.wait(revived=True)
    return True


def _for_a_while(act: Act, do: Callable[[bool], None]) -> None:
    do(True)  # noqa: FBT003 - on, and off again
    time.sleep(act.lasts)
    do(False)  # noqa: FBT003
