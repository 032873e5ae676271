"""One run: a house, people who play in it, what is done to it meanwhile, and what is left then."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from tests.faults import figures, houses, waits
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
PLAYERS = 16  # in turn at each of the houses, which have a table for each and one for all
PAUSE = 0.02  # seconds between what a player does


@dataclass
class Run:
    """
    :param kind: ``production`` or ``embedded``.
    :param folder: gets the logs of all programs, and for each house a folder of what clients of it
        were told.
    :param before: the commit that a worker of the day before is of.
    """

    kind: str
    seed: int
    seconds: float
    folder: Path
    before: str = ""
    players: int = PLAYERS
    problems: dict[str, list[str]] = field(default_factory=dict)
    figures: dict[str, Any] = field(default_factory=dict)

    @property
    def plan(self) -> tuple[Act, ...]:
        return plan(seed=self.seed, seconds=self.seconds, targets=TARGETS[self.kind])

    def perform(self) -> None:
        """Do the plan to houses where people play, then look at everything."""
        with HOUSES[self.kind](self.folder, before=self.before) as house:
            conductor = Conductor(house)
            with self.played(house) as keepers:
                conductor.perform(self.plan, seconds=self.seconds)
                conductor.bring_up()
            told = self.told(house)
            asked_for = sum((Counter(keeper.statuses) for keeper in keepers), Counter[int]())
            self.figures |= figures.of_faults(house, conductor.happened, told, asked_for)
            if late := waits.too_long(conductor.happened, waits.of_commands(told)):
                self.problems["waited"] = late

    @contextmanager
    def played(self, house: House) -> Iterator[list[Keeper]]:
        """While the block runs people play, and keep checkpoints; then everything is looked at."""
        for each in house.ids:
            self._of(each).mkdir()
        with self._keepers(house) as keepers:
            with self.playing(house):
                yield keepers
            for keeper in keepers:
                if not keeper.has_one_more():
                    self.problems["signing"] = [f"No checkpoint any more: {keeper.statuses}."]
        self._looked(house, "drained")
        self._ended(house)
        self._looked(house, "checked")

    def told(self, house: House) -> list[Path]:
        """The folders of what clients of the houses were told."""
        return [self._of(each) for each in house.ids]

    def _ended(self, house: House) -> None:
        """The programs of the house, and none before it was asked to."""
        for part in (*house.parts.values(), *house.guests.values()):
            if part.deaths and part.name not in SERVERS:
                self.problems[part.name] = [f"It ended by itself: {part.deaths}."]
            if part.name not in SERVERS:
                part.end()

    def _of(self, house: str) -> Path:
        """Where is kept what clients of a house were told."""
        return self.folder / house

    @contextmanager
    def _keepers(self, house: House) -> Iterator[list[Keeper]]:
        with ExitStack() as stack:
            yield [
                stack.enter_context(
                    Keeper(
                        house=each,
                        token=house.known["auditor"],
                        ports=[link.port for link in house.webs],
                        kept=self._of(each) / "checkpoints.jsonl",
                    )
                )
                for each in house.ids
            ]

    @contextmanager
    def playing(self, house: House) -> Iterator[None]:
        """Players until the block ends; then they end what they are about."""
        players = [self._player(house, number) for number in range(self.players)]
        try:
            yield
            for player in players:
                assert player.stdin is not None
                player.stdin.close()
            for number, player in enumerate(players):
                if player.wait(PATIENCE):
                    log = (self.folder / f"player-{number}.log").read_text()
                    self.problems[f"player {number}"] = [log[-2000:]]
        finally:
            for player in players:
                player.kill()
                player.wait()

    def _player(self, house: House, number: int) -> subprocess.Popen[str]:
        at = house.known["houses"][number % len(house.ids)]
        fields = {
            **house.known,
            **at,
            "number": number // len(house.ids),
            "seed": self.seed * 1000 + number,
            "ports": [link.port for link in house.webs],
            "journal": str(self._of(at["house"]) / f"player-{number}.jsonl"),
            "pause": PAUSE,
        }
        with (self.folder / f"player-{number}.log").open("w") as log:
            return subprocess.Popen(
                [sys.executable, "-m", "tests.faults.player", json.dumps(fields)],
                cwd=ROOT, env=environment(), text=True, stdin=subprocess.PIPE, stdout=log,
                stderr=log,
            )  # fmt: skip

    def _looked(self, house: House, what: str) -> None:
        """At each of the houses; what is found at them counts together."""
        for each in house.ids:
            done = house.run("-m", "tests.faults.audit", what, each, str(self._of(each)))
            if done.returncode:
                self.problems[f"{what} {each}"] = [done.stderr[-3000:]]
                continue
            data = json.loads(done.stdout)
            self.problems |= {f"{look} {each}": said for look, said in data["problems"].items()}
            self.figures = figures.together(self.figures, data["figures"])


def told(acts: Sequence[Act]) -> str:
    return "\n".join(map(str, acts))
