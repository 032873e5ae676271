"""
Grades one game: decides its events again, then compares the result with what settlement booked and
with the payouts that screens read. Explanations are made only for games that differ.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from casino.house.acts.game_streams import catalogue
from casino.proof.disputes.regrade.books import Books
from casino.proof.disputes.regrade.record import GameRecord, Stored
from games import regrade

if TYPE_CHECKING:
    from collections.abc import Mapping

    from casino.proof.disputes.regrade.findings import Findings
    from casino.proof.disputes.regrade.reading import GameRows
    from games.messages import Fact


def grade_game(rows: GameRows, stored: Stored, *, current: bool = False) -> Findings:
    """Grade a whole game. What is wrong with it is a finding, not an exception."""
    game = Game(rows, stored)
    return game.by_current() if current else game.by_its_own()


class Game(GameRecord):
    """A game record that is graded: by the rules it was opened under, or by today's rules."""

    def by_current(self) -> Findings:
        """Grade by today's rules: what they would have paid. Nothing else is compared."""
        record = self.record()
        if self.pinned() and self.ruleset is not None:
            self.ruleset = catalogue.current(self.ruleset.id)
            self.result = regrade.by_current(self.ruleset, record)
            self.found.payouts = sum(len(fact.payments) for fact in self.result.found)
            self.report_events()
        return self.with_explanations()

    def by_its_own(self) -> Findings:
        record = self.record()
        if self.pinned() and self.ruleset is not None:
            self.result = regrade.regrade(self.ruleset, record)
            self.report_events()
            try:
                Books(self).compare()
            except Exception as error:  # noqa: BLE001 - what was forged may break anything
                reason = f"{type(error).__name__}: {error}"
                self.differs("booking", "unreadable", said=reason)
        return self.with_explanations()

    def report_events(self) -> None:
        for each in self.result.differences:
            missing = each.what == "missing"
            self.differs(
                "event",
                each.what,
                round=each.round,
                event=each.number,
                position=None if missing else self.rows.played[each.number - 1].position,
                expected=self.encode(each.expected),
                found=self.encode(each.found) or self.raw(each.number, missing=missing),
                said=each.detail,
            )

    def encode(self, fact: Fact | None) -> dict[str, Any] | None:
        if fact is None or self.ruleset is None:
            return None
        event_type, data = self.ruleset.encode(fact)
        return {"type": event_type, **data}

    def raw(self, number: int, *, missing: bool) -> dict[str, Any] | None:
        if missing:
            return None
        body = self.bodies[number - 1]
        return {"type": body["event_type"], "data": body["data"]}

    def with_explanations(self) -> Findings:
        """The findings, each difference with the explanations of its round by both histories."""
        if self.found.differences and self.ruleset is not None:
            self.found.differences = [
                replace(each, because=self.because(each.round)) for each in self.found.differences
            ]
        return self.found

    def because(self, round_no: int | None) -> dict[str, Any]:
        sides = {"expected": self.as_decided, "found": self.as_recorded}
        return {name: rounds[round_no] for name, rounds in sides.items() if round_no in rounds}

    @cached_property
    def as_decided(self) -> Mapping[Any, Any]:
        return regrade.explanations(self.ruleset, self.result.decided) if self.ruleset else {}

    @cached_property
    def as_recorded(self) -> Mapping[Any, Any]:
        return regrade.explanations(self.ruleset, self.result.found) if self.ruleset else {}
