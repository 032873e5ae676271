"""
Some who play at houses over HTTP, in turn: ``python -m tests.faults.player '[{"house": …}, …]'``.

Each plays all five games at a table of their own and at one that all share, does what takes a
second person, asks for fills and credits. When standard input ends they end what they are about,
and ask all again that they remember.
"""

from __future__ import annotations

import json
import sys
import threading
import time
import uuid
from contextlib import ExitStack
from datetime import UTC, datetime, timedelta
from itertools import cycle
from pathlib import Path
from random import Random
from typing import IO, TYPE_CHECKING, Any, Final

from casino.demo.acts import OPENINGS, Somebody, any_opening
from tests.faults.caller import AGAIN_FOR, Caller, Silence

if TYPE_CHECKING:
    from collections.abc import Sequence

GUESTS: Final = ("Ada", "Bo", "Cyd", "Dara", "Elio", "Fenn", "Gil", "Hana")
WITH_A_HOME_THROW: Final = frozenset({"stone-hand", "cinnabar-gate"})
SECOND_PERSON: Final = frozenset({"approve", "reject", "witness", "resolve"})
OFTEN: Final = {  # how often people do what they may; everything else whenever they may
    "close": 1 / 25,
    "no_throw": 1 / 30,
    "leave": 1 / 30,
    "join": 1 / 30,
    "buy_in": 1 / 30,
    "stand": 1 / 3,
    "pass": 1 / 3,
    "withdraw": 1 / 20,
    "cash_out": 1 / 4,
    "void": 1 / 15,
    "pause": 1 / 60,
    "dispute": 1 / 60,
    "resolve": 1 / 2,
    "witness": 1 / 4,
    "handover": 0,  # another attendant takes over: the next games are theirs
    "change_dice": 0,
}
SHARED: Final = 1 / 4  # of what is done is done at the table that others play at, too
LISTED: Final = 1 / 8  # of commands come as a list, as from a device that was out of reach
NONSENSE: Final = 1 / 40  # of commands are refused by any rules
SLIPS: Final = 1 / 40
SKEW_MAX: Final = 15  # minutes that a device's clock is off
A_DAY_AHEAD: Final = 1 / 200


