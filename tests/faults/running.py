"""One run: a house, people who play in it, what is done to it meanwhile, and what is left then."""

from __future__ import annotations

import json
import subprocess
import sys
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from tests.faults import figures, houses
from tests.faults.conducting import Conductor
from tests.faults.keeper import Keeper
from tests.faults.plan import Act, plan
from tests.processes import PATIENCE, ROOT, environment

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from tests.faults.houses import House

HOUSES = {"production": houses.production, "embedded": houses.embedded}
TARGETS = {"production": houses.PRODUCTION, "embedded": houses.EMBEDDED}
SERVERS = frozenset({"database", "broker"})  # not the house's own, and theirs to end when hit
PLAYERS = 3
PAUSE = 0.02  # seconds between what a player does


@dataclass
class Run:
    """
    :param kind: ``production`` or ``embedded``.
    :param folder: gets the logs of all programs, and what clients were told.
    """

    kind: str
    seed: int
    seconds: float
    folder: Path
    problems: dict[str, list[str]] = field(default_factory=dict)
    figures: dict[str, Any] = field(default_factory=dict)

    @property
    def plan(self) -> tuple[Act, ...]:
        return plan(seed=self.seed, seconds=self.seconds, targets=TARGETS[self.kind])

    def perform(self) -> None:
        """Do the plan to a house where people play, then look at everything."""
        with HOUSES[self.kind](self.folder) as house:
            conductor = Conductor(house)
            with self._keeper(house) as keeper:
                with self._playing(house):
                    conductor.perform(self.plan, seconds=self.seconds)
                    conductor.bring_up()
                if not keeper.has_one_more():
                    self.problems["signing"] = [f"No checkpoint any more: {keeper.statuses}."]
            self._looked(house, "drained")
            for part in house.parts.values():
                if part.deaths and part.name not in SERVERS:
                    self.problems[part.name] = [f"It ended by itself: {part.deaths}."]
                if part.name not in SERVERS:
                    part.end()
            self._looked(house, "checked")
            self.figures |= figures.of_faults(
                house, conductor.happened, self.folder, keeper.statuses
            )

    def _keeper(self, house: House) -> Keeper:
        return Keeper(
            house=house.id,
            token=house.known["auditor"],
            ports=[link.port for link in house.webs],
            kept=self.folder / "checkpoints.jsonl",
        )

    @contextmanager
    def _playing(self, house: House) -> Iterator[None]:
        """Players until the block ends; then they end what they are about."""
        players = [self._player(house, number) for number in range(PLAYERS)]
        try:
            yield
            for number, player in enumerate(players):
                player.communicate(timeout=PATIENCE)
                if player.returncode:
                    log = (self.folder / f"player-{number}.log").read_text()
                    self.problems[f"player {number}"] = [log[-2000:]]
        finally:
            for player in players:
                player.kill()
                player.wait()

    def _player(self, house: House, number: int) -> subprocess.Popen[str]:
        told = {
            **house.known,
            "number": number,
            "seed": self.seed * 1000 + number,
            "ports": [link.port for link in house.webs],
            "journal": str(self.folder / f"player-{number}.jsonl"),
            "pause": PAUSE,
        }
        with (self.folder / f"player-{number}.log").open("w") as log:
            return subprocess.Popen(
                [sys.executable, "-m", "tests.faults.player", json.dumps(told)],
                cwd=ROOT, env=environment(), text=True, stdin=subprocess.PIPE, stdout=log,
                stderr=log,
            )  # fmt: skip

    def _looked(self, house: House, what: str) -> None:
        done = house.run("-m", "tests.faults.audit", what, house.id, str(self.folder))
        if done.returncode:
            self.problems[what] = [done.stderr[-3000:]]
            return
        told = json.loads(done.stdout)
        self.problems |= told["problems"]
        self.figures |= told["figures"]


def told(acts: Sequence[Act]) -> str:
    return "\n".join(map(str, acts))
