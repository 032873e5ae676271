"""Records a transcript in the ledger, through the same operations as any other game."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.utils import timezone

from casino.house.acts.game_streams import catalogue
from casino.house.acts.game_streams.loading import load
from casino.house.attendants.pseudonyms import tokens
from casino.play.core import operations
from casino.play.settlement import settling
from games.refusals import Refused
from games.transcripts import Play, Report

if TYPE_CHECKING:
    from collections.abc import Mapping

    from casino.house.acts.game_streams.loading import GameKey
    from casino.house.attendants.models import Attendant
    from casino.house.establishments.models import Table
    from casino.play.core.core import Answer
    from games.game import Ruleset

DEVICE = "replay"


class Recorded(Refused):
    """A refusal with the code and the sentence that the ledger recorded."""

    def __init__(self, code: str, detail: str) -> None:
        super().__init__(detail)
        self.code = code  # type: ignore[misc]  # of one refusal, not of its class


@dataclass(slots=True, kw_only=True)
class Recording(Play):
    """A transcript that is being recorded at a table, in somebody's name."""

    by: Attendant
    table: Table
    key: GameKey | None = None

    def ask(self, line: int, raw: Mapping[str, Any], command_id: str) -> None:
        """:raises Refused: if the house refuses the command."""
        self.ruleset = self.rules_for(raw)
        command = self.resolved({**raw, "command_id": command_id or str(uuid.uuid4())})
        answer = self.carry_out(command)
        if answer.refusal is not None:
            if self.key is None:
                self.ruleset = None
            sentence = tokens.resolve_text(self.table.establishment_id, answer.refusal.detail)
            raise Recorded(answer.refusal.code, sentence)
        self.key = answer.key
        numbers = [event.stream_version for event in answer.events()]
        self.line_of.update(dict.fromkeys(numbers, line))
        self.first_events[line] = self.first_events[command_id or line] = numbers[0]

    def carry_out(self, command: Mapping[str, Any]) -> Answer:
        house, now = self.table.establishment, timezone.now()
        if self.key is None:
            return operations.open_game(
                by=self.by, table=self.table, raw=command, now=now, device=DEVICE
            )
        if command["do"] == "cash_out":
            settling.book(self.key)
        if command["do"] == "approve":  # whoever approves has seen all the lines before
            command = {"through": load(self.key).version, **command}
        game = self.key.game
        return operations.command(
            by=self.by, house=house, game=game, raw=command, now=now, device=DEVICE
        )

    def state_of_play(self, ruleset: Ruleset) -> Report:
        if self.key is None:
            raise AssertionError("asked for once a game is open")
        history = load(self.key).history
        report: Report = tokens.resolve(self.key.establishment, ruleset.view(history))
        return report


def recording(by: Attendant, table: Table) -> Recording:
    rulesets = {ruleset.id: ruleset for ruleset in catalogue.RULESETS}
    return Recording(rulesets, by=by, table=table)
