"""
Games told shortly, so that a row of a table shows all that matters in it.

    A227    A throws 2-2-7          A!     A stands
    h246    the attendant throws    A~     a cocked die of A
    A-      A leaves                A$5    A cashes out 5
    v3      void back to event 3    v3+    ... with approval
    y4 n4   approve, reject         x      close
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from dataclasses import fields as dataclass_fields
from typing import Any

from games import vocabulary
from games.game import Ruleset
from games.messages import Fact
from games.refusals import Refused
from games.stone_hand import STONE_HAND
from games.stone_hand.messages import Options

Raw = dict[str, Any]
TOO_LATE = "2026-11-26T20:15:00Z"  # of a void: after the seconds in which an undo takes nobody else


@dataclass
class Table:
    """A game in progress. `refused`: the codes of what was refused; `times`: of each event."""

    state: Any = None
    history: list[Fact] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)
    times: list[int | None] = field(default_factory=list)
    ruleset: Ruleset = STONE_HAND

    def __post_init__(self) -> None:
        if self.state is None:
            self.state = self.ruleset.decider.initial

    def ask(self, raw: Mapping[str, Any]) -> tuple[Fact, ...]:
        vocabulary.shape(raw)
        command = self.ruleset.parse(str(raw["do"]), vocabulary.read(raw))
        if raw.get("occurred_at") == TOO_LATE:
            command = replace(command, in_time=False)
        return self.put(command)

    def put(self, command: object) -> tuple[Fact, ...]:
        happened = self.ruleset.decider.decide(command, self.state)
        self.state = self.ruleset.decider.fold(happened, self.state)
        self.history += happened
        self.times += [getattr(command, "at", None)] * len(happened)
        return happened

    def tell(self, script: str) -> "Table":
        for token in script.split():
            try:
                self.ask(command(token))
            except Refused as refusal:
                self.refused.append(refusal.code)
        return self

    def numbered(self) -> list[tuple[int, Fact]]:
        return list(enumerate(self.history, 1))

    def view(self) -> dict[str, Any]:
        return self.ruleset.view(self.numbered())

    def offers(self) -> list[dict[str, Any]]:
        return self.ruleset.offers(self.state)


def command(token: str) -> Raw:
    head, rest = token[0], token[1:]
    match head:
        case "h":
            return {"do": "throw_home", "dice": faces(rest)}
        case "v":
            more = {"+": {"approved_by": "Mara"}, "~": {"occurred_at": TOO_LATE}}.get(rest[-1], {})
            return {"do": "void", "back_to": int(rest.rstrip("+~")), "reason": "misread", **more}
        case "y" | "n":
            return {"do": "approve" if head == "y" else "reject", "request": int(rest)}
        case "x":
            return {"do": "close"}
        case _:
            return of_player(head, rest)


def of_player(player: str, rest: str) -> Raw:
    match rest[0]:
        case "!":
            return {"do": "stand", "player": player}
        case "-":
            return {"do": "leave", "player": player}
        case "~":
            return {"do": "no_throw", "player": player, "reason": "cocked"}
        case "$":
            return {"do": "cash_out", "player": player, "amount": int(rest[1:])}
        case _:
            return {"do": "throw", "player": player, "dice": faces(rest)}


def faces(digits: Iterable[str]) -> list[int]:
    return [int(digit) for digit in digits]


def names(options: type[Any]) -> tuple[str, ...]:
    """The options that a game has."""
    return tuple(each.name for each in dataclass_fields(options))


def opening(players: str = "ABC", **fields: Any) -> Raw:
    """An opening command; option names go to the options, the rest are fields of their own."""
    options = {name: value for name, value in fields.items() if name in OPTIONS}
    own = {name: value for name, value in fields.items() if name not in OPTIONS}
    stake = {} if options.get("mode", "pool") != "pool" else {"stake": 25}
    return {
        "do": "open",
        "game": "stone-hand",
        "players": list(players),
        **stake,
        "options": options,
        **own,
    }


OPTIONS = names(Options)


def with_later(options: type[Any], recorded: Mapping[str, Any]) -> Raw:
    """Options as an opening has them: those `recorded`, and what came later at its default."""
    return {each.name: each.default for each in dataclass_fields(options)} | dict(recorded)


def opened(players: str = "ABC", **fields: Any) -> Table:
    table = Table()
    table.ask(opening(players, **fields))
    return table


def stakes(**amounts: int) -> dict[str, int]:
    return amounts