class Player:
    def __init__(self, settings: dict[str, Any], written: IO[str]) -> None:
        self.chance = Random(settings["seed"])  # noqa: S311 - dice of a test
        self.house = str(settings["house"])
        self.attendant = settings["attendants"][settings["number"] % len(settings["attendants"])]
        self.second = settings["supervisor"]
        self.manager = settings["manager"]
        self.table = settings["tables"][settings["number"]]
        self.shared = settings["tables"][-1]
        self.skew, self.pause = self._skew(), settings["pause"]
        self.running: dict[str, str] = {}  # tables, and the games there
        self.to_pay: list[str] = []  # closed games, where people have something left
        self.caller = Caller(
            ports=settings["ports"],
            device=f"tablet-{settings['number']}",
            chance=self.chance,
            written=written,
        )

    def does_something(self) -> None:
        """:raises Silence: if the house does not show what may be done."""
        dice = self.chance.random()
        if dice < SLIPS:
            self.asks_for_money()
        elif dice < 3 * SLIPS:
            self.caller.repeats_something()
        elif dice < 5 * SLIPS and self.to_pay:
            self.pays_out(self.to_pay.pop(0))
        else:
            self.plays(self.shared if self.chance.random() < SHARED else self.table)

    def plays(self, table: str) -> None:
        """A step in the game at a table, or a new game there."""
        game = self.running.get(table) or self.finds(table)
        if game is None:
            self.opens(table)
            return
        state = self.looks(f"games/{game}/")
        if state["status"] == "closed":
            self.running.pop(table, None)
            return
        self.running[table] = game
        somebody = Somebody(state, self.chance, GUESTS)
        rows = [row for row in state["offers"] if self._wanted(row) and somebody.may(row)]
        if rows:
            command = somebody.does(self.chance.choice(rows))
            self.puts(game, command, somebody.does(self.chance.choice(rows)))

    def finds(self, table: str) -> str | None:
        """The game that runs at a table, whoever opened it."""
        rows = self.looks(f"establishments/{self.house}/tables/")["results"]
        return next((row["game"] for row in rows if row["id"] == table), None)

    def opens(self, table: str) -> None:
        kind = self.chance.choice(tuple(OPENINGS))
        opening = any_opening(kind, GUESTS, self.chance)
        if kind in WITH_A_HOME_THROW:
            opening["home_throw_policy"] = "fixed"
        reply = self.caller.put(self.attendant, "games/", {**self._dated(opening), "table": table})
        if reply.status == 201:
            self.to_pay.append(reply.body["id"])

    def puts(self, game: str, command: dict[str, Any], other: dict[str, Any]) -> None:
        """One command; or as a list with another, which may be refused then, and a third."""
        if self.chance.random() < NONSENSE:
            command = {"do": "throw", "player": self.chance.choice(GUESTS), "dice": [99]}
        path, who = f"games/{game}/commands/", self._who(command)
        if self.chance.random() < LISTED and self._who(other) == who:
            last = {"do": "buy_in", "player": self.chance.choice(GUESTS), "amount": 2}
            self.caller.put(who, path, [self._dated(each) for each in (command, other, last)])
        else:
            self.caller.put(who, path, self._dated(command))

    def pays_out(self, game: str) -> None:
        """Whoever has something left takes it, once the game is over and all of it is booked."""
        state = self.looks(f"games/{game}/")
        if state["status"] == "open" or state["settled_through"] < state["position"]:
            self.to_pay.append(game)
            return
        for player, stake in state["booked"].items():
            if stake:
                fields = {"do": "cash_out", "player": player, "amount": stake}
                self.caller.put(self.attendant, f"games/{game}/commands/", self._dated(fields))

    def asks_for_money(self) -> None:
        """A fill or a credit, and the answer of a second person (B2)."""
        fields = {
            "command_id": str(uuid.uuid4()),
            "kind": self.chance.choice(("fill", "credit")),
            "table": self.table,
            "sheet": {"5": self.chance.randint(1, 3)},
            "reason": "For change.",
        }
        path = f"establishments/{self.house}/"
        reply = self.caller.put(self.attendant, f"{path}slips/", fields)
        if reply.status == 201:
            answer = {"command_id": str(uuid.uuid4()), "reason": "Seen."}
            do = self.chance.choice(("approve", "approve", "reject"))
            request = f"{path}approvals/{reply.body['request']}/{do}/"
            self.caller.put(self.manager, request, answer)

    def looks(self, path: str) -> Any:
        reply = self.caller.ask(self.attendant, "GET", path)
        if reply.status != 200:
            raise Silence(f"{path}: {reply.status}")
        return reply.body

    def _wanted(self, row: dict[str, Any]) -> bool:
        return self.chance.random() < OFTEN.get(row["do"], 1)

    def _who(self, command: dict[str, Any]) -> str:
        return str(self.second if command["do"] in SECOND_PERSON else self.attendant)

    def _dated(self, fields: dict[str, Any]) -> dict[str, Any]:
        """With an id, and perhaps with the time by a device's clock, which is now and then set."""
        command = {**fields, "command_id": str(uuid.uuid4())}
        if self.chance.random() < 1 / 30:
            self.skew = self._skew()
        if self.chance.random() < 1 / 2:
            return command
        ahead = timedelta(days=2) if self.chance.random() < A_DAY_AHEAD else timedelta()
        return {**command, "occurred_at": (datetime.now(UTC) + self.skew + ahead).isoformat()}

    def _skew(self) -> timedelta:
        return timedelta(minutes=self.chance.uniform(-SKEW_MAX, SKEW_MAX))


def play(players: Sequence[Player], ended: threading.Event) -> None:
    """:raises Unheard: if a house never answers any more."""
    for player in cycle(players):
        if ended.wait(player.pause):
            return
        try:
            player.does_something()
        except Silence:
            time.sleep(player.chance.uniform(0, 0.3))


def main(settings: Sequence[dict[str, Any]]) -> None:
    ended = threading.Event()

    def hears() -> None:
        sys.stdin.read()
        ended.set()

    threading.Thread(target=hears, daemon=True).start()
    with ExitStack() as stack:
        players = [
            Player(each, stack.enter_context(Path(each["journal"]).open("w", encoding="utf-8")))
            for each in settings
        ]
        play(players, ended)
        for player in players:
            player.caller.asks_all_again(AGAIN_FOR / len(players))


if __name__ == "__main__":
    main(json.loads(sys.argv[1]))
