"""One evening of the house: floats, games at its tables, the day closed and signed."""

from __future__ import annotations

from datetime import UTC, datetime, time, timedelta
from math import ceil
from typing import TYPE_CHECKING, Any, Final
from zoneinfo import ZoneInfo

from casino.demo.house import FLOAT
from casino.house.acts import custody
from casino.reports.gaming_days import closing
from tests.past.floor import Floor, NotAsWritten

if TYPE_CHECKING:
    import uuid
    from collections.abc import Callable, Sequence
    from datetime import date

    from casino.house.establishments.models import Table

DOORS: Final = time(17, 30)
FIRST_GAME: Final = time(18)
CLOSES: Final = time(1, 5)
PLAYS: Final = timedelta(hours=4, minutes=50)
ACTS: Final = (14, 24)  # of a game, at least and at most
AT_ONCE: Final = {"dice-breaker": 2}  # acts of a game where others have one: single dice are thrown


class Evening:
    """
    An evening from the first count to the closed day.

    :param games: what is played, in order. :param tables: where; each has its own attendant.
    :param before: what happens before the first game. :param amid: what else happens once half of
        the games have been played.
    """

    def __init__(  # noqa: PLR0913 - where, when, what is played and what else happens
        self,
        floor: Floor,
        day: date,
        *,
        tables: Sequence[Table],
        games: Sequence[str],
        before: Sequence[Callable[[Evening], bool | None]] = (),
        amid: Sequence[Callable[[Evening], bool | None]] = (),
    ) -> None:
        self.floor, self.day = floor, day
        self.tables, self.games = tables, list(games)
        self.before, self.amid = before, list(amid)
        self.left: dict[uuid.UUID, int] = {}
        """How many acts each running game is still to have."""
        self.played: dict[uuid.UUID, str] = {}
        """What each game is."""
        self.shortage: dict[Any, int] = {}
        """What is missing from a table's float when it is counted in the end, by table."""

    def plays(self) -> None:
        floor = self.floor
        floor.clock.is_at(self.at(DOORS))
        self.signs_yesterday()
        for table in self.tables:
            if custody.read(floor.house.pk, table.pk).shift is None:  # a new house has its floats
                floor.counts(table, "open", (self.attendant(table), "sela"), FLOAT)
        for happens in self.before:
            happens(self)
        floor.catches_up()
        floor.clock.is_at(self.at(FIRST_GAME))
        half = len(self.games) // 2
        one_after_another = ceil(len(self.games) / len(self.tables))
        pace = PLAYS / one_after_another / (sum(ACTS) / 2)
        while self.games or floor.games:
            free = [table for table in self.tables if table not in floor.games.values()]
            for table in free:
                if self.games:
                    self._game(table)
            if len(self.games) <= half:
                self._happens()
            self._acts(pace)
        self._counts_up()
        self._closes()

    def at(self, when: time) -> datetime:
        """A time of the evening, by the clock on the house's wall."""
        day = self.day + timedelta(days=1) if when < time(6) else self.day
        zone = ZoneInfo(self.floor.house.time_zone)
        return datetime.combine(day, when, tzinfo=zone).astimezone(UTC)

    def attendant(self, table: Table) -> str:
        return "mira" if self.tables.index(table) % 2 == 0 else "tomas"

    def signs_yesterday(self) -> None:
        day = self.day - timedelta(days=1)
        if closing.event_of_close(self.floor.house.pk, day):
            closing.sign(self.floor.act("sela"), day)

    def _game(self, table: Table) -> uuid.UUID:
        floor = self.floor
        floor.clock.passes(minutes=floor.chance.randint(1, 4))
        name = self.games.pop(0)
        game = floor.opens(name, table, self.attendant(table))
        self.played[game] = name
        self.left[game] = floor.chance.randint(*ACTS)
        return game

    def _acts(self, pace: timedelta) -> None:
        """One act at each table; a game whose acts are played is closed."""
        floor = self.floor
        for game, table in list(floor.games.items()):
            floor.clock.passes(
                seconds=int(
                    pace.total_seconds() / len(floor.games) * floor.chance.uniform(0.6, 1.3)
                )
            )
            self.left[game] -= 1
            many = AT_ONCE.get(self.played[game], 1)
            goes_on = all(floor.plays(game, self.attendant(table)) for _ in range(many))
            if not goes_on or self.left[game] <= 0:
                floor.ends(game, self.attendant(table))

    def _happens(self) -> None:
        """What happens amid the play; what does not fit yet is tried again after the next act."""
        for happens in list(self.amid):
            if happens(self) is not False:
                self.amid.remove(happens)
                self.floor.catches_up()

    def _counts_up(self) -> None:
        floor = self.floor
        floor.catches_up()
        for table in self.tables:
            found = floor.sheet(floor.float_of(table) + self.shortage.get(table, 0))
            people = (self.attendant(table), "sela")
            floor.counts(table, "close", people, found)
            floor.counts_fees(table, people)

    def _closes(self) -> None:
        floor = self.floor
        if self.amid or floor.clock.now > self.at(CLOSES):
            raise NotAsWritten(f"{self.day}: {floor.clock.now}, and to happen: {self.amid}")
        floor.clock.is_at(self.at(CLOSES))
        floor.catches_up()
        closing.close(floor.act("orso"), self.day)
        floor.catches_up()
        assert closing.finish(floor.house, floor.clock.now) is not None
        floor.catches_up()
