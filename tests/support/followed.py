"""Wakes of one kind of work, and who was served."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING
from uuid import uuid4

from casino.engine.processes.queues import waking

if TYPE_CHECKING:
    from uuid import UUID

A, B, C = (uuid4() for _ in range(3))


@dataclass
class Followed:
    """Wakes of one kind of work: who was served, and how much each house has still to do."""

    served: list[UUID] = field(default_factory=list)
    stints: dict[UUID, int] = field(default_factory=dict)
    messages: int = 0
    sent: int = 0
    leisure: list[UUID] = field(default_factory=list)

    @cached_property
    def wakes(self) -> waking.Wakes:
        return waking.Wakes("play", {"settle": self._serve}, self._sent)

    def _sent(self, _queue: str) -> None:
        self.messages += 1
        self.sent += 1

    def at_leisure(self, house: UUID) -> bool:
        self.leisure.append(house)
        return False

    def stay(self) -> int:
        """How many are at hand."""
        lists = waking.waiting()
        assert isinstance(lists, waking.InRedis)
        return int(lists._client.get("at-hand:play") or 0)

    def _serve(self, house: UUID) -> bool:
        self.served.append(house)
        self.stints[house] = self.stints.get(house, 1) - 1
        return self.stints[house] > 0

    def wake(self, *houses: UUID) -> None:
        self.wakes.wake([("settle", house) for house in houses])

    def work(self, *, at_most: int = 10_000) -> None:
        """Take messages until there is none."""
        for _ in range(at_most):
            if not self.messages:
                return
            self.messages -= 1
            self.wakes.serve()
