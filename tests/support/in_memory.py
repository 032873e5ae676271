"""Whole games of all kinds, played by the rules alone: sequences nobody thought of, no database."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any

from casino.demo.acts import Somebody, any_opening
from casino.house.acts.game_streams.catalogue import RULESETS
from games import vocabulary
from games.commands import situate
from games.refusals import Refused
from games.regrade import Recorded
from tests.support.random_player import RARE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from games.game import Ruleset
    from games.messages import Fact

NAMES = ("Ada", "Bo", "Cy", "Dea")
BY_ID = {ruleset.id: ruleset for ruleset in RULESETS}
SECOND_PERSON = {"approve", "reject", "witness", "resolve"}
START, PACE = 1_790_000_000, 30  # seconds


def record(ruleset: Ruleset, facts: Sequence[Fact], *, at: int = START) -> list[Recorded]:
    """As the ledger gives it."""
    return [
        Recorded(*ruleset.encode(fact), at + PACE * number) for number, fact in enumerate(facts)
    ]


def played(game: str, *commands: dict[str, Any], at: int = START, **opening: Any) -> list[Recorded]:
    """What commands lead to, each allowed; the first is `open` with what is given."""
    table = AtTheTable(BY_ID[game], at)
    for raw in ({"do": "open", "game": game, **opening}, *commands):
        table.does(raw)
    return table.record


def at_random(game: str, seed: int, *, acts: int = 60) -> list[Recorded]:
    """A game as chance plays it, voids, breaks and comings and goings among it."""
    chance = Random(seed)  # noqa: S311 - of a test
    table = AtTheTable(BY_ID[game], START)
    raw = any_opening(game, NAMES, chance)
    if game in {"stone-hand", "cinnabar-gate"}:
        raw["home_throw"] = [1, 3, 6]
    table.does(raw)
    for _ in range(acts):
        state = table.shown()
        somebody = Somebody(state, chance, NAMES)
        rows = [
            row
            for row in table.ruleset.offers(table.state)
            if row["do"] not in SECOND_PERSON | {"handover", "change_dice"}
            and somebody.may(row)
            and chance.random() < RARE.get(row["do"], 1)
        ]
        if rows:
            try:
                table.does(somebody.does(chance.choice(rows)))
            except Refused:
                continue
    return table.record


class AtTheTable:
    """One game; what it records is what the ledger would hold of it."""

    def __init__(self, ruleset: Ruleset, at: int) -> None:
        self.ruleset, self.at = ruleset, at
        self.state: Any = ruleset.decider.initial
        self.record: list[Recorded] = []

    def does(self, raw: dict[str, Any]) -> None:
        self.at += PACE
        command = situate(self.ruleset.parse(raw["do"], vocabulary.read(raw)), at=self.at)
        facts = self.ruleset.decider.decide(command, self.state)
        self.state = self.ruleset.decider.fold(facts, self.state)
        self.record += [Recorded(*self.ruleset.encode(fact), self.at) for fact in facts]

    def shown(self) -> dict[str, Any]:
        inner = self.state.inner
        return {
            "id": "g",
            "game": self.ruleset.id,
            "round": self.state.round,
            "stakes": dict(getattr(inner, "stakes", {})),
        }
