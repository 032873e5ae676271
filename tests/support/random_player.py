"""Plays whatever the games offer, by chance that the caller brings: sequences nobody thought of."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from casino.demo.acts import Somebody, any_opening
from casino.house.acts.game_streams.catalogue import RULESETS
from casino.house.attendants.pseudonyms import tokens
from casino.play.core import queries
from games import corrections
from games.game_session import find_live
from games.refusals import Refused
from tests.support.playing import NOW, ask, ask_open, game_of, new_id

if TYPE_CHECKING:
    import uuid
    from collections.abc import Callable, Sequence
    from random import Random

    from casino.play.core.core import Answer
    from tests.support.builders import House

NAMES = ("Ada", "Bo", "Cy", "Dea")
GAMES = tuple(ruleset.id for ruleset in RULESETS)
WITH_A_HOME_THROW = frozenset({"stone-hand", "cinnabar-gate"})
SECOND_PERSON = frozenset({"approve", "reject", "witness", "resolve"})


class RandomPlayer:
    """
    Somebody who opens games at a house and does anything that may be done in them.

    corrects: half of the voids enter something instead (G4). somebody: who acts at its tables.
    """

    corrects = False
    somebody: Callable[..., Somebody] = Somebody

    def __init__(self, house: House, chance: Random, games: Sequence[str] = GAMES) -> None:
        self.house, self.chance = house, chance
        self.kinds = games
        self.games: list[uuid.UUID] = []  # every one that was opened
        self.running: list[uuid.UUID] = []
        self.refused: list[tuple[str, str, str]] = []  # game, do, code
        self.now = NOW

    def does_something(self) -> Answer:
        if not self.running or self.chance.random() < 1 / 12:
            return self.opens()
        return self.plays(self.chance.choice(self.running))

    def opens(self) -> Answer:
        """A game at some table; refused where one is open already."""
        kind = self.chance.choice(self.kinds)
        raw = {**self.opening(kind), "command_id": new_id()}
        if kind in WITH_A_HOME_THROW:
            raw["home_throw"] = [1, 3, 6]
        answer = ask_open(
            self.house, raw, table=self.chance.choice(self.house.tables), now=self.now
        )
        if answer.refusal is None:
            self.games.append(answer.key.game)
            self.running.append(answer.key.game)
        return answer

    def opening(self, kind: str) -> dict[str, Any]:
        """How a game is opened, without the command's id."""
        return any_opening(kind, NAMES, self.chance)

    def plays(self, game: uuid.UUID) -> Answer:
        """Something that the game offers; a new game where it offers nothing more."""
        state = queries.state(game_of(self.house, game))
        somebody = self.somebody(state, self.chance, NAMES)
        rows = [row for row in state["offers"] if somebody.may(row) and self.is_wanted(row)]
        if not rows:
            if state["status"] == "closed":
                self.running.remove(game)
            return self.opens()
        command = somebody.does(self.chance.choice(rows))
        answer = self.puts(game, command)
        if answer.refusal is not None:
            self.refused.append((state["game"], command["do"], answer.refusal.code))
        return answer

    def puts(self, game: uuid.UUID, command: dict[str, Any]) -> Answer:
        if self.corrects and command["do"] == "void" and self.chance.random() < 1 / 2:
            changed = self.changed(game, command["back_to"])
            answer = self.asks(game, {**command, **changed}) if changed else None
            if answer is not None and answer.refusal is None:
                return answer
        return self.asks(game, command)

    def changed(self, game: uuid.UUID, back_to: int) -> dict[str, Any]:
        """
        What is entered instead: the command that goes back, perhaps with another face. Nothing, if
        there is no such command: somebody may mean an event that was voided, which is refused.
        """
        loaded = game_of(self.house, game)
        try:
            first = find_live(back_to, loaded.state).first
        except Refused:
            return {}
        command = loaded.ruleset.command_of(loaded.facts[first - 1])
        raw = None if command is None else corrections.command_in_full(command)
        if raw is None:
            return {}
        instead = tokens.resolve(self.house.id, raw)
        if instead.get("dice"):
            instead["dice"][0] = self.chance.randint(1, 6)
        return {"instead": instead, "only": self.chance.random() < 1 / 4}

    def asks(self, game: uuid.UUID, command: dict[str, Any]) -> Answer:
        who = self.house.supervisor if command["do"] in SECOND_PERSON else self.house.attendant
        fields = {name: value for name, value in command.items() if name != "do"}
        return ask(self.house, game, command["do"], by=who, now=self.now, **fields)

    def is_wanted(self, row: dict[str, Any]) -> bool:
        """Games that are closed at once or voided all the time get nowhere."""
        return self.chance.random() < RARE.get(row["do"], 1)


RARE = {
    "close": 1 / 15,
    "no_throw": 1 / 15,
    "leave": 1 / 12,
    "join": 1 / 12,
    "buy_in": 1 / 12,
    "void": 1 / 8,
    "reject": 1 / 12,
    "stand": 1 / 4,
    "withdraw": 1 / 12,
    "pass": 1 / 4,
    "cash_out": 1 / 2,
    "pause": 1 / 15,
    "handover": 0,
    "change_dice": 0,
    "witness": 1 / 8,
    "dispute": 1 / 15,
    "resolve": 1 / 4,
}
