"""Houses with people at their tables, who play Stone Hand there through the operations."""

from __future__ import annotations

import time
from functools import cache
from itertools import cycle
from random import Random
from typing import TYPE_CHECKING, Any
from uuid import UUID, uuid4

from django.core.management import call_command
from django.db import connections
from django.utils import timezone

from bench.work import pace
from casino.config.celery import app
from casino.house.attendants.models import Attendant
from casino.house.establishments.models import Establishment, Table
from casino.play.core import operations
from casino.play.dice.models import DiceSet
from games import vocabulary
from games.stone_hand import STONE_HAND
from ledger import journal
from tests.support import builders

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from games.messages import Fact

DEVICE = "tablet-at-table-4"
PLAYERS = ("Ada", "Bruno", "Cleo")
Raw = dict[str, Any]
Seat = dict[str, str]


def hello() -> None:
    """Answer once everything is imported and the database answers."""
    Establishment.objects.exists()


def migrate() -> None:
    call_command("migrate", database="owner" if "owner" in connections else "default", verbosity=0)


def found_houses(*, number: int, tables: int, on_record: bool = False) -> list[list[Seat]]:
    """
    Found houses, each returned as its attendants' seats: a table, a dice set, and who records.

    :param on_record: also with the events that the people of such a house would have left.
    """
    houses = [builders.house(tables=tables, dice_sets=tables) for _ in range(number)]
    for house in houses if on_record else ():
        builders.on_record(house.establishment)
    return [
        [
            {
                "house": str(house.id),
                "attendant": str(house.attendant.pk),
                "table": str(table.pk),
                "dice_set": str(dice.pk),
            }
            for table, dice in zip(house.tables, house.dice_sets, strict=True)
        ]
        for house in houses
    ]


def empty_queues() -> None:
    """Delete the wakes that a measurement left, on which nobody works, before the next one."""
    app.control.purge()


def play(*, start: float, seconds: float, seats: Sequence[Seat]) -> float:
    """Commands per second, put at these seats in turn."""
    sessions = cycle([session_at(**seat) for seat in seats])
    return pace.rate(lambda: next(sessions).step(), start=start, seconds=seconds)


def play_games(*, seat: Seat, games: int) -> None:
    """Play whole games."""
    session = session_at(**seat)
    for _ in range(games):
        session.play_to_the_end()


def play_until(*, seat: Seat, events: int) -> int:
    """Play whole games until a house has that many events. Return how many it has."""
    house, session = UUID(seat["house"]), session_at(**seat)
    while (has := journal.head(establishment=house) + 1) < events:
        session.play_to_the_end()
    return has


def attend(*, start: float, seconds: float, seat: Seat, pause: float) -> list[float]:
    """The milliseconds of each command, with a pause after each."""
    session, chance, took = session_at(**seat), dice_of(seat["table"]), []
    pace.wait_until(start + chance.uniform(0, pause))
    while time.monotonic() < start + seconds:
        began = time.monotonic()
        session.step()
        took.append(1000 * (time.monotonic() - began))
        time.sleep(pause * chance.uniform(0.5, 1.5))
    return took


def game(chance: Random) -> Iterator[tuple[Raw, tuple[Fact, ...]]]:
    """The commands of a game of three until one player has the pool, with the facts that follow."""
    decider = STONE_HAND.decider
    state, raw = decider.initial, _opening()
    while True:
        happened = decider.decide(STONE_HAND.parse(raw["do"], vocabulary.read(raw)), state)
        yield raw, happened
        state = decider.fold(happened, state)
        if decider.is_terminal(state):
            return
        [player] = [row["player"] for row in STONE_HAND.offers(state) if row["do"] == "throw"]
        raw = {"do": "throw", "player": player, "dice": [chance.randint(1, 8) for _ in range(3)]}


def dice_of(seed: int | str) -> Random:
    return Random(seed)  # noqa: S311  the same dice in every run


def _opening() -> Raw:
    return {
        "do": "open",
        "game": "stone-hand",
        "players": list(PLAYERS),
        "stake": 25,
        "home_throw": [2, 4, 7],
    }


class GameSession:
    """One game after another at one table, the same games in every run."""

    def __init__(self, house: str, attendant: str, table: str, dice_set: str) -> None:
        self._house = Establishment.objects.get(pk=house)
        self._attendant = Attendant.objects.get(pk=attendant)
        self._table = Table.objects.select_related("establishment").get(pk=table)
        self._dice_set = DiceSet.objects.get(pk=dice_set)
        self._chance = dice_of(7)
        self.game: UUID | None = None
        self._commands: Iterator[tuple[Raw, object]] = iter(())

    def step(self) -> None:
        """Put the next command: a throw, or the opening of the next game."""
        raw, _ = next(self._commands, (None, None))
        if raw is None:
            self._commands = game(self._chance)
            raw, _ = next(self._commands)
        self._put(raw | {"command_id": str(uuid4())})

    def play_to_the_end(self) -> None:
        self.step()
        for raw, _ in self._commands:
            self._put(raw | {"command_id": str(uuid4())})

    def _put(self, raw: Mapping[str, Any]) -> None:
        now = timezone.now()
        if raw["do"] == "open":
            answer = operations.open_game(
                by=self._attendant, table=self._table, raw=raw, now=now, device=DEVICE,
                dice_set=self._dice_set,
            )  # fmt: skip
            self.game = answer.key.game
        else:
            assert self.game
            answer = operations.command(
                by=self._attendant, house=self._house, game=self.game, raw=raw, now=now,
                device=DEVICE,
            )  # fmt: skip
        assert answer.refusal is None, answer.refusal


@cache
def session_at(house: str, attendant: str, table: str, dice_set: str) -> GameSession:
    return GameSession(house, attendant, table, dice_set)
