"""One run: a house, people who play in it, what is done to it meanwhile, and what is left then."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from tests.faults import chain, figures, houses, keeper, waits
from tests.faults.conducting import Conductor
from tests.faults.keeper import Keeper
from tests.faults.plan import Act, plan
from tests.processes import PATIENCE, ROOT, environment

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from tests.faults.houses import House

HOUSES = {"production": houses.production, "embedded": houses.embedded, "chain": chain.chain}
TARGETS = {
    "production": houses.PRODUCTION, "embedded": houses.EMBEDDED, "chain": chain.CHAIN
}  # fmt: skip
NUMBERS = {"production": houses.HOUSES, "embedded": houses.HOUSES, "chain": chain.HOUSES}
BROKER = "broker"
PLAYERS = 16  # programs that play
SHARE = 1.2  # players for a house, where there are more than programs: some have two
PAUSE = 0.02  # seconds between what a program's players do
ASKING = 8  # questions a second for checkpoints of all houses, at most one a second and house
LOOKING = 2  # programs that look at houses afterwards


@dataclass
class Run:
    """
    :param kind: ``production`` or ``embedded``.
    :param folder: gets the logs of all programs, and for each house a folder of what clients of it
        were told.
    :param before: the commit that a worker of the day before is of.
    :param number: of houses; 0: as many as this kind has.
    """

    kind: str
    seed: int
    seconds: float
    folder: Path
    before: str = ""
    number: int = 0
    players: int = PLAYERS
    problems: dict[str, list[str]] = field(default_factory=dict)
    figures: dict[str, Any] = field(default_factory=dict)

    @property
    def plan(self) -> tuple[Act, ...]:
        return plan(seed=self.seed, seconds=self.seconds, targets=TARGETS[self.kind])

    def perform(self) -> None:
        """Do the plan to houses where people play, then look at everything."""
        number = self.number or NUMBERS[self.kind]
        with HOUSES[self.kind](self.folder, before=self.before, number=number) as house:
            conductor = Conductor(house)
            with self.played(house) as keepers:
                conductor.perform(self.plan, seconds=self.seconds)
                conductor.bring_up()
            told = self.told(house)
            asked_for = sum((Counter(each.statuses) for each in keepers), Counter[int]())
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
            since = time.monotonic()
            for one in keepers:
                if not one.has_one_more(since):
                    self.problems["signing"] = [f"No checkpoint any more: {one.statuses}."]
        self._note(_looked("drained", house, house.ids))
        if house.chain and (left := house.chain.left_over()):
            self.problems["left over"] = left
        self._ended(house)
        shares = [house.ids[first::LOOKING] for first in range(LOOKING)]
        with ThreadPoolExecutor(LOOKING) as pool:
            for found in pool.map(lambda at: _looked("checked", house, at), filter(None, shares)):
                self._note(found)

    def told(self, house: House) -> list[Path]:
        """The folders of what clients of the houses were told."""
        return [self._of(each) for each in house.ids]

    def _ended(self, house: House) -> None:
        """The programs of the house, and none before it was asked to."""
        for part in (*house.parts.values(), *house.guests.values()):
            if part.recovers or part.name == BROKER:
                continue  # not the house's own, and theirs to end when hit
            if part.deaths:
                self.problems[part.name] = [f"It ended by itself: {part.deaths}."]
            part.end()

    def _of(self, house: str) -> Path:
        """Where is kept what clients of a house were told."""
        return self.folder / house

    @contextmanager
    def _keepers(self, house: House) -> Iterator[list[Keeper]]:
        every = max(keeper.EVERY, len(house.ids) / ASKING)
        with ExitStack() as stack:
            yield [
                stack.enter_context(
                    Keeper(
                        house=each,
                        token=house.known["auditor"],
                        ports=[link.port for link in house.webs],
                        kept=self._of(each) / "checkpoints.jsonl",
                        every=every,
                    )
                )
                for each in house.ids
            ]

    @contextmanager
    def playing(self, house: House) -> Iterator[None]:
        """Players until the block ends; then they end what they are about."""
        number = max(self.players, round(len(house.ids) * SHARE))
        settings = [self._settings(house, each) for each in range(number)]
        players = [
            self._players(each, settings[each :: self.players]) for each in range(self.players)
        ]
        try:
            yield
            for player in players:
                assert player.stdin is not None
                player.stdin.close()
            for each, player in enumerate(players):
                if player.wait(PATIENCE):
                    log = (self.folder / f"players-{each}.log").read_text()
                    self.problems[f"players {each}"] = [log[-2000:]]
        finally:
            for player in players:
                player.kill()
                player.wait()

    def _settings(self, house: House, number: int) -> dict[str, Any]:
        """Of a player. Players are in turn at each of the houses, with a table for each of them."""
        at = house.known["houses"][number % len(house.ids)]
        known = {name: is_ for name, is_ in house.known.items() if name != "houses"}
        return {
            **known,
            **at,
            "number": number // len(house.ids),
            "seed": self.seed * 1000 + number,
            "ports": [link.port for link in house.webs],
            "journal": str(self._of(at["house"]) / f"player-{number}.jsonl"),
            "pause": PAUSE,
        }

    def _players(self, number: int, settings: Sequence[dict[str, Any]]) -> subprocess.Popen[str]:
        """One program, whose players do something in turn."""
        with (self.folder / f"players-{number}.log").open("w") as log:
            return subprocess.Popen(
                [sys.executable, "-m", "tests.faults.player", json.dumps(settings)],
                cwd=ROOT, env=environment(), text=True, stdin=subprocess.PIPE, stdout=log,
                stderr=log,
            )  # fmt: skip

    def _note(self, found: Sequence[dict[str, Any]]) -> None:
        """What was found at some of the houses counts together."""
        for data in found:
            of = data["house"]
            self.problems |= {f"{look} {of}": said for look, said in data["problems"].items()}
            self.figures = figures.together(self.figures, data["figures"])


def _looked(what: str, house: House, at: Sequence[str]) -> list[dict[str, Any]]:
    """As `tests.faults.audit` has it; a look that was not taken is a problem."""
    done = house.run("-m", "tests.faults.audit", what, str(house.folder), *at)
    found = [json.loads(line) for line in done.stdout.splitlines()]
    if done.returncode:
        problem = {what: [done.stderr[-3000:]]}
        found.append(
            {"house": at[min(len(found), len(at) - 1)], "problems": problem, "figures": {}}
        )
    return found


def told(acts: Sequence[Act]) -> str:
    return "\n".join(map(str, acts))
