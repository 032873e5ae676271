"""One really played evening at a house: games of all five kinds, with all that may be done."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, Final
from unittest import mock
from uuid import uuid4

from casino.demo.acts import Somebody
from casino.house.acts import acts
from casino.house.establishments import gaming_day
from casino.money.payouts import inspections
from casino.play.core import queries
from casino.play.settlement import rollovers
from ledger import journal
from tests.support.playing import ask_open, game_of, new_id, settled
from tests.support.random_player import RandomPlayer

if TYPE_CHECKING:
    from random import Random
    from uuid import UUID

    from casino.play.core.core import Answer
    from tests.support.builders import House

LASTS: Final = timedelta(hours=8)
SELDOM: Final = frozenset(
    {"void", "dispute", "pause", "no_throw", "reject", "leave", "join", "buy_in", "close"}
)
SELDOM_IS: Final = 1 / 4  # of how often tests do rare things to find errors
SETTLED_EVERY: Final = 12  # acts
ROUNDS: Final = 400  # of clearing up, at most
TRIES: Final = 3  # of a refused command, with settlement in between


class Evening(RandomPlayer):
    """
    An evening from the first game to the last cash-out. It leaves nothing over: no running game, no
    rollover, no open dispute, no dice in quarantine. So another evening can follow.
    """

    def __init__(self, house: House, chance: Random, begins: datetime, events: int) -> None:
        super().__init__(house, chance)
        self.now, self.events = begins, events
        self.pace = LASTS / max(1, events)

    def opens(self) -> Answer:
        """Open a game at a free table, if there is one."""
        taken = {game_of(self.house, game).place["table"] for game in self.running}
        free = [table for table in self.house.tables if str(table.pk) not in taken]
        whole = self.house
        try:
            self.house = replace(whole, tables=free or whole.tables)
            return super().opens()
        finally:
            self.house = whole

    def is_wanted(self, row: dict[str, Any]) -> bool:
        if row["do"] in SELDOM and self.chance.random() > SELDOM_IS:
            return False
        return super().is_wanted(row)

    def played(self) -> range:
        """The positions of all events of the evening, without the opening of its gaming day."""
        with mock.patch("django.utils.timezone.now", self.clock):
            gaming_day.enter(self.house.establishment, self.now)
            first = journal.head(establishment=self.house.id) + 1
            tables, at = len(self.house.tables), 0
            while journal.head(establishment=self.house.id) - first < self.events:
                self.now += self.pace
                if len(self.running) < tables:
                    self.opens()
                else:
                    self.plays(self.running[at % tables])
                at += 1
                if at % SETTLED_EVERY == 0:
                    settled(self.house)
            self.clears_up()
            return range(first, journal.head(establishment=self.house.id) + 1)

    def clock(self) -> datetime:
        """The evening's own clock: settlement books at the time of play, not of the benchmark."""
        return self.now

    def clears_up(self) -> None:
        settled(self.house)
        for game in self.games:
            self.ends(game)
        while rollovers.read(self.house.id, "threes-away").waiting:
            self.ends(self.wins_it())
        settled(self.house)
        for dice, _ in list(inspections.waiting(self.house.establishment)):
            act = acts.Act(
                house=self.house.establishment, by=self.house.supervisor, device="office",
                now=self.now, command_id=uuid4(), request={"do": "inspect", "dice": str(dice.pk)},
            )  # fmt: skip
            inspections.inspect(act, dice_set=dice.pk, in_order=True, finding="Sound.")
        settled(self.house)

    def ends(self, game: UUID) -> None:
        """Answer what waits, close the table, and let everybody take what is theirs."""
        refused = 0
        for _ in range(ROUNDS):
            self.now += timedelta(seconds=1)
            state = queries.state(game_of(self.house, game))
            rows = {row["do"]: row for row in reversed(state["offers"])}
            somebody = Somebody(state, self.chance, ())
            row = next((rows[do] for do in LAST if do in rows and somebody.may(rows[do])), None)
            if row is None:
                break
            command = somebody.does(row)
            if row["do"] == "cash_out":
                command["amount"] = row["most"]
            if self.puts(game, command).refusal is None:
                refused = 0
                continue
            settled(self.house)
            refused += 1
            if refused > TRIES:  # something holds the game that nobody here can resolve
                break
        if game in self.running:
            self.running.remove(game)

    def wins_it(self) -> UUID:
        """Play a game of threes away that takes the rollover and is won in its first round."""
        players = [{"name": name, "stake": 9} for name in ("Ada", "Bo")]
        raw = {"game": "threes-away", "players": players, "options": {"progressive": "no"}}
        answer = self.open(raw)
        for name, face in (("Ada", 3), ("Bo", 6)):
            faces = [face] * 5
            self.puts(answer, {"do": "throw", "player": name, "dice": faces, "keep": faces})
        settled(self.house)
        return answer

    def open(self, raw: dict[str, Any]) -> UUID:
        command = {"do": "open", "command_id": new_id(), **raw}
        answer = ask_open(self.house, command, table=self.house.table, now=self.now)
        assert answer.refusal is None, answer.refusal
        return answer.key.game


LAST: Final = ("resume", "approve", "reject", "resolve", "witness", "close", "cash_out")
