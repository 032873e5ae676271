"""Plays whatever the games offer, by chance that the caller brings: sequences nobody thought of."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from casino.play import queries, settled
from tests.casino.playing import ask, ask_open, game_of, opening

if TYPE_CHECKING:
    import uuid
    from collections.abc import Callable
    from random import Random

    from casino.play.core import Answer
    from tests.casino.builders import House

NAMES = ("Ada", "Bo", "Cy", "Dea")
NO_MONEY = 1 / 5  # of the games are played for points
SECOND_THOUGHTS = 1 / 6  # of the requests are rejected


class Croupier:
    """Somebody who opens games at a house and does anything that may be done in them."""

    def __init__(self, house: House, chance: Random) -> None:
        self.house, self.chance = house, chance
        self.games: list[uuid.UUID] = []  # every one that was opened
        self.running: list[uuid.UUID] = []

    def does_something(self) -> Answer:
        if not self.running or self.chance.random() < 1 / 12:
            return self.opens()
        return self.plays(self.chance.choice(self.running))

    def opens(self) -> Answer:
        """A game at some table; refused where one is open already."""
        answer = ask_open(
            self.house, self.any_opening(), table=self.chance.choice(self.house.tables)
        )
        if answer.refusal is None:
            self.games.append(answer.key.game)
            self.running.append(answer.key.game)
        return answer

    def any_opening(self) -> dict[str, Any]:
        chance = self.chance
        if chance.random() < NO_MONEY:
            return opening(players=self.seats(0), options={"mode": "scoreboard"}, stake=0)
        return opening(
            players=self.seats(chance.choice((3, 8, 20))),
            options={
                "rethrow": chance.choice((0, 0, 1, 2)),
                "leave": chance.choice(("forfeit", "refund")),
                "triad_pay": chance.choice(("middle", "all", 2)),
                "tie_owes": chance.choice(("original", "rethrow")),
            },
            home_throw=[1, 3, 6],
            **chance.choice(FEES),
        )

    def seats(self, stake: int) -> list[dict[str, Any]]:
        count = self.chance.randint(2, len(NAMES))
        house = self.chance.choice((None, None, 0)) if stake else None
        return [
            {"name": name, "stake": stake, "house": number == house}
            for number, name in enumerate(NAMES[:count])
        ]

    def plays(self, game: uuid.UUID) -> Answer:
        """Something that the game offers; a new game where it offers nothing more."""
        loaded = game_of(self.house, game)
        through = settled.settled_through(loaded)
        rows = [row for row in queries.offers(loaded, through) if self.is_wanted(row)]
        if not rows:
            self.running.remove(game)
            return self.opens()
        row = self.chance.choice(rows)
        return self.ways[row["do"]](self, game, row)

    def is_wanted(self, row: dict[str, Any]) -> bool:
        """Games that are closed at once or voided all the time get nowhere."""
        return row["do"] in {"throw", "throw_home", "approve"} or self.chance.random() < RARE.get(
            row["do"], 1 / 4
        )

    def throws(self, game: uuid.UUID, row: dict[str, Any]) -> Answer:
        low = self.chance.randint(1, 8)
        dice = [low, self.chance.choice((low, self.chance.randint(1, 8))), 1]
        dice[2] = self.chance.randint(1, 8)
        return ask(self.house, game, "throw", player=row["player"], dice=dice)

    def stands(self, game: uuid.UUID, row: dict[str, Any]) -> Answer:
        return ask(self.house, game, "stand", player=row["player"])

    def says_no_throw(self, game: uuid.UUID, row: dict[str, Any]) -> Answer:
        return ask(self.house, game, "no_throw", player=row["player"], reason="cocked")

    def lets_go(self, game: uuid.UUID, row: dict[str, Any]) -> Answer:
        return ask(self.house, game, "leave", player=row["player"])

    def pays_out(self, game: uuid.UUID, row: dict[str, Any]) -> Answer:
        amount = self.chance.randint(1, row["most"])
        return ask(self.house, game, "cash_out", player=row["player"], amount=amount)

    def closes(self, game: uuid.UUID, _row: dict[str, Any]) -> Answer:
        return ask(self.house, game, "close")

    def voids(self, game: uuid.UUID, row: dict[str, Any]) -> Answer:
        back_to = self.chance.choice(row["alone"] or range(row["from"], row["to"] + 1))
        return ask(self.house, game, "void", back_to=back_to, reason="Misread.")

    def answers(self, game: uuid.UUID, row: dict[str, Any]) -> Answer:
        do = "reject" if self.chance.random() < SECOND_THOUGHTS else "approve"
        return ask(self.house, game, do, by=self.house.supervisor, request=row["request"])

    ways: dict[str, Callable[[Croupier, uuid.UUID, dict[str, Any]], Answer]] = {
        "throw": throws,
        "stand": stands,
        "no_throw": says_no_throw,
        "leave": lets_go,
        "cash_out": pays_out,
        "close": closes,
        "void": voids,
        "approve": answers,
        "reject": answers,
    }


RARE = {"close": 1 / 15, "no_throw": 1 / 15, "leave": 1 / 12, "void": 1 / 3, "cash_out": 1 / 2}
FEES: tuple[dict[str, Any], ...] = (
    {},
    {},
    {"fee": {"kind": "rake", "percent": 10, "cap": 3}},
    {"fee": {"kind": "seat", "amount": 1}},
)
