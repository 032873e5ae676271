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

from tests.faults.plan import BOOTS, Act, Fault

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tests.faults.houses import House
    from tests.faults.links import Link

LOOKS_EVERY = 0.1  # seconds
MESSAGES = 10


@dataclass(frozen=True, slots=True)
class Happened:
    """What was done; times by `time.monotonic`, which all processes of a machine share."""

    act: Act
    began: float
    lifted: float
    met: bool
    """Whether there was something that it could happen to."""


@dataclass
class Conductor:
    house: House
    happened: list[Happened] = field(default_factory=list)

    def perform(self, acts: Sequence[Act], *, seconds: float) -> None:
        """Until so many seconds are over and every fault is lifted."""
        locks = {target.name: threading.Lock() for target in self.house.targets}
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
            part.wait(revived=True)

    def _watch(self, until: float) -> None:
        """Wait; meanwhile what ends although nobody asked is started again, as supervisors do."""
        while (left := until - time.monotonic()) > 0:
            for part in self.house.parts.values():
                part.revive()
            time.sleep(min(left, LOOKS_EVERY))

    def _one(self, act: Act, lock: threading.Lock) -> None:
        with lock:  # on a slow machine what was planned one after another may overlap
            began = time.monotonic()
            met = self._done(act)
            self.happened.append(Happened(act, began, time.monotonic(), met))

    def _done(self, act: Act) -> bool:
        if act.target in self.house.links:
            return _failed(self.house.links[act.target], act)
        part = self.house.parts[act.target]
        match act.fault:
            case Fault.EMPTY:
                return self.house.broker is not None and self.house.broker.empty()
            case Fault.WAKE:
                return self._woken()
            case Fault.CRASH:
                return part.crash(Random(act.at))  # noqa: S311 - chance of a test
            case Fault.PAUSE:
                part.pause()
                time.sleep(act.lasts)
                part.resume()
        if act.fault in BOOTS:
            (part.kill if act.fault is Fault.KILL else part.end)()
            time.sleep(act.lasts)
            part.start(minutes=act.minutes)
        return True

    def _woken(self) -> bool:
        """More messages than anybody waits for."""
        assert self.house.broker is not None
        with Celery(broker=self.house.broker.url(), set_as_current=False) as app:
            try:
                for _ in range(MESSAGES):
                    app.send_task("casino.play.tasks.serve", queue="play", retry=False)
            except (BrokerDown, OSError):
                return False
        return True


def _failed(link: Link, act: Act) -> bool:
    match act.fault:
        case Fault.CUT:
            link.cut()
        case Fault.DEAF:
            link.deafen(deaf=True)
            time.sleep(act.lasts)
            link.deafen(deaf=False)
        case Fault.STALL:
            link.stall(stalled=True)
            time.sleep(act.lasts)
            link.stall(stalled=False)
    return True
