"""Programs of a house that can be killed, crashed, paused, asked to end, and started again."""

from __future__ import annotations

import os
import signal
import subprocess
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.processes import PATIENCE

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from random import Random

ENDS_WITHIN = 20.0  # seconds that are given to who is asked to end; then it is killed
CLOCK = Path(__file__).parent / "clock"


class Part:
    """
    One program with all its processes.

    :param ready: whether it answers; asked where somebody waits for it.
    :param ends_by: the signal that asks it to end.
    :param crashes: of the processes that it starts those that crash have this in their command.
    :param clock: a file that says by how many minutes its clock is off; none: it has no clock.
    :param gives_up: what it says when it ends because one of them crashed while it came up, and
        leaves the rest to its supervisor.
    """

    def __init__(  # noqa: PLR0913 - what a program is started with
        self,
        name: str,
        command: Sequence[str],
        *,
        log: Path,
        env: Mapping[str, str] | None = None,
        ready: Callable[[], bool] = lambda: True,
        ends_by: signal.Signals = signal.SIGTERM,
        crashes: str = "",
        clock: Path | None = None,
        gives_up: str = "",
        **popen: Any,
    ) -> None:
        self.name, self.log = name, log
        self.deaths: list[int] = []  # statuses with which it ended although nobody asked
        self._command, self._env, self._popen = command, env, popen
        self._ready, self._ends_by = ready, ends_by
        self._crashes, self._gives_up = crashes, gives_up
        self._clock = clock
        self._process: subprocess.Popen[bytes] | None = None
        self._changing = threading.RLock()

    @property
    def runs(self) -> bool:
        """Whether it was started, and not ended since by somebody."""
        return self._process is not None

    @property
    def recovers(self) -> bool:
        """Whether it has a log to look through before it answers again: a database has."""
        return bool(self._crashes)

    def start(self, *, minutes: int = 0) -> None:
        """:param minutes: that its clock is off."""
        env = None if self._env is None else {**self._env}
        if env is not None and self._clock is not None:
            self.jump(minutes)
            env |= {"PYTHONPATH": str(CLOCK), "CLOCK_FILE": str(self._clock)}
        with self._changing, self.log.open("ab") as output:
            self._process = subprocess.Popen(
                self._command, env=env, stdout=output, stderr=output,
                stdin=subprocess.DEVNULL, start_new_session=True, **self._popen,
            )  # fmt: skip

    def wait(self, *, revived: bool = False) -> None:
        """
        Until it is ready.

        :param revived: started again where it ends by itself before it is.
        :raises AssertionError: if it does not become ready.
        """
        end = time.monotonic() + PATIENCE
        while not self._ready():
            if revived:
                self.revive()
            ended = self._process is None or self._process.poll() is not None
            if (ended and not revived) or time.monotonic() > end:
                raise AssertionError(f"{self.name} did not come up:\n{self.last_words()}")
            time.sleep(0.05)

    def revive(self) -> None:
        """
        Start it again if it has ended by itself, as a supervisor does. That is remembered, unless
        it gave up because it was not let come up.
        """
        if not self._changing.acquire(blocking=False):
            return  # somebody is about to end it, or to start it
        try:
            if self._process is not None and self._process.poll() is not None:
                if not (self._gives_up and self._gives_up in self.last_words()):
                    self.deaths.append(self._process.returncode)
                self.start()
        finally:
            self._changing.release()

    def kill(self) -> None:
        """All its processes at once, as a power cut does."""
        with self._changing:
            if self._process is None:
                return
            for each in self._stopped(self._process.pid):
                _send(each, signal.SIGKILL)
            self._process.wait()
            self._process = None

    def end(self) -> None:
        """Ask it to, and wait until it has."""
        with self._changing:
            if self._process is None:
                return
            self._process.send_signal(self._ends_by)
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(ENDS_WITHIN)
            self.kill()

    def crash(self, chance: Random) -> bool:
        """Kill one process that the program has started; whether there was one."""
        with self._changing:
            children = [
                each
                for each in (tree(self._process.pid)[1:] if self._process else [])
                if self._crashes in _command_of(each)
            ]
            if children:
                _send(chance.choice(children), signal.SIGKILL)
            return bool(children)

    def jump(self, minutes: int) -> None:
        """Its clock is off by so much from now on."""
        assert self._clock is not None
        new = self._clock.with_suffix(".new")
        new.write_text(str(minutes))
        new.replace(self._clock)  # at once: no process reads half of it

    def pause(self) -> None:
        with self._changing:
            if self._process is not None:
                self._stopped(self._process.pid)

    def resume(self) -> None:
        with self._changing:
            for each in reversed(tree(self._process.pid) if self._process else []):
                _send(each, signal.SIGCONT)

    def last_words(self, most: int = 3000) -> str:
        return self.log.read_text(errors="replace")[-most:] if self.log.exists() else ""

    def _stopped(self, root: int) -> list[int]:
        """Its processes, none of which does anything any more, the first one first."""
        stopped: list[int] = []
        while more := [each for each in tree(root) if each not in stopped]:
            for each in more:
                _send(each, signal.SIGSTOP)
            stopped += more
        return stopped


def tree(root: int) -> list[int]:
    """The process and all that descend from it, as /proc has them."""
    children: dict[int, list[int]] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            with suppress(OSError):  # it ended while we looked
                parent = (entry / "stat").read_text().rpartition(")")[2].split()[1]
                children.setdefault(int(parent), []).append(int(entry.name))
    found = [root]
    for each in found:
        found += children.get(each, [])
    return found


def _command_of(process: int) -> str:
    with suppress(OSError):  # it has ended
        return Path(f"/proc/{process}/cmdline").read_text(errors="replace").replace("\0", " ")
    return ""


def _send(process: int, number: signal.Signals) -> None:
    with suppress(ProcessLookupError):
        os.kill(process, number)
